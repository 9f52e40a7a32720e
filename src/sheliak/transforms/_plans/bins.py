"""Bins over a column."""

from __future__ import annotations

from math import inf, isnan, nan

from sheliak.plan.choice import choose
from sheliak.plan.coercion import NOTHING, known, number_of
from sheliak.plan.column_types import NULL, NUMBER, missing_of
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.functions.kinds import is_empty
from sheliak.transforms._numerics.binning import Bins


def bin_start(value: PlanExpression, bins: Bins) -> PlanExpression:
    """The start of the bin that holds a value: null for one that is missing, infinite outside of all bins."""
    return choose(is_empty(value), NOTHING[NULL], _start(number_of(value), bins))


def _start(number: PlanExpression, bins: Bins) -> PlanExpression:
    ends = (bins.start, bins.stop, bins.step)
    if any(isnan(end) for end in ends) or bins.step == 0:
        # There are no bins, but what lies outside of an end that is a number does so still.
        below, above = _less(number, constant(bins.start)), _less(constant(bins.stop), number)
        return choose(below, constant(-inf), choose(above, constant(inf), constant(nan)))
    return Apply("number.bin", (number,), NUMBER, ends)


def _less(one: PlanExpression, other: PlanExpression) -> PlanExpression:
    return Apply("number.less", (one, other), _TEST)


def bin_end(start: PlanExpression, bins: Bins) -> PlanExpression:
    """The end of the bin with that start."""
    end = Apply("number.bin_end", (known(start),), NUMBER, (bins.start, bins.step))
    return end if missing_of(start.of) is not NULL else choose(Apply("missing", (start,), _TEST), NOTHING[NULL], end)


_TEST = constant(True).of
