"""Plans of transforms that make several rows of one: fold and flatten."""

from __future__ import annotations

from collections.abc import Sequence

from sheliak.plan.building import fresh, with_fields
from sheliak.plan.coercion import NOTHING, converted, field_of, required
from sheliak.plan.column_types import (
    NULL,
    NUMBER,
    OPAQUE,
    UNDEFINED,
    ColumnType,
    List,
    Mixed,
    Nothing,
    Plain,
    Record,
    missing_of,
    present,
    unified_all,
    with_missing,
)
from sheliak.plan.expressions import Apply, Element, ForEach, PlanExpression
from sheliak.plan.operators import Field, Plan, Unfold
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable


def uniform(values: Sequence[PlanExpression]) -> list[PlanExpression]:
    """The values in one type."""
    of = unified_all(value.of for value in values)
    if of == OPAQUE and any(value.of != OPAQUE for value in values):
        raise Unplannable("it puts values of different kinds into one field")
    return [converted(value, of) for value in values]


def flattened(upstream: Plan, fields: Sequence[tuple[str, PlanExpression]], index: str, planning: Planning) -> Plan:
    """One row per element of the longest list; where a list is shorter its element is null. Of two fields with one name the later is seen."""
    lists = [_elements(value) for _, value in fields]
    types = [one.of.element for one in lists if isinstance(one.of, List)]
    pair = Record(tuple((str(place), of) for place, of in enumerate(types)))
    element = Field("", planning.column(), pair)
    place = Field("", planning.column(), NUMBER) if index else None
    unfolded = Unfold(fresh(upstream), Apply("list.zip", tuple(lists), List(pair)), element, place)
    added = {name: _member(element, column) for column, (name, _) in enumerate(fields)}
    return with_fields(unfolded, {**added, **({index: place.read()} if place is not None else {})}, planning)


def _member(element: Field, index: int) -> PlanExpression:
    """The element of one of the lists; undefined becomes null, as does what lies beyond the end."""
    member = field_of(element.read(), index)
    return Apply("mixed.or_null", (member,), member.of) if isinstance(member.of, Mixed) else member


def _elements(value: PlanExpression) -> PlanExpression:
    """A list of elements that are null where they are missing; mixed ones are once they are read."""
    holder = required(value, f"Cannot read properties of {missing_of(value.of).value} (reading 'length')")
    if isinstance(holder.of, Plain) and holder.of.kind == "text":
        raise Unplannable("it cuts text between the halves of characters, and a half is no text of a column")
    if not isinstance(holder.of, List):
        raise Unplannable("it flattens a value that is neither a list nor text")
    of = _or_null(holder.of.element)
    if isinstance(of, Mixed):
        return holder
    if isinstance(holder.of.element, Nothing) and holder.of.element.missing is not UNDEFINED:
        return converted(holder, List(of))
    element = Element(holder.of.element)
    body = NOTHING[NULL] if isinstance(of, Nothing) else Apply("known", (element,), of)
    return ForEach("map", holder, element, body, List(of))


def _or_null(of: ColumnType) -> ColumnType:
    if isinstance(of, Mixed):
        return of
    if isinstance(of, Nothing):
        return Nothing(NULL)
    made = with_missing(present(of), NULL)
    if made == OPAQUE:
        raise Unplannable("it flattens a list of values that a column cannot hold")
    return made
