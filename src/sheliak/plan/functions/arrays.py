"""Arrays and, where a function takes both, text."""

from __future__ import annotations

from sheliak.expressions.field_paths import split_path
from sheliak.expressions.values import Value, to_text
from sheliak.expressions.zones import Zone
from sheliak.plan.arithmetic import arithmetic, numbers
from sheliak.plan.choice import choose
from sheliak.plan.coercion import (
    NOTHING,
    TRUE,
    and_,
    list_text,
    number_of,
    required,
    text_of,
    truth_of,
)
from sheliak.plan.column_types import BOOLEAN, NUMBER, UNDEFINED, List, Nothing, Plain, Record, missing_of
from sheliak.plan.comparison import less, same
from sheliak.plan.expressions import Apply, Constant, Element, ForEach, PlanExpression, constant
from sheliak.plan.functions.mathematics import greatest
from sheliak.plan.functions.texts import from_end, given, integer, sequence_text, sliced
from sheliak.plan.members import item, named_member
from sheliak.plan.scope import ColumnFunction, Scope
from sheliak.plan.unplannable import Unplannable

_ZERO = constant(0.0)


def _list(e: PlanExpression) -> PlanExpression:
    """The operand as a list that is there."""
    if isinstance(e, Constant) and isinstance(e.value, list):
        return e
    if not isinstance(e.of, List):
        raise Unplannable("it takes a value for a list that is none")
    return required(e, f"Cannot read properties of {missing_of(e.of).value}")


