"""Reads what the strict decoder refuses: comments and trailing commas are fine, anything else is told as a problem.

The containers being read are kept in a list of our own, so no depth of nesting can exhaust the interpreter's stack.
"""

import json

from sheliak.source import json_faults
from sheliak.source.json_faults import Fault, Inside
from sheliak.source.json_tokens import BLANK, LITERALS, NUMBER, PLAIN_STRING, STRING, WORD
from sheliak.source.place import PathKey
from sheliak.source.problem import DEPTH_LIMIT, Problem
from sheliak.source.strict_json import CONSTANTS, REFUSED, STRICT, integer, is_nested_deeper
from sheliak.source.text import Source, Span

_MOST_REPEATED_KEYS = 50
# A refusal costs up to one reading of the text, so after a few of them everything is read step by step.
_MOST_REFUSALS = 16


class _Malformed(Exception):
    """The text cannot be read any further."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class _Frame:
    """A container that is still open. `filled` means that a value was read and no comma since."""

    __slots__ = ("container", "filled", "key", "key_starts", "opening")

    def __init__(self, container: dict[str, object] | list[object], opening: int) -> None:
        self.container = container
        self.opening = opening
        self.key: PathKey | None = None
        self.key_starts: dict[str, int] = {}
        self.filled = False


def read_tolerantly(source: Source) -> tuple[object, tuple[Problem, ...], bool]:
    """The value, what is wrong with the text, and whether it could be read to its end (else the value is None)."""
    reader = _Reader(source)
    try:
        value = reader.read()
    except _Malformed as malformed:
        return None, (*reader.problems, _problem(malformed.fault, reader.path())), False
    return value, tuple(reader.problems), True


class _Reader:
    __slots__ = ("_open", "_position", "_refusals", "_repeated", "_source", "_text", "problems")

    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text
        self._position = 0
        self._repeated = 0
        self._refusals = 0
        self._open: list[_Frame] = []
        self.problems: list[Problem] = []

    def path(self) -> tuple[PathKey, ...]:
        """The path of what is being read."""
        return tuple(frame.key for frame in self._open if frame.key is not None)

    def read(self) -> object:
        value = self._value()
        while self._open:
            frame = self._open[-1]
            if isinstance(frame.container, dict):
                self._read_member(frame, frame.container)
            else:
                self._read_element(frame, frame.container)
        if self._next():
            raise _Malformed(json_faults.no_end(self._source, self._position))
        return value

    def _read_member(self, frame: _Frame, members: dict[str, object]) -> None:
        if self._proceed(frame, "}"):
            frame.key = key = self._key(frame)
            if self._next() != ":":
                raise _Malformed(json_faults.no_colon(self._source, self._position, _inside(frame)))
            self._position += 1
            members[key] = self._value()

    def _read_element(self, frame: _Frame, elements: list[object]) -> None:
        if self._proceed(frame, "]"):
            frame.key = len(elements)
            elements.append(self._value())

    def _next(self) -> str:
        """Skip to the next token; its first character, or the empty text at the end."""
        found = BLANK.match(self._text, self._position)
        if found:
            self._position = found.end()
        return self._text[self._position : self._position + 1]

    def _proceed(self, frame: _Frame, closing: str) -> bool:
        """Go to the next member or element; False when the container ends instead. A comma may stand before the end."""
        found = self._next()
        if frame.filled and found != closing:
            if found != ",":
                raise _Malformed(json_faults.no_comma(self._source, self._position, _inside(frame)))
            self._position += 1
            found = self._next()
        if found == closing:
            self._position += 1
            self._open.pop()
            return False
        frame.filled = True
        return True

    def _key(self, frame: _Frame) -> str:
        start = self._position
        if not self._text.startswith('"', start):
            frame.key = None
            raise _Malformed(json_faults.no_key(self._source, start, _inside(frame)))
        key = self._string()
        if frame.key_starts.setdefault(key, start) != start:
            self._report_repeated_key(frame, key, start)
        return key

    def _value(self) -> object:
        found = self._next()
        if found == '"':
            return self._string()
        if found == "{" or found == "[":
            return self._container(found)
        if number := NUMBER.match(self._text, self._position):
            self._position = number.end()
            return float(number[0]) if number.lastindex else integer(number[0])
        return self._word()

    def _string(self) -> str:
        start = self._position
        if plain := PLAIN_STRING.match(self._text, start):
            self._position = plain.end()
            return self._text[start + 1 : self._position - 1]
        if escaped := STRING.match(self._text, start):
            self._position = escaped.end()
            return str(json.loads(escaped[0]))
        raise _Malformed(json_faults.bad_string(self._text, start))

    def _container(self, bracket: str) -> object:
        """The whole container if the strict decoder takes it (a data file inside a commented spec), else its opening.

        The root was refused before.
        """
        if not self._open or self._refusals == _MOST_REFUSALS:
            return self._opened(bracket)
        try:
            value, end = STRICT.raw_decode(self._text, self._position)
        except REFUSED:
            value, end = None, None
        if end is None or is_nested_deeper(value, DEPTH_LIMIT - len(self._open)):
            self._refusals += 1
            return self._opened(bracket)
        self._position = end
        return value

    def _opened(self, bracket: str) -> dict[str, object] | list[object]:
        """A new container, to be filled by the steps that follow."""
        if len(self._open) == DEPTH_LIMIT:
            raise _Malformed(json_faults.too_deep(self._position, DEPTH_LIMIT))
        container: dict[str, object] | list[object] = {} if bracket == "{" else []
        self._open.append(_Frame(container, self._position))
        self._position += 1
        return container

    def _word(self) -> object:
        start = self._position
        word = WORD.match(self._text, start)
        if word and word[0] in LITERALS:
            self._position = word.end()
            return LITERALS[word[0]]
        if word and word[0] in CONSTANTS:
            self._position = word.end()
            self.problems.append(_problem(json_faults.constant(word[0], start), self.path()))
            return CONSTANTS[word[0]]
        frame = self._open[-1] if self._open else None
        after_key = frame is not None and isinstance(frame.container, dict)
        raise _Malformed(json_faults.no_value(self._source, start, _inside(frame) if frame else None, after_key))

    def _report_repeated_key(self, frame: _Frame, key: str, start: int) -> None:
        # The rows of a large file repeat one mistake; the first ones tell it.
        self._repeated += 1
        if self._repeated > _MOST_REPEATED_KEYS:
            return
        frame.key = key
        fault = json_faults.repeated_key(self._source, frame.key_starts[key], Span(start, self._position))
        frame.key_starts[key] = start
        self.problems.append(_problem(fault, self.path()))


def _problem(fault: Fault, path: tuple[PathKey, ...]) -> Problem:
    return Problem(fault.message, fault.span, path, fault.kind, fault.related)


def _inside(frame: _Frame) -> Inside:
    return Inside(frame.opening, frame.key)
