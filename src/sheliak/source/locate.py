"""Finds one place in the text of a readable spec by skipping over everything that is not on its path.

Each container met on the way remembers how far it was walked, so further places in the same spec cost little.
"""

import json
import re

from sheliak.source.decoded_string import span_within
from sheliak.source.json_tokens import COMMENT, GAP, LOOSE_STRING, end_of_blank
from sheliak.source.place import PathKey, Place
from sheliak.source.repeats import any_number
from sheliak.source.text import Span

_ATOM = rf'[^"\[\]{{}}/]++|{LOOSE_STRING}|{COMMENT}'


def _contents(levels: int) -> str:
    """What stands between two brackets, with at most `levels` levels of brackets inside."""
    inner = _ATOM
    for _ in range(levels):
        inner = rf"{_ATOM}|[\[{{]{any_number(inner)}[\]}}]"
    return any_number(inner)


# Rows and small objects are skipped within one match. For 10 MB of flat rows and of nested coordinates, three levels
# took 100 and 280 ms, no level 190 and 680 ms; a fourth level gains nothing.
_SHALLOW_CONTENTS = re.compile(_contents(3))
_SHALLOW_VALUE = re.compile(rf'[\[{{]{_contents(2)}[\]}}]|{LOOSE_STRING}|[^"\[\]{{}}/,:\s]++')
_KEY = re.compile(rf"{GAP}({LOOSE_STRING}){GAP}:{GAP}")
_COMMA = re.compile(rf"{GAP},")


class _Container:
    """The members or elements of one object or array, as far as it was walked.

    The end of the last value met is not sought before it is needed: what is wanted may stand inside that value.
    """

    __slots__ = ("complete", "ends", "is_object", "keys", "numbers", "opening", "starts", "text")

    def __init__(self, text: str, opening: int) -> None:
        self.text = text
        self.opening = opening
        self.is_object = text[opening] == "{"
        self.complete = False
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.keys: list[Span] = []
        self.numbers: dict[str, int] = {}

    def find(self, key: PathKey, to_the_end: bool) -> int | None:
        """The number of a member or element; with `to_the_end` the last of several equal keys."""
        if isinstance(key, str):
            return self._find_member(key, to_the_end) if self.is_object else None
        return None if self.is_object else self._find_element(key)

    def value_span(self, number: int) -> Span:
        return Span(self.starts[number], self._end_of(number))

    def key_span(self, number: int) -> Span:
        """The key of a member; an element has none and answers with its value."""
        return self.keys[number] if self.is_object else self.value_span(number)

    def _find_member(self, name: str, to_the_end: bool) -> int | None:
        while not self.complete and (to_the_end or name not in self.numbers):
            self._step()
        return self.numbers.get(name)

    def _find_element(self, index: int) -> int | None:
        while not self.complete and index >= len(self.starts):
            self._step()
        return index if 0 <= index < len(self.starts) else None

    def _step(self) -> None:
        """Walk up to the value of the next member or element."""
        position = self._behind_comma()
        start = (
            None if position is None else self._start_of_member(position) if self.is_object else self._start_of_element(position)
        )
        if start is None:
            self.complete = True
        else:
            self.starts.append(start)

    def _behind_comma(self) -> int | None:
        if not self.starts:
            return self.opening + 1
        comma = _COMMA.match(self.text, self._end_of(len(self.starts) - 1))
        return comma.end() if comma else None

    def _start_of_member(self, position: int) -> int | None:
        found = _KEY.match(self.text, position)
        if found is None:
            return None
        self.numbers[_decoded(found[1])] = len(self.starts)
        self.keys.append(Span(*found.span(1)))
        return found.end()

    def _start_of_element(self, position: int) -> int | None:
        start = end_of_blank(self.text, position)
        return None if self.text[start] == "]" else start

    def _end_of(self, number: int) -> int:
        if number == len(self.ends):
            self.ends.append(_end_of_value(self.text, self.starts[number]))
        return self.ends[number]


class Locator:
    """Spans of the places of one text, which must be readable JSON, comments and trailing commas allowed."""

    __slots__ = ("_containers", "_repeated_keys", "_start", "_text")

    def __init__(self, text: str, repeated_keys: bool) -> None:
        self._text = text
        self._start = end_of_blank(text, 0)
        # When no key is repeated, the walk can stop at the first member of that name.
        self._repeated_keys = repeated_keys
        self._containers: dict[int, _Container] = {}

    def span_of(self, place: Place) -> Span:
        """The text of a place; for a path that leads nowhere, of the nearest value above it."""
        span, reached = self._span_of_path(place.path, place.on_key)
        if not reached or place.start is None or self._text[span.start] != '"':
            return span
        return span_within(self._text, span, place.start, place.start if place.end is None else place.end)

    def _span_of_path(self, path: tuple[PathKey, ...], on_key: bool) -> tuple[Span, bool]:
        """The span of the last step that exists, and whether that is the whole path."""
        start, found, reached = self._start, None, 0
        for step in path:
            container = self._container(start)
            number = container.find(step, self._repeated_keys) if container else None
            if container is None or number is None:
                break
            start, found, reached = container.starts[number], (container, number), reached + 1
        complete = reached == len(path)
        if found is None:
            return Span(start, _end_of_value(self._text, start)), complete
        container, number = found
        return (container.key_span(number) if on_key and complete else container.value_span(number)), complete

    def _container(self, start: int) -> _Container | None:
        container = self._containers.get(start)
        if container is None and self._text[start] in "[{":
            container = self._containers[start] = _Container(self._text, start)
        return container


def _end_of_value(text: str, start: int) -> int:
    found = _SHALLOW_VALUE.match(text, start)
    return found.end() if found else _end_of_deep_value(text, start)


def _end_of_deep_value(text: str, start: int) -> int:
    position, depth = start + 1, 1
    while depth:
        found = _SHALLOW_CONTENTS.match(text, position)
        bracket = found.end() if found else position
        depth += 1 if text[bracket] in "[{" else -1
        position = bracket + 1
    return position


def _decoded(key: str) -> str:
    return str(json.loads(key)) if "\\" in key else key[1:-1]
