"""What is remembered of groups and rows: exact sums, the least of many, rows found by their ids. No Spark is needed."""

from __future__ import annotations

import json
from fractions import Fraction
from math import inf, isnan, nan
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sheliak.changes.change import Rejected
from sheliak.changes.lines import Line
from sheliak.engines.spark.live import segments, source_table
from sheliak.engines.spark.live.accumulators import Exhausted, accumulator, accumulator_of, many, merged, taken_away
from sheliak.engines.spark.live.column_json import json_of_type, type_of_json
from sheliak.engines.spark.live.exact import ExactSum, exact_sums, rounded, unpacked
from sheliak.engines.spark.live.segments import Version, first_segment, read_segment, types_of_rows, write_segment
from sheliak.engines.spark.live.source_table import SourceTable
from sheliak.expressions.values import UNDEFINED, Date

FUNCTIONS = ("count", "count_true", "any", "sum", "mean", "variance", "variance_population", "min", "max", "first", "last")


def some_numbers(random: Random) -> list[float]:
    def number() -> float:
        return random.choice([random.uniform(-1, 1) * 10 ** random.randint(-300, 300), random.randint(-5, 5) * 1.0, 5e-324, -0.0])

    return [number() for _ in range(random.randint(1, 40))]


@pytest.mark.parametrize("seed", range(20))
def test_a_sum_forgets_nothing(seed: int) -> None:
    random = Random(seed)
    values, total = some_numbers(random), ExactSum()
    for value in values:
        total.add(value, 1)
    assert total.exact == sum(map(Fraction, values))
    assert unpacked(json.loads(json.dumps(total.packed()))).exact == total.exact
    codes = np.array([random.randint(0, 2) for _ in values])
    for group, found in enumerate(exact_sums(codes, np.array(values), 3)):
        assert found.exact == sum(
            (Fraction(value) for value, code in zip(values, codes, strict=True) if code == group), Fraction(0)
        )
    for value in random.sample(values, len(values)):
        total.add(value, -1)
    assert (total.exact, total.count) == (0, 0)


def test_sums_that_are_no_numbers() -> None:
    total = ExactSum()
    for value in (1.0, inf, 2.0):
        total.add(value, 1)
    assert total.unusual == inf
    total.add(nan, 1)
    assert total.unusual is not None and isnan(total.unusual)
    total.add(nan, -1)
    total.add(inf, -1)
    assert (total.unusual, rounded(total.exact)) == (None, 3.0)
    assert rounded(Fraction(10) ** 400) == inf


def operands_of(function: str, random: Random, count: int) -> list[pa.Array]:
    if function == "count":
        return []
    if function in ("count_true", "any"):
        return [pa.array([random.choice([True, False, None]) for _ in range(count)], pa.bool_())]
    values = [random.choice([None, 1.0, 2.0, -3.5, 1e300, 0.5, nan if function in ("sum", "min") else 7.0]) for _ in range(count)]
    tests = [pa.array([random.random() < 0.5 for _ in range(count)], pa.bool_())] if function in ("first", "last") else []
    return [pa.array(values, pa.float64()), *tests]


def is_same(one: Any, other: Any) -> bool:
    return one == other or (isinstance(one, float) and isinstance(other, float) and isnan(one) and isnan(other))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("seed", range(8))
def test_rows_that_come_and_go_leave_what_the_others_make(function: str, seed: int) -> None:
    random = Random(seed)
    count = random.randint(0, 90)
    operands = operands_of(function, random, count)
    rows = list(zip(*(column.to_pylist() for column in operands), strict=True)) or [()] * count
    places, codes = np.array(random.sample(range(1000), count), dtype=np.int64), np.zeros(count, dtype=np.int64)
    (together,) = many(function, codes, operands, places, 1)
    alone = accumulator(function)
    for given, place in zip(rows, places.tolist(), strict=True):
        alone.change(given, place, 1)
    assert is_same(together.value(), alone.value())
    kept = [index for index in range(count) if random.random() < 0.6]
    meant = accumulator(function)
    for index in kept:
        meant.change(rows[index], int(places[index]), 1)
    together = accumulator_of(function, json.loads(json.dumps(together.packed())))
    for index in set(range(count)) - set(kept):
        together.change(rows[index], int(places[index]), -1)
    try:
        assert is_same(together.value(), meant.value())
    except Exhausted:
        assert function in ("min", "max", "first", "last")


def test_counts_and_sums_are_taken_away_at_once() -> None:
    one = accumulator("sum")
    for value in (1e300, 1.5, 2.0):
        one.change((value,), 0, 1)
    gone = accumulator("sum")
    gone.change((1e300,), 0, 1)
    away = taken_away(gone)
    assert away is not None
    assert merged(one, away).value() == 3.5
    assert taken_away(accumulator("min")) is None


