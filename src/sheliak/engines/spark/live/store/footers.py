"""How many rows a file of a table has, as its own end tells; a file that was not written whole has no such end."""

from __future__ import annotations

from pathlib import Path

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.live.store.disk import files_below


def rows_of(path: Path) -> int:
    """The rows of an Arrow or Parquet file, or of all Parquet files in a folder; 0 for other files. Raises RunFailure."""
    if not path.exists():
        raise RunFailure(f"{str(path)!r} was not written")
    return sum(_rows_of_file(file) for file in files_below(path) if not file.name.startswith((".", "_")))


def _rows_of_file(path: Path) -> int:
    import pyarrow as pa

    try:
        match path.suffix:
            case ".arrow":
                with pa.memory_map(str(path)) as mapped:
                    reader = pa.ipc.open_file(mapped)
                    return sum(reader.get_batch(index).num_rows for index in range(reader.num_record_batches))
            case ".parquet":
                import pyarrow.parquet as pq

                return int(pq.read_metadata(path).num_rows)
            case _:
                return 0
    except (pa.ArrowException, OSError) as problem:
        raise RunFailure(f"{str(path)!r} was not written whole: {problem}") from problem
