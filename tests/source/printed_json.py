"""Prints JSON in a random style and remembers where everything went: the yardstick for `Document.span_of`."""

import json
from dataclasses import dataclass, field
from random import Random

from sheliak.source import PathKey, Span

_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BLANKS = ("", "", "", " ", "  ", "\n", "\r\n", "\r", "\t", "\n    ")
_COMMENTS = ("// note\n", '// "quoted": [{\r\n', "/**/", "/* } ] */", "/* a * b ** / */", '/* " */', "//\n")


@dataclass
class Printed:
    """A text, with the spans of its values and keys and, for strings, the offset at which each code point begins."""

    text: str = ""
    values: dict[tuple[PathKey, ...], Span] = field(default_factory=dict)
    keys: dict[tuple[PathKey, ...], Span] = field(default_factory=dict)
    characters: dict[tuple[PathKey, ...], list[int]] = field(default_factory=dict)


class Printer:
    """`tolerant` adds comments and trailing commas; without it the text is strict JSON."""

    def __init__(self, random: Random, tolerant: bool) -> None:
        self.random = random
        self.tolerant = tolerant
        self.pieces: list[str] = []
        self.length = 0
        self.printed = Printed()

    def print(self, value: object) -> Printed:
        self._gap()
        self._value(value, ())
        self._gap()
        self.printed.text = "".join(self.pieces)
        return self.printed

    def _write(self, piece: str) -> None:
        self.pieces.append(piece)
        self.length += len(piece)

    def _gap(self) -> None:
        self._write(self.random.choice(_BLANKS))
        if self.tolerant and self.random.random() < 0.15:
            self._write(self.random.choice(_COMMENTS))
            self._write(self.random.choice(_BLANKS))

    def _value(self, value: object, path: tuple[PathKey, ...]) -> None:
        start = self.length
        if isinstance(value, dict):
            self._members(value, path)
        elif isinstance(value, list):
            self._elements(value, path)
        elif isinstance(value, str):
            self.printed.characters[path] = self._string(value)
        else:
            self._write(json.dumps(value))
        self.printed.values[path] = Span(start, self.length)

    def _members(self, members: dict[str, object], path: tuple[PathKey, ...]) -> None:
        self._write("{")
        for number, (key, member) in enumerate(members.items()):
            self._separate(number)
            start = self.length
            self._string(key)
            self.printed.keys[(*path, key)] = Span(start, self.length)
            self._gap()
            self._write(":")
            self._gap()
            self._value(member, (*path, key))
        self._close("}", bool(members))

    def _elements(self, elements: list[object], path: tuple[PathKey, ...]) -> None:
        self._write("[")
        for index, element in enumerate(elements):
            self._separate(index)
            self._value(element, (*path, index))
        self._close("]", bool(elements))

    def _separate(self, number: int) -> None:
        if number:
            self._gap()
            self._write(",")
        self._gap()

    def _close(self, bracket: str, filled: bool) -> None:
        self._gap()
        if filled and self.tolerant and self.random.random() < 0.3:
            self._write(",")
            self._gap()
        self._write(bracket)

    def _string(self, value: str) -> list[int]:
        """The string in quotes; the offset of each code point, and last of all that of the closing quote."""
        offsets = []
        self._write('"')
        for character in value:
            offsets.append(self.length)
            self._write(self._character(character))
        offsets.append(self.length)
        self._write('"')
        return offsets

    def _character(self, character: str) -> str:
        must = character in '"\\' or character < " " or "\ud800" <= character <= "\udfff"
        if not must and self.random.random() < 0.8:
            return character
        if character in _SHORT_ESCAPES and self.random.random() < 0.5:
            return _SHORT_ESCAPES[character]
        escaped = _unicode_escape(character)
        return escaped.upper().replace("\\U", "\\u") if self.random.random() < 0.3 else escaped


def _unicode_escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
