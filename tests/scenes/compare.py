"""Draws every spec of a folder twice with Vega, as it is and pre-transformed on Spark, and compares the pictures.

    python -m scenes.compare --vega-home DIR [--specs DIR] [--data DIR] [--only NAME] [--frozen] [--verbose]

`--frozen` computes everything on Spark that can be, interactive transforms too. The exit code is 1 if a picture differs.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path

from pyspark.sql import SparkSession

from conftest import SHARED
from reference.oracle import NOW
from scenes.pictures import Painter, difference
from sheliak.engines.failures import RunFailure
from sheliak.engines.reference.inputs import Surroundings
from sheliak.engines.spark.pipeline import KEPT_ROWS, open_pipeline
from sheliak.engines.spark.session import end_session, local_session
from sheliak.loading import DataFolders
from sheliak.source.tree import Node

_RANDOM = re.compile(r'"ci[01]"|"sample"|random\(|sample\w+\(')


def verdict(
    spec: dict[str, object], painter: Painter, session: SparkSession, folders: DataFolders, kept_rows: int
) -> tuple[str, str]:
    """What became of one spec, and the details."""
    before = painter.draw(spec)
    try:
        pipeline = open_pipeline(Node(spec), session, Surroundings(folders, now=NOW), row_limit=1_000_000, kept_rows=kept_rows)
    except RunFailure as failure:
        return ("stops in Vega too" if "error" in before or _stopped(before) else "refused"), str(failure)
    try:
        made = pipeline.spec()
    except RunFailure as failure:
        return ("stops in Vega too" if "error" in before or _stopped(before) else "refused"), str(failure)
    finally:
        pipeline.close()
    after = painter.draw(made)
    if "svg" not in before:
        return "Vega cannot draw the original here", str(before.get("error"))
    if "svg" not in after:
        return "different", f"Vega cannot draw it any more: {after.get('error')}"
    found = difference(str(before["svg"]), str(after["svg"]))
    if found is None:
        return "same", ""
    # Random numbers that the chart itself draws are others once the engine has drawn some: only the numbers may differ.
    return ("random" if _RANDOM.search(json.dumps(made)) and "became '" not in found else "different"), found


def _stopped(answer: object) -> bool:
    return isinstance(answer, dict) and any("ERROR" in str(line) for line in answer.get("log", ()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vega-home", type=Path, required=True)
    parser.add_argument("--specs", type=Path, default=SHARED / "corpus" / "valid")
    parser.add_argument("--data", type=Path, default=SHARED / "corpus")
    parser.add_argument("--only")
    parser.add_argument("--frozen", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    session = local_session("scenes", shuffle_partitions=1)
    session.conf.set("spark.sql.codegen.wholeStage", "false")
    session.conf.set("spark.sql.codegen.factoryMode", "NO_CODEGEN")
    tally: Counter[str] = Counter()
    folders = DataFolders(given.data.parent, given.data)
    try:
        with Painter(given.vega_home, given.data, NOW) as painter:
            for path in sorted(given.specs.glob(f"{given.only or '*'}.json")):
                spec = json.loads(path.read_text(encoding="utf-8"))
                result, details = verdict(spec, painter, session, folders, -1 if given.frozen else KEPT_ROWS)
                tally[result] += 1
                if result not in ("same", "stops in Vega too") or given.verbose:
                    print(f"{path.stem}: {result} {details}", flush=True)
    finally:
        end_session(session)
    print(json.dumps(tally))
    return 1 if tally["different"] or tally["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
