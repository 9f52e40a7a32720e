"""What a column of a plan holds (decision 0001).

T ::= number | boolean | text | date          each: never missing, or null, or undefined, where there is no value
    | mixed                                   any primitive value, null and undefined kept apart
    | {f: T, …} | [T]                         as above: never missing, null or undefined
    | opaque                                  any value at all; it can be carried, not read
    | nothing                                 always null, always undefined, or (with neither) no value was ever seen
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, assert_never

from sheliak.expressions.values import UNDEFINED as UNDEFINED_VALUE
from sheliak.expressions.values import Date, Value


class Missing(enum.Enum):
    """What the absence of a value in a column means."""

    NEVER = "never"
    NULL = "null"
    UNDEFINED = "undefined"


NEVER, NULL, UNDEFINED = Missing.NEVER, Missing.NULL, Missing.UNDEFINED
Kind: TypeAlias = Literal["number", "boolean", "text", "date"]


@dataclass(frozen=True, slots=True)
class Plain:
    """Values of one primitive kind. A number may be NaN, a date may be invalid."""

    kind: Kind
    missing: Missing = NEVER


@dataclass(frozen=True, slots=True)
class Mixed:
    """Primitive values of these kinds, and null and undefined."""

    kinds: frozenset[Kind] = frozenset()


@dataclass(frozen=True, slots=True)
class Record:
    """Objects with these fields; a field that an object lacks is undefined in it."""

    fields: tuple[tuple[str, ColumnType], ...]
    missing: Missing = NEVER

    def index(self, name: str) -> int | None:
        return next((index for index, (field, _) in enumerate(self.fields) if field == name), None)


@dataclass(frozen=True, slots=True)
class List:
    """Arrays whose elements have one type."""

    element: ColumnType
    missing: Missing = NEVER


@dataclass(frozen=True, slots=True)
class Opaque:
    """Values that no other type can hold."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """No value: always null, always undefined; with NEVER, the element of arrays that are all empty."""

    missing: Missing = NEVER


ColumnType: TypeAlias = Plain | Mixed | Record | List | Opaque | Nothing

NUMBER = Plain("number")
BOOLEAN = Plain("boolean")
TEXT = Plain("text")
DATE = Plain("date")
OPAQUE = Opaque()


def missing_of(of: ColumnType) -> Missing:
    """What a NULL in the column means; a mixed or opaque column writes its missing values itself and has none."""
    return NEVER if isinstance(of, Mixed | Opaque) else of.missing


def with_missing(of: ColumnType, missing: Missing) -> ColumnType:
    """The type with values that may be missing: mixed where both null and undefined become possible."""
    if missing is NEVER or isinstance(of, Mixed | Opaque) or of.missing is missing:
        return of
    if of.missing is NEVER:
        return replace(of, missing=missing)
    if isinstance(of, Plain):
        return Mixed(frozenset({of.kind}))
    return Mixed() if isinstance(of, Nothing) else OPAQUE


def present(of: ColumnType) -> ColumnType:
    """The type of the values that are not missing."""
    return of if isinstance(of, Mixed | Opaque) else replace(of, missing=NEVER)


def unified(one: ColumnType, other: ColumnType) -> ColumnType:
    """The least type that holds the values of both."""
    if one == other:
        return one
    match one, other:
        case Nothing(missing), of:
            return with_missing(of, missing)
        case of, Nothing(missing):
            return with_missing(of, missing)
        case Opaque(), _:
            return OPAQUE
        case _, Opaque():
            return OPAQUE
        case Plain(kind, missing), Plain(other_kind, other_missing) if kind == other_kind:
            return with_missing(Plain(kind, missing), other_missing)
        case Plain() | Mixed(), Plain() | Mixed():
            return Mixed(kinds_of(one) | kinds_of(other))
        case List(element, missing), List(other_element, other_missing):
            return with_missing(List(unified(element, other_element), missing), other_missing)
        case Record(fields, missing), Record(other_fields, other_missing):
            return with_missing(Record(_unified_fields(dict(fields), dict(other_fields)), missing), other_missing)
        case _:
            return OPAQUE


def _unified_fields(one: dict[str, ColumnType], other: dict[str, ColumnType]) -> tuple[tuple[str, ColumnType], ...]:
    absent = Nothing(UNDEFINED)
    names = dict.fromkeys((*one, *other))
    return tuple((name, unified(one.get(name, absent), other.get(name, absent))) for name in names)


def unified_all(types: Iterable[ColumnType]) -> ColumnType:
    """The least type that holds the values of all; nothing for none."""
    result: ColumnType = Nothing()
    for of in types:
        result = unified(result, of)
    return result


_SIMPLE: dict[type, ColumnType] = {
    float: NUMBER,
    int: NUMBER,
    bool: BOOLEAN,
    str: TEXT,
    Date: DATE,
    type(None): Nothing(NULL),
    type(UNDEFINED_VALUE): Nothing(UNDEFINED),
}


def type_of_value(value: Value) -> ColumnType:
    """The narrowest type that holds a value."""
    simple = _SIMPLE.get(type(value))
    if simple is not None:
        return simple
    if isinstance(value, list):
        return List(type_of_values(value))
    if type(value) is dict:
        return Record(tuple((name, type_of_value(member)) for name, member in value.items()))
    return OPAQUE


def type_of_values(values: Iterable[Value]) -> ColumnType:
    """The narrowest type that holds all of them."""
    result: ColumnType = Nothing()
    seen: set[type] = set()
    for value in values:
        kind = type(value)
        if kind not in seen or kind is list or kind is dict:
            seen.add(kind)
            result = unified(result, type_of_value(value))
    return result


def kinds_of(of: ColumnType) -> frozenset[Kind]:
    """The kinds of primitive values that a column may hold."""
    match of:
        case Plain(kind):
            return frozenset({kind})
        case Mixed(kinds):
            return kinds
        case _:
            return frozenset()


def has_identity(of: ColumnType) -> bool:
    """It may hold objects, lists or dates, of which each equals itself alone."""
    return not isinstance(of, Plain | Mixed | Nothing) or "date" in kinds_of(of)


def is_primitive(of: ColumnType) -> bool:
    """Neither objects nor arrays, nor anything that cannot be read."""
    return isinstance(of, Plain | Mixed | Nothing)


def type_text(of: ColumnType) -> str:
    """The type as a plan prints it: `number`, `text?` (null), `text?u` (undefined), `{a: number}`, `[mixed]`."""
    match of:
        case Plain(kind):
            name: str = kind
        case Mixed(kinds):
            name = f"mixed({', '.join(sorted(kinds))})"
        case Opaque():
            name = "opaque"
        case Nothing(missing):
            return "nothing" if missing is NEVER else missing.value
        case List(element):
            name = f"[{type_text(element)}]"
        case Record(fields):
            name = "{" + ", ".join(f"{field}: {type_text(member)}" for field, member in fields) + "}"
        case _:
            assert_never(of)
    return name + {NEVER: "", NULL: "?", UNDEFINED: "?u"}[missing_of(of)]
