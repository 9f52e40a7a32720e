"""Groups by whole numbers: the number of a bin, of a day, of an hour, instead of the number that it stands for.

Engines tell whole numbers apart much faster than doubles, for which they have to make all NaNs one, and the two zeros. What a group shows is
computed back, once for each group. NaN and the infinities, which no whole number stands for, have numbers of their own (CODES). So have the texts of a
column that are all known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, isnan, nan
from typing import Final, TypeAlias

from sheliak.expressions.values import UNDEFINED as UNDEFINED_VALUE
from sheliak.plan.column_types import NEVER, NUMBER, ColumnType, Nothing, Plain
from sheliak.plan.expressions import Apply, Choose, Constant, PlanExpression, Read
from sheliak.plan.known_texts import KnownTexts, Texts, unknown
from sheliak.plan.operators import Group, Output, Plan, Project
from sheliak.plan.rewrite.rebuilding import Rebuilding, Substitution

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


Meaning: TypeAlias = Scaled | Texts
"""What whole numbers stand for."""


@dataclass(frozen=True, slots=True)
class Coded:
    """A key as a whole number; what it stands for is None where only constants were seen."""

    code: PlanExpression
    meaning: Meaning | None


def whole_keys(plans: Sequence[Plan], texts: KnownTexts = unknown) -> list[Plan]:
    """The plans with whole numbers for keys wherever a key is one, or so many steps from a start, or one of few texts."""
    return list(map(Rebuilding(lambda plan: _changed(plan, texts)), plans))


def _changed(plan: Plan, texts: KnownTexts) -> Plan:
    if not isinstance(plan, Group):
        return plan
    codes: dict[int, PlanExpression] = {}
    values: dict[int, PlanExpression] = {}
    for key in plan.keys:
        made = coded_key(key.value, texts)
        if made is not None and made.meaning is not None:
            codes[key.column] = made.code
            values[key.column] = shown(Read(key.column, key.value.of), made.meaning)
    if not codes:
        return plan
    group = replace(plan, keys=tuple(replace(key, value=codes.get(key.column, key.value)) for key in plan.keys))
    outputs = (Output("", field.column, values.get(field.column, field.read())) for field in plan.schema.fields)
    return Project(group, tuple(outputs))


def coded_key(key: PlanExpression, texts: KnownTexts = unknown) -> Coded | None:
    """A key as a whole number that stands for a value; None where it is none."""
    made = coded(key, texts)
    if made is None or made.meaning is None:
        return None
    return replace(made, code=_with_gaps(made.code, made.meaning)) if isinstance(made.meaning, Texts) else made


def _with_gaps(code: PlanExpression, texts: Texts) -> PlanExpression:
    """Codes of texts with one number for what is missing, whichever part of a choice it comes from."""
    gap = Apply("whole.constant", (), code.of, (texts.missing,))
    return Substitution(lambda e: gap if isinstance(e, Apply) and e.operation == "whole.missing" else None)(code)


def shown(code: PlanExpression, meaning: Meaning) -> PlanExpression:
    """What a whole number stands for."""
    if isinstance(meaning, Texts):
        return Apply("text.of_code", (code,), code.of, (meaning,))
    return Apply("whole.value", (code,), code.of, (meaning.step, meaning.start))


def coded(e: PlanExpression, texts: KnownTexts = unknown) -> Coded | None:
    """The key as a whole number, None where it is none."""
    if not isinstance(e.of, Plain | Nothing):
        return None
    match e:
        case Constant(value):
            return _coded_constant(value, e.of)
        case Choose(test, consequent, alternate):
            return _coded_choice(e.of, test, coded(consequent, texts), lambda: coded(alternate, texts))
        case Read() | Apply("fill") if isinstance(e.of, Plain) and e.of.kind == "text":
            known = texts_of(e, texts)
            return None if known is None else Coded(Apply("text.code", (e,), e.of, (known,)), known)
        case Apply(operation, (inner,)) if operation in _SAME:
            made = coded(inner, texts)
            return None if made is None else replace(made, code=_typed(made.code, e.of))
        case Apply("date.floor", (ms,), _, (float(length),)):
            return Coded(Apply("whole.floor", (ms,), e.of, (length,)), Scaled(length, 0.0))
        case Apply("number.bin", (x,), _, (float(start), float(stop), float(step))):
            return Coded(Apply("whole.bin", (x,), e.of, (start, stop, step)), Scaled(step, start))
        case Apply(operation, (ms,)) if operation in _PARTS:
            return Coded(Apply("whole.part", (ms,), e.of, (operation,)), Scaled(1.0, 0.0))
        case _:
            return None


def texts_of(e: PlanExpression, texts: KnownTexts) -> Texts | None:
    """The texts of a column, or of one whose gaps are filled with another text that is among those that are known."""
    match e:
        case Read(column):
            return texts(column)
        case Apply("fill", (Read(column), Constant(str(value)))):
            known = texts(column)
            return known if known is not None and value in known.values else None
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
    meanings = {made.meaning for made in (consequent, alternate) if made.meaning is not None}
    if len(meanings) > 1:
        return None
    return Coded(Choose(test, consequent.code, alternate.code, of), next(iter(meanings), None))


def _typed(code: PlanExpression, of: ColumnType) -> PlanExpression:
    """The code of a key under another name for the same values."""
    return code if code.of == of or (isinstance(of, Plain) and of.missing is NEVER) else Apply("known", (code,), of)
