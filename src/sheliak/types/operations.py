"""What the typing rules do with types: read a field, join alternatives, extend a record, ask what a type may be."""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from sheliak.source.declared import replace
from sheliak.types.shapes import (
    BOOLEAN,
    DATE,
    DATE_TEXT,
    NULL,
    NUMBER,
    NUMERIC_TEXT,
    STRING,
    TEXTS,
    UNDEFINED,
    UNKNOWN,
    WORDS,
    Array,
    Lineage,
    Literal,
    Record,
    Scalar,
    Type,
    Union,
    Unknown,
    Unseen,
)

# JavaScript's Number(text): decimal, exponent, Infinity, hex, octal and binary, surrounded by white space; empty text is 0.
_NUMERIC = re.compile(
    r"\s*(?:[+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)?\s*\Z"
)
# The date forms that data files use; what JavaScript's Date.parse accepts beyond them depends on the browser.
_DATE = re.compile(
    r"\s*(?:\d{4}[-/]\d{1,2}(?:[-/]\d{1,2})?(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2})?"
    r"|\d{1,2}[-/]\d{1,2}[-/]\d{2,4}(?: \d{1,2}:\d{2}(?::\d{2})?)?"
    r"|(?:[A-Z][a-z]{2},? )?[A-Z][a-z]{2,8}\.? \d{1,2},? \d{4}(?:,? \d{1,2}:\d{2}(?::\d{2})?)?"
    r"|[A-Z][a-z]{2,8} \d{4})\s*\Z"
)


class Presence(enum.Enum):
    """Whether a datum of a record type has a field."""

    PRESENT = "present"
    MAYBE = "maybe"
    """Only some rows have it."""
    UNSEEN = "unseen"
    """The record is open: nobody knows."""
    ABSENT = "absent"


def reads_as_number(text: str) -> bool:
    """JavaScript's `Number(text)` is not NaN."""
    return _NUMERIC.match(text) is not None


def reads_as_date(text: str) -> bool:
    """The text has one of the date forms that data files use."""
    return _DATE.match(text) is not None


def text_type(text: str) -> Scalar:
    """The kind of text that one seen value is."""
    if reads_as_number(text):
        return NUMERIC_TEXT
    return DATE_TEXT if reads_as_date(text) else WORDS


def widened(of: Type) -> Type:
    """A literal's general type; other types as they are."""
    if isinstance(of, Literal):
        if isinstance(of.value, bool):
            return BOOLEAN
        return text_type(of.value) if isinstance(of.value, str) else NUMBER
    if isinstance(of, Union):
        return join(widened(option) for option in of.options)
    return of


def options_of(of: Type) -> tuple[Type, ...]:
    """The alternatives of a type: a union's options, else the type alone."""
    return of.options if isinstance(of, Union) else (of,)


def join(types: Iterable[Type]) -> Type:
    """T ⊔ T': the least type that holds both. `unknown` absorbs; records and arrays join part by part."""
    result: list[Type] = []
    literals: set[tuple[bool, object]] = set()
    # Records and arrays are joined all at once in the end: one after the other, a thousand would be copied a thousand times.
    records: list[Record] = []
    arrays: list[Array] = []
    for of in types:
        for option in options_of(of):
            match option:
                case Unknown():
                    return option
                case Record():
                    _gather(result, records, option)
                case Array():
                    _gather(result, arrays, option)
                case Literal(value):
                    # In Python True equals 1.
                    key = (isinstance(value, bool), value)
                    if key not in literals:
                        literals.add(key)
                        result.append(option)
                case _:
                    _join_scalar(result, option)
    if len(records) > 1:
        result[result.index(records[0])] = _join_all(records)
    if len(arrays) > 1:
        result[result.index(arrays[0])] = Array(join([array.element for array in arrays]))
    if not result:
        return UNKNOWN
    return result[0] if len(result) == 1 else Union(tuple(result))


C = TypeVar("C", Record, Array)


def _gather(result: list[Type], alike: list[C], option: C) -> None:
    """The first stands for all of its kind until they are joined; one that equals it adds nothing."""
    if not alike:
        alike.append(option)
        result.append(option)
    elif option is not alike[0] and option != alike[0]:
        alike.append(option)


def _join_scalar(result: list[Type], option: Type) -> None:
    if any(other is option for other in result):
        return
    result.append(option)
    if _is_scalar_text(option):
        _merge_texts(result)


def _merge_texts(result: list[Type]) -> None:
    """Seen words make the whole column words; text of unknown content makes it unknown content."""
    texts = [of for of in result if _is_scalar_text(of)]
    if len(texts) > 1:
        first = result.index(texts[0])
        result[:] = [of for of in result if not _is_scalar_text(of)]
        result.insert(first, STRING if STRING in texts else WORDS)


def _is_scalar_text(of: Type) -> bool:
    return isinstance(of, Scalar) and of in TEXTS


def join_records(one: Record, other: Record) -> Record:
    """A datum that comes from one of two places: a field that only one has is possibly missing."""
    return _join_all((one, other))


