"""Vega's aggregate operations over a plan's groups and frames: the summaries they need, and what they make of them.

null, undefined and "" are missing; NaN is neither missing nor valid; everything else is valid. Operations over numbers coerce the valid
values: text that is no number makes NaN, which stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sheliak.plan.arithmetic import numbers
from sheliak.plan.choice import choose
from sheliak.plan.coercion import (
    NAN,
    NOTHING,
    and_,
    converted,
    is_missing,
    known,
    not_,
    number_of,
    or_,
    text_of,
    truth_of,
)
from sheliak.plan.column_types import (
    BOOLEAN,
    NEVER,
    NUMBER,
    UNDEFINED,
    List,
    Mixed,
    Nothing,
    Plain,
    Record,
    with_missing,
)
from sheliak.plan.expressions import Apply, Constant, PlanExpression, constant
from sheliak.plan.functions.kinds import is_blank, is_empty, is_nan_value, plain_part
from sheliak.plan.operators import Summary, SummaryFunction
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable

Summarize: TypeAlias = Callable[[Summary], PlanExpression]
"""Makes a summary a column of the groups, and gives that column."""

_NUMBER = Plain("number", UNDEFINED)


@dataclass(frozen=True, slots=True)
class Measuring:
    """One field of a group under its operations."""

    field: PlanExpression
    row: Mapping[str, PlanExpression]
    """The fields of the row, for operations that yield rows."""
    summarize: Summarize
    planning: Planning

    def summary(self, function: SummaryFunction, *operands: PlanExpression, options: tuple[float, ...] = ()) -> PlanExpression:
        return self.summarize(Summary(function, operands, _NUMBER, options))

    def count(self, test: PlanExpression) -> PlanExpression:
        if isinstance(test, Constant):
            return self.summarize(Summary("count", (), NUMBER)) if test.value else constant(0.0)
        return self.summarize(Summary("count_true", (test,), NUMBER))

    def valid(self) -> PlanExpression:
        return self.count(is_valid(self.field))


def is_valid(e: PlanExpression) -> PlanExpression:
    """Neither missing, as "" is too, nor NaN."""
    return and_(not_(is_empty(e)), not_(is_nan_value(e)))


def valid_number(e: PlanExpression) -> PlanExpression:
    """A valid value as a number, undefined where there is none."""
    match e.of:
        case Plain("number"):
            return Apply("number.valid", (e,), _NUMBER)
        case Plain("boolean" | "date"):
            return Apply(f"{e.of.kind}.number", (e,), _NUMBER)
        case Nothing():
            return Constant(NOTHING[UNDEFINED].value, _NUMBER)
        case _:
            return choose(is_valid(e), number_of(e), NOTHING[UNDEFINED])


def _number(e: PlanExpression) -> PlanExpression:
    """A valid value that reads as a number, undefined for all others."""
    return Apply("number.valid", (valid_number(e),), _NUMBER)


# Operations


def _missing(m: Measuring) -> PlanExpression:
    return m.count(is_empty(m.field))


def _distinct(m: Measuring) -> PlanExpression:
    """Different texts of all values, missing ones too."""
    e = m.field
    match e.of:
        case Nothing():
            return choose(Apply("number.less", (constant(0.0), m.count(constant(True))), BOOLEAN), constant(1.0), constant(0.0))
        case Plain("number" | "boolean" | "date", missing):
            key = Apply("date.second", (e,), _NUMBER) if e.of.kind == "date" else e
            found = m.summarize(Summary("distinct", (key,), NUMBER))
            if missing is NEVER:
                return found
            gone = m.summarize(Summary("any", (is_missing(e),), BOOLEAN))
            return numbers("number.add", found, gone)
        case _:
            return m.summarize(Summary("distinct", (text_of(e, m.planning.zone),), NUMBER))


def _variance(m: Measuring) -> PlanExpression:
    enough = Apply("number.less", (constant(1.0), m.valid()), BOOLEAN)
    return choose(enough, known(m.summary("variance", valid_number(m.field))), NOTHING[UNDEFINED])


def _root(value: PlanExpression) -> PlanExpression:
    return choose(is_missing(value), NOTHING[UNDEFINED], numbers("number.sqrt", known(value)))


def _stderr(m: Measuring) -> PlanExpression:
    variance = _variance(m)
    return _root(choose(is_missing(variance), NOTHING[UNDEFINED], numbers("number.divide", known(variance), m.valid())))


def _percentile(share: float) -> Callable[[Measuring], PlanExpression]:
    return lambda m: m.summary("percentile", _number(m.field), options=(share,))


def _of_numbers(function: SummaryFunction) -> Callable[[Measuring], PlanExpression]:
    return lambda m: m.summary(function, valid_number(m.field))


def _extreme(end: str) -> Callable[[Measuring], PlanExpression]:
    def extreme(m: Measuring) -> PlanExpression:
        e = comparable(m.field)
        return NOTHING[UNDEFINED] if isinstance(e.of, Nothing) else _least(m, e, end)

    return extreme


def comparable(e: PlanExpression) -> PlanExpression:
    """Values of one kind, undefined where there is none: only those have an order that does not hang on the rows'."""
    match e.of:
        case Mixed(kinds) if len(kinds) == 1:
            return plain_part(e, next(iter(kinds)))
        case Mixed(kinds) if not kinds:
            return NOTHING[UNDEFINED]
        case Plain() | Nothing():
            return e
        case _:
            raise Unplannable("the least of values of different kinds hangs on the order of the rows")


