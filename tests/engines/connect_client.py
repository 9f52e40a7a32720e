"""What a client of Spark Connect sees: `python -m engines.connect_client sc://HOST:PORT FOLDER` prints it as JSON.

In a process of its own: pyspark is either for Connect or for a Spark in the same process.
"""

import json
import sys
import warnings
from collections import Counter
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

import sheliak
from engines.comparing import differences
from literate import cases, spec_of
from sheliak.engines.failures import RowLimit, RunFailure
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.spark import fetch
from sheliak.engines.spark.connect import connect_session
from sheliak.engines.spark.engine import run_spark
from sheliak.engines.spark.one_pass import one_pass
from sheliak.engines.spark.progress import watched
from sheliak.engines.spark.reading import files
from sheliak.engines.spark.reading.parquet import opened
from sheliak.engines.spark.session import end_session, quiet
from sheliak.loading.folders import DataFolders
from sheliak.plan.rewrite import shared_cells

PAGES = Path(__file__).resolve().parent.parent / "transforms"
BOOKS = Path(__file__).resolve().parent.parent.parent / "examples" / "books.vg.json"
# Those that run on Spark; loess, density, dotbin and kde are kernels.
TRANSFORMS = (
    *("aggregate", "bin", "collect", "countpattern", "cross", "density", "dotbin", "extent", "filter", "flatten", "fold"),
    *("formula", "identifier", "impute", "joinaggregate", "kde", "loess", "lookup", "pivot", "project", "quantile"),
    *("regression", "sample", "sequence", "stack", "timeunit", "window"),
)
CASES_OF_A_PAGE = 2
MARKS = [{"type": "rect", "from": {"data": "totals"}, "encode": {"enter": {"x": {"field": "sum"}}}}]
TOTALS = {
    "signals": [{"name": "least", "value": 0}],
    "data": [
        {"name": "rows", "transform": [{"type": "filter", "expr": "datum.v >= least"}]},
        {
            "name": "totals",
            "source": "rows",
            "transform": [{"type": "aggregate", "groupby": ["g"], "ops": ["sum"], "fields": ["v"], "as": ["sum"]}],
        },
    ],
    "marks": MARKS,
}


def page_cases(session) -> dict[str, object]:
    """Cases of the transforms' pages, run through the server and by the reference."""
    wrong, engines, number = [], Counter(), 0
    for name in TRANSFORMS:
        chosen = [case for case in cases(PAGES) if case.page.stem == name and case.text("rows") is not None]
        for case in chosen[:CASES_OF_A_PAGE]:
            spec = spec_of(case)
            if spec.schemas:
                continue
            number += 1
            ours, meant = run_spark(spec.json(), session, now=0), run_reference(spec.json(), now=0)
            wrong += [f"{case}: {found}" for found in differences(ours, meant)]
            engines.update(step.engine for dataset in ours.datasets.values() for step in dataset.transforms)
    return {"number": number, "wrong": wrong, "engines": engines}


def charts(session, folder: Path) -> dict[str, object]:
    """A chart of a frame on the server and one of rows at hand; other signals, a limit, files."""
    frame = session.range(1000).toDF("v").selectExpr("v", "v % 4 as g")
    with sheliak.run(TOTALS, {"rows": frame}, session) as result:
        told = {
            "totals": result.datasets["totals"].to_pylist(),
            "updated": result.update({"least": 999}).datasets["totals"].to_pylist(),
            "plan": str(result.plan),
        }
    rows = pa.table({"v": list(range(60_000)), "g": [0] * 60_000})
    with sheliak.run(TOTALS, {"rows": rows}, session) as result:
        told["many"] = result.datasets["totals"].to_pylist()
    with sheliak.run(str(BOOKS), spark=session) as result:
        result.save(folder / "books.vg.json")
    try:
        with sheliak.run(TOTALS, {"rows": frame}, session, row_limit=3) as result:
            _ = result.spec
    except RowLimit as problem:
        told["limit"] = str(problem)
    try:
        sheliak.run(TOTALS, {"rows": "table:nowhere"}, session)
    except RunFailure as problem:
        told["missing"] = str(problem)
    return told


def files_read(session, folder: Path) -> dict[str, object]:
    """Files that the server reads by itself, beside what the reference makes of them."""
    rows = [{"n": number, "t": f"a {number}" if number % 3 else None, "d": "2020-01-05"} for number in range(50)]
    parquet.write_table(pa.Table.from_pylist(rows), folder / "t.parquet", row_group_size=10)
    (folder / "t.json").write_text(json.dumps(rows))
    (folder / "t.csv").write_text("n,t,d\n" + "".join(f'{row["n"]},"{row["t"] or ""}",{row["d"]}\n' for row in rows))
    formats = {"t.parquet": {"type": "parquet"}, "t.json": {"type": "json"}, "t.csv": {"type": "csv", "parse": "auto"}}
    spec = {"data": [{"name": name, "url": name, "format": format} for name, format in formats.items()]}
    files.LARGE = 0
    ours, meant = run_spark(spec, session, DataFolders(folder)), run_reference(spec, DataFolders(folder))
    engines = [dataset.engine for dataset in ours.datasets.values()]
    return {"wrong": differences(ours, meant) + groups_of_texts(session, folder), "engines": engines}


def groups_of_texts(session, folder: Path) -> list[str]:
    """Groups by texts that the file names, which the server hashes; and two charts with unrelated keys, in one pass."""
    count = {"type": "aggregate", "groupby": ["t"], "ops": ["count"], "fields": [None], "as": ["count"]}
    bins = {"type": "bin", "field": "n", "extent": [0, 40], "step": 10}
    charts = [[count], [bins, {**count, "groupby": ["bin0"]}]]
    source = {"name": "rows", "url": "t.parquet", "format": {"type": "parquet"}}
    spec = {"data": [source, *({"name": f"chart{n}", "source": "rows", "transform": one} for n, one in enumerate(charts))]}
    fetch.FEW_ROWS, shared_cells.MOST_CELLS, shared_cells.AS_A_PASS = 0, 1, 0
    passes: list[object] = []
    fetch.one_pass = lambda sets, lower: passes.append(one_pass(sets, lower)) or passes[-1]
    ours, meant = run_spark(spec, session, DataFolders(folder)), run_reference(spec, DataFolders(folder))
    known = opened(folder / "t.parquet", session).texts.get("t")
    missing = ([] if known is not None else ["no text is known"]) + ([] if any(passes) else ["no pass for two charts"])
    return differences(ours, meant) + missing


def progress(session) -> list[tuple[int, int]]:
    """What is told while a job runs. A server tells every two seconds: the job becomes longer until it was heard of."""
    told: list[tuple[int, int]] = []
    rows = 20_000_000
    while not told and rows < 1e11:
        with watched(session, "counting", lambda done, total: told.append((done, total))):
            session.range(0, rows, 1, 4).selectExpr("sum(sqrt(id))").collect()
        rows *= 4
    return told


def main(address: str, folder: Path) -> None:
    session = connect_session(address, patience=300)
    with quiet(), warnings.catch_warnings():
        told = {
            "pages": page_cases(session),
            "charts": charts(session, folder),
            "files": files_read(session, folder),
            "progress": progress(session),
        }
    end_session(session)
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
