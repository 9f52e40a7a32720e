"""What transforms share when they make their plans: fields, sort orders and kernels as expressions of a plan.

Signals have been replaced by their values before. A path that leads below a missing value stops the run, as Vega does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sheliak.expressions.values import EvaluationError, Row, Value, decode, encode
from sheliak.expressions.zones import Zone, zone_of
from sheliak.plan.building import scope_of
from sheliak.plan.coercion import number_of
from sheliak.plan.column_types import Mixed, Nothing, Opaque, Plain
from sheliak.plan.expressions import PlanExpression, constant
from sheliak.plan.functions.arrays import read_path
from sheliak.plan.functions.kinds import plain_part
from sheliak.plan.operators import Plan
from sheliak.plan.operators import SortKey as PlanSortKey
from sheliak.plan.planning import Planning
from sheliak.plan.scope import Scope
from sheliak.plan.unplannable import Unplannable
from sheliak.plan.vega_expressions import planned_text
from sheliak.source.tree import Node
from sheliak.transforms._contract import ExprRef, FieldRef, SortKey, Transform

if TYPE_CHECKING:
    from sheliak.expressions.values import Json
    from sheliak.transforms._running import Getter


def read_field(field: FieldRef | None, scope: Scope) -> PlanExpression:
    """The field of a row."""
    if field is None:
        raise Unplannable("it names no field")
    if field.is_expression:
        inner = field.node.get("expr")
        assert inner is not None
        return planned_text(inner.text or "", scope)
    first, *rest = field.paths[0]
    return read_path(scope.field(first), tuple(rest))


def read_expression(expression: ExprRef, scope: Scope) -> PlanExpression:
    """The expression of a row."""
    return planned_text(expression.node.text or "", scope)


def read_fields(fields: Iterable[FieldRef], scope: Scope) -> list[PlanExpression]:
    return [read_field(field, scope) for field in fields]


def read_sort(sort: tuple[SortKey, ...], scope: Scope) -> tuple[PlanSortKey, ...]:
    """The keys of a sort order. One that is the same for all rows is left out; if no other is left, all rows tie."""
    keys = []
    for key in sort:
        value = sortable(read_field(key.field, scope))
        if value is not None:
            keys.append(PlanSortKey(value, key.order == "descending"))
    return tuple(keys) if keys or not sort else (PlanSortKey(constant(0.0)),)


def sortable(e: PlanExpression) -> PlanExpression | None:
    """Values of one kind, which have an order; None where nothing tells rows apart."""
    match e.of:
        case Plain():
            return e
        case Nothing():
            return None
        case Mixed(kinds) if not kinds:
            return None
        case Mixed(kinds) if len(kinds) == 1:
            return plain_part(e, next(iter(kinds)))
        case Opaque() | Mixed():
            raise Unplannable("it sorts values of different kinds, whose order hangs on where the sort begins")
        case _:
            raise Unplannable("it sorts lists or objects")


def start(upstream: Plan, planning: Planning) -> Scope:
    """Where the parameters of a transform are read."""
    return scope_of(upstream, planning)


# Kernels


@dataclass(frozen=True, slots=True)
class TransformKernel:
    """A transform's own meaning, run on the rows of one group wherever they are."""

    given: Json
    zone: str

    def __call__(self, rows: list[Row]) -> list[Row]:
        from sheliak.transforms._reading import read_transform

        transform = read_transform(Node(_json(decode(self.given))))
        return transform.rows(rows, KernelRunning(zone_of(self.zone)))


@dataclass(frozen=True, slots=True)
class KernelRunning:
    """A run that knows nothing but the time zone; what a kernel publishes or warns of nobody hears."""

    zone: Zone

    def random(self) -> float:
        raise EvaluationError("there is no source of random numbers here")

    def next_identifier(self) -> float:
        raise EvaluationError("rows are numbered where they all are")

    def last_identifier(self) -> float:
        return 0.0

    def evaluator(self, expression: ExprRef) -> Getter:
        raise EvaluationError("a kernel evaluates no expressions")

    def dataset(self, name: str) -> list[Row]:
        raise EvaluationError("a kernel knows no other dataset")

    def is_computed(self, parameter: str) -> bool:
        return False

    def publish(self, value: Value) -> None:
        """Nobody listens."""

    def warn(self, text: str) -> None:
        """Nobody listens."""


def kernel_of(transform: Transform, planning: Planning, changed: Mapping[str, Value] | None = None) -> TransformKernel:
    """The transform with some parameters changed."""
    given = transform.node.value
    assert isinstance(given, dict)
    return TransformKernel(encode({**transform.parameters().all(), **(changed or {})}), planning.zone.name)


def kernel_inputs(fields: Sequence[FieldRef | None], scope: Scope) -> dict[str, PlanExpression]:
    """The fields of the row that a kernel reads, under their own names."""
    inputs: dict[str, PlanExpression] = {}
    for field in fields:
        if field is None or field.is_expression:
            raise Unplannable("a kernel reads fields, and nothing else")
        inputs[field.paths[0][0]] = scope.field(field.paths[0][0])
    return inputs


def _json(value: Value) -> object:
    """A value as a transform's JSON has it."""
    return value


def as_number(e: PlanExpression) -> PlanExpression:
    """Number(x)."""
    return number_of(e)
