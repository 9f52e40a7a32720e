"""Python text that remembers which part of a spec each of its parts stands for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence

from sheliak.source.declared import dataclass
from sheliak.source.place import PathKey, Place
from sheliak.source.text import Span

Path = tuple[PathKey, ...]


@dataclass(frozen=True)
class Code:
    """The text of a chart's code, and where the values and keys of its spec stand in it."""

    text: str
    values: Mapping[Path, Span]
    keys: Mapping[Path, Span]

    def span_of(self, place: Place) -> Span:
        """Where a place of the spec stands; what has no place of its own stands where the part around it does."""
        if place.on_key and place.path in self.keys:
            return self.keys[place.path]
        path = place.path
        while path and path not in self.values:
            path = path[:-1]
        span = self.values.get(path, Span(0, len(self.text)))
        if path != place.path or place.start is None or place.end is None:
            return span
        # A letter that is escaped takes more room than it has in the spec: then the whole text is meant.
        inner = Span(span.start + place.start, span.start + place.end)
        return inner if inner.end <= span.end and "\\" not in self.text[span.start : span.end] else span


class CodeWriter:
    """Writes code piece by piece."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._values: dict[Path, Span] = {}
        self._keys: dict[Path, Span] = {}
        self._indent = ""

    def code(self) -> Code:
        return Code("".join(self._pieces), self._values, self._keys)

    def put(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    @contextlib.contextmanager
    def part(self, path: Path) -> Iterator[None]:
        """What is written in the block stands for a value of the spec."""
        start = self._length
        yield
        self._values.setdefault(path, Span(start, self._length))

    def key(self, path: Path, text: str) -> None:
        """A name that stands for a key of the spec."""
        self._keys[path] = Span(self._length, self._length + len(text))
        self.put(text)

    def line(self) -> None:
        self.put(f"\n{self._indent}")

    @contextlib.contextmanager
    def indented(self) -> Iterator[None]:
        self._indent += "    "
        yield
        self._indent = self._indent[:-4]

    # Values

    def value(self, path: Path, value: object) -> None:
        """A value of the spec as Python writes it; a text's place is what stands between its quotes."""
        match value:
            case str():
                quote = quote_of(value)
                self.put(quote)
                with self.part(path):
                    self.put(escaped(value, quote))
                self.put(quote)
            case Mapping():
                with self.part(path):
                    self._members(path, value)
            case Sequence():
                with self.part(path):
                    self._elements(path, value)
            case _:
                with self.part(path):
                    self.put(repr(value))

    def _members(self, path: Path, value: Mapping[str, object]) -> None:
        self.put("{")
        for index, (name, member) in enumerate(value.items()):
            self.put(", '" if index else "'")
            self.key((*path, name), escaped(name))
            self.put("': ")
            self.value((*path, name), member)
        self.put("}")

    def _elements(self, path: Path, value: Sequence[object]) -> None:
        self.put("[")
        for index, element in enumerate(value):
            self.put(", " if index else "")
            self.value((*path, index), element)
        self.put("]")

    def keywords(self, path: Path, members: Mapping[str, object], *, after: bool = False) -> None:
        """Members of a value as keyword arguments."""
        for index, (name, member) in enumerate(members.items()):
            self.put(", " if index or after else "")
            self.key((*path, name), keyword(name))
            self.put("=")
            self.value((*path, name), member)


def quote_of(text: str) -> str:
    """The quote that Python chooses for a text: the double one where that saves escaping."""
    return '"' if "'" in text and '"' not in text else "'"


def escaped(text: str, quote: str = "'") -> str:
    """A text as it stands between quotes."""
    plain = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    return plain.replace(quote, f"\\{quote}")


def keyword(name: str) -> str:
    """A key as the name of an argument; Altair writes `as_` and `from_` for words that Python keeps for itself."""
    return f"{name}_" if name in ("as", "from") else name
