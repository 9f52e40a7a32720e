"""`sheliak.stream` in Python: folders, and any streaming frame."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

import sheliak
from sheliak.engines.failures import RunFailure

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPEC = {
    "data": [
        {"name": "t", "url": "data/none.json"},
        {"name": "large", "source": "t", "transform": [{"type": "filter", "expr": "datum.n > 10"}]},
    ]
}


def line(number: int) -> str:
    return json.dumps({"data": "t", "id": number, "add": {"n": number}}) + "\n"


def large(folder: Path) -> list[object]:
    found: list[object] = pq.read_table(folder / "out" / "rows" / "large.parquet").to_pylist()
    return found


def test_a_folder_with_given_data(tmp_path: Path, spark: SparkSession) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "a.jsonl").write_text(line(12) + line(5) + '{"commit": true}\n', encoding="utf-8")
    told: list[str] = []
    given = {"state": tmp_path / "state", "out": tmp_path / "out", "spark": spark, "tell": told.append, "once": True}
    stream = sheliak.stream(SPEC, tmp_path / "new", data={"t": [{"n": 1.0}, {"n": 11.0}]}, **given)
    assert large(tmp_path) == [{"n": 11.0}, {"n": 12.0}]
    assert (stream.status.batches, stream.status.is_running, told) == (1, False, [])
    (tmp_path / "new" / "b.jsonl").write_text(line(12) + '{"commit": true}\n', encoding="utf-8")
    sheliak.stream(SPEC, tmp_path / "new", **given)
    assert (large(tmp_path), len(told)) == ([{"n": 11.0}, {"n": 12.0}], 1)


def test_a_streaming_frame_in_the_background(tmp_path: Path, spark: SparkSession) -> None:
    from pyspark.sql import functions

    (tmp_path / "text").mkdir()
    text = spark.readStream.text(str(tmp_path / "text"))
    frame = text.select(functions.col("value").alias("line"), functions.col("value").alias("at"))
    data = {"t": [{"n": 11.0}]}
    with sheliak.stream(
        SPEC, frame, state=tmp_path / "state", out=tmp_path / "out", spark=spark, data=data, interval=0.1
    ) as stream:
        (tmp_path / "text" / "a.txt").write_text(line(13), encoding="utf-8")
        deadline = time.monotonic() + 60
        while len(large(tmp_path)) < 2 and time.monotonic() < deadline:
            assert not stream.wait(0.1)
    assert large(tmp_path) == [{"n": 11.0}, {"n": 13.0}]
    assert stream.wait()


def test_a_frame_that_is_no_stream(tmp_path: Path, spark: SparkSession) -> None:
    frame = spark.createDataFrame([("a", "b")], ["at", "line"])
    with pytest.raises(RunFailure, match="changes are a streaming frame"):
        sheliak.stream(SPEC, frame, state=tmp_path / "state", out=tmp_path / "out", spark=spark, data={"t": [{"n": 1.0}]})
