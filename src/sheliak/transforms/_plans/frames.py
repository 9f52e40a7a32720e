"""The plan of `window`: columns computed from the rows around each row in a sorted partition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TypeAlias

from sheliak.expressions.values import Value, to_boolean, to_number
from sheliak.plan.arithmetic import numbers
from sheliak.plan.building import with_fields
from sheliak.plan.choice import choose
from sheliak.plan.coercion import NOTHING, converted, is_missing, known
from sheliak.plan.column_types import BOOLEAN, NULL, NUMBER, OPAQUE, UNDEFINED, ColumnType, Mixed, Opaque, unified, with_missing
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.keys import identity
from sheliak.plan.operators import Around, Frame, Plan, SortKey, Summary, Surveyed, Window
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable
from sheliak.transforms._contract import FieldRef, Transform
from sheliak.transforms._operations.asked import operations_of, output_names
from sheliak.transforms._operations.declaration import AGGREGATES, WINDOW_ONLY
from sheliak.transforms._plans.grouping import Asked, Measures
from sheliak.transforms._running import RunError

Fetch: TypeAlias = "Callable[[Surveying, PlanExpression, float], PlanExpression]"
_MOVING_DRIFT = frozenset({"product", "exponential", "exponentialb", "values", "argmin", "argmax"})
"""Operations whose result over a frame that leaves rows behind hangs on the rows that have left it, or on rows that hold themselves."""


@dataclass(slots=True)
class Surveying:
    """The columns of one window operator in the making."""

    planning: Planning
    sort: tuple[SortKey, ...]
    frame: Frame
    surveyed: list[Surveyed]

    def around(
        self, function: str, *operands: PlanExpression, of: ColumnType = NUMBER, options: tuple[int, ...] = ()
    ) -> PlanExpression:
        made = Around(function, operands, of, options)
        self.surveyed.append(Surveyed(self.planning.column(), made, self.frame))
        return self.surveyed[-1].read()

    def __call__(self, summary: Summary) -> PlanExpression:
        """A summary of the frame."""
        if summary.needs_order:
            raise Unplannable("the result hangs on the order of the rows in the frame")
        self.surveyed.append(Surveyed(self.planning.column(), summary, self.frame))
        return self.surveyed[-1].read()

    def count(self) -> PlanExpression:
        return self(Summary("count", (), NUMBER))


def frame_of(given: Sequence[Value] | None, *, peers: bool) -> Frame:
    """The rows around a row that count; None is without bound."""
    start, end, *_ = [*(given if given is not None else [None, 0.0]), None, None]
    bounds = [_bound(value) for value in (start, end)]
    frame = Frame(bounds[0], bounds[1], peers)
    if frame.start is not None and frame.start > 0:
        raise Unplannable("a frame that starts behind the current row leaves earlier rows in it")
    if frame.start is not None and frame.end is not None and frame.start > frame.end:
        raise Unplannable("a frame that ends before it starts")
    if peers and not (frame.start in (None, 0) and frame.end in (None, 0)):
        raise Unplannable("a frame of some rows before or after that reaches on to the rows that tie with its ends")
    return frame


def _bound(value: Value) -> int | None:
    if value is None or not isinstance(value, float | int | bool | str):
        return None
    number = to_number(value)
    if isnan(number) or number != int(number):
        raise Unplannable("a frame that is not a whole number of rows")
    return int(number)


def plan_window(
    transform: Transform,
    partition: Sequence[PlanExpression],
    sort: tuple[SortKey, ...],
    fields: Sequence[FieldRef | None],
    upstream: Plan,
    planning: Planning,
    read: Sequence[PlanExpression | None],
    order: Sequence[FieldRef] = (),
) -> Plan:
    """The rows with a field for each operation; `order` are the fields that the rows are sorted by."""
    parameters = transform.parameters()
    operations = operations_of(parameters.elements("ops") or [], {**WINDOW_ONLY, **AGGREGATES})
    names = output_names(operations, fields, parameters.elements("as") or [])
    peers = bool(sort) and not parameters.flag("ignorePeers")
    surveying = Surveying(planning, sort, frame_of(parameters.elements("frame"), peers=peers), [])
    numbers_given = parameters.elements("params") or []
    made: dict[str, PlanExpression] = {}
    aggregates: list[Asked] = []
    for index, (operation, name) in enumerate(zip(operations, names, strict=True)):
        if any(_may_read(field, name, upstream) for field in fields):
            raise Unplannable("an output bears the name of a field that later rows read")
        if any(_reads(field, name) for field in order):
            raise Unplannable("an output bears the name of a field that the rows are sorted by")
        if operation.name in AGGREGATES:
            _check_moving(operation.name, surveying.frame)
            aggregates.append(Asked(operation.name, fields[index] if index < len(fields) else None, name, None))
        else:
            given = numbers_given[index] if index < len(numbers_given) else None
            value = read[index] if index < len(read) else None
            made[name] = _operation(operation.name, value, to_number(given) if to_boolean(given) else 0.0, surveying)
    measured = Measures(upstream.schema.reads(), planning).outputs(aggregates, upstream, surveying)  # type: ignore[arg-type]
    window = Window(upstream, tuple(partition), sort, tuple(surveying.surveyed), by_order=not sort)
    # Vega writes aggregates before the results of window operations, which win a name that both have.
    return with_fields(window, {**measured, **made}, planning)


def _reads(field: FieldRef | None, name: str) -> bool:
    return field is not None and (field.is_expression or field.paths[0][0] == name)


def _may_read(field: FieldRef | None, name: str, upstream: Plan) -> bool:
    """A field under that name, or an expression in which it may stand; an output is read where no row had such a field, too."""
    if field is None or not field.is_expression:
        return _reads(field, name)
    inner = field.node.get("expr")
    return name in upstream.schema.reads() or inner is None or name in (inner.text or "")


def _check_moving(operation: str, frame: Frame) -> None:
    if operation in _MOVING_DRIFT and (frame.start is not None or operation not in ("product",)):
        raise Unplannable(f"`{operation}` over a frame hangs on the rows that were in it before")


def _operation(name: str, value: PlanExpression | None, parameter: float, s: Surveying) -> PlanExpression:
    if name in _RANKS:
        return _RANKS[name](s, parameter)
    if value is None:
        raise RunError("field is not a function")
    if isinstance(value.of, Opaque):
        raise Unplannable("it fetches a value that a column cannot hold")
    return _FETCHES[name](s, value, parameter)


# Ranks


def _row_number(s: Surveying, parameter: float) -> PlanExpression:
    return s.around("row_number")


def _rank(s: Surveying, parameter: float) -> PlanExpression:
    return s.around("rank" if s.sort else "row_number")


def _dense_rank(s: Surveying, parameter: float) -> PlanExpression:
    return s.around("dense_rank" if s.sort else "row_number")


def _percent_rank(s: Surveying, parameter: float) -> PlanExpression:
    before = numbers("number.subtract", _rank(s, parameter), constant(1.0))
    return numbers("number.divide", before, numbers("number.subtract", s.around("size"), constant(1.0)))


def _cume_dist(s: Surveying, parameter: float) -> PlanExpression:
    """The first row of a partition does not look at the rows that tie with it."""
    row = s.around("row_number")
    reach = row
    if s.sort:
        first = Apply("number.equal", (row, constant(1.0)), BOOLEAN)
        reach = choose(first, constant(1.0), s.around("last_peer"))
    return numbers("number.divide", reach, s.around("size"))


def _ntile(s: Surveying, parameter: float) -> PlanExpression:
    if not parameter > 0:
        raise RunError("ntile num must be greater than zero.")
    return numbers("number.ceil", numbers("number.multiply", constant(parameter), _cume_dist(s, parameter)))


_RANKS = {
    "row_number": _row_number,
    "rank": _rank,
    "dense_rank": _dense_rank,
    "percent_rank": _percent_rank,
    "cume_dist": _cume_dist,
    "ntile": _ntile,
}


# Values of other rows


def _offset(parameter: float) -> int:
    offset = parameter or 1.0
    if isnan(offset) or offset < 0 or offset != int(offset):
        raise Unplannable("an offset that is not a whole number of rows")
    return int(offset)


def _fetched(s: Surveying, function: str, value: PlanExpression, *options: int) -> PlanExpression:
    """The value of another row, undefined where there is none."""
    return s.around(function, value, of=with_missing(value.of, UNDEFINED), options=options)


def _or_null(there: PlanExpression, value: PlanExpression, of: PlanExpression) -> PlanExpression:
    """A fetched value as it was in its row, null where there is no such row."""
    wanted = unified(of.of, NOTHING[NULL].of)
    if wanted == OPAQUE:
        raise Unplannable("it fetches a value that a column cannot hold")
    own = Apply("known", (value,), of.of)
    return choose(there, converted(own, wanted), converted(NOTHING[NULL], wanted))


def _lag(s: Surveying, value: PlanExpression, parameter: float) -> PlanExpression:
    offset = _offset(parameter)
    there = Apply("number.less", (constant(float(offset)), s.around("row_number")), BOOLEAN)
    return _or_null(there, s.around("previous", value, of=value.of, options=(offset,)), value)


def _lead(s: Surveying, value: PlanExpression, parameter: float) -> PlanExpression:
    offset = _offset(parameter)
    behind = numbers("number.subtract", s.around("size"), s.around("row_number"))
    there = Apply("number.less_or_equal", (constant(float(offset)), behind), BOOLEAN)
    return _or_null(there, s.around("next", value, of=value.of, options=(offset,)), value)


def _first_value(s: Surveying, value: PlanExpression, parameter: float) -> PlanExpression:
    if s.frame.peers:
        return (
            s.around("nth", value, of=value.of, options=(1,))
            if s.frame.start is None
            else s.around("peer_first", value, of=value.of)
        )
    _refuse_empty(s.frame)
    return s.around("frame_first", value, of=value.of)


def _last_value(s: Surveying, value: PlanExpression, parameter: float) -> PlanExpression:
    if s.frame.peers and s.frame.end is not None:
        return s.around("peer_last", value, of=value.of)
    _refuse_empty(s.frame)
    return s.around("frame_last", value, of=value.of)


def _refuse_empty(frame: Frame) -> None:
    if frame.end is not None and frame.end < 0:
        raise Unplannable("the first or last value of a frame that may be empty stops the run")


def _nth_value(s: Surveying, value: PlanExpression, parameter: float) -> PlanExpression:
    if not parameter > 0:
        raise RunError("nth_value nth must be greater than zero.")
    if parameter != int(parameter) or s.frame.start is not None:
        raise Unplannable("the nth value of a frame that does not start with the partition")
    if s.frame.end is None:
        reach = s.around("size")
    elif s.frame.peers:
        reach = s.around("last_peer")
    else:
        reach = numbers("number.add", s.around("row_number"), constant(float(s.frame.end)))
    inside = Apply("number.less_or_equal", (constant(parameter), reach), BOOLEAN)
    exists = Apply("number.less_or_equal", (constant(parameter), s.around("size")), BOOLEAN)
    there = Apply("and", (inside, exists), BOOLEAN)
    return _or_null(there, s.around("nth", value, of=value.of, options=(int(parameter),)), value)


def _nearest(function: str) -> Fetch:
    def nearest(s: Surveying, value: PlanExpression, parameter: float) -> PlanExpression:
        """Its own value, or the nearest that is not missing, else null."""
        if isinstance(value.of, Mixed):
            present = Apply("mixed.present", (value,), value.of)
            found = s.around(function, present, of=value.of)
            return Apply("mixed.or_null", (found,), value.of)
        found = s.around(function, value, of=with_missing(known(value).of, NULL))
        return choose(is_missing(found), NOTHING[NULL], known(found))

    return nearest


_FETCHES: dict[str, Fetch] = {
    "lag": _lag,
    "lead": _lead,
    "first_value": _first_value,
    "last_value": _last_value,
    "nth_value": _nth_value,
    "prev_value": _nearest("prev_present"),
    "next_value": _nearest("next_present"),
}


def window_partition(keys: Sequence[PlanExpression], planning: Planning) -> list[PlanExpression]:
    """Partitions are told apart as the groups of `aggregate`."""
    return identity(keys, "|", planning)
