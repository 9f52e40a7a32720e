"""Summaries pass over what is missing or NaN; behind a filter that compares the column there is none left to pass over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sheliak.plan.column_types import NEVER, Plain
from sheliak.plan.expressions import Apply, PlanExpression, Read
from sheliak.plan.operators import Fresh, Group, Keep, Plan, Summarized
from sheliak.plan.rewrite.rebuilding import Rebuilding, Substitution

_COMPARISONS = frozenset({"number.less", "number.less_or_equal", "number.equal"})
"""They hold of no operand that is missing or NaN."""


def known_numbers(plans: Sequence[Plan]) -> list[Plan]:
    """The plans without tests of numbers that a filter has made."""
    return list(map(Rebuilding(_changed), plans))


def _changed(plan: Plan) -> Plan:
    if not isinstance(plan, Group):
        return plan
    known = frozenset(_compared_below(plan.upstream))
    if not known:
        return plan
    plain = Substitution(lambda e: _known(e, known))
    summaries = tuple(_with(one, tuple(map(plain, one.summary.operands))) for one in plan.summaries)
    return replace(plan, summaries=summaries)


def _with(made: Summarized, operands: tuple[PlanExpression, ...]) -> Summarized:
    return replace(made, summary=replace(made.summary, operands=operands))


def _compared_below(plan: Plan) -> Iterator[int]:
    """The columns that filters right below compare with something."""
    while isinstance(plan, Keep | Fresh):
        if isinstance(plan, Keep):
            yield from _compared(plan.test)
        plan = plan.upstream


def _compared(test: PlanExpression) -> Iterator[int]:
    match test:
        case Apply("and", operands):
            for operand in operands:
                yield from _compared(operand)
        case Apply(operation, operands) if operation in _COMPARISONS:
            for operand in operands:
                if isinstance(operand, Read):
                    yield operand.column


def _known(e: PlanExpression, known: frozenset[int]) -> PlanExpression | None:
    match e:
        case Apply("number.valid", (Read(column, Plain("number", missing)) as read,)) if column in known:
            return read if missing is NEVER and e.of == read.of else Apply("known", (read,), e.of)
        case _:
            return None
