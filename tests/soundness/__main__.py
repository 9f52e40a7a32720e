"""Random well-typed specifications on random well-formed streams, by the million.

    python -m soundness --runs 1000000 [--seed SEED] [--jobs 2]
    python -m soundness --seed SEED --only NUMBER        one specification again, and what breaks

The exit code is 1 if a law breaks.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context

from soundness.campaign import STREAMS_PER_SPEC, Tally, campaign

CHUNK = 1_000
MOST_SHOWN = 5


def tallies(seed: int, specs: int, jobs: int) -> Iterator[Tally]:
    """The campaign in parts, as they are done."""
    parts = [range(start, min(start + CHUNK, specs)) for start in range(0, specs, CHUNK)]
    if jobs == 1:
        yield from map(partial(campaign, seed), parts)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(partial(campaign, seed), parts)


def run_campaign(seed: int, runs: int, jobs: int) -> Tally:
    """At least `runs` runs, with a line of progress every now and then."""
    specs = -(-runs // STREAMS_PER_SPEC)
    total, start, told = Tally(), time.monotonic(), 0.0
    for tally in tallies(seed, specs, jobs):
        total.add(tally)
        seconds = time.monotonic() - start
        if seconds - told >= 10 or total.specs >= specs:
            told = seconds
            print(f"  {total.runs:>9,} runs  {seconds:6.0f} s  {len(total.broken)} broken", file=sys.stderr, flush=True)
    return total


def report(seed: int, total: Tally, seconds: float) -> str:
    """The count, the seed, and how often each law was checked."""
    lines = [f"{total.runs:,} runs of {total.specs:,} specifications, seed {seed}, {seconds:.0f} s"]
    lines += [f"  {number:>9,}  {law}" for law, number in total.checks().items()]
    lines += total.broken[:MOST_SHOWN]
    lines.append(f"{len(total.broken)} broken" if total.broken else "every law holds")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="soundness", description="The soundness theorem of the calculus on random runs.")
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="a new one every time unless given")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="the number of one specification")
    options = parser.parse_args()
    start = time.monotonic()
    print(f"seed {options.seed}", flush=True)
    if options.only is not None:
        total = campaign(options.seed, range(options.only, options.only + 1))
    else:
        total = run_campaign(options.seed, options.runs, options.jobs)
    print(report(options.seed, total, time.monotonic() - start))
    return 1 if total.broken else 0


if __name__ == "__main__":
    sys.exit(main())