def _least(m: Measuring, e: PlanExpression, end: str) -> PlanExpression:
    assert isinstance(e.of, Plain)
    of = Plain(e.of.kind, UNDEFINED)
    match e.of.kind:
        case "number":
            return m.summarize(Summary("min" if end == "least" else "max", (Apply("number.valid", (e,), of),), of))
        case "boolean":
            return m.summarize(Summary("min" if end == "least" else "max", (Apply("known", (e,), of),), of))
        case "text":
            text = choose(is_blank(e), NOTHING[UNDEFINED], Apply("known", (e,), of))
            return m.summarize(Summary("min_text" if end == "least" else "max_text", (text,), of))
        case "date":
            return _least_date(m, Apply("known", (e,), of), end)


def _least_date(m: Measuring, e: PlanExpression, end: str) -> PlanExpression:
    """An invalid date that comes first stays: nothing is less than it."""
    of = Plain("date", UNDEFINED)
    ms = Apply("number.valid", (Apply("date.number", (e,), _NUMBER),), _NUMBER)
    least = Apply("number.date", (m.summary("min" if end == "least" else "max", ms),), of)
    first = m.summarize(Summary("first_present", (e,), of))
    return choose(Apply("number.is_nan", (Apply("date.number", (first,), _NUMBER),), BOOLEAN), first, least)


def _extreme_row(end: str) -> Callable[[Measuring], PlanExpression]:
    def extreme(m: Measuring) -> PlanExpression:
        e = comparable(m.field)
        row = _row(m)
        assert isinstance(row.of, Record)
        empty = Constant({}, row.of)
        return empty if isinstance(e.of, Nothing) else _row_of_extreme(m, e, row, empty, end)

    return extreme


def _row(m: Measuring) -> PlanExpression:
    """The row as a value; every field may be undefined, because without a valid value Vega gives an empty object."""
    fields = [(name, with_missing(value.of, UNDEFINED)) for name, value in m.row.items()]
    return Apply(
        "record",
        tuple(converted(value, of) for value, (_, of) in zip(m.row.values(), fields, strict=True)),
        Record(tuple(fields)),
    )


def _row_of_extreme(m: Measuring, e: PlanExpression, row: PlanExpression, empty: PlanExpression, end: str) -> PlanExpression:
    assert isinstance(e.of, Plain) and isinstance(row.of, Record)
    if e.of.kind == "date":
        raise Unplannable("the row of the first or last date hangs on the order of the rows")
    found = Record(row.of.fields, UNDEFINED)
    function: SummaryFunction = "first_of_least" if end == "least" else "first_of_greatest"

    def first_of(by: PlanExpression) -> PlanExpression:
        best = m.summarize(Summary(function, (row, by), found))
        return choose(is_missing(best), empty, known(best))

    valid = choose(is_valid(e), known(e), NOTHING[UNDEFINED])
    if e.of.kind != "text":
        return first_of(valid)
    # "" counts as text only if no later text was less than the first: Vega then looks through all rows once more.
    every = Apply("known", (e,), Plain("text", UNDEFINED))
    if end != "least":
        return first_of(every)
    least = m.summarize(Summary("min_text", (valid,), Plain("text", UNDEFINED)))
    first = m.summarize(Summary("first_present", (valid,), Plain("text", UNDEFINED)))
    again = or_(is_missing(least), Apply("text.equal", (least, first), BOOLEAN))
    return choose(again, first_of(every), first_of(valid))


def _values(m: Measuring) -> PlanExpression:
    row = Apply("record", tuple(m.row.values()), Record(tuple((name, value.of) for name, value in m.row.items())))
    return m.summarize(Summary("list", (row,), List(row.of)))


_OPERATIONS: dict[str, Callable[[Measuring], PlanExpression]] = {
    "valid": lambda m: m.valid(),
    "missing": _missing,
    "distinct": _distinct,
    "sum": _of_numbers("sum"),
    "product": _of_numbers("product"),
    "mean": _of_numbers("mean"),
    "average": _of_numbers("mean"),
    "variance": _variance,
    "variancep": _of_numbers("variance_population"),
    "stdev": lambda m: _root(_variance(m)),
    "stdevp": lambda m: _root(m.summary("variance_population", valid_number(m.field))),
    "stderr": _stderr,
    "median": _percentile(0.5),
    "q1": _percentile(0.25),
    "q3": _percentile(0.75),
    "min": _extreme("least"),
    "max": _extreme("greatest"),
    "argmin": _extreme_row("least"),
    "argmax": _extreme_row("greatest"),
    "values": _values,
}


def measure(name: str, m: Measuring, decay: float | None = None) -> PlanExpression:
    """What an operation over a field comes to for a group. Raises Unplannable where the order of the rows, or chance, decides."""
    if name in ("exponential", "exponentialb"):
        return _exponential(m, decay, normalised=name == "exponential")
    if name in ("ci0", "ci1"):
        raise Unplannable(f"`{name}` draws random numbers in the order of the rows")
    return _OPERATIONS[name](m)


def _exponential(m: Measuring, decay: float | None, *, normalised: bool) -> PlanExpression:
    """A weighted mean, the newest row heaviest; `decay` is None where Vega computes with undefined."""
    valid = m.valid()
    none = not_(truth_of(valid))
    if decay is None:
        return choose(none, NOTHING[UNDEFINED], NAN)
    if not isinstance(m.field.of, Plain) or m.field.of.kind not in ("number", "boolean"):
        raise Unplannable("`exponential` adds values as they are, text and dates as text")
    values = m.summarize(Summary("list", (valid_number(m.field),), List(_NUMBER)))
    total = Apply("list.exponential", (values,), NUMBER, (decay,))
    value = numbers("number.multiply", total, constant(1.0 - decay))
    if normalised:
        rest = numbers("number.subtract", constant(1.0), numbers("number.pow", constant(decay), valid))
        value = numbers("number.divide", value, rest)
    return choose(none, NOTHING[UNDEFINED], value)
