"""What a run leaves in files: chosen by the name of the file, written aside and renamed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from sheliak.engines.failures import RunFailure
from sheliak.engines.protocol import RunResult, write_result
from sheliak.expressions.values import Row
from sheliak.project.replace_file import replace_file
from sheliak.running.plain_rows import csv_text, json_array, json_lines, json_text

if TYPE_CHECKING:
    import pyarrow as pa

ChartKind: TypeAlias = Literal["json", "html", "svg", "png", "pdf"]
CHARTS = (".vg.json", ".json", ".html", ".svg", ".png", ".pdf")
ROWS = (".json", ".jsonl", ".csv", ".parquet", ".arrow")


def require_writable(path: str, suffixes: Sequence[str], what: str) -> None:
    """Before anything runs: the name says what to write, and there is a folder to write into. Raises RunFailure."""
    if not path.lower().endswith(tuple(suffixes)):
        known = ", ".join(dict.fromkeys(suffixes))
        raise RunFailure(f"{path!r} does not say how to write {what}: its name ends with none of {known}")
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise RunFailure(f"{path!r} cannot be written: there is no folder {os.path.dirname(path)!r}")
    if os.path.isdir(path):
        raise RunFailure(f"{path!r} cannot be written: it is a folder")
    if not os.access(folder, os.W_OK):
        raise RunFailure(f"{path!r} cannot be written: its folder is read-only")


def require_folder(path: str) -> None:
    """Before anything runs: the folder is there or can be made. Raises RunFailure."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as problem:
        raise _unwritable(path, problem) from problem
    if not os.access(path, os.W_OK):
        raise RunFailure(f"{path!r} cannot be written: the folder is read-only")


def write_file(path: str, content: bytes) -> None:
    """The file, whole or not at all. Raises RunFailure."""
    try:
        replace_file(path, content)
    except OSError as problem:
        raise _unwritable(path, problem) from problem


def _unwritable(path: str, problem: OSError) -> RunFailure:
    return RunFailure(f"{path!r} cannot be written: {(problem.strerror or str(problem)).lower()}")


# Charts


def write_chart(path: str, spec: Mapping[str, object], hosts: Iterable[str] = (), timezone: str | None = None) -> None:
    """The chart in the form that the name of the file asks for; a picture shows times in the zone they were computed for."""
    write_file(path, chart_content(path.lower().rpartition(".")[2], spec, hosts, timezone))


def chart_content(kind: str, spec: Mapping[str, object], hosts: Iterable[str], timezone: str | None) -> bytes:
    """A pre-transformed spec as a file of some kind holds it."""
    if kind == "json":
        return json_text(spec).encode() + b"\n"
    if kind == "html":
        from sheliak.running.page import page_of

        return page_of(spec, hosts).encode()
    from sheliak.running.pictures import picture_of

    return picture_of(spec, kind, hosts, timezone)


# Rows


def write_rows(path: str, rows: Sequence[Row]) -> None:
    """The rows of a dataset in the form that the name of the file asks for."""
    write_file(path, _ROWS[path.lower().rpartition(".")[2]](rows))


def _arrow_file(rows: Sequence[Row]) -> bytes:
    import pyarrow as pa

    table = _table(rows)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def _parquet_file(rows: Sequence[Row]) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    sink = pa.BufferOutputStream()
    parquet.write_table(_table(rows), sink)
    return bytes(sink.getvalue())


def _table(rows: Sequence[Row]) -> pa.Table:
    from sheliak.running.arrow_tables import table_of

    return table_of(rows)


_ROWS: Mapping[str, Callable[[Sequence[Row]], bytes]] = {
    "json": lambda rows: json_array(rows).encode(),
    "jsonl": lambda rows: "".join(f"{line}\n" for line in json_lines(rows)).encode(),
    "csv": lambda rows: csv_text(rows).encode("utf-8", "replace"),
    "parquet": _parquet_file,
    "arrow": _arrow_file,
}


# Folders


def write_folder(path: Path, result: RunResult) -> None:
    """All datasets of a spec in a folder of their own, which takes the place of that of an earlier run. Raises RunFailure."""
    if path.exists() and not _is_of_a_run(path):
        raise RunFailure(f"{str(path)!r} cannot be written: it is there, and not from an earlier run")
    try:
        aside = Path(tempfile.mkdtemp(prefix=".sheliak-", dir=path.parent))
        try:
            write_result(result, aside / "new")
            if path.exists():
                path.rename(aside / "old")
            (aside / "new").rename(path)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    except OSError as problem:
        raise _unwritable(str(path), problem) from problem


def _is_of_a_run(path: Path) -> bool:
    return path.is_dir() and ((path / "run.json").is_file() or not any(path.iterdir()))
