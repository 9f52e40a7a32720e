"""Driver memory while large files are charted by an aggregate: it must not depend on their rows.

    python -m benchmarks.source_memory [--rows 1000000 10000000] [--csv-megabytes 100 1000]

Every file is charted in a process of its own (on Linux), which prints the peak of the Python driver and of its Java process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SPEC = {
    "data": [
        {
            "name": "t",
            "transform": [
                {"type": "filter", "expr": "datum.v > 10"},
                {"type": "aggregate", "groupby": ["k"], "ops": ["count", "mean"], "fields": [None, "v"]},
            ],
        }
    ]
}


def write_parquet(path: Path, rows: int) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([("k", pa.string()), ("v", pa.float64()), ("n", pa.int64())])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, 1_000_000):
            some = range(start, min(rows, start + 1_000_000))
            columns = [[f"key {n % 97}" for n in some], [n % 1013 * 0.5 for n in some], list(some)]
            writer.write_table(pa.table(columns, schema=schema))


def write_csv(path: Path, megabytes: int) -> None:
    lines = "".join(f"key {n % 97},{n % 1013 * 0.5},{n},some words in a text of moderate length\n" for n in range(20_000))
    with path.open("w") as file:
        file.write("k,v,n,text\n")
        for _ in range(megabytes * 1_000_000 // len(lines)):
            file.write(lines)


def write_json(path: Path, megabytes: int) -> None:
    rows = ",".join(json.dumps({"k": f"key {n % 97}", "v": n % 1013 * 0.5, "n": n}) for n in range(20_000))
    with path.open("w") as file:
        file.write("[" + rows)
        for _ in range(megabytes * 1_000_000 // len(rows) - 1):
            file.write("," + rows)
        file.write("]")


def peak(process: str) -> int:
    """The most bytes that a process has held at once. What `getrusage` says includes what its parent held before."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))


def java_process() -> str:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()[0]


def chart(path: Path, format: dict[str, object]) -> None:
    """Charts one file and prints what it took."""
    from sheliak.engines.spark.engine import run_spark
    from sheliak.engines.spark.session import end_session, local_session
    from sheliak.loading.folders import DataFolders

    session = local_session()
    before = peak("self")
    spec = {"data": [{**SPEC["data"][0], "url": path.name, "format": format}]}
    start = time.monotonic()
    result = run_spark(spec, session, DataFolders(path.parent))
    seconds = time.monotonic() - start
    rows = result.datasets["t"].rows or []
    count = sum(int(row["count"]) for row in rows if isinstance(row["count"], float))
    python, java = peak("self") >> 20, peak(java_process()) >> 20
    print(
        f"{path.name:20} {path.stat().st_size >> 20:6} MB  {count:>12,} rows kept, {len(rows)} groups  {seconds:6.1f} s  "
        f"driver peak {python} MB (at the start {before >> 20} MB), Java {java} MB",
        flush=True,
    )
    end_session(session)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--csv-megabytes", type=int, nargs="*", default=[100, 1000])
    parser.add_argument("--json-megabytes", type=int, nargs="*", default=[20, 200])
    parser.add_argument("--chart", nargs=2, metavar=("FILE", "FORMAT"))
    given = parser.parse_args()
    if given.chart:
        chart(Path(given.chart[0]), json.loads(given.chart[1]))
        return
    with tempfile.TemporaryDirectory(prefix="sheliak-bench-") as folder:
        for rows in given.rows:
            _measured(Path(folder) / f"{rows}.parquet", {"type": "parquet"}, write_parquet, rows)
        for megabytes in given.csv_megabytes:
            _measured(Path(folder) / f"{megabytes}mb.csv", {"type": "csv", "parse": "auto"}, write_csv, megabytes)
        for megabytes in given.json_megabytes:
            _measured(Path(folder) / f"{megabytes}mb.json", {"type": "json"}, write_json, megabytes)


def _measured(path: Path, format: dict[str, object], write: object, size: int) -> None:
    assert callable(write)
    write(path, size)
    command = [sys.executable, "-m", "benchmarks.source_memory", "--chart", str(path), json.dumps(format)]
    subprocess.run(command, check=True)
    path.unlink()


if __name__ == "__main__":
    main()
