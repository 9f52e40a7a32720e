"""Groups by whole numbers: the number of a bin, of a day, of an hour, instead of the number that it stands for.

Engines tell whole numbers apart much faster than doubles, for which they have to make all NaNs one, and the two zeros. What a group shows is
computed back, once for each group. NaN and the infinities, which no whole number stands for, have numbers of their own (CODES).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, isnan, nan
from typing import Final

from sheliak.expressions.values import UNDEFINED as UNDEFINED_VALUE
from sheliak.plan.column_types import NEVER, NUMBER, ColumnType, Nothing, Plain
from sheliak.plan.expressions import Apply, Choose, Constant, PlanExpression, Read
from sheliak.plan.operators import Group, Output, Plan, Project
from sheliak.plan.rewrite.rebuilding import Rebuilding

CODES: Final = {"nan": -(2**52), "low": -(2**52) - 1, "high": -(2**52) - 2}
"""Far from every number of a bin, a day or a part of a date."""
MEANINGS: Final = {CODES["nan"]: nan, CODES["low"]: -inf, CODES["high"]: inf}

_PARTS = frozenset(
    f"calendar.{name}" for name in ("year", "month", "date", "day", "dayofyear", "hours", "minutes", "seconds", "milliseconds")
)
_SAME = frozenset({"known", "number.date", "date.number"})


@dataclass(frozen=True, slots=True)
class Scaled:
    """What a whole number stands for: so many steps from the start."""

    step: float
    start: float


@dataclass(frozen=True, slots=True)
class Coded:
    """A key as a whole number; what it stands for is None where only constants were seen."""

    code: PlanExpression
    scaled: Scaled | None


def whole_keys(plans: Sequence[Plan]) -> list[Plan]:
    """The plans with whole numbers for keys wherever a key is one, or so many steps from a start."""
    return list(map(Rebuilding(_changed), plans))


def _changed(plan: Plan) -> Plan:
    if not isinstance(plan, Group):
        return plan
    codes: dict[int, PlanExpression] = {}
    values: dict[int, PlanExpression] = {}
    for key in plan.keys:
        made = coded_key(key.value)
        if made is not None and made.scaled is not None:
            codes[key.column] = made.code
            values[key.column] = shown(Read(key.column, key.value.of), made.scaled)
    if not codes:
        return plan
    group = replace(plan, keys=tuple(replace(key, value=codes.get(key.column, key.value)) for key in plan.keys))
    outputs = (Output("", field.column, values.get(field.column, field.read())) for field in plan.schema.fields)
    return Project(group, tuple(outputs))


def coded_key(key: PlanExpression) -> Coded | None:
    """A key as a whole number that stands for a value; None where it is none."""
    made = coded(key)
    return None if made is None or made.scaled is None else made


def shown(code: PlanExpression, scaled: Scaled) -> PlanExpression:
    """What a whole number stands for."""
    return Apply("whole.value", (code,), code.of, (scaled.step, scaled.start))


def coded(e: PlanExpression) -> Coded | None:
    """The key as a whole number, None where it is none."""
    if not isinstance(e.of, Plain | Nothing):
        return None
    match e:
        case Constant(value):
            return _coded_constant(value, e.of)
        case Choose(test, consequent, alternate):
            return _coded_choice(e.of, test, coded(consequent), lambda: coded(alternate))
        case Apply(operation, (inner,)) if operation in _SAME:
            made = coded(inner)
            return None if made is None else replace(made, code=_typed(made.code, e.of))
        case Apply("date.floor", (ms,), _, (float(length),)):
            return Coded(Apply("whole.floor", (ms,), e.of, (length,)), Scaled(length, 0.0))
        case Apply("number.bin", (x,), _, (float(start), float(stop), float(step))):
            return Coded(Apply("whole.bin", (x,), e.of, (start, stop, step)), Scaled(step, start))
        case Apply(operation, (ms,)) if operation in _PARTS:
            return Coded(Apply("whole.part", (ms,), e.of, (operation,)), Scaled(1.0, 0.0))
        case _:
            return None


def _coded_constant(value: object, of: ColumnType) -> Coded | None:
    """Only what is no number, or missing: any other would have to be so many steps from a start that is not known yet."""
    if value is None or value is UNDEFINED_VALUE:
        return Coded(Apply("whole.missing", (), of), None)
    if isinstance(value, float) and isnan(value):
        return Coded(Apply("whole.constant", (), NUMBER, (CODES["nan"],)), None)
    return None


def _coded_choice(
    of: ColumnType, test: PlanExpression, consequent: Coded | None, otherwise: Callable[[], Coded | None]
) -> Coded | None:
    alternate = None if consequent is None else otherwise()
    if consequent is None or alternate is None:
        return None
    scaled = {made.scaled for made in (consequent, alternate) if made.scaled is not None}
    if len(scaled) > 1:
        return None
    return Coded(Choose(test, consequent.code, alternate.code, of), next(iter(scaled), None))


def _typed(code: PlanExpression, of: ColumnType) -> PlanExpression:
    """The code of a key under another name for the same values."""
    return code if code.of == of or (isinstance(of, Plain) and of.missing is NEVER) else Apply("known", (code,), of)
