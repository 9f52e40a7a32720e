"""The state of aggregate operations over one group: a cell, its measures (one for each field), and the rows it has to keep.

The order in which values are taken in and results are written is Vega's, and so is what a store remembers from one question to
the next: two fields of one cell may therefore be told the same row (see `Store`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Final

from sheliak.expressions.arithmetic import largest, power, square_root
from sheliak.expressions.values import (
    UNDEFINED,
    Row,
    Value,
    add,
    divided,
    key_text,
    less_or_equal,
    less_than,
    to_boolean,
    to_number,
)
from sheliak.expressions.zones import Zone
from sheliak.transforms._numerics.quantiles import confidence_interval, numbers_of, quantile_of_sorted
from sheliak.transforms._operations.declaration import Operation
from sheliak.transforms._running import Getter, RunError, Running


@dataclass(frozen=True, slots=True)
class Asked:
    """An operation that a transform asks for, its entry in `aggregate_params` and the name of its output."""

    operation: Operation
    parameter: float | None
    name: str


@dataclass(slots=True)
class Measuring:
    """What is asked of one field."""

    get: Getter
    asked: list[Asked]

    def steps(self) -> list[tuple[Operation, float | None]]:
        """The operations that take in a value, those needed by others too, each once, by rank."""
        from sheliak.transforms._operations import AGGREGATES

        steps: dict[str, tuple[Operation, float | None]] = {}
        for one in self.asked:
            steps[one.operation.name] = (one.operation, one.parameter)

        def require(operation: Operation) -> None:
            for name in operation.needs:
                if name not in steps:
                    steps[name] = (AGGREGATES[name], None)
                    require(AGGREGATES[name])

        for one in self.asked:
            require(one.operation)
        return sorted(steps.values(), key=lambda step: step[0].rank)

    def outputs(self) -> list[Asked]:
        return sorted(self.asked, key=lambda one: one.operation.rank)


@dataclass(slots=True)
class Measured:
    """All that a transform asks of a group: the names of the counts, and the measures, in the order of their fields' first use."""

    counts: list[str]
    fields: list[Measuring]


def measured(
    operations: Sequence[Operation],
    fields: Sequence[tuple[str | None, Getter | None]],
    names: Sequence[str],
    parameters: Sequence[Value],
) -> Measured:
    """The measures of parallel lists. Fields of one name share one accessor, the first; so do all expressions, which have none."""
    result = Measured([], [])
    by_name: dict[str | None, Measuring] = {}
    for index, operation in enumerate(operations):
        name, get = fields[index] if index < len(fields) else (None, None)
        if operation.name == "count":
            result.counts.append(names[index])
            continue
        if get is None:
            raise RunError("Null aggregate field specified.")
        measuring = by_name.get(name)
        if measuring is None:
            measuring = by_name[name] = Measuring(get, [])
            result.fields.append(measuring)
        given = parameters[index] if index < len(parameters) else None
        parameter = to_number(given) if to_boolean(given) else None
        measuring.asked.append(Asked(operation, parameter, names[index]))
    return result


class Measure:
    """The state of the operations over one field of one cell."""

    __slots__ = (
        *("cell", "delta", "deviation", "get", "greatest", "greatest_row", "least", "least_row", "mean", "missing", "number"),
        *("outputs", "product", "rate", "steps", "sum", "valid", "weighted"),
    )
    sum: float
    product: float
    mean: float
    delta: float
    """How far the newest value was from the mean before it."""
    deviation: float
    """The sum of squared distances from the mean."""
    weighted: float
    rate: float
    least: Value
    greatest: Value
    least_row: Row | None
    greatest_row: Row | None
    number: float
    """The value at hand as a number."""

    def __init__(self, cell: Cell, measuring: Measuring) -> None:
        self.cell = cell
        self.get = measuring.get
        self.steps = measuring.steps()
        self.outputs = measuring.outputs()
        self.start()

    def start(self) -> None:
        self.valid = 0
        self.missing = 0
        for operation, parameter in self.steps:
            operation.start(self, parameter)

    def add(self, row: Row) -> None:
        value = self.get(row)
        if _is_missing(value):
            self.missing += 1
        elif not _is_nan(value):
            self.valid += 1
            self.number = to_number(value)
            for operation, _ in self.steps:
                operation.add(self, value, row)

    def remove(self, row: Row) -> None:
        value = self.get(row)
        if _is_missing(value):
            self.missing -= 1
        elif not _is_nan(value):
            self.valid -= 1
            self.number = to_number(value)
            for operation, _ in self.steps:
                operation.remove(self, value, row)

    def write(self, row: Row) -> None:
        for output in self.outputs:
            row[output.name] = output.operation.value(self)

    def of_valid(self, result: float) -> Value:
        """The result, undefined over no valid value."""
        return result if self.valid else UNDEFINED

    def of_population(self, figure: Callable[[float, int], float]) -> Value:
        return figure(largest(0.0, self.deviation), self.valid) if self.valid else UNDEFINED

    def of_sample(self, figure: Callable[[float, int], float]) -> Value:
        return figure(largest(0.0, self.deviation), self.valid) if self.valid > 1 else UNDEFINED

    def of_row(self, row: Row | None) -> Value:
        return UNDEFINED if row is None else self.get(row)

    def plus(self, number: float, value: Value) -> float:
        """`number + value`, read as a number."""
        return to_number(add(number, value, self.cell.zone))

    nothing: Final = UNDEFINED
    divided = staticmethod(divided)
    power = staticmethod(power)
    square_root = staticmethod(square_root)

    def less(self, a: Value, b: Value) -> bool:
        """`a < b`"""
        return less_than(a, b, self.cell.zone)

    def at_most(self, a: Value, b: Value) -> bool:
        """`a <= b`"""
        return less_or_equal(a, b, self.cell.zone)


