"""Do our transforms and Vega's make the same rows of random pipelines?

    python -m fuzzing.transforms --count 3000 --seed 1 --vega-home DIR [--only TYPE] [--zone ZONE] [--record FILE]

DIR holds node_modules with vega. Differences are printed; the exit code is 1 if there are any. Where Vega stops with an error we
must stop too. `--record` writes small specs with Vega's answers, COUNT for each transform, for the tests that run without node.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from fuzzing.transform_specs import TYPES, Object, Specs
from sheliak.engines.reference.engine import run_reference
from sheliak.expressions.values import Value, encode

Answer: TypeAlias = dict[str, object]
_NOW = 1_704_067_200_000.0
_SCRIPT = Path(__file__).with_name("vega_rows.mjs")


def vega_answers(specs: Sequence[Mapping[str, object]], vega_home: Path, zone: str) -> list[Answer]:
    """The rows that Vega makes of each spec's last dataset, or its error."""
    with tempfile.TemporaryFile("w+", encoding="ascii") as questions:
        questions.writelines([json.dumps(spec) + "\n" for spec in specs])
        questions.seek(0)
        command = ["node", str(_SCRIPT), str(vega_home)]
        environment = {**os.environ, "TZ": zone}
        done = subprocess.run(command, stdin=questions, capture_output=True, check=True, encoding="utf-8", env=environment)
    answers = done.stdout.split("\n")[:-1]
    assert len(answers) == len(specs), f"{len(specs)} questions, {len(answers)} answers"
    return [json.loads(answer) for answer in answers]


def our_answer(spec: Mapping[str, object], zone: str) -> Answer:
    """Ours, in the same form; `fault` is an exception, which no spec may cause."""
    try:
        result = run_reference(spec, timezone=zone, now=_NOW)
    except Exception:  # noqa: BLE001
        return {"fault": traceback.format_exc(limit=-4)}
    if result.errors:
        return {"error": result.errors[0]}
    last = list(result.datasets.values())[-1]
    if last.rows is None:
        return {"fault": last.reason}
    return {"rows": [encoded(row) for row in last.rows], "warnings": list(result.warnings)}


def encoded(value: Value, within: tuple[int, ...] = ()) -> object:
    """As `encode`; a row inside itself is {"$cycle": true}, and there is an end to rows inside of rows."""
    if not isinstance(value, (list, dict)):
        return encode(value)
    if id(value) in within:
        return {"$cycle": True}
    if len(within) > 4:
        return {"$deep": True}
    inside = (*within, id(value))
    if isinstance(value, list):
        return [encoded(element, inside) for element in value]
    members = {name: encoded(member, inside) for name, member in value.items()}
    return {"$escape": members} if len(members) == 1 and next(iter(members)).startswith("$") else members


def same(a: object, b: object) -> bool:
    """Equal, numbers to nine digits."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def agree(ours: Answer, theirs: Answer) -> bool:
    if "error" in theirs:
        return "error" in ours
    return same(ours.get("rows"), theirs["rows"])


def types_in(spec: Mapping[str, object]) -> list[str]:
    data = spec["data"]
    assert isinstance(data, list)
    return [step["type"] for dataset in data for step in dataset.get("transform", [])]


def campaign(
    count: int, seed: int, vega_home: Path, only: str | None, zone: str
) -> tuple[Counter[str], list[tuple[Object, Answer, Answer]]]:
    """What happened how often, and every spec where we differ, with our answer and Vega's."""
    source = Specs(seed, only)
    specs = [source.spec() for _ in range(count)]
    tally: Counter[str] = Counter()
    differences = []
    for spec, theirs in zip(specs, vega_answers(specs, vega_home, zone), strict=True):
        ours = our_answer(spec, zone)
        tally["errors in Vega" if "error" in theirs else "rows in Vega"] += 1
        tally["the same message"] += "error" in theirs and ours.get("error") == theirs["error"]
        if not agree(ours, theirs):
            differences.append((spec, ours, theirs))
    return tally, differences


_ZONES = ("UTC", "America/New_York")
_LONGEST = 1500
_WITH_OPERATIONS = ("aggregate", "joinaggregate", "window")


def record(count: int, seed: int, vega_home: Path, target: Path) -> None:
    """Store small specs, so many for each transform, with Vega's answers: one JSON object {zone, spec, rows or error} per line."""
    lines: list[str] = []
    for zone in _ZONES:
        for kind in TYPES:
            source, wanted = Specs(seed, kind), 4 * count if kind in _WITH_OPERATIONS else count
            specs = [source.spec() for _ in range(12 * wanted)]
            specs = [spec for spec in specs if len(json.dumps(spec)) < _LONGEST and kind in types_in(spec)]
            lines += _chosen(specs, vega_answers(specs, vega_home, zone), zone, wanted)
    target.write_text("\n".join(lines) + "\n", "ascii")


def _chosen(specs: Sequence[Object], answers: Sequence[Answer], zone: str, count: int) -> list[str]:
    """Short ones; one in four has an error or no rows at all."""
    cases = [{"zone": zone, "spec": spec, **answer} for spec, answer in zip(specs, answers, strict=True)]
    short = [(case, line) for case in cases if len(line := json.dumps(case, separators=(",", ":"))) < 2 * _LONGEST]
    with_rows = [line for case, line in short if case.get("rows")]
    without = [line for case, line in short if not case.get("rows")]
    return [*with_rows[: count - count // 4], *without[: count // 4]]


def told(spec: Object, ours: Answer, theirs: Answer) -> str:
    """A difference in a few lines: the spec, and the first rows that differ."""
    lines = [json.dumps(spec, ensure_ascii=False)]
    if "fault" in ours:
        lines.append(f"  fault {ours['fault']}")
    elif "error" in ours or "error" in theirs:
        lines += [
            f"  ours  {json.dumps(ours, ensure_ascii=False)[:300]}",
            f"  Vega  {json.dumps(theirs, ensure_ascii=False)[:300]}",
        ]
    else:
        lines += _first_difference(ours["rows"], theirs["rows"])
    return "\n".join(lines)


def _first_difference(ours: object, theirs: object) -> list[str]:
    assert isinstance(ours, list)
    assert isinstance(theirs, list)
    lines = [f"  {len(ours)} rows, Vega {len(theirs)}"] if len(ours) != len(theirs) else []
    for index, (our_row, their_row) in enumerate(zip(ours, theirs, strict=False)):
        if not same(our_row, their_row):
            return [
                *lines,
                f"  row {index}",
                f"  ours  {json.dumps(our_row, ensure_ascii=False)}",
                f"  Vega  {json.dumps(their_row, ensure_ascii=False)}",
            ]
    return lines


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="fuzzing.transforms")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vega-home", type=Path, required=True)
    parser.add_argument("--only", choices=TYPES)
    parser.add_argument("--zone", default="UTC")
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("--record", type=Path)
    options = parser.parse_args(arguments)
    if options.record:
        record(options.count, options.seed, options.vega_home, options.record)
        return 0
    tally, differences = campaign(options.count, options.seed, options.vega_home, options.only, options.zone)
    for difference in differences[: options.show]:
        print(told(*difference))
    blamed = Counter(kind for spec, _, _ in differences for kind in set(types_in(spec)) - {"formula"})
    print(f"{options.count} pipelines, {dict(tally)}, {len(differences)} differences {dict(blamed.most_common(8))}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
