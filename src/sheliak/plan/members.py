"""Reading a property: of a record, a list, a text; by a name that is written, or by one that the row gives."""

from __future__ import annotations

from sheliak.expressions.values import UNDEFINED as UNDEFINED_VALUE
from sheliak.expressions.values import Value, to_text
from sheliak.expressions.zones import Zone
from sheliak.plan.choice import chosen
from sheliak.plan.coercion import FALSE, NOTHING, TRUE, converted, field_of, required, text_of
from sheliak.plan.column_types import (
    BOOLEAN,
    NUMBER,
    UNDEFINED,
    List,
    Mixed,
    Nothing,
    Opaque,
    Plain,
    Record,
    missing_of,
    with_missing,
)
from sheliak.plan.expressions import Apply, Constant, PlanExpression, constant
from sheliak.plan.scope import INHERITED
from sheliak.plan.unplannable import Unplannable

_MANY = 256
"""A choice among more fields than this is not written out."""


def named_member(holder: PlanExpression, name: str) -> PlanExpression:
    """`holder.name`."""
    if isinstance(holder.of, Nothing):
        raise Unplannable(f"it reads `{name}` of a value that is missing")
    if isinstance(holder.of, Opaque | Mixed):
        raise Unplannable(f"it reads `{name}` of a value that a column cannot hold")
    holder = required(holder, f"Cannot read properties of {missing_of(holder.of).value} (reading '{name}')")
    match holder.of:
        case Record() as record:
            index = record.index(name)
            if index is not None:
                return field_of(holder, index)
        case List():
            if name == "length":
                return Apply("list.length", (holder,), NUMBER)
            if name.isdecimal():
                return item(holder, constant(float(name)))
        case Plain("text"):
            if name == "length":
                return Apply("text.length", (holder,), NUMBER)
            if name.isdecimal():
                return item(holder, constant(float(name)))
        case _:
            pass
    if name in INHERITED or not isinstance(holder.of, Record):
        raise Unplannable(f"it reads `{name}`, which is a function of every such value")
    return NOTHING[UNDEFINED]


def member_of(holder: PlanExpression, key: PlanExpression, zone: Zone) -> PlanExpression:
    """`holder[key]`."""
    if isinstance(holder, Constant) and not isinstance(key, Constant):
        return _entry_of(holder.value, key, zone)
    if isinstance(key, Constant):
        return named_member(holder, to_text(key.value, zone))
    if isinstance(holder.of, Record):
        return _field_by_row(holder, key, zone)
    is_sequence = isinstance(holder.of, List) or (isinstance(holder.of, Plain) and holder.of.kind == "text")
    if is_sequence and key.of == NUMBER:
        return item(required(holder, f"Cannot read properties of {missing_of(holder.of).value}"), key)
    raise Unplannable("it reads a property that only the row names")


def item(holder: PlanExpression, index: PlanExpression) -> PlanExpression:
    """The element at an index, or the UTF-16 unit of a text; undefined outside."""
    if isinstance(holder.of, List):
        if isinstance(holder.of.element, Nothing):
            return NOTHING[UNDEFINED]
        of = with_missing(holder.of.element, UNDEFINED)
        if isinstance(of, Mixed):
            return Apply("mixed.filled", (Apply("list.at", (converted(holder, List(of)), index), of),), of)
        found = Apply("list.at", (holder, index), of)
        return Apply("opaque.filled", (found,), of) if isinstance(of, Opaque) else found
    return Apply("text.at", (holder, index), Plain("text", UNDEFINED))


def _field_by_row(holder: PlanExpression, key: PlanExpression, zone: Zone) -> PlanExpression:
    assert isinstance(holder.of, Record)
    fields = holder.of.fields
    if len(fields) > _MANY:
        raise Unplannable("it reads a field that only the row names, of very many")
    holder = required(holder, f"Cannot read properties of {missing_of(holder.of).value}")
    name = text_of(key, zone)
    cases: list[tuple[PlanExpression, PlanExpression]] = [
        (Apply("text.equal", (name, constant(field)), BOOLEAN), _field(holder, index)) for index, (field, _) in enumerate(fields)
    ]
    return chosen(cases, NOTHING[UNDEFINED])


def _field(holder: PlanExpression, index: int) -> PlanExpression:
    """A field of a record; of one that was just put together, its part."""
    if isinstance(holder, Apply) and holder.operation == "record":
        return holder.operands[index]
    return field_of(holder, index)


def _entry_of(value: Value, key: PlanExpression, zone: Zone) -> PlanExpression:
    """A constant object or array read by a key of the row."""
    if isinstance(value, dict):
        entries = list(value.items())
    elif isinstance(value, list):
        entries = [(str(index), element) for index, element in enumerate(value)]
    else:
        raise Unplannable("it reads a property that only the row names")
    if len(entries) > _MANY:
        raise Unplannable("it looks up a value of the row in a very long list")
    if isinstance(value, list) and key.of == NUMBER:
        tests = [Apply("number.equal", (key, constant(float(name))), BOOLEAN) for name, _ in entries]
    else:
        name_of_row = text_of(key, zone)
        tests = [Apply("text.equal", (name_of_row, constant(name)), BOOLEAN) for name, _ in entries]
    return chosen(list(zip(tests, [constant(entry) for _, entry in entries], strict=True)), constant(UNDEFINED_VALUE))


def has_member(holder: PlanExpression, key: PlanExpression, zone: Zone) -> PlanExpression:
    """`key in holder`, where the fields of the holder are known."""
    if isinstance(holder, Constant) and isinstance(holder.value, dict | list):
        value = holder.value
        names = list(value) if isinstance(value, dict) else [str(index) for index in range(len(value))]
        return is_one_of(text_of(key, zone), names)
    raise Unplannable("it asks whether an object of the row has a field")


def is_one_of(text: PlanExpression, names: list[str]) -> PlanExpression:
    """The text is one of these."""
    if not names:
        return FALSE
    if isinstance(text, Constant):
        return TRUE if text.value in names else FALSE
    return Apply("text.among", (text, *(constant(name) for name in names)), BOOLEAN)