def lines(*given: tuple[str, Any, dict[str, Any] | None]) -> list[Line]:
    return [Line(number, "t", kind, id, row) for number, (kind, id, row) in enumerate(given, start=1)]  # type: ignore[arg-type]


def test_rows_are_found_by_their_ids_in_any_file() -> None:
    table = SourceTable("t", (first_segment([{"x": float(number)} for number in range(100)]),), 100, 100)
    for step in range(40):
        pulse = lines(("update", step + 1, {"x": -1.0}), ("add", f"new {step}", {"x": 1.0}), ("remove", 100 - step, None))
        table = table.after(table.admitted([pulse]).values()).compacted()
    assert len(table.segments) < 30
    assert table.count == 100
    found = table.versions([1, 50, 100, "new 3", "new 99", 2.0, 0, 1000])
    rows = [None if one is None else one.row for one in found]
    assert rows == [{"x": -1.0}, {"x": 49.0}, None, {"x": 1.0}, None, {"x": -1.0}, None, None]
    listed = table.all()
    assert [one.id for one in listed[:2]] == [1, 2]
    assert [one.id for one in listed[-2:]] == ["new 38", "new 39"]


def test_ids_with_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (segments, source_table):
        monkeypatch.setattr(module, "hashes_of", lambda ids: np.array([len(str(id)) for id in ids], dtype=np.int64))
    table = SourceTable("t", (first_segment([]),), 0, 0)
    pulse = lines(*(("add", id, {"x": float(number)}) for number, id in enumerate(["c", "bb", "a", "aa", "b"])))
    table = table.after(table.admitted([pulse]).values())
    assert table.segments[1].table.column("id").to_pylist() == ['"a"', '"b"', '"c"', '"aa"', '"bb"']
    found = table.versions(["a", "aa", "b", "bb", "c", "d"])
    assert [one and one.row for one in found] == [{"x": 2.0}, {"x": 3.0}, {"x": 4.0}, {"x": 1.0}, {"x": 0.0}, None]


def test_files_that_become_one_have_the_types_of_those_to_come() -> None:
    table = SourceTable("g", (first_segment([]),), 0, 0, kind="groups")
    for step in range(12):
        table = table.with_versions(
            [Version("k", 0, {"s": str(step)}), Version(f"k{step}", 0, {"s": ""})], step + 2, 0
        ).compacted()
    _, together, *others = table.segments
    assert together.count == 9
    assert others and all(segment.types == together.types for segment in others)
    (found,) = table.versions(["k"])
    assert found == Version("k", 0, {"s": "11"})


def test_members_that_are_undefined_are_none() -> None:
    table = SourceTable("t", (first_segment([]),), 0, 0)
    row = {"x": UNDEFINED, "y": {"a": UNDEFINED, "b": [{"c": UNDEFINED}, None]}, "z": 1.0}
    touched = table.admitted([lines(("add", "k", row))])
    assert touched["k"].after == Version("k", 0, {"y": {"b": [{}, None]}, "z": 1.0})
    assert table.after(touched.values()).versions(["k"]) == [touched["k"].after]


def test_lines_that_do_not_fit_are_rejected() -> None:
    table = SourceTable("t", (first_segment([{"x": 1.0}]),), 1, 1)
    with pytest.raises(Rejected, match="add of a row that is there already"):
        table.admitted([lines(("add", 1, {}))])
    with pytest.raises(Rejected, match="update of a row that is not there"):
        table.admitted([lines(("remove", 1, None), ("update", 1, {}))])


def test_rows_of_any_values_are_read_as_they_were_written(tmp_path: Any) -> None:
    rows: list[Any] = [
        {"a": 1.0, "b": "x", "c": [1.0, "y"], "d": {"e": None}, "f": Date(5.0), "g": True},
        {"a": None, "b": 2.0, "c": [], "d": {}, "f": Date(nan), "h": nan},
        {"b": None, "c": [[1.0]], "g": False, "h": -0.0},
        {},
    ]
    write_segment(first_segment(rows), tmp_path / "rows.arrow")
    read = [one.row for one in read_segment(tmp_path / "rows.arrow").all()]
    assert [sorted(row or {}) for row in read] == [sorted(row) for row in rows]
    assert read[0] == rows[0]
    assert read[2] == rows[2]
    types = types_of_rows(rows)
    assert {name: type_of_json(json_of_type(of)) for name, of in types.items()} == types
    assert all(value is not UNDEFINED for row in read for value in (row or {}).values())
