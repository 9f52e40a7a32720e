"""Runs the reference engine over a folder of specs and compares every dataset with Vega's.

    python -m reference.compare --specs DIR --data DIR --vega-home DIR [--only NAME] [--truth DIR] [--timezone ZONE] [--verbose]

`--truth` keeps Vega's answers for the next time. The exit code is 1 if a dataset that was run differs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from conftest import SHARED
from reference.oracle import NOW, Oracle
from reference.verdicts import same, verdict
from sheliak.engines.protocol import RunResult
from sheliak.engines.reference import run_reference
from sheliak.expressions.values import Row, encode
from sheliak.loading import DataFolders


@dataclass(frozen=True, slots=True)
class Around:
    """Where the data is, and what local time is."""

    folders: DataFolders
    timezone: str


@dataclass(slots=True)
class Tally:
    """What was found over all specs."""

    verdicts: Counter[str] = field(default_factory=Counter)
    transforms: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By type and engine."""
    signals: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0


def compare_spec(name: str, spec: Mapping[str, object], truth: Mapping[str, object], around: Around, tally: Tally) -> None:
    """Runs one spec and enters what became of its datasets."""
    start = time.perf_counter()
    result = run_reference(spec, around.folders, timezone=around.timezone, now=NOW)
    tally.seconds += time.perf_counter() - start
    _compare_errors(name, result, truth, tally)
    _compare_signals(name, result, truth, tally)
    datasets = truth.get("data")
    for dataset in result.datasets.values():
        for step in dataset.transforms:
            tally.transforms[step.type, step.engine] += 1
        theirs = datasets.get(dataset.name) if isinstance(datasets, dict) else None
        found = _verdict(dataset.rows, theirs)
        tally.verdicts[found] += 1
        if dataset.reason is not None:
            tally.reasons[dataset.reason[:90]] += 1
        if found in ("order", "different", "unset in Vega"):
            tally.wrong.append(f"{name} {dataset.name}: {found} {difference(dataset.rows, theirs)}")


def _verdict(ours: list[Row] | None, theirs: object) -> str:
    rows = theirs.get("rows") if isinstance(theirs, dict) else None
    if ours is None:
        return "renderer" if rows is not None else "unset in both"
    if rows is None:
        return "unset in Vega"
    return verdict([encode(row) for row in ours], rows)


def _compare_errors(name: str, result: RunResult, truth: Mapping[str, object], tally: Tally) -> None:
    """An error that only one side has. Errors of marks are no concern of ours, so Vega may have more."""
    if result.errors and truth.get("status") not in ("run_error", "parse_error", "init_error"):
        tally.wrong.append(f"{name}: error {result.errors[0]}")


def _compare_signals(name: str, result: RunResult, truth: Mapping[str, object], tally: Tally) -> None:
    theirs = truth.get("signals")
    if not isinstance(theirs, dict):
        return
    for signal, value in result.signals.items():
        # `bin` publishes a function that carries its steps, `aggregate` its working state: nobody can read those.
        if theirs.get(signal) == {"$function": True} or '"_ops"' in json.dumps(theirs.get(signal)):
            continue
        equal = same(encoded := encode(value), readable(theirs.get(signal)))
        tally.signals["equal" if equal else "different"] += 1
        if not equal:
            tally.wrong.append(
                f"{name} signal {signal}: {json.dumps(encoded)[:200]}, Vega {json.dumps(theirs.get(signal))[:200]}"
            )
    tally.signals["renderer"] += len(theirs.keys() - result.signals.keys())


def readable(value: object) -> object:
    """A signal's value without what Vega compiled into it; a set is as good as a list."""
    if isinstance(value, list):
        return [readable(element) for element in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"$set"}:
        return readable(value["$set"])
    return {name: readable(member) for name, member in value.items() if member != {"$function": True}}


def difference(ours: list[Row] | None, theirs: object) -> str:
    """The first rows that differ, for a reader."""
    rows = theirs.get("rows") if isinstance(theirs, dict) else None
    if ours is None or rows is None:
        return ""
    for index, (row, other) in enumerate(zip(ours, rows, strict=False)):
        if not same(encoded := encode(row), other):
            return f"at {index} of {len(ours)}/{len(rows)}:\n   ours   {json.dumps(encoded)[:300]}\n   Vega's {json.dumps(other)[:300]}"
    return f"{len(ours)} rows, Vega has {len(rows)}"


def report(tally: Tally, verbose: bool) -> None:
    for line in tally.wrong if verbose else tally.wrong[:20]:
        print(line)
    print("\ntransform            driver  renderer")
    for kind in sorted({kind for kind, _ in tally.transforms}):
        print(f"{kind:20} {tally.transforms[kind, 'driver']:6}  {tally.transforms[kind, 'renderer']:8}")
    print("\nreasons")
    for reason, count in tally.reasons.most_common(None if verbose else 25):
        print(f"{count:5}  {reason}")
    print(f"\nsignals {json.dumps(dict(tally.signals))}")
    print(f"datasets {json.dumps(dict(tally.verdicts))}  {tally.seconds:.1f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--specs", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vega-home", type=Path, required=True)
    parser.add_argument("--oracle", type=Path, default=SHARED / "vega" / "oracle.mjs" if SHARED is not None else None)
    parser.add_argument("--only", action="append", default=[], help="stems of specs")
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--timezone", default="UTC")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    specs = sorted(path for path in arguments.specs.glob("*.json") if not arguments.only or path.stem in arguments.only)
    tally = Tally()
    with tempfile.TemporaryDirectory() as scratch:
        oracle = Oracle(arguments.oracle, arguments.vega_home, arguments.data, arguments.timezone)
        answers = oracle.answers_for_files(specs, arguments.truth or Path(scratch))
    around = Around(DataFolders(arguments.data.parent, arguments.data), arguments.timezone)
    for path in specs:
        compare_spec(path.stem, json.loads(path.read_text(encoding="utf-8")), answers[path.stem], around, tally)
    report(tally, arguments.verbose)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
