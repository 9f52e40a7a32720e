"""Strict: what a transform computes with is known, there, and of the type it is made for."""

from __future__ import annotations

import pytest

from checker.specs import found

SUM = {"type": "aggregate", "ops": ["sum"], "fields": ["n"], "as": ["total"]}
FIELD = "/data/0/transform/0/fields/0"


def summed(*values: object, **dataset: object) -> dict[str, object]:
    return {"data": [{"name": "t", "values": [{"n": value, "k": "a"} for value in values], **dataset, "transform": [SUM]}]}


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ((1, True), "strict-coercion"),
        (("1", "2"), "strict-coercion"),
        ((1, None), "strict-possibly-missing"),
    ],
)
def test_a_sum_that_vega_would_coerce(values: tuple[object, ...], code: str) -> None:
    assert found(summed(*values), strict=True) == [(code, FIELD)]
    assert found(summed(*values)) == []


def test_numbers_can_be_summed() -> None:
    assert found(summed(1, 2.5), strict=True) == []


def test_a_sum_of_data_that_nobody_has_seen() -> None:
    spec = {"data": [{"name": "t", "url": "elsewhere.json", "transform": [SUM]}]}
    assert found(spec, strict=True) == [("strict-unknown", FIELD)]


def test_a_wrong_field_is_told_of_once() -> None:
    wrong = {**SUM, "fields": ["m"]}
    spec = {"data": [{"name": "t", "values": [{"n": 1}], "transform": [wrong]}]}
    assert found(spec, strict=True) == [("unknown-field", FIELD)]


@pytest.mark.parametrize(
    "step",
    [
        {"type": "aggregate", "groupby": ["k"], "ops": ["count"], "as": ["k"]},
        {"type": "aggregate", "ops": ["min", "max"], "fields": ["n", "n"], "as": ["n", "n"]},
        {"type": "cross", "as": ["left", "left"]},
    ],
    ids=["a key and an output", "two outputs", "the two rows of a pair"],
)
def test_a_result_with_two_fields_of_one_name(step: dict[str, object]) -> None:
    spec = {"data": [{"name": "t", "values": [{"n": 1, "k": "a"}], "transform": [step]}]}
    assert [code for code, _ in found(spec, strict=True)] == ["strict-repeated-field"]
    assert found(spec) == []
