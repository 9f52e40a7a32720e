"""Files of a stream that are not what was written: the stream ends right, or names the file; never a wrong answer."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sheliak.engines.failures import RunFailure
from streams.test_streaming import COMMIT, Place, line, sums

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FILES = [
    "state/checkpoint/metadata",
    "state/checkpoint/offsets/2",
    "state/checkpoint/commits/2",
    "state/checkpoint/sources/0/2",
    "state/checkpoint/sources/0/1",
    "state/inbox/_taken",
    "state/inbox/0000000003-*",
    "state/manifests/*5.json",
    "state/manifests/*4.json",
    "state/tables/*-pulses.jsonl",
    "state/tables/*-stream_log_t.jsonl",
    "out/current.json",
    "out/rows/sums.parquet",
    "out/versions/sums/0000000003.parquet",
]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> Path:
    """A stream after three batches, and beside it a copy; paths of its files stand in some of them, so that it stays in its place."""
    folder = tmp_path_factory.mktemp("streams") / "stream"
    folder.mkdir()
    place = Place(folder, spark)
    for number in range(3):
        place.put(f"{number}.jsonl", line("add", 10 + number, g="x", n=10), COMMIT)
    place.drain(place.files(files_per_batch=1))
    shutil.copytree(folder, folder.with_name("copy"))
    return folder


DAMAGES = ["flipped", "truncated", "emptied", "gone"]


# Two kinds of damage for each file, all kinds in turn.
@pytest.mark.parametrize(
    ("name", "damage"), [(name, DAMAGES[(place + step) % 4]) for place, name in enumerate(FILES) for step in (0, 1)]
)
def test_damage(name: str, damage: str, template: Path, spark: SparkSession) -> None:
    place = restored(template, template, spark)
    path = min(template.glob(name))
    apply_damage(path, damage)
    place.put("next.jsonl", line("add", "next", g="x", n=1000), COMMIT)
    try:
        place.drain()
    except RunFailure as failure:
        told = f"{failure} {failure.help} {failure.details}"
        assert path.name in told or path.parent.name in told or ("checkpoint" in name and "checkpoint" in told), told
    else:
        assert sums(place.rows("sums")) == {"x": 1031, "y": 2}


def restored(template: Path, folder: Path, spark: SparkSession) -> Place:
    """The stream as it was, in its place or in another."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    place = Place(folder, spark)
    shutil.copytree(template.with_name("copy"), folder, dirs_exist_ok=True)
    return place


def test_a_folder_that_was_moved(template: Path, tmp_path: Path, spark: SparkSession) -> None:
    place = restored(template, tmp_path / "elsewhere", spark)
    place.put("next.jsonl", line("add", "next", g="x", n=1000), COMMIT)
    assert place.drain().batch == 3
    assert sums(place.rows("sums")) == {"x": 1031, "y": 2}


def apply_damage(path: Path, damage: str) -> None:
    content = bytearray(path.read_bytes())
    if damage == "gone":
        path.unlink()
    elif damage == "flipped":
        content[len(content) * 2 // 3] ^= 2
        path.write_bytes(content)
    else:
        path.write_bytes(content[: len(content) // 2] if damage == "truncated" else b"")
