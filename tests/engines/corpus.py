"""Runs every spec of a folder on Spark and compares its datasets with those of the reference engine.

    python -m engines.corpus [--specs DIR] [--data DIR] [--only STEM] [--verbose]

The folders are those of the corpus beside the repository unless others are named. Prints the share of the transforms that
have a plan which ran on Spark, and why the others did not. The exit code is 1 if a dataset differs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import SparkSession

from conftest import SHARED
from engines.comparing import differences
from engines.tallies import ON_SPARK, Engines
from engines.variations import small_job_session
from reference.oracle import NOW
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.spark.engine import run_spark
from sheliak.engines.spark.session import end_session
from sheliak.loading.folders import DataFolders


@dataclass(slots=True)
class Tally:
    """What was found over all specs."""

    engines: Engines = field(default_factory=Engines)
    datasets: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


def compare_spec(path: Path, session: SparkSession, folders: DataFolders, tally: Tally) -> None:
    """Runs one spec on both engines."""
    spec = json.loads(path.read_text(encoding="utf-8"))
    start = time.perf_counter()
    try:
        ours = run_spark(spec, session, folders, now=NOW)
    except Exception:  # noqa: BLE001 - a fault is to be listed, and the other specs run
        tally.wrong.append(f"{path.stem}: {traceback.format_exc(limit=-3)[:1500]}")
        return
    tally.seconds[path.stem] = time.perf_counter() - start
    meant = run_reference(spec, folders, now=NOW)
    tally.engines.add(ours)
    tally.datasets.update(dataset.engine for dataset in ours.datasets.values())
    tally.wrong += [f"{path.stem}: {found}" for found in differences(ours, meant)]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="engines.corpus", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--specs", type=Path, default=SHARED / "corpus" / "valid" if SHARED is not None else None)
    parser.add_argument("--data", type=Path, default=SHARED / "corpus" / "data" if SHARED is not None else None)
    parser.add_argument("--only", action="append", default=[], help="stems of specs")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args(arguments)
    if options.specs is None or options.data is None:
        parser.error("name the folders with --specs and --data: the corpus is not beside the repository")
    specs = sorted(path for path in options.specs.glob("*.json") if not options.only or path.stem in options.only)
    tally = Tally()
    session = small_job_session("corpus")
    folders = DataFolders(options.data.parent, options.data)
    with contextlib.suppress(KeyboardInterrupt):
        for index, path in enumerate(specs):
            compare_spec(path, session, folders, tally)
            if sys.stderr.isatty() or index % 25 == 24:
                print(f"  {index + 1} of {len(specs)} specs, {len(tally.wrong)} differences", file=sys.stderr, flush=True)
    end_session(session)
    report(tally, options.verbose)
    print(f"{len(tally.seconds)} of {len(specs)} specs")
    return 1 if tally.wrong or len(tally.seconds) < len(specs) else 0


def report(tally: Tally, verbose: bool) -> None:
    for line in tally.wrong if verbose else tally.wrong[:30]:
        print(line)
    print("\n".join(tally.engines.lines(None if verbose else 40, ON_SPARK)))
    slowest = ", ".join(
        f"{stem} {tally.seconds[stem]:.1f} s" for stem in sorted(tally.seconds, key=lambda one: -tally.seconds[one])[:5]
    )
    print(f"{sum(tally.seconds.values()):.0f} s on Spark; slowest: {slowest}")
    print(f"datasets {dict(tally.datasets)}; {len(tally.wrong)} differences")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
