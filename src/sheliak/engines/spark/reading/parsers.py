"""`format.parse` over columns: each of Vega's parsers as an expression of a plan."""

from __future__ import annotations

from sheliak.expressions.zones import UTC, Zone
from sheliak.loading.cell_parsers import unquoted
from sheliak.plan.choice import choose
from sheliak.plan.coercion import is_missing, known, not_, number_of, or_, text_of, truth_of
from sheliak.plan.column_types import BOOLEAN, Nothing, Plain
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.text_dates import instant_by_pattern, is_text, standard_instant
from sheliak.plan.unplannable import Unplannable

_NULL = constant(None)


def parsed(e: PlanExpression, how: str, zone: Zone) -> PlanExpression:
    """The column after the parser `how`; null, undefined and empty text become null.

    For `date` every text must be `READABLE` or empty, which whoever plans has to know.
    """
    word, colon, pattern = how.partition(":")
    if colon and word in ("date", "utc") and pattern:
        return _by_pattern(e, unquoted(pattern), zone if word == "date" else UTC)
    if how == "unknown":
        return e
    if isinstance(e.of, Nothing):
        return _NULL
    if not isinstance(e.of, Plain):
        raise Unplannable("it parses values of different kinds")
    return choose(_blank(e), _NULL, _value(known(e), how, zone))


def _blank(e: PlanExpression) -> PlanExpression:
    empty = Apply("text.equal", (known(e), constant("")), BOOLEAN) if is_text(e) else constant(False)
    return or_(is_missing(e), empty)


def _value(e: PlanExpression, how: str, zone: Zone) -> PlanExpression:
    match how:
        case "number" | "integer":
            return number_of(e)
        case "boolean":
            return _truth(e)
        case "string":
            return text_of(e, zone)
        case "date":
            return standard_instant(e, zone) if is_text(e) else _instant(e)
        case _:
            raise Unplannable(f"there is no parser `{how}`")


def _truth(e: PlanExpression) -> PlanExpression:
    """`"no"` is true; `"false"`, `"0"`, 0 and NaN are false."""
    return not_(Apply("text.among", (e,), BOOLEAN, ("false", "0"))) if is_text(e) else truth_of(e)


def _instant(e: PlanExpression) -> PlanExpression:
    """Numbers and dates stay what they are."""
    assert isinstance(e.of, Plain)
    if e.of.kind == "boolean":
        raise Unplannable("it takes a truth value for a date")
    return e


def _by_pattern(e: PlanExpression, pattern: str, zone: Zone) -> PlanExpression:
    if not is_text(e):
        raise Unplannable("it reads what is not text by a pattern")
    return instant_by_pattern(e, pattern, zone)
