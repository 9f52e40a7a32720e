"""Records Vega's answers for the cases, so that the tests need no Vega.

python -m reference.record --vega-home DIR
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from conftest import SHARED
from reference import flow_cases, scale_cases, source_cases
from reference.case import Case
from reference.oracle import Oracle

RECORDED = Path(__file__).with_name("recorded.jsonl")
_BUILT_IN = frozenset({"cursor", "background", "autosize", "padding", "width", "height"})


def all_cases() -> Iterator[Case]:
    yield from source_cases.cases()
    yield from flow_cases.cases()
    yield from scale_cases.cases()


def recorded(case: Case, answer: dict[str, object]) -> dict[str, object]:
    """What is kept of an answer: rows (null where a dataset is unset), signals, and whether it failed, and when."""
    data, signals = answer.get("data"), answer.get("signals")
    rows = {name: found.get("rows") for name, found in data.items()} if isinstance(data, dict) else None
    asked = _asked(case)
    values = {name: value for name, value in signals.items() if name in asked} if isinstance(signals, dict) else {}
    return {
        "name": case.name,
        "timezone": case.timezone,
        "renderer": case.renderer,
        "status": answer["status"],
        "spec": case.spec,
        "data": rows,
        "signals": values,
    }


def _asked(case: Case) -> frozenset[str]:
    """The signals that a case defines, and the built-in ones that it reads or sets."""
    text = json.dumps(case.spec)
    defined = case.spec.get("signals")
    names = {signal["name"] for signal in defined} if isinstance(defined, list) else set()
    return frozenset(names | {name for name in _BUILT_IN if f'"{name}"' in text})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vega-home", type=Path, required=True)
    parser.add_argument("--oracle", type=Path, default=SHARED / "vega" / "oracle.mjs" if SHARED is not None else None)
    arguments = parser.parse_args()
    lines = []
    for timezone, group in groupby(sorted(all_cases(), key=lambda case: case.timezone), key=lambda case: case.timezone):
        cases = list(group)
        oracle = Oracle(arguments.oracle, arguments.vega_home, timezone=timezone)
        answers = oracle.answers([case.spec for case in cases])
        lines += [json.dumps(recorded(case, answer), ensure_ascii=False) for case, answer in zip(cases, answers, strict=True)]
    RECORDED.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} cases recorded")


if __name__ == "__main__":
    main()
