"""Expressions have the values that Vega gave them (recorded by `fuzzing.evaluation --record`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzzing.evaluation import ZONES, agree, our_value
from fuzzing.random_calls import CALLED
from fuzzing.vega_values import Question

RECORDED = [json.loads(line) for line in Path(__file__).with_name("evaluated.jsonl").read_text("ascii").splitlines()]


@pytest.mark.parametrize("zone", ZONES)
def test_every_recorded_expression_has_the_value_of_vega(zone: str) -> None:
    cases = [(Question(text, datum), theirs) for place, text, datum, theirs in RECORDED if place == zone]
    assert len(cases) >= 700
    assert [(question, theirs) for question, theirs in cases if not agree(our_value(question, zone), theirs)] == []


def test_every_function_without_a_view_is_among_the_recorded() -> None:
    texts = " ".join(text for _, text, _, _ in RECORDED)
    assert [signature.name for signature in CALLED if f"{signature.name}(" not in texts] == []


def test_most_recorded_expressions_have_a_value() -> None:
    errors = [answer for _, _, _, answer in RECORDED if isinstance(answer, dict) and "$error" in answer]
    assert len(errors) < len(RECORDED) / 10