def _indexof(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    if given(operands, 2) is not None:
        raise Unplannable("`indexof` from a position has no column form")
    holder, value = operands[0], operands[1]
    if isinstance(holder, Constant) and isinstance(holder.value, list):
        return _index_among(holder.value, value)
    text = sequence_text(holder)
    if text is not None:
        return Apply("text.index_of", (text, text_of(value, scope.zone)), NUMBER)
    return _index_in_column(_list(holder), value)


def _index_among(values: list[Value], value: PlanExpression) -> PlanExpression:
    """The place of the row's value in a constant list."""
    result: PlanExpression = constant(-1.0)
    for index in reversed(range(len(values))):
        result = choose(same(value, constant(values[index])), constant(float(index)), result)
    return result


def _index_in_column(holder: PlanExpression, value: PlanExpression) -> PlanExpression:
    assert isinstance(holder.of, List)
    element = Element(holder.of.element)
    found = ForEach("map", holder, element, same(element, value), List(BOOLEAN))
    return Apply("list.index_of_true", (found,), NUMBER)


def _lastindexof(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    text = sequence_text(operands[0]) if given(operands, 2) is None else None
    if text is None:
        raise Unplannable("`lastindexof` has a column form for text only")
    return Apply("text.last_index_of", (text, text_of(operands[1], scope.zone)), NUMBER)


def _inrange(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    """The value lies between the ends of a range, in whichever order they stand; they belong to it unless it is said otherwise."""
    value, bounds = operands[0], operands[1]
    first, last = end_points(bounds)
    turned = less("less", last, first, scope.zone)
    lower, upper = choose(turned, last, first), choose(turned, first, last)
    ends = [_is_closed(operands, index) for index in (2, 3)]
    return and_(_within(lower, value, ends[0], scope.zone), _within(value, upper, ends[1], scope.zone))


def _is_closed(operands: list[PlanExpression], index: int) -> bool:
    """Whether an end belongs to the range."""
    closed = TRUE if given(operands, index) is None else truth_of(operands[index])
    if not isinstance(closed, Constant):
        raise Unplannable("`inrange` needs constants to say whether the ends belong to the range")
    return bool(closed.value)


def _within(lower: PlanExpression, upper: PlanExpression, is_closed: bool, zone: Zone) -> PlanExpression:
    return less("less_or_equal" if is_closed else "less", lower, upper, zone)


def end_points(e: PlanExpression) -> tuple[PlanExpression, PlanExpression]:
    """The first and the last element."""
    if isinstance(e, Constant) and isinstance(e.value, list):
        if not e.value:
            return NOTHING[UNDEFINED], NOTHING[UNDEFINED]
        return constant(e.value[0]), constant(e.value[-1])
    if isinstance(e, Apply) and e.operation == "list" and e.operands:
        return e.operands[0], e.operands[-1]
    holder = _list(e)
    return item(holder, _ZERO), _last(holder)


def _last(holder: PlanExpression) -> PlanExpression:
    return item(holder, numbers("number.subtract", Apply("list.length", (holder,), NUMBER), constant(1.0)))


def _join(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    separator = given(operands, 1)
    if separator is not None and not isinstance(separator, Constant):
        raise Unplannable("`join` needs a constant separator")
    return list_text(_list(operands[0]), "," if separator is None else to_text(separator.value, scope.zone), scope.zone)


def _slice(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    start, end = given(operands, 1), given(operands, 2)
    text = sequence_text(operands[0])
    if text is not None:
        return sliced(text, start, end)
    holder = _list(operands[0])
    size = Apply("list.length", (holder,), NUMBER)
    a = _ZERO if start is None else from_end(integer(start), size)
    b = size if end is None else from_end(integer(end), size)
    return Apply("list.slice", (holder, a, greatest(a, b)), holder.of)


def _reverse(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    holder = _list(operands[0])
    return Apply("list.reverse", (holder,), holder.of)


def _sort(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    """Numbers or text in Vega's order of sorting; mixtures have no order of their own."""
    holder = _list(operands[0])
    assert isinstance(holder.of, List)
    if isinstance(holder.of.element, Nothing):
        return holder
    if not isinstance(holder.of.element, Plain):
        raise Unplannable("`sort` of values that have no order of their own")
    return Apply("list.sort", (holder,), holder.of, (holder.of.element.kind,))


def _peek(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    return end_points(operands[0])[1]


def _span(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    if missing_of(operands[0].of) is not missing_of(NUMBER):
        raise Unplannable("`span` of a list that may be missing")
    first, last = end_points(operands[0])
    width = numbers("number.subtract", last, first)
    return choose(truth_of(width), width, _ZERO)


def _extent(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    """[least, greatest] of the numbers or texts that are there."""
    holder = _list(operands[0])
    assert isinstance(holder.of, List)
    element = holder.of.element
    if not isinstance(element, Plain):
        raise Unplannable("`extent` of values that have no order of their own")
    pair = List(Plain(element.kind, UNDEFINED))
    return Apply("list.extent", (holder,), pair, (element.kind,))


def _lerp(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    low, high = end_points(operands[0])
    fraction = number_of(operands[1])
    width = arithmetic("*", fraction, arithmetic("-", high, low, scope.zone), scope.zone)
    between_ends = arithmetic("+", low, width, scope.zone)
    at_end = Apply("number.equal", (fraction, constant(1.0)), BOOLEAN)
    result = choose(truth_of(fraction), choose(at_end, high, between_ends), low)
    undefined = same(high, NOTHING[UNDEFINED])
    return choose(undefined, low, result)


def _sequence(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    raise Unplannable("`sequence` of the row's own numbers may have any length")


def _pluck(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    """A field of the row, or of each object of a list."""
    holder, name = operands[0], operands[1]
    if not isinstance(name, Constant):
        raise Unplannable("`pluck` needs a constant name")
    path = split_path(to_text(name.value, scope.zone))
    if isinstance(holder.of, List):
        element = Element(holder.of.element)
        body = read_path(element, path)
        return ForEach("map", required(holder, "Cannot read properties"), element, body, List(body.of))
    return read_path(holder, path)


def read_path(holder: PlanExpression, path: tuple[str, ...]) -> PlanExpression:
    """The property of a property; a record that was just put together gives its part."""
    for name in path:
        record = holder.of
        index = record.index(name) if isinstance(record, Record) else None
        if isinstance(holder, Apply) and holder.operation == "record" and index is not None:
            holder = holder.operands[index]
        else:
            holder = named_member(holder, name)
    return holder


def _merge(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    members: dict[str, PlanExpression] = {}
    for operand in operands:
        if not isinstance(operand.of, Record) or operand.of.missing is not missing_of(NUMBER):
            raise Unplannable("`merge` of a value that may be no object")
        for name, _ in operand.of.fields:
            members[name] = read_path(operand, (name,))
    of = Record(tuple((name, member.of) for name, member in members.items()))
    return Apply("record", tuple(members.values()), of)


FUNCTIONS: dict[str, ColumnFunction] = {
    "indexof": _indexof,
    "lastindexof": _lastindexof,
    "inrange": _inrange,
    "join": _join,
    "slice": _slice,
    "reverse": _reverse,
    "sort": _sort,
    "peek": _peek,
    "span": _span,
    "extent": _extent,
    "lerp": _lerp,
    "sequence": _sequence,
    "pluck": _pluck,
    "merge": _merge,
}
