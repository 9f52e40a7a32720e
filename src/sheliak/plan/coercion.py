"""JavaScript's conversions, chosen by the type of the operand: Number(x), String(x), truthiness; and from one column type to another.

They remember their answers: the same operand has one conversion, which an engine then computes once.
"""

from __future__ import annotations

from functools import lru_cache
from math import nan

from sheliak.expressions.values import UNDEFINED as UNDEFINED_VALUE
from sheliak.expressions.values import Value, to_boolean, to_number, to_text
from sheliak.expressions.zones import Zone
from sheliak.plan.column_types import (
    BOOLEAN,
    NEVER,
    NULL,
    NUMBER,
    TEXT,
    UNDEFINED,
    ColumnType,
    List,
    Missing,
    Mixed,
    Nothing,
    Opaque,
    Plain,
    Record,
    is_primitive,
    kinds_of,
    missing_of,
    present,
    type_of_value,
)
from sheliak.plan.expressions import Apply, Choose, Constant, Element, ForEach, PlanExpression, constant
from sheliak.plan.unplannable import Unplannable

TRUE = constant(True)
FALSE = constant(False)
NAN = constant(nan)
NOTHING = {NULL: constant(None), UNDEFINED: constant(UNDEFINED_VALUE)}
_AS_NUMBER = {NULL: 0.0, UNDEFINED: nan}


# Missing values


def is_missing(e: PlanExpression) -> PlanExpression:
    """The value is null or undefined."""
    if isinstance(e, Constant):
        return constant(e.value is None or e.value is UNDEFINED_VALUE)
    match e.of:
        case Nothing():
            return TRUE
        case Mixed():
            return Apply("mixed.missing", (e,), BOOLEAN)
        case Opaque():
            return written_as(e, r"^(null|\{.\$undefined.: true\})$")
        case of:
            return FALSE if of.missing is NEVER else Apply("missing", (e,), BOOLEAN)


def written_as(e: PlanExpression, pattern: str) -> PlanExpression:
    """The JSON text of an opaque value matches a pattern."""
    return Apply("opaque.matching", (e,), BOOLEAN, (pattern,))


def is_exactly(e: PlanExpression, missing: Missing) -> PlanExpression:
    """The value is null, or is undefined."""
    if isinstance(e, Constant):
        return constant(e.value is NOTHING[missing].value)
    if isinstance(e.of, Mixed):
        return Apply("mixed.tag", (e,), BOOLEAN, (0 if missing is UNDEFINED else 1,))
    if isinstance(e.of, Opaque):
        return written_as(e, r"^\{.\$undefined.: true\}$" if missing is UNDEFINED else "^null$")
    return is_missing(e) if missing_of(e.of) is missing else FALSE


def filled(e: PlanExpression, value: Value) -> PlanExpression:
    """The value, or a constant of its kind where it is missing."""
    if missing_of(e.of) is NEVER:
        return e
    return Apply("fill", (e, constant(value)), present(e.of))


def known(e: PlanExpression) -> PlanExpression:
    """The expression where it was found not to be missing: its type says so, its column is the same."""
    return e if missing_of(e.of) is NEVER else Apply("known", (e,), present(e.of))


def required(e: PlanExpression, message: str) -> PlanExpression:
    """The value; where it is missing the run stops with the message, as Vega's does."""
    if missing_of(e.of) is NEVER:
        return e
    return Apply("required", (e,), present(e.of), (message,))


# Logic on booleans that are never missing


def not_(test: PlanExpression) -> PlanExpression:
    if isinstance(test, Constant):
        return constant(not test.value)
    if isinstance(test, Apply) and test.operation == "not":
        return test.operands[0]
    return Apply("not", (test,), BOOLEAN)


def and_(one: PlanExpression, other: PlanExpression) -> PlanExpression:
    if isinstance(one, Constant):
        return other if one.value else FALSE
    if isinstance(other, Constant):
        return one if other.value else FALSE
    return Apply("and", (one, other), BOOLEAN)


def or_(one: PlanExpression, other: PlanExpression) -> PlanExpression:
    if isinstance(one, Constant):
        return TRUE if one.value else other
    if isinstance(other, Constant):
        return TRUE if other.value else one
    return Apply("or", (one, other), BOOLEAN)


# Number(x), String(x), truthiness


@lru_cache(maxsize=1 << 12)
def number_of(e: PlanExpression) -> PlanExpression:
    """Number(x): never missing."""
    if isinstance(e, Constant):
        return constant(to_number(e.value))
    match e.of:
        case Plain("number"):
            return filled(e, _AS_NUMBER.get(e.of.missing))
        case Plain(kind, missing):
            return filled(Apply(f"{kind}.number", (e,), Plain("number", missing)), _AS_NUMBER.get(missing))
        case Mixed():
            return Apply("mixed.number", (e,), NUMBER)
        case Nothing(missing):
            return constant(_AS_NUMBER.get(missing, nan))
        case Record(missing=missing):
            nothing = _AS_NUMBER.get(missing, nan)
            return NAN if nothing != 0 else Choose(is_missing(e), constant(nothing), NAN, NUMBER)
        case _:
            raise Unplannable("it takes a list for a number")


