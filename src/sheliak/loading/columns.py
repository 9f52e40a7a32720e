"""The type of rows at hand. Values are looked at column by column, so that C loops do the work, not one step per cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import cast

from sheliak.source.declared import dataclass
from sheliak.types.operations import join, reads_as_date, reads_as_number
from sheliak.types.shapes import (
    BOOLEAN,
    DATE,
    DATE_TEXT,
    NULL,
    NUMBER,
    NUMERIC_TEXT,
    STRING,
    UNKNOWN,
    WORDS,
    Array,
    Record,
    Type,
)

MAX_DEPTH = 12
"""Values nested deeper are `unknown`."""
MAX_FIELDS = 10_000
MAX_INNER_FIELDS = 1_000
"""A record with more fields than this stays open: it is a map rather than a record."""
MAX_ELEMENTS = 20_000
"""Of the elements of all arrays in one column, at most so many are looked at."""

_DIGITS = str.maketrans("012345678", "999999999")
_BASED_NUMBER = re.compile(r"\s*9[xXoObB]")
_PLAIN_KINDS = frozenset({str, int, float, bool, type(None)})


@dataclass(frozen=True, slots=True)
class Column:
    """The values of one field, in pieces; `everywhere` when all rows have it."""

    pieces: tuple[Sequence[object], ...]
    everywhere: bool = True

    def values(self) -> Iterator[object]:
        return chain.from_iterable(self.pieces)

    def kinds(self) -> set[type]:
        """The Python classes of the values."""
        found: set[type] = set()
        for piece in self.pieces:
            found.update(map(type, piece))
        return found

    def has(self, value: object) -> bool:
        return any(value in piece for piece in self.pieces)

    def texts(self) -> set[str]:
        """The distinct texts among the values."""
        return {value for value in self.values() if isinstance(value, str)}


def row_type(rows: Iterable[Mapping[str, object]]) -> Record:
    """The record that every one of the rows inhabits: a field that only some rows have is optional."""
    return record_of([dict(row) for row in rows], 0)


def record_of(rows: Sequence[Mapping[str, object]], depth: int) -> Record:
    """The join of the rows' types, without joining them one by one."""
    columns = columns_of(rows)
    limit = MAX_INNER_FIELDS if depth else MAX_FIELDS
    kept = dict(islice(columns.items(), limit))
    fields = {name: type_of_column(column, depth + 1) for name, column in kept.items()}
    optional = frozenset(name for name, column in kept.items() if not column.everywhere)
    return Record(fields, optional, open=len(columns) > limit)


def columns_of(rows: Sequence[Mapping[str, object]]) -> dict[str, Column]:
    """Rows of the same keys in the same order are transposed together."""
    forms: dict[tuple[str, ...], list[Mapping[str, object]]] = {}
    for names, alike in groupby(rows, tuple):
        forms.setdefault(names, []).extend(alike)
    pieces: dict[str, list[Sequence[object]]] = {}
    counts: dict[str, int] = {}
    for names, alike_rows in forms.items():
        for name in names:
            pieces.setdefault(name, []).append(list(map(itemgetter(name), alike_rows)))
            counts[name] = counts.get(name, 0) + len(alike_rows)
    return {name: Column(tuple(found), counts[name] == len(rows)) for name, found in pieces.items()}


def type_of_column(column: Column, depth: int) -> Type:
    """T₁ ⊔ … ⊔ Tₙ over the column's values; null comes last, as one reads it."""
    kinds = column.kinds()
    if kinds == {str}:
        return type_of_texts(cast("set[str]", set[object]().union(*column.pieces)))
    return join(_options(column, kinds, depth)) if kinds else UNKNOWN


def _options(column: Column, kinds: set[type], depth: int) -> Iterator[Type]:
    if bool in kinds:
        yield BOOLEAN
    if int in kinds or float in kinds:
        yield NUMBER
    if str in kinds:
        yield type_of_texts(column.texts())
    if not kinds <= _PLAIN_KINDS:
        yield from _other_options(column, kinds - _PLAIN_KINDS, depth)
    if type(None) in kinds:
        yield NULL


def _other_options(column: Column, kinds: set[type], depth: int) -> Iterator[Type]:
    """Objects and arrays of JSON, and what a Python caller's rows may hold besides."""
    if depth >= MAX_DEPTH:
        yield UNKNOWN
        return
    for kind in sorted(kinds, key=lambda kind: kind.__name__):
        if issubclass(kind, Mapping):
            yield record_of([row for row in column.values() if type(row) is kind and isinstance(row, Mapping)], depth)
        elif issubclass(kind, list | tuple):
            yield _array_of([value for value in column.values() if isinstance(value, list | tuple)], depth)
        elif kind.__module__ == "datetime" and kind.__name__ in ("date", "datetime"):
            yield DATE
        else:
            yield NUMBER if hasattr(kind, "__float__") else UNKNOWN


def _array_of(arrays: Sequence[Sequence[object]], depth: int) -> Array:
    """All elements make one type; past the limit nobody has looked, so nothing is said."""
    elements = list(islice(chain.from_iterable(arrays), MAX_ELEMENTS + 1))
    element = type_of_column(Column((elements,)), depth + 1)
    if len(elements) > MAX_ELEMENTS and not _is_plain_number(element):
        element = UNKNOWN
    return Array(element)


def _is_plain_number(of: Type) -> bool:
    """Numbers, or arrays of numbers: coordinates, whose type the first thousands settle."""
    while isinstance(of, Array):
        of = of.element
    return of is NUMBER


def type_of_texts(texts: set[str]) -> Type:
    """What all texts of a column are: one that reads neither as a number nor as a date makes them words.

    Blank text decides nothing: JavaScript reads it as 0, but in data it means that there is no value.
    """
    if any(not reads_as_number(text) and not reads_as_date(text) for text in islice(texts, 3)):
        return WORDS
    found = _type_of_patterns(_patterns(texts))
    return found if found is not None else _type_of_patterns(texts) or WORDS


def _patterns(texts: set[str]) -> set[str]:
    """The texts with every digit replaced by 9: whether a text reads as a number or a date rarely depends on which it is."""
    joined = "\0".join(texts)
    return set(joined.translate(_DIGITS).split("\0")) if joined.count("\0") < len(texts) else texts


def _type_of_patterns(texts: set[str]) -> Type | None:
    """The kind that all texts have; None when one has neither, which in hexadecimal numbers is the fault of the pattern."""
    numeric = dated = False
    for text in texts:
        if reads_as_number(text):
            numeric = numeric or not is_blank(text)
        elif reads_as_date(text):
            dated = True
        else:
            return None if _BASED_NUMBER.match(text) else WORDS
        if numeric and dated:
            return WORDS
    return NUMERIC_TEXT if numeric else DATE_TEXT if dated else STRING


def is_blank(text: str) -> bool:
    return not text or text.isspace()
