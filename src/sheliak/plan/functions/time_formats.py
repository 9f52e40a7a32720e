"""Dates as text by a pattern that all rows share, and the names of months and weekdays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import nan

from sheliak.expressions.time_formats import MONTH_NAMES, MULTIPLE, PERIODS, WEEKDAYS, Directive, directives_of, formatted_time
from sheliak.expressions.values import Undefined, Value, to_boolean, to_text
from sheliak.expressions.zones import UTC, Zone
from sheliak.plan.arithmetic import concatenated, numbers
from sheliak.plan.calendar import at_instant, calendar_time, clipped, in_zone, iso_week, iso_year, part, week_of_year
from sheliak.plan.choice import choose
from sheliak.plan.coercion import FALSE, and_, is_exactly, number_of, or_
from sheliak.plan.column_types import BOOLEAN, NULL, NUMBER, TEXT, Mixed
from sheliak.plan.expressions import Apply, Constant, PlanExpression, constant
from sheliak.plan.functions.dates import minutes_behind
from sheliak.plan.functions.kinds import is_kind, plain_part
from sheliak.plan.scope import ColumnFunction, Scope
from sheliak.plan.terms import Term, function_of, term, when
from sheliak.plan.unplannable import Unplannable


def _text(number: Term) -> PlanExpression:
    """A whole number of some digits, which needs none of the care that others do."""
    return Apply("number.digits", (number.expression,), TEXT)


def _padded(number: Term, fill: str, width: int) -> PlanExpression:
    """A whole number of 0 and more, filled up on the left."""
    written = _text(number)
    return Apply("text.filled_up", (written,), TEXT, (width, fill)) if fill and width else written


def _signed(number: Term, fill: str, width: int) -> PlanExpression:
    """A whole number, its sign before what fills it up."""
    sign = choose(number < 0.0, constant("-"), constant(""))
    return concatenated(sign, _padded(function_of("abs", number), fill, width))


def _nth(index: Term, names: tuple[str, ...]) -> PlanExpression:
    return Apply("text.nth", (index.expression,), TEXT, names)


@dataclass(frozen=True, slots=True)
class Moment:
    """A valid instant, and its local time."""

    ms: PlanExpression
    local: PlanExpression
    scope: Scope
    utc: bool
    given: PlanExpression
    """The instant as it was given, with a part of a millisecond."""

    def part(self, name: str) -> Term:
        return Term(part(name, self.local))

    @property
    def zone(self) -> Zone:
        return UTC if self.utc else self.scope.zone

    def written(self, pattern: str) -> PlanExpression:
        """The instant by a pattern."""
        pieces = [constant(one) if isinstance(one, str) else self._directive(one) for one in directives_of(pattern) if one != ""]
        return concatenated(*pieces) if len(pieces) != 1 else pieces[0]

    def _directive(self, directive: Directive) -> PlanExpression:
        letter, fill = directive
        if letter in _NUMBERS:
            of, width = _NUMBERS[letter]
            return (_signed if letter in "gGyY" else _padded)(of(self), fill, width)
        if letter in _TEXTS:
            return _TEXTS[letter](self, fill)
        return constant("%" if letter == "%" else letter)

    def offset(self, fill: str) -> PlanExpression:
        """`%Z`: by how much local time is ahead of UTC."""
        if self.utc:
            return constant("+0000")
        behind = Term(minutes_behind(self.ms, self.scope))
        size = function_of("abs", behind)
        hours = function_of("floor", size / 60.0)
        sign = choose(behind > 0.0, constant("-"), constant("+"))
        return concatenated(sign, _padded(hours, "0", 2), _padded(size - hours * 60.0, "0", 2))

    def floor(self, *names: str) -> Term:
        """The instant at which the part of the calendar that these name began."""
        return Term(clipped(at_instant(calendar_time(*(part(name, self.local) for name in names)), self.zone)))


def _cut(year: Term, by: float) -> Term:
    """The last digits of a year, with its sign: a remainder has that of the number."""
    return Term(numbers("number.remainder", year.expression, constant(by)))


def _hours_of_half(moment: Moment) -> Term:
    hours = Term(numbers("number.remainder", moment.part("hours").expression, constant(12.0)))
    return when(hours.equals(0.0), 12.0, hours)


def _weekday(moment: Moment) -> Term:
    day = moment.part("day")
    return when(day.equals(0.0), 7.0, day)


def _week_from_monday(moment: Moment) -> Term:
    since_monday = Term(numbers("number.remainder", (moment.part("day") + 6.0).expression, constant(7.0)))
    return function_of("floor", (moment.part("dayofyear") + 6.0 - since_monday) / 7.0)


_NUMBERS: dict[str, tuple[Callable[[Moment], Term], int]] = {
    "d": (lambda moment: moment.part("date"), 2),
    "e": (lambda moment: moment.part("date"), 2),
    "g": (lambda moment: _cut(Term(iso_year(moment.local)), 100.0), 2),
    "G": (lambda moment: _cut(Term(iso_year(moment.local)), 10_000.0), 4),
    "H": (lambda moment: moment.part("hours"), 2),
    "I": (_hours_of_half, 2),
    "j": (lambda moment: moment.part("dayofyear"), 3),
    "L": (lambda moment: moment.part("milliseconds"), 3),
    "m": (lambda moment: moment.part("month") + 1.0, 2),
    "M": (lambda moment: moment.part("minutes"), 2),
    "S": (lambda moment: moment.part("seconds"), 2),
    "u": (_weekday, 0),
    "U": (lambda moment: Term(week_of_year(moment.local)), 2),
    "V": (lambda moment: Term(iso_week(moment.local)), 2),
    "w": (lambda moment: moment.part("day"), 0),
    "W": (_week_from_monday, 2),
    "y": (lambda moment: _cut(moment.part("year"), 100.0), 2),
    "Y": (lambda moment: _cut(moment.part("year"), 10_000.0), 4),
}
_TEXTS: dict[str, Callable[[Moment, str], PlanExpression]] = {
    "a": lambda moment, fill: _nth(moment.part("day"), tuple(name[:3] for name in WEEKDAYS)),
    "A": lambda moment, fill: _nth(moment.part("day"), WEEKDAYS),
    "b": lambda moment, fill: _nth(moment.part("month"), tuple(name[:3] for name in MONTH_NAMES)),
    "B": lambda moment, fill: _nth(moment.part("month"), MONTH_NAMES),
    "f": lambda moment, fill: concatenated(_padded(moment.part("milliseconds"), fill, 3), constant("000")),
    "p": lambda moment, fill: choose(moment.part("hours") >= 12.0, constant(PERIODS[1]), constant(PERIODS[0])),
    "q": lambda moment, fill: _text(1.0 + function_of("floor", moment.part("month") / 3.0)),
    "Q": lambda moment, fill: _text(Term(moment.ms)),
    "s": lambda moment, fill: _text(function_of("floor", Term(moment.ms) / 1000.0)),
    "Z": lambda moment, fill: moment.offset(fill),
}


def _format(*, utc: bool) -> ColumnFunction:
    def function(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
        if not operands:
            raise Unplannable("a date that is left out is written in one way for all rows")
        specifier = operands[1] if len(operands) > 1 else None
        if specifier is not None and not isinstance(specifier, Constant):
            raise Unplannable("a pattern that only the row names")
        exactly = number_of(operands[0])
        ms = clipped(exactly)
        moment = Moment(ms, ms if utc else in_zone(ms, scope.zone), scope, utc, exactly)
        given: Value = Undefined() if specifier is None else specifier.value
        text = _by_pattern(moment, given)
        return choose(is_exactly(operands[0], NULL), constant("null"), text)

    return function


def _by_pattern(moment: Moment, specifier: Value) -> PlanExpression:
    invalid = Apply("number.is_nan", (moment.ms,), BOOLEAN)
    if isinstance(specifier, str):
        return choose(invalid, constant(formatted_time(nan, specifier, moment.zone, moment.utc)), moment.written(specifier))
    if to_boolean(specifier) and not isinstance(specifier, dict):
        raise Unplannable("a pattern that is neither text nor an object")
    patterns = specifier if isinstance(specifier, dict) else {}
    return choose(
        invalid, constant(formatted_time(nan, _pattern(patterns, "year"), moment.zone, moment.utc)), _by_unit(moment, patterns)
    )


def _pattern(patterns: dict[str, Value], unit: str) -> str:
    given = patterns.get(unit)
    if unit == "date" and not to_boolean(given):
        given = patterns.get("day")
    return to_text(given) if to_boolean(given) else MULTIPLE[unit]


def _by_unit(moment: Moment, patterns: dict[str, Value]) -> PlanExpression:
    """By the pattern of the finest unit that the instant is not the start of."""
    ms = Term(moment.ms)
    steps: list[tuple[str, PlanExpression]] = [
        ("milliseconds", or_(moment.part("milliseconds") > 0.0, ms < Term(moment.given))),
        ("seconds", moment.part("seconds") > 0.0),
        ("minutes", moment.part("minutes") > 0.0),
        ("hours", moment.floor("year", "month", "date") < ms),
        ("date", and_(moment.floor("year", "month") < ms, moment.part("day") > 0.0)),
        ("week", moment.floor("year", "month") < ms),
        ("month", and_(moment.floor("year") < ms, Term(_thirds(moment)) > 0.0)),
        ("quarter", moment.floor("year") < ms),
    ]
    result = moment.written(_pattern(patterns, "year"))
    for unit, test in reversed(steps):
        result = choose(test, moment.written(_pattern(patterns, unit)), result)
    return result


def _thirds(moment: Moment) -> PlanExpression:
    return numbers("number.remainder", moment.part("month").expression, constant(3.0))


# Names


def _name(names: tuple[str, ...]) -> ColumnFunction:
    """The name of a whole number, which may be any: 12 is January again. What is no number has none."""

    def function(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
        index = operands[0] if operands else constant(None)
        number = is_kind(index, "number")
        if number is FALSE:
            return constant("")
        value = term(plain_part(index, "number") if isinstance(index.of, Mixed) else index)
        finite = Apply("number.is_finite", (value.expression,), BOOLEAN)
        whole = and_(number, and_(finite, value.equals(function_of("floor", value))))
        turn = Term(Apply("number.modulo", (value.expression,), NUMBER, (float(len(names)),)))
        return choose(whole, _nth(turn, names), constant(""))

    return function


FUNCTIONS: dict[str, ColumnFunction] = {
    "timeFormat": _format(utc=False),
    "utcFormat": _format(utc=True),
    "monthFormat": _name(MONTH_NAMES),
    "monthAbbrevFormat": _name(tuple(name[:3] for name in MONTH_NAMES)),
    "dayFormat": _name(WEEKDAYS),
    "dayAbbrevFormat": _name(tuple(name[:3] for name in WEEKDAYS)),
}
