"""Regular expressions that are constants of the plan."""

from __future__ import annotations

from sheliak.expressions.functions.evaluation.replacing import replaced
from sheliak.expressions.values import RegExp
from sheliak.plan.coercion import text_of
from sheliak.plan.column_types import BOOLEAN, TEXT
from sheliak.plan.expressions import Apply, Constant, PlanExpression
from sheliak.plan.regular_expressions import java_pattern, java_replacement
from sheliak.plan.scope import ColumnFunction, Scope
from sheliak.plan.unplannable import Unplannable


def _pattern(e: PlanExpression) -> RegExp:
    if isinstance(e, Constant) and isinstance(e.value, RegExp):
        return e.value
    if isinstance(e, Constant) and isinstance(e.value, str):
        return RegExp(e.value, "")
    raise Unplannable("a regular expression that the row gives")


def _test(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    pattern = _pattern(operands[0])
    if len(operands) < 2:
        raise Unplannable("`test` without a text")
    text = text_of(operands[1], scope.zone)
    return Apply("text.matching", (text,), BOOLEAN, (java_pattern(pattern.pattern, pattern.flags),))


def _replace(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    """The first match, or with the flag `g` all; a text stands for itself and is replaced once."""
    text, pattern, replacement = text_of(operands[0], scope.zone), operands[1], operands[2] if len(operands) > 2 else None
    if not isinstance(replacement, Constant) or not isinstance(replacement.value, str):
        raise Unplannable("`replace` needs a constant replacement")
    written = java_replacement(replacement.value)
    if isinstance(pattern, Constant) and isinstance(pattern.value, RegExp):
        java, every = java_pattern(pattern.value.pattern, pattern.value.flags, by_unit=True), "g" in pattern.value.flags
        if _parts_halves(pattern.value):
            raise Unplannable("it puts text between the halves of characters, and a half is no text of a column")
    elif isinstance(pattern, Constant) and isinstance(pattern.value, str):
        java, every = "".join(f"\\x{{{ord(letter):X}}}" for letter in pattern.value), False
    else:
        raise Unplannable("`replace` needs a constant pattern")
    return Apply("text.replace" if every else "text.replace_first", (text,), TEXT, (java, written))


def _parts_halves(pattern: RegExp) -> bool:
    """It matches the empty text between the halves of a character: what it does in one, it does in all."""
    return _CHARACTER not in replaced(_CHARACTER, pattern, "-")


_CHARACTER = "\U0001f600"


FUNCTIONS: dict[str, ColumnFunction] = {"test": _test, "replace": _replace}
