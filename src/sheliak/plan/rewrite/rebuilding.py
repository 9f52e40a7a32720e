"""Plans and expressions built anew from changed parts; what does not change stays the same object."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from sheliak.plan.expressions import Apply, Choose, Constant, ForEach, PlanExpression, Read
from sheliak.plan.operators import Generate, Join, Plan, Scan, Union, upstreams


def with_upstreams(plan: Plan, changed: Sequence[Plan]) -> Plan:
    """The operator over other plans."""
    if all(one is other for one, other in zip(upstreams(plan), changed, strict=True)):
        return plan
    match plan:
        case Scan() | Generate():
            return plan
        case Union(parts):
            return replace(plan, parts=tuple((one, values) for one, (_, values) in zip(changed, parts, strict=True)))
        case Join():
            return replace(plan, upstream=changed[0], other=changed[1])
        case _:
            return replace(plan, upstream=changed[0])


class Rebuilding:
    """Rebuilds plans from the scans up, each once: `change` gets an operator over plans that are done."""

    def __init__(self, change: Callable[[Plan], Plan]) -> None:
        self.change: Final = change
        self.done: dict[int, tuple[Plan, Plan]] = {}

    def __call__(self, plan: Plan) -> Plan:
        if id(plan) not in self.done:
            below = [self(one) for one in upstreams(plan)]
            self.done[id(plan)] = (plan, self.change(with_upstreams(plan, below)))
        return self.done[id(plan)][1]


class Substitution:
    """Expressions with others in the place of some parts; a part that is used twice stays one object."""

    def __init__(self, replaced: Callable[[PlanExpression], PlanExpression | None]) -> None:
        self.replaced: Final = replaced
        self.done: dict[int, tuple[PlanExpression, PlanExpression]] = {}

    def __call__(self, e: PlanExpression) -> PlanExpression:
        if id(e) not in self.done:
            self.done[id(e)] = (e, self._built(e))
        return self.done[id(e)][1]

    def _built(self, e: PlanExpression) -> PlanExpression:
        found = self.replaced(e)
        if found is not None:
            return found
        match e:
            case Apply(_, operands):
                made = tuple(self(operand) for operand in operands)
                return e if _same(made, operands) else replace(e, operands=made)
            case Choose(test, consequent, alternate):
                parts = (self(test), self(consequent), self(alternate))
                return e if _same(parts, (test, consequent, alternate)) else Choose(*parts, e.of)
            case ForEach(_, over, _, body):
                over_and_body = (self(over), self(body))
                return e if _same(over_and_body, (over, body)) else replace(e, over=over_and_body[0], body=over_and_body[1])
            case _:
                return e


def _same(one: Sequence[PlanExpression], other: Sequence[PlanExpression]) -> bool:
    return all(left is right for left, right in zip(one, other, strict=True))


def reads_replaced(values: Mapping[int, PlanExpression]) -> Substitution:
    """Reads of these columns become the expressions that the columns hold."""
    return Substitution(lambda e: values.get(e.column) if isinstance(e, Read) else None)


class Signatures:
    """What two expressions have in common if and only if they compute the same in the same way."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[PlanExpression, Hashable]] = {}

    def __call__(self, e: PlanExpression) -> Hashable:
        if id(e) not in self.known:
            self.known[id(e)] = (e, self._made(e))
        return self.known[id(e)][1]

    def _made(self, e: PlanExpression) -> Hashable:
        match e:
            case Read(column):
                return ("read", column)
            case Constant(value, of):
                return ("constant", repr(value), of)
            case Apply(operation, operands, of, options):
                return (operation, options, of, *map(self, operands))
            case Choose(test, consequent, alternate):
                return ("choose", self(test), self(consequent), self(alternate))
            case _:
                # Two loops have elements of their own; they are told apart.
                return ("same", id(e))
