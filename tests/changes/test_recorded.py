"""The datasets after changes are those that Vega's view had, as recorded.py has stored them."""

from __future__ import annotations

import json

import pytest

from changes.from_scratch import NOW
from changes.recorded import FILE
from changes.vega_view import first_difference
from fuzzing.transforms import encoded, types_in
from sheliak.changes.lines import read_pulses
from sheliak.engines.reference.live import open_live
from sheliak.engines.reference.live_forms import FORMS

CASES = [json.loads(line) for line in FILE.read_text("ascii").splitlines()]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_live_spec_is_vegas_view(number: int) -> None:
    case = CASES[number]
    live = open_live(case["spec"], now=NOW)
    pulses = read_pulses(case["changes"])
    for pulse, in_order, theirs in zip(pulses, case["in_order"], case["states"], strict=True):
        live.apply_lines(pulse)
        ours = {name: [encoded(row) for row in live.rows(name)] for name in live.datasets}
        assert first_difference(ours, theirs, in_order=in_order) is None


def test_every_transform_is_among_them() -> None:
    """But for those whose rows hang on what was drawn or numbered before."""
    seen = {kind for case in CASES for kind in types_in(case["spec"])}
    assert set(FORMS) - seen == {"identifier", "sample"}
