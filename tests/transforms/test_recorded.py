"""Random pipelines give the rows that Vega made of them (recorded by `fuzzing.transforms --record`)."""

import json
from collections import Counter
from pathlib import Path

import pytest

from fuzzing.transform_specs import TYPES
from fuzzing.transform_words import OPERATIONS
from fuzzing.transforms import agree, our_answer, told, types_in
from sheliak.transforms._operations import WINDOW_ONLY

RECORDED = [json.loads(line) for line in Path(__file__).with_name("recorded.jsonl").read_text("ascii").splitlines()]


@pytest.mark.parametrize("kind", TYPES)
def test_the_rows_are_those_of_vega(kind: str) -> None:
    cases = [case for case in RECORDED if kind in types_in(case["spec"])]
    answers = [(case, our_answer(case["spec"], case["zone"])) for case in cases]
    assert [told(case["spec"], ours, case) for case, ours in answers if not agree(ours, case)] == []


@pytest.mark.parametrize("kind", TYPES)
def test_every_transform_is_recorded_with_rows_that_it_made(kind: str) -> None:
    assert sum(kind in types_in(case["spec"]) and bool(case.get("rows")) for case in RECORDED) >= 5


def test_every_operation_is_recorded() -> None:
    text = Counter(
        operation
        for case in RECORDED
        if case.get("rows")
        for dataset in case["spec"]["data"]
        for step in dataset["transform"]
        for operation in [*step.get("ops", []), step.get("op")]
    )
    assert [operation for operation in [*OPERATIONS, *WINDOW_ONLY] if text[operation] < 2] == []


def test_where_vega_stops_we_stop_with_its_words() -> None:
    stopped = [case for case in RECORDED if "error" in case]
    assert len(stopped) >= 20
    assert [case["error"] for case in stopped if our_answer(case["spec"], case["zone"]).get("error") != case["error"]] == []
