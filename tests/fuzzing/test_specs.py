"""Whatever is fed to the checker, it answers: soon, the same each time, with places that are in the text.

`python -m fuzzing.specs` runs many more cases, and shrinks what fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzzing.specs import new_campaign
from sheliak.source.json_reader import read_document
from sheliak.source.text import decode_text

ROOT = Path(__file__).resolve().parents[2]
PARTS = 4
CASES = 1200
SECONDS = 10.0
"""More than the campaign allows: the machine that runs the tests may have other things to do."""


@pytest.mark.parametrize("part", range(PARTS))
def test_broken_specs_are_told_of(part: int, tmp_path: Path) -> None:
    campaign = new_campaign(seed=11, folder=tmp_path, few_large=True, limit=SECONDS)
    campaign.run(range(part, CASES, PARTS))
    assert {
        kind: {number: failure.detail for number, failure in cases.items()} for kind, cases in campaign.failures.items()
    } == {}


def test_many_broken_specs_can_still_be_read_and_many_cannot(tmp_path: Path) -> None:
    cases = new_campaign(seed=11, folder=tmp_path).cases
    readable = [read_document(decode_text("spec", cases.case(number).content)).readable for number in range(400)]
    assert 200 < sum(readable) < 380


def test_what_is_said_does_not_depend_on_the_order_of_sets() -> None:
    def digest(hash_seed: str) -> str:
        command = [
            sys.executable,
            "-m",
            "fuzzing.specs",
            "--digest",
            "--count",
            "60",
            "--seed",
            "5",
            "--specs",
            str(ROOT / "examples"),
        ]
        environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}", "PYTHONHASHSEED": hash_seed}
        return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout

    assert digest("1") == digest("2")
