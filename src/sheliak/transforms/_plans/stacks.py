"""The plan of `stack`: running sums in each stack."""

from __future__ import annotations

from collections.abc import Sequence

from sheliak.plan.arithmetic import numbers
from sheliak.plan.building import with_fields
from sheliak.plan.choice import choose
from sheliak.plan.coercion import filled
from sheliak.plan.column_types import BOOLEAN, NUMBER, UNDEFINED, Plain
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.operators import WHOLE, Around, Frame, Plan, SortKey, Summary, Surveyed, Window
from sheliak.plan.planning import Planning

_SUM = Plain("number", UNDEFINED)
_ZERO = constant(0.0)
_UP_TO = Frame(None, 0, peers=False)
_BEFORE = Frame(None, -1, peers=False)


class Stacking:
    """The stacks of one plan: their values, what tells them apart and how they are sorted."""

    def __init__(
        self, upstream: Plan, value: PlanExpression, keys: Sequence[PlanExpression], sort: tuple[SortKey, ...], planning: Planning
    ) -> None:
        self.upstream, self.value, self.keys, self.sort, self.planning = upstream, value, tuple(keys), sort, planning
        self.surveyed: list[Surveyed] = []

    def total(self, value: PlanExpression, frame: Frame) -> PlanExpression:
        """The sum over a part of the stack, 0 over none."""
        self.surveyed.append(Surveyed(self.planning.column(), Summary("sum", (value,), _SUM), frame))
        return filled(self.surveyed[-1].read(), 0.0)

    def is_first(self) -> PlanExpression:
        self.surveyed.append(Surveyed(self.planning.column(), Around("row_number", (), NUMBER)))
        return Apply("number.equal", (self.surveyed[-1].read(), constant(1.0)), BOOLEAN)

    def window(self) -> Plan:
        return Window(self.upstream, self.keys, self.sort, tuple(self.surveyed), by_order=not self.sort)

    def plan(self, offset: str, names: tuple[str, str]) -> Plan:
        """The rows with the start and the end of each in its stack."""
        match offset:
            case "center":
                return self._center(names)
            case "normalize":
                return self._normalize(names)
            case _:
                return self._zero(names)

    def _written(self, window: Plan, names: tuple[str, str], y0: PlanExpression, y1: PlanExpression) -> Plan:
        return with_fields(window, {names[0]: y0, names[1]: y1}, self.planning)

    def _zero(self, names: tuple[str, str]) -> Plan:
        """From zero upwards, negative values from zero downwards; what is no number goes up and makes NaN of the rest."""
        negative = Apply("number.less", (self.value, _ZERO), BOOLEAN)
        below, above = choose(negative, self.value, _ZERO), choose(negative, _ZERO, self.value)
        y0 = choose(negative, self.total(below, _BEFORE), self.total(above, _BEFORE))
        y1 = choose(negative, self.total(below, _UP_TO), self.total(above, _UP_TO))
        return self._written(self.window(), names, y0, y1)

    def _normalize(self, names: tuple[str, str]) -> Plan:
        """Each stack from 0 to 1."""
        size = numbers("number.abs", self.value)
        share = numbers("number.divide", constant(1.0), self.total(size, WHOLE))
        y0 = choose(self.is_first(), _ZERO, numbers("number.multiply", share, self.total(size, _BEFORE)))
        y1 = numbers("number.multiply", share, self.total(size, _UP_TO))
        return self._written(self.window(), names, y0, y1)

    def _center(self, names: tuple[str, str]) -> Plan:
        """The middle of each stack in the middle of the greatest; a stack without a sum is passed over in looking for that."""
        size = numbers("number.abs", self.value)
        whole, before, up_to = (self.total(size, frame) for frame in (WHOLE, _BEFORE, _UP_TO))
        greatest = Summary("max", (Apply("number.valid", (whole,), _SUM),), _SUM)
        most = Surveyed(self.planning.column(), greatest)
        window = Window(self.window(), (), (), (most,), by_order=True)
        # With no sum at all Vega begins with 0.
        free = numbers("number.subtract", filled(most.read(), 0.0), whole)
        start = numbers("number.divide", free, constant(2.0))
        return self._written(window, names, numbers("number.add", start, before), numbers("number.add", start, up_to))
