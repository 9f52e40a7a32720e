"""CPU time of checking many specs in one process, beside Vega's own parse of the same specs in node, in one run.

    python benchmarks/check_speed.py --specs ../shared/corpus/valid --data ../shared/corpus --vega-home DIR

DIR is a folder where `npm install vega` was run. Both sides read the same files; ours also looks at the data files that the
specs name, Vega's parse does not. Cold is the first pass of a fresh process, warm the second pass in the same process.
The last lines time one small spec: `sheliak check` against a bare `python -c pass`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PASSES = """
import json, sys, time
from pathlib import Path
started = time.process_time()
from sheliak.checker.check import CheckOptions, check_document
from sheliak.checker.report import Report
from sheliak.loading import DataFolders
from sheliak.source.json_reader import read_document
from sheliak.source.text import read_text
files = [Path(line) for line in Path(sys.argv[1]).read_text().splitlines()]
data = Path(sys.argv[2])
def one_pass():
    before, errors = time.process_time(), 0
    for file in files:
        source = read_text(file)
        checked = check_document(read_document(source), CheckOptions(DataFolders(file.parent, data)))
        errors += not Report(source, checked).ok
    return {"seconds": time.process_time() - before, "with errors": errors}
imports = time.process_time() - started
print(json.dumps({"imports": imports, "cold": one_pass(), "warm": one_pass()}))
"""


def cpu_of(command: list[str], **options: object) -> float:
    """CPU seconds, user and system, of one child process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=False, capture_output=True, **options)  # type: ignore[call-overload]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def passes(command: list[str]) -> dict[str, dict[str, float]]:
    run = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT / "src")})
    result: dict[str, dict[str, float]] = json.loads(run.stdout)
    return result


def small_spec(repeats: int) -> None:
    spec = ROOT / "examples" / "books.vg.json"
    bare, checked = [sys.executable, "-c", "pass"], [sys.executable, "-m", "sheliak", "check", str(spec)]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    cpu_of(checked, env=env)
    over = [1000 * (cpu_of(checked, env=env) - cpu_of(bare, env=env)) for _ in range(repeats)]
    print(f"one small spec, cold: {statistics.median(over):.0f} ms CPU over bare python (median of {repeats})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--specs", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vega-home", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    files = sorted(path.resolve() for path in args.specs.glob("*.json"))
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listing:
        listing.write("\n".join(map(str, files)))
        listing.flush()
        ratios: dict[str, list[float]] = {"cold": [], "warm": []}
        for _ in range(args.repeats):
            ours = passes([sys.executable, "-c", PASSES, listing.name, str(args.data.resolve())])
            theirs = passes(["node", str(ROOT / "benchmarks" / "vega_parse.mjs"), listing.name, str(args.vega_home.resolve())])
            for name, values in ratios.items():
                values.append(ours[name]["seconds"] / theirs[name]["seconds"])
                mine, vega = ours[name]["seconds"], theirs[name]["seconds"]
                print(f"{name}: {len(files)} specs, sheliak {mine:.2f} s, vega.parse {vega:.2f} s, ratio {mine / vega:.2f}")
    for name, values in ratios.items():
        print(f"{name} ratio: median {statistics.median(values):.2f}, best {min(values):.2f} of {args.repeats}")
    small_spec(2 * args.repeats + 1)


if __name__ == "__main__":
    main()
