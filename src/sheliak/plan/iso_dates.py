"""Text read as a date, where all rows write dates as ISO 8601 does: what engines of JavaScript make of other text is their own affair.

Whether they do is asked of the rows while the plan is made.
"""

from __future__ import annotations

from math import nan

from sheliak.plan.building import fields_only
from sheliak.plan.calendar import at_instant, calendar_time, part
from sheliak.plan.choice import choose
from sheliak.plan.coercion import and_, is_missing, known, not_, or_
from sheliak.plan.column_types import BOOLEAN, NUMBER, UNDEFINED, Mixed, Plain
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.operators import Group, Keep, Summarized, Summary
from sheliak.plan.scope import Scope
from sheliak.plan.unplannable import Unplannable

_TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,3})?)?"
_DATE = "[12][0-9]{3}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01])(?:[T ]" + _TIME + "|T" + _TIME + "Z)?)?)?"
_WRITTEN = f"^{_DATE}$"
_LOCAL = "[T ].*[0-9]$"
"""A time without a zone is local, a date without a time is UTC."""
# Where each part stands in the text, its length, and what it is where the text ends before.
_PLACES = ((1, 4, nan), (6, 2, 1.0), (9, 2, 1.0), (12, 2, 0.0), (15, 2, 0.0), (18, 2, 0.0))


def instant_of_text(text: PlanExpression, scope: Scope) -> PlanExpression:
    """Date.parse of a text, in milliseconds; NaN of an empty text and where it is missing."""
    if isinstance(text.of, Mixed) and text.of.kinds == {"text"}:
        text = Apply("mixed.text_part", (text,), Plain("text", UNDEFINED))
    if not isinstance(text.of, Plain) or text.of.kind != "text" or scope.upstream is None:
        raise Unplannable("it parses text as a date as JavaScript engines do")
    there = known(text)
    year, month, *rest = (Apply("text.number_at", (there,), NUMBER, place) for place in _PLACES)
    zero_based = Apply("number.subtract", (month, constant(1.0)), NUMBER)
    fraction = Apply("text.milliseconds", (there,), NUMBER)
    time = calendar_time(year, zero_based, *rest, fraction)
    empty = or_(is_missing(text), Apply("text.equal", (there, constant("")), BOOLEAN))
    # February has no 30th: engines go on to March, or do not.
    exists = Apply("number.equal", (part("date", time), rest[0]), BOOLEAN)
    written = and_(Apply("text.matching", (there,), BOOLEAN, (_WRITTEN,)), exists)
    if _any_other(not_(or_(empty, written)), scope):
        raise Unplannable("it parses text that is no date of ISO 8601, as JavaScript engines do")
    local = Apply("text.matching", (there,), BOOLEAN, (_LOCAL,))
    return choose(empty, constant(nan), choose(local, at_instant(time, scope.zone), time))


def _any_other(test: PlanExpression, scope: Scope) -> bool:
    """Whether a test holds for some row."""
    planning = scope.planning
    assert scope.upstream is not None
    count = Summarized(planning.column(), Summary("count", (), NUMBER))
    group = Group(Keep(scope.upstream, test), (), (count,), always=True)
    rows = planning.ask(fields_only(group, {"n": count.read()}, planning))
    return any(row["n"] for row in rows)
