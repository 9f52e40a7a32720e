"""Do live specs follow changes, whatever the spec and the changes?

    PYTHONPATH=src:tests python -m changes.campaign --count 1000 --seed 1 [--vega-home DIR]

Random specs under random streams are compared, pulse by pulse, with runs from scratch; random µVega specifications with the calculus; and,
where DIR holds node_modules with vega (and the oracle is in the folder `shared`), with Vega's view. The exit code is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from changes import calculus_law, from_scratch, vega_view
from conftest import SHARED

_AT_ONCE = 200


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="changes.campaign")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vega-home", type=Path)
    parser.add_argument("--show", type=int, default=5)
    options = parser.parse_args(arguments)
    first = options.seed * 10_000_000
    differences = [*_from_scratch(first, options.count), *_calculus(first, options.count)]
    if options.vega_home is not None:
        differences += _vega(first, options.count, options.vega_home)
    for difference in differences[: options.show]:
        print(difference[:4000])
    return 1 if differences else 0


def _from_scratch(first: int, count: int) -> list[str]:
    tally = from_scratch.Tally()
    for number in range(count):
        from_scratch.check_seed(first + number, tally)
    print(
        f"from scratch: {tally.specs} specs ({tally.left_out} left out, {tally.refused} refused at the start), {tally.pulses} pulses, "
        f"{tally.rejected} rejected by both, {len(tally.differences)} differences",
        flush=True,
    )
    return tally.differences


def _calculus(first: int, count: int) -> list[str]:
    tally = calculus_law.Tally()
    for number in range(count):
        calculus_law.check_seed(first + number, tally)
    print(
        f"calculus: {tally.compared} specifications ({tally.left_out} left out), {tally.pulses} pulses, {tally.changes} changes, "
        f"{len(tally.differences)} differences",
        flush=True,
    )
    return tally.differences


def _vega(first: int, count: int, vega_home: Path) -> list[str]:
    if SHARED is None:
        print("Vega: not asked, the oracle is not here")
        return []
    view, tally = vega_view.View(SHARED / "vega" / "oracle.mjs", vega_home), vega_view.Tally()
    for start in range(first, first + count, _AT_ONCE):
        seeds = range(start, min(start + _AT_ONCE, first + count))
        vega_view.compare([case for seed in seeds if (case := vega_view.case_of(seed)) is not None], view, tally)
    print(
        f"Vega: {tally.cases} specs; pulses: {tally.same_in_order} the same in the same order (only adds), {tally.same_rows} the same rows, "
        f"{tally.history} where Vega's view hangs on its history, {tally.stopped} where one of us stops, {len(tally.differences)} differences",
        flush=True,
    )
    return tally.differences


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
