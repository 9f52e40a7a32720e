"""Rows in a spec come out of Vega as they went in: JSON where it can say them, formulas for the rest."""

from math import inf, nan

import pytest

from sheliak.compiler.inlining import NotInlinable, inlined, signal_of
from sheliak.engines.reference import run_reference
from sheliak.expressions.values import UNDEFINED, Date, RegExp, Row, Value, encode


def restored(rows: list[Row]) -> list[Row]:
    """What a chart makes of the inlined rows."""
    made = inlined(rows)
    spec = {"data": [{"name": "d", "values": made.values, "transform": made.restoring}]}
    found = run_reference(spec).datasets["d"].rows
    assert found is not None
    return found


@pytest.mark.parametrize(
    "values",
    [
        [1.0, 2.5, -0.0, 1e300, None, "x", True],
        [Date(0.0), Date(1.5e12), None],
        [Date(0.0), 3.0, None, "x"],
        [Date(nan), Date(3.0)],
        [nan, inf, -inf, 1.0, None],
        [nan, "text", Date(5.0), True],
        [{"a": [1.0, {"b": "c"}]}, [1.0, 2.0], None],
        ["NaN", nan],
    ],
    ids=str,
)
def test_rows_come_back(values: list[Value]) -> None:
    rows: list[Row] = [{"v": value, 'odd "name"': 1.0} for value in values]
    assert [encode(row) for row in restored(rows)] == [encode(row) for row in rows]


def test_undefined_is_left_out() -> None:
    assert inlined([{"a": 1.0, "b": UNDEFINED}]).values == [{"a": 1}]


@pytest.mark.parametrize("value", [RegExp("a"), {"deep": nan}, [Date(1.0)], [UNDEFINED]], ids=str)
def test_what_no_spec_can_hold_is_refused(value: Value) -> None:
    with pytest.raises(NotInlinable):
        inlined([{"v": value}])


def test_objects_beside_odd_numbers_are_refused() -> None:
    with pytest.raises(NotInlinable):
        inlined([{"v": nan}, {"v": {"a": 1.0}}, {"v": "text"}])


@pytest.mark.parametrize(
    "value", [1.0, [Date(3.0), nan, inf, -inf], {"a": [Date(2.0), UNDEFINED], "b": [None]}, "x", UNDEFINED], ids=str
)
def test_a_signal_has_its_value(value: Value) -> None:
    made = run_reference({"signals": [signal_of("s", value)]})
    assert encode({"s": made.signals["s"]}) == encode({"s": value})
