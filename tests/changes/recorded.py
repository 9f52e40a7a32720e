"""Vega's views after changes, stored for the tests that run without node.

    PYTHONPATH=src:tests python -m changes.recorded --vega-home DIR [--count 3] [--seed 1]

Writes `recorded.jsonl`: small specs, COUNT for each transform, with their pulses and the rows that Vega's view has after each, one JSON
object per line. A stream ends before the first pulse after which Vega's view hangs on its history (see vega_view.py).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from changes.streams import text_of
from changes.vega_view import Case, State, Tally, View, case_of, doubts_of, rows_of_step
from conftest import SHARED
from fuzzing.transform_specs import TYPES
from fuzzing.transforms import types_in

FILE = Path(__file__).with_name("recorded.jsonl")
_LONGEST = 3000


def stored(case: Case, answer: dict[str, object]) -> str | None:
    """A line for the file; None for a case that is long, or says nothing."""
    doubts = doubts_of(case, answer, Tally())
    steps = answer.get("steps")
    assert isinstance(steps, list)
    length = min([number for _, number, _ in doubts], default=len(steps))
    states: list[State] = [rows_of_step(step) for step in steps[:length] if not step.get("error") and not step.get("runError")]
    pulses = case.pulses[: len(states)]
    line = json.dumps(
        {"spec": case.spec, "changes": text_of(pulses), "in_order": case.only_adds[: len(states)], "states": states},
        separators=(",", ":"),
    )
    says_something = any(rows for state in states for rows in state.values())
    return line if pulses and says_something and len(line) < _LONGEST else None


def lines_for(kind: str, count: int, seed: int, view: View) -> Iterator[str]:
    seeds = range(seed * 1_000_000, seed * 1_000_000 + 40 * count)
    cases = [case_of(one, (kind, kind, "formula", "filter")) for one in seeds]
    chosen = [case for case in cases if case is not None and case.steps and kind in types_in(case.spec)]
    short = [case for case in chosen if len(json.dumps(case.spec)) < _LONGEST // 2][: 8 * count]
    answers = view.answers([{"spec": case.spec, "changes": case.steps} for case in short])
    found = [line for case, answer in zip(short, answers, strict=True) if (line := stored(case, answer)) is not None]
    yield from found[:count]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="changes.recorded")
    parser.add_argument("--vega-home", type=Path, required=True)
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    assert SHARED is not None, "the oracle is not here"
    view = View(SHARED / "vega" / "oracle.mjs", options.vega_home)
    kinds = [kind for kind in TYPES if kind not in ("identifier", "sample")]
    lines = [line for kind in kinds for line in lines_for(kind, options.count, options.seed, view)]
    FILE.write_text("".join(f"{line}\n" for line in lines), "ascii")
    print(f"{len(lines)} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