def _is_missing(value: Value) -> bool:
    return value is None or value is UNDEFINED or value == ""


def _is_nan(value: Value) -> bool:
    return isinstance(value, float) and isnan(value)


class Cell:
    """The rows of one group, as far as its operations need them."""

    __slots__ = ("count", "counts", "measures", "store", "zone")

    def __init__(self, measured: Measured, running: Running) -> None:
        self.zone = running.zone
        self.count = 0
        self.counts = measured.counts
        self.measures = [Measure(self, measuring) for measuring in measured.fields]
        kept = any(operation.name == "values" for measure in self.measures for operation, _ in measure.steps)
        self.store = Store(running.zone, running.random) if kept else None

    def start(self) -> None:
        """Empties the cell for the next partition of a window."""
        self.count = 0
        if self.store is not None:
            self.store.reset()
        for measure in self.measures:
            measure.start()

    def add(self, row: Row) -> None:
        self.count += 1
        if self.store is not None:
            self.store.added.append(row)
        for measure in self.measures:
            measure.add(row)

    def remove(self, row: Row) -> None:
        self.count -= 1
        if self.store is not None:
            self.store.removed.append(row)
        for measure in self.measures:
            measure.remove(row)

    def write(self, row: Row) -> None:
        """Writes the results: counts first, then field by field."""
        if self.store is not None:
            self.store.values()
        for name in self.counts:
            row[name] = float(self.count)
        for measure in self.measures:
            measure.write(row)

    @property
    def kept(self) -> Store:
        assert self.store is not None
        return self.store


class Store:
    """The rows of a cell.

    Vega keeps the last extent, quartiles and confidence interval with a note of the field they belong to; but there is one note
    for the three of them. After `median` of a field, `argmin` of that field answers with the extent found before, whatever field
    or frame that was of.
    """

    __slots__ = ("added", "extent_rows", "field", "interval", "quartiles", "random", "removed", "zone")

    def __init__(self, zone: Zone, random: Callable[[], float]) -> None:
        self.zone = zone
        self.random = random
        self.interval: tuple[Value, Value] | None = None
        self.reset()

    def reset(self) -> None:
        self.added: list[Row] = []
        self.removed: list[Row] = []
        self.field: Getter | None = None
        self.extent_rows: tuple[Row | None, Row | None] | None = None
        self.quartiles: list[Value] | None = None

    def values(self) -> list[Row]:
        """The rows that are there now: the store's own list, so that whoever holds it sees the rows that come later."""
        self.field = None
        if not self.removed:
            return self.added
        if len(self.removed) > len(self.added):
            raise RunError("Invalid array length")
        gone = {id(row) for row in self.removed}
        kept = []
        for row in self.added:
            if id(row) in gone:
                gone.discard(id(row))
            else:
                kept.append(row)
        self.removed = []
        self.added = kept
        return kept

    def distinct(self, get: Getter) -> float:
        return float(len({key_text(get(row), self.zone) for row in self.values()}))

    def extent(self, get: Getter) -> tuple[Row | None, Row | None]:
        """The rows with the least and the greatest value; empty text counts, null does not."""
        if self.field is not get or self.extent_rows is None:
            self.extent_rows = self._extent(self.values(), get)
            self.field = get
        return self.extent_rows

    def _extent(self, rows: list[Row], get: Getter) -> tuple[Row | None, Row | None]:
        least: Row | None = None
        greatest: Row | None = None
        low: Value = UNDEFINED
        high: Value = UNDEFINED
        for row in rows:
            value = get(row)
            if value is None or value is UNDEFINED:
                continue
            if least is None:
                if less_or_equal(value, value, self.zone):
                    least = greatest = row
                    low = high = value
                continue
            if less_than(value, low, self.zone):
                least, low = row, value
            if less_than(high, value, self.zone):
                greatest, high = row, value
        return least, greatest

    def quartile(self, get: Getter, index: int) -> Value:
        if self.field is not get or self.quartiles is None:
            ordered = sorted(numbers_of(map(get, self.values())))
            self.quartiles = [quantile_of_sorted(ordered, p) for p in (0.25, 0.5, 0.75)]
            self.field = get
        return self.quartiles[index]

    def bound(self, get: Getter, index: int) -> Value:
        """An end of the 95 % confidence interval of the mean."""
        if self.field is not get or self.interval is None:
            values = [get(row) for row in self.values()]
            self.interval = confidence_interval(values, 1000, 0.05, self.random)
            self.field = get
        return self.interval[index]
