"""Plans that number rows: identifier and sample."""

from __future__ import annotations

from math import isnan

from sheliak.plan.arithmetic import numbers
from sheliak.plan.building import fields_only, with_fields
from sheliak.plan.choice import choose
from sheliak.plan.coercion import NOTHING, TRUE, not_, truth_of
from sheliak.plan.column_types import NUMBER, UNDEFINED
from sheliak.plan.expressions import PlanExpression, constant
from sheliak.plan.operators import Around, Frame, Group, Plan, Sample, Summarized, Summary, Surveyed, Window
from sheliak.plan.planning import Planning
from sheliak.plan.stopping import may_stop
from sheliak.plan.unplannable import Unplannable

_MOST_DRAWN = 5_000_000
"""Drawing one random number for each row of more rows would take longer than anything else."""


def numbered(upstream: Plan, name: str, planning: Planning) -> Plan:
    """The next number for each row that has nothing truthy under that name."""
    there = upstream.schema.reads().get(name, NOTHING[UNDEFINED])
    wanting = not_(truth_of(there))
    last = planning.take_identifiers(lambda: count_of(wanting, upstream, planning))
    if wanting is TRUE:
        made = Surveyed(planning.column(), Around("row_number", (), NUMBER))
    else:
        made = Surveyed(planning.column(), Summary("count_true", (wanting,), NUMBER), Frame(None, 0, peers=False))
    window = Window(upstream, (), (), (made,), by_order=True)
    number = made.read() if last == 0 else numbers("number.add", constant(last), made.read())
    planning.publish_later(lambda: last + count_of(wanting, upstream, planning))
    return with_fields(window, {name: choose(wanting, number, there)}, planning)


def count_of(test: PlanExpression, upstream: Plan, planning: Planning) -> int:
    """How many rows pass a test."""
    function = Summary("count", (), NUMBER) if test is TRUE else Summary("count_true", (test,), NUMBER)
    made = Summarized(planning.column(), function)
    group = Group(upstream, (), (made,), always=True)
    (row,) = planning.ask(fields_only(group, {"n": made.read()}, planning))
    count = row["n"]
    assert isinstance(count, float)
    return int(count)


def run_unread(upstream: Plan, planning: Planning) -> None:
    """Runs a plan whose rows nothing reads, where they may stop the run."""
    if may_stop(upstream):
        count_of(TRUE, upstream, planning)


def sampled(upstream: Plan, size: float, rounds: int, planning: Planning) -> Plan:
    """A reservoir of `size` rows, filled as Vega does: one random number for each row beyond the first; all rows so many times."""
    if isnan(size) or size <= 0:
        run_unread(upstream, planning)
        return Sample(upstream, ())
    count = count_of(TRUE, upstream, planning)
    if count > _MOST_DRAWN and size < count:
        raise Unplannable("it draws a random number for each of very many rows")
    chosen: list[int] = []
    for turn in range(count * rounds):
        if len(chosen) < size:
            chosen.append(turn % count)
        else:
            place = int((turn + 1) * planning.environment.random())
            if place < len(chosen):
                chosen[place] = turn % count
    return upstream if chosen == list(range(count)) else Sample(upstream, tuple(chosen))
