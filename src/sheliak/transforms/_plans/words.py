"""The plan of `countpattern`."""

from __future__ import annotations

from sheliak.plan.building import fields_only
from sheliak.plan.coercion import not_, required
from sheliak.plan.column_types import BOOLEAN, NULL, NUMBER, TEXT, List, Plain, missing_of
from sheliak.plan.expressions import Apply, PlanExpression
from sheliak.plan.operators import Field, Fresh, Group, Keep, Output, Plan, Sort, SortKey, Summarized, Summary, Unfold
from sheliak.plan.planning import Planning
from sheliak.plan.regular_expressions import java_pattern
from sheliak.plan.unplannable import Unplannable


def counted_pieces(
    upstream: Plan, value: PlanExpression, patterns: tuple[str, str], case: str, names: tuple[str, ...], planning: Planning
) -> Plan:
    """A row for each piece of text and how often it occurs; whole numbers first, then as they came."""
    if not isinstance(value.of, Plain) or value.of.kind != "text":
        raise Unplannable("it counts pieces of values that are not text")
    pieces, stop = java_pattern(patterns[0], "", by_unit=True), java_pattern(f"^{patterns[1]}$", "i")
    method = {"upper": "toUpperCase", "lower": "toLowerCase"}.get(case, "match")
    text = required(value, f"Cannot read properties of {missing_of(value.of).value} (reading '{method}')")
    if case in ("upper", "lower"):
        text = Apply(f"text.{case}", (text,), TEXT)
    piece = Field("", planning.column(), TEXT)
    found: Plan = Unfold(upstream, Apply("text.matches", (text,), List(TEXT), (pieces,)), piece)
    found = Keep(found, not_(Apply("text.matching", (piece.read(),), BOOLEAN, (stop,))))
    key = Output("", planning.column(), piece.read())
    count = Summarized(planning.column(), Summary("count", (), NUMBER))
    grouped = Group(found, (key,), (count,))
    ordered = Fresh(Sort(grouped, _property_order(key.field.read())))
    return fields_only(ordered, {names[0]: key.field.read(), names[1]: count.read()}, planning)


def _property_order(text: PlanExpression) -> tuple[SortKey, ...]:
    """Names as JavaScript lists those of an object: whole numbers first, by size, then the others as they came."""
    index = Apply("text.array_index", (text,), Plain("number", NULL))
    return SortKey(Apply("missing", (index,), BOOLEAN)), SortKey(index)
