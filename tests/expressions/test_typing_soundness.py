"""A law: the value that Vega computes has the type that we derive, wherever nothing was told.

The values were recorded from Vega by `observe_values.mjs`, over rows that fit the datum of `typing_scope`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expressions.typing_scope import FakeScope, typed
from sheliak.types.operations import options_of
from sheliak.types.render import render_type
from sheliak.types.shapes import TEXTS, Array, Literal, Record, Scalar, Type, Unknown

LINES = [json.loads(line) for line in Path(__file__).with_name("observed_values.jsonl").read_text(encoding="utf-8").splitlines()]


def fits(value: object, of: Type) -> bool:
    return any(_fits_option(value, option) for option in options_of(of))


def _fits_option(value: object, option: Type) -> bool:
    match value, option:
        case _, Unknown():
            return True
        case {"s": text}, Literal(expected):
            return bool(text == expected)
        case {"s": _}, Scalar():
            return option in TEXTS
        case {"a": elements}, Array(element):
            return all(fits(inner, element) for inner in elements)
        case {"o": members}, Record():
            return _fits_record(members, option)
        case str(), Scalar(name):
            return value == name
        case _:
            return False


def _fits_record(members: dict[str, object], record: Record) -> bool:
    present = all(name in members or name in record.optional for name in record.fields)
    return present and all(
        fits(value, record.fields[name]) if name in record.fields else record.open for name, value in members.items()
    )


def test_a_record_is_told_from_another() -> None:
    assert fits({"o": {"a": "number"}}, typed("{a: 1}"))
    assert not fits({"o": {"a": "null"}}, typed("{a: 1}"))
    assert not fits({"o": {"a": "number", "b": "number"}}, typed("{a: 1}"))
    assert not fits({"s": "x"}, typed("datum.n"))


@pytest.mark.parametrize("line", LINES[1:], ids=lambda line: line["expr"])
def test_the_value_has_the_type(line: dict[str, object]) -> None:
    scope = FakeScope()
    of = typed(str(line["expr"]), scope)
    assert scope.findings == []
    values = line["values"]
    assert isinstance(values, list)
    assert [value for value in values if not fits(value, of)] == [], render_type(of)