def _join_all(records: Sequence[Record]) -> Record:
    fields: dict[str, list[Type]] = {}
    optional: set[str] = set()
    for record in records:
        optional |= record.optional
        for name, of in record.fields.items():
            fields.setdefault(name, []).append(of)
    optional.update([name for name, types in fields.items() if len(types) < len(records)])
    joined = {name: types[0] if len(types) == 1 else join(types) for name, types in fields.items()}
    first = records[0]
    unseen = next((record.unseen for record in records if record.unseen is not None), None)
    lineage = first.lineage if all(record.lineage == first.lineage for record in records) else None
    return Record(joined, frozenset(optional), any(record.open for record in records), unseen, lineage)


def field_of(record: Record, name: str) -> tuple[Type, Presence]:
    """Γ ⊢ p.f: the type of a record's own field, and whether it is there."""
    of = record.fields.get(name)
    if of is not None:
        if name not in record.optional:
            return of, Presence.PRESENT
        return join((of, UNDEFINED)), Presence.MAYBE
    if record.open:
        unseen = record.unseen
        origin = Unseen(unseen.dataset, (*unseen.path, name)) if unseen else None
        return Unknown(origin) if origin else UNKNOWN, Presence.UNSEEN
    return UNDEFINED, Presence.ABSENT


def extended(record: Record, added: Mapping[str, Type], lineage: Lineage | None = None) -> Record:
    """T ∪ {f: T'}: the right-hand side wins."""
    if not added:
        return record if lineage is None else replace(record, lineage=lineage)
    optional = record.optional.difference(added) if record.optional else record.optional
    return Record({**record.fields, **added}, optional, record.open, record.unseen, lineage or record.lineage)


def opened(record: Record, unseen: Unseen | None = None) -> Record:
    """The record with fields nobody can name added to it."""
    return replace(record, open=True, unseen=unseen or record.unseen)


def without_missing(of: Type) -> Type:
    """The type without its null and undefined options (unchanged if nothing else is left)."""
    if not isinstance(of, Union):
        return of
    kept = [option for option in of.options if option not in (NULL, UNDEFINED)]
    return join(kept) if kept else of


def texts_of(of: Type) -> Iterator[str]:
    """The literal texts among the alternatives of a type."""
    for option in options_of(of):
        if isinstance(option, Literal) and isinstance(option.value, str):
            yield option.value


def all_text_literals(of: Type) -> tuple[Literal, ...] | None:
    """Every text the type can be, with the places that give them, if it is nothing but literal texts."""
    found = tuple(option for option in options_of(of) if isinstance(option, Literal) and isinstance(option.value, str))
    return found if len(found) == len(options_of(of)) else None


def all_texts(of: Type) -> tuple[str, ...] | None:
    """Every text the type can be, if it is nothing but literal texts."""
    texts = tuple(texts_of(of))
    return texts if len(texts) == len(options_of(of)) else None


def is_text(of: Type) -> bool:
    """Every alternative is text of some kind."""
    return all(
        _is_scalar_text(option) or (isinstance(option, Literal) and isinstance(option.value, str)) for option in options_of(of)
    )


def may_be_number(of: Type) -> bool:
    """Some alternative gives a number where Vega or JavaScript coerces: numbers, dates, booleans, null, numeric text, unknown."""
    return any(_option_may_be_number(option) for option in options_of(of))


def _option_may_be_number(option: Type) -> bool:
    match option:
        case Unknown():
            return True
        case Literal(value):
            return not isinstance(value, str) or reads_as_number(value)
        case Scalar():
            return option in _NUMERIC_SCALARS
        case Array() | Record() | Union():
            return False


_NUMERIC_SCALARS = frozenset({NUMBER, BOOLEAN, DATE, NULL, NUMERIC_TEXT, STRING})


_MOST_LEVELS = 16


def type_of_value(value: object, levels: int = _MOST_LEVELS) -> Type:
    """The type of one decoded JSON value, as wide as its kind; what is nested very deep is `unknown`."""
    match value:
        case None:
            return NULL
        case bool():
            return BOOLEAN
        case int() | float():
            return NUMBER
        case str():
            return text_type(value)
        case list() | tuple() if levels:
            return Array(join([type_of_value(element, levels - 1) for element in value])) if value else Array(UNKNOWN)
        case dict() if levels:
            return Record({str(name): type_of_value(member, levels - 1) for name, member in value.items()})
        case _:
            return UNKNOWN


def literal_type(value: object) -> Type:
    """The type of one decoded JSON value, as narrow as can be: primitives are literals."""
    if isinstance(value, bool | str) or (isinstance(value, int | float) and not math.isnan(value)):
        return Literal(value)
    return type_of_value(value)


def is_date_like(of: Type) -> bool:
    """Every alternative is a date or text that reads as one."""
    return all(option in (DATE, DATE_TEXT) for option in options_of(of))


__all__ = [
    "Presence",
    "all_texts",
    "extended",
    "field_of",
    "is_date_like",
    "is_text",
    "join",
    "join_records",
    "literal_type",
    "may_be_number",
    "opened",
    "options_of",
    "reads_as_date",
    "reads_as_number",
    "text_type",
    "texts_of",
    "type_of_value",
    "widened",
    "without_missing",
]