@lru_cache(maxsize=1 << 12)
def text_of(e: PlanExpression, zone: Zone) -> PlanExpression:
    """String(x): never missing."""
    if isinstance(e, Constant):
        return constant(to_text(e.value, zone))
    match e.of:
        case Plain("text", missing):
            return filled(e, missing.value)
        case Plain("date", missing):
            return filled(_date_text(e, Plain("text", missing), zone), missing.value)
        case Plain(kind, missing):
            return filled(Apply(f"{kind}.text", (e,), Plain("text", missing)), missing.value)
        case Mixed(kinds):
            if "date" in kinds:
                _check_zone(zone)
            return Apply("mixed.text", (e,), TEXT)
        case Nothing(missing):
            return constant(missing.value)
        case Record(fields):
            if any(name == "toString" for name, _ in fields):
                raise Unplannable("it takes an object for text")
            return _or_missing_text(e, constant("[object Object]"))
        case List():
            return _or_missing_text(e, list_text(known(e), ",", zone))
        case Opaque():
            raise Unplannable("it takes a value for text that a column cannot hold")


def _or_missing_text(e: PlanExpression, text: PlanExpression) -> PlanExpression:
    missing = missing_of(e.of)
    return text if missing is NEVER else Choose(is_missing(e), constant(missing.value), text, TEXT)


def list_text(e: PlanExpression, separator: str, zone: Zone) -> PlanExpression:
    """The elements as text, joined; those that are missing are empty."""
    assert isinstance(e.of, List)
    element = Element(e.of.element)
    if isinstance(e.of.element, Nothing):
        return Apply("list.join", (Apply("list.blank", (e,), List(TEXT)),), TEXT, (separator,))
    text = text_of(element, zone)
    gone = is_missing(element)
    body = text if gone is FALSE else Choose(gone, constant(""), text, TEXT)
    return Apply("list.join", (ForEach("map", e, element, body, List(TEXT)),), TEXT, (separator,))


def _date_text(e: PlanExpression, of: ColumnType, zone: Zone) -> PlanExpression:
    _check_zone(zone)
    return Apply("date.text", (e,), of)


def _check_zone(zone: Zone) -> None:
    if zone.rules is not None:
        raise Unplannable(f"it writes a date as text in the time zone {zone.name}")


@lru_cache(maxsize=1 << 12)
def truth_of(e: PlanExpression) -> PlanExpression:
    """Truthiness: a boolean that is never missing."""
    if isinstance(e, Constant):
        return constant(to_boolean(e.value))
    match e.of:
        case Plain("boolean"):
            return filled(e, False)
        case Plain("number" | "text" as kind):
            return Apply(f"{kind}.truth", (e,), BOOLEAN)
        case Mixed():
            return Apply("mixed.truth", (e,), BOOLEAN)
        case Nothing():
            return FALSE
        case Plain() | Record() | List():
            return not_(is_missing(e))
        case Opaque():
            return not_(written_as(e, r'^(false|null|""|0|0\.0|\{.\$num.: "(NaN|-0)"\}|\{.\$undefined.: true\})$'))


# From one column type to another


def converted(e: PlanExpression, to: ColumnType) -> PlanExpression:
    """The same value in a column of a wider type."""
    if e.of == to:
        return e
    if isinstance(e, Constant):
        return Constant(e.value, to)
    match e.of, to:
        case Nothing(missing), _ if missing is not NEVER:
            return Constant(NOTHING[missing].value, to)
        case Plain(kind), Plain(other) if kind == other:
            return Apply("known", (e,), to)
        case Plain(kind, missing), Mixed():
            return Apply(f"{kind}.mixed", (e,), to, (missing.value,))
        case Mixed(), Mixed():
            return Apply("known", (e,), to)
        case List(), List():
            return _converted_list(e, to)
        case Record(), Record():
            return _converted_record(e, to)
        case _:
            raise Unplannable("it mixes values of different kinds")


def _converted_list(e: PlanExpression, to: List) -> PlanExpression:
    assert isinstance(e.of, List)
    if e.of.element == to.element:
        return Apply("known", (e,), to)
    if isinstance(e.of.element, Nothing) and e.of.element.missing is NEVER:
        return Apply("list.empty", (e,), to)
    element = Element(e.of.element)
    return ForEach("map", e, element, converted(element, to.element), to)


def _converted_record(e: PlanExpression, to: Record) -> PlanExpression:
    assert isinstance(e.of, Record)
    if e.of.fields == to.fields:
        return Apply("known", (e,), to)
    if e.of.missing is not NEVER:
        raise Unplannable("it mixes objects that have different fields")
    members = []
    for name, of in to.fields:
        index = e.of.index(name)
        member = NOTHING[UNDEFINED] if index is None else field_of(e, index)
        members.append(converted(member, of))
    return Apply("record", tuple(members), to)


def field_of(e: PlanExpression, index: int) -> PlanExpression:
    """A field of a record that is there."""
    assert isinstance(e.of, Record)
    return Apply("record.field", (e,), e.of.fields[index][1], (index,))


@lru_cache(maxsize=1 << 12)
def mixed(e: PlanExpression) -> PlanExpression:
    """A primitive value as a mixed column has it."""
    of = type_of_value(e.value) if isinstance(e, Constant) else e.of
    if not is_primitive(of):
        raise Unplannable("it mixes values of different kinds")
    return converted(e, Mixed(kinds_of(of)))
