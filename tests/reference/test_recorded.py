"""Small specs whose datasets and signals were recorded from Vega itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reference.oracle import NOW
from reference.record import RECORDED, all_cases
from reference.verdicts import same, verdict
from sheliak.engines.protocol import RunResult
from sheliak.engines.reference import run_reference
from sheliak.expressions.values import encode

CASES: list[dict[str, Any]] = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").split("\n") if line]
REFUSED = ("parse_error", "init_error")


def run(case: dict[str, Any]) -> RunResult:
    return run_reference(case["spec"], timezone=case["timezone"], now=NOW)


def wrong_datasets(case: dict[str, Any], result: RunResult) -> dict[str, object]:
    """The datasets that are not what Vega has: other rows, or rows where it has none."""
    wrong: dict[str, object] = {}
    for name, theirs in (case["data"] or {}).items():
        found = result.datasets[name]
        if found.rows is None:
            if theirs is not None and name not in case["renderer"]:
                wrong[name] = found.reason
        elif theirs is None or verdict([encode(row) for row in found.rows], theirs) != "equal":
            wrong[name] = {"ours": [encode(row) for row in found.rows], "Vega": theirs}
    return wrong


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_datasets_are_those_of_vega(case: dict[str, Any]) -> None:
    result = run(case)
    assert wrong_datasets(case, result) == {}
    assert bool(result.errors) == (case["status"] in (*REFUSED, "run_error"))
    if case["status"] in REFUSED:
        assert result.rows == {}


@pytest.mark.parametrize("case", [case for case in CASES if case["signals"]], ids=lambda case: case["name"])
def test_signals_are_those_of_vega(case: dict[str, Any]) -> None:
    result = run(case)
    if result.errors:
        return
    wrong = {
        name: (encode(result.signals[name]), theirs)
        for name, theirs in case["signals"].items()
        if name in result.signals and theirs != {"$function": True} and not same(encode(result.signals[name]), theirs)
    }
    assert wrong == {}
    assert case["signals"].keys() - result.signals.keys() <= set(case["renderer"])


def test_every_case_is_recorded() -> None:
    assert sorted(case["name"] for case in CASES) == sorted(case.name for case in all_cases())
    assert len({case["name"] for case in CASES}) == len(CASES)
