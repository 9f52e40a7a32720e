"""Batches of changes through Structured Streaming: applied once, published whole, what cannot be applied set aside."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from sheliak.changes.lines import read_pulses
from sheliak.engines.failures import RunFailure
from sheliak.engines.reference.live import Live, open_live
from sheliak.engines.spark.live.inbox import Inbox, number_of, pieces_in
from sheliak.engines.spark.live.outlet import Outlet, read_current
from sheliak.engines.spark.live.store import Store, open_store
from sheliak.engines.spark.live.stream_sources import ChangeFiles, ChangeRows, ChangeSource
from sheliak.engines.spark.live.streaming import FACTS, Stream, open_stream
from streams.plain_step import PlainStep, read_log

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPEC: dict[str, object] = {
    "data": [
        {"name": "t", "values": [{"g": "x", "n": 1}, {"g": "y", "n": 2}]},
        {
            "name": "sums",
            "source": "t",
            "transform": [{"type": "aggregate", "groupby": ["g"], "ops": ["sum"], "fields": ["n"], "as": ["s"]}],
        },
    ]
}
COMMIT = '{"commit": true}\n'


def line(kind: str, id: object, **row: object) -> str:
    return json.dumps({"data": "t", "id": id, kind: row or True}) + "\n"


class Place:
    """The folders of a stream."""

    def __init__(self, folder: Path, session: SparkSession) -> None:
        self.changes, self.state, self.out = folder / "changes", folder / "state", folder / "out"
        self.changes.mkdir()
        self.session = session
        self.told: list[str] = []

    def put(self, name: str, *lines: str) -> None:
        (self.changes / name).write_text("".join(lines), encoding="utf-8")

    def files(self, files_per_batch: int = 10) -> ChangeFiles:
        return ChangeFiles(Inbox(self.changes, self.state / "inbox", self.told.append), files_per_batch)

    def drain(self, source: ChangeSource | None = None, datasets: Sequence[str] = ()) -> Store:
        """Everything that is there, once; the store, which is closed."""
        store = open_store(self.state, "spec")
        try:
            live = PlainStep(SPEC, store)
            stream = open_stream(live, store, source or self.files(), self.session, self.out, datasets, self.told.append)
            stream.start(once=True, interval=0.2)
            stream.run(0.2)
            return store
        finally:
            store.close()

    def open(self, store: Store) -> Stream:
        return open_stream(PlainStep(SPEC, store), store, self.files(), self.session, self.out, (), self.told.append)

    def rows(self, dataset: str) -> list[dict[str, object]]:
        rows: list[dict[str, object]] = pq.read_table(self.out / "rows" / f"{dataset}.parquet").to_pylist()
        return rows

    def rejected(self) -> list[tuple[str, str]]:
        """The changes that were set aside, and the messages."""
        files = sorted((self.out / "rejected").glob("*.jsonl"))
        return [(path.read_text(encoding="utf-8"), path.with_suffix(".txt").read_text(encoding="utf-8")) for path in files]


@pytest.fixture
def place(tmp_path: Path, spark: SparkSession) -> Place:
    return Place(tmp_path, spark)


def replayed(place: Place, dataset: str) -> Live:
    """The log of a dataset, applied to nothing."""
    live = open_live({"data": [{"name": dataset, "values": []}]})
    for pulse in read_pulses("\n".join(read_log(place.out / "changes" / dataset))):
        live.apply_lines(pulse)
    return live


def sums(rows: Sequence[dict[str, object]]) -> dict[object, object]:
    return {row["g"]: row["s"] for row in rows}


def test_files_are_applied_once(place: Place) -> None:
    place.put("a.jsonl", line("add", 3, g="x", n=5), COMMIT)
    store = place.drain()
    assert (store.batch, sums(place.rows("sums"))) == (0, {"x": 6, "y": 2})
    assert place.drain().batch == 0
    place.put("b.jsonl", line("remove", 2), COMMIT)
    store = place.drain()
    assert (store.batch, sums(place.rows("sums"))) == (1, {"x": 6})
    assert place.rows("t") == [{"g": "x", "n": 1}, {"g": "x", "n": 5}]
    assert (place.told, place.rejected()) == ([], [])
    facts = store.facts(FACTS)
    assert (facts["changes"], facts["rows"]) == (2, {"t": 2, "sums": 1})


def test_the_log_leads_to_the_rows(place: Place) -> None:
    for number in range(3, 8):
        place.put(
            f"{number}.jsonl", line("add", number, g="xyz"[number % 3], n=number), line("update", 1, g="x", n=number), COMMIT
        )
    store = place.drain(place.files(files_per_batch=2))
    assert store.batch == 2
    for dataset in ("t", "sums"):
        assert replayed(place, dataset).rows(dataset) == [*place.rows(dataset)]
        assert len(list((place.out / "changes" / dataset).glob("*.jsonl"))) == 4


def test_what_readers_find(place: Place) -> None:
    place.put("a.jsonl", line("add", 3, g="z", n=5), COMMIT)
    place.drain()
    current = read_current(place.out)
    assert current is not None and current["version"] == 1
    entries = current["datasets"]
    assert isinstance(entries, dict)
    for name in ("t", "sums"):
        entry = entries[name]
        assert isinstance(entry, dict) and (entry["count"], entry["version"]) == (3, 1)
        assert pq.read_table(place.out / str(entry["rows"])).to_pylist() == place.rows(name)


def test_only_some_datasets(place: Place) -> None:
    place.put("a.jsonl", line("add", 3, g="z", n=5), COMMIT)
    place.drain(datasets=["sums"])
    assert [path.name for path in (place.out / "rows").iterdir()] == ["sums.parquet"]
    with pytest.raises(RunFailure, match="has no dataset `total`"):
        place.drain(datasets=["total"])


MALFORMED: dict[str, tuple[str, str]] = {
    "bad JSON": ('{"data": "t", "id": 9, "add": {"g": }}\n', r"bad\.jsonl:1:37: this is no JSON"),
    "an unknown dataset": ('{"data": "u", "id": 9, "add": {"g": "x"}}\n', "`u` is no dataset of the spec; changes go to `t`"),
    "a computed dataset": ('{"data": "sums", "id": 9, "add": {"g": "x"}}\n', "`sums` is computed from another dataset"),
    "a row that is a number": ('{"data": "t", "id": 9, "add": 5}\n', "a row is a JSON object"),
    "an id that is a list": ('{"data": "t", "id": [9], "add": {}}\n', "an id is a number or a string"),
    "an unknown id": (line("update", 9, g="x"), "update of a row that is not there"),
    "a known id": (line("add", 1, g="x"), "add of a row that is there already"),
    "an id twice": (line("add", 9, g="x", n=1) + line("add", 9, g="x", n=1), r"9: add of a row that is there already \(line 2\)"),
    "half a line": (line("add", 9, g="x", n=1)[:-9], "this is no JSON"),
    "no UTF-8": ('{"data": "t", "id": 9, "add": {"g": "\udcff"}}\n', "this is not UTF-8"),
    "a key twice": ('{"data": "t", "data": "t", "id": 9, "remove": true}\n', 'the key "data" is there twice'),
    "deeply nested": ("[" * 100_000 + "\n", "this is"),
    "no change": ("17\n", "a line is"),
    "a NUL": ("\0\0\0\0\n", "this is no JSON"),
}


def test_what_cannot_be_applied_is_set_aside(place: Place) -> None:
    """All kinds in one stream, each in a file of its own between good ones: the stream goes on, and nothing is lost."""
    for number, (text, _) in enumerate(MALFORMED.values()):
        content = text.encode("utf-8", "surrogateescape")
        (place.changes / f"{number:02}-bad.jsonl").write_bytes(content)
        place.put(f"{number:02}-good.jsonl", line("add", 100 + number, g="x", n=1), COMMIT)
    place.drain(place.files(files_per_batch=7))
    assert sums(place.rows("sums")) == {"x": 1 + len(MALFORMED), "y": 2}
    files = sorted((place.out / "rejected").glob("*.jsonl"))
    found = {path.read_bytes(): path.with_suffix(".txt").read_text(encoding="utf-8") for path in files}
    assert len(found) == len(place.told) == len(MALFORMED)
    import re

    for name, (text, message) in MALFORMED.items():
        told = found[text.encode("utf-8", "surrogateescape")]
        assert re.search(message, told), (name, told)


def test_a_pulse_that_cannot_be_does_not_spoil_the_others(place: Place) -> None:
    place.put(
        "a.jsonl",
        line("add", 3, g="x", n=10) + COMMIT,
        line("add", 4, g="x", n=20) + line("remove", 99) + COMMIT,
        '{"data": "t", \n' + COMMIT,
        line("add", 4, g="y", n=30) + COMMIT,
    )
    place.drain()
    assert sums(place.rows("sums")) == {"x": 11, "y": 32}
    (first, first_message), (second, second_message) = place.rejected()
    assert first == '{"data": "t", \n' + COMMIT
    assert "a.jsonl:6:" in first_message
    assert second == line("add", 4, g="x", n=20) + line("remove", 99) + COMMIT
    assert second_message == "a.jsonl, lines 3 to 5: not applied: t: 99: remove of a row that is not there (line 4)\n"


def test_a_frame_of_changes(place: Place, tmp_path: Path) -> None:
    """Any streaming frame: here one that Spark reads from text files."""
    from pyspark.sql import functions

    folder = tmp_path / "text"
    folder.mkdir()

    def source() -> ChangeRows:
        text = place.session.readStream.text(str(folder))
        return ChangeRows(text.select(functions.col("value").alias("line"), functions.length("value").alias("at")))

    (folder / "a").write_text(line("add", 5, g="x", n=1000) + line("update", 1, g="x"), encoding="utf-8")
    place.drain(source())
    assert sums(place.rows("sums")) == {"x": 1000, "y": 2}
    (folder / "b").write_text(line("remove", 2) + "nothing\n", encoding="utf-8")
    place.drain(source())
    assert sums(place.rows("sums")) == {"x": 1000, "y": 2}
    assert "batch 1, lines 1 to 2: not applied: batch 1:1:1: this is no JSON" in place.told[0]
    (folder / "c").write_text(line("remove", 2), encoding="utf-8")
    assert place.drain(source()).batch == 2
    assert sums(place.rows("sums")) == {"x": 1000}


def test_a_frame_without_the_columns(place: Place) -> None:
    frame = place.session.readStream.format("rate").load()
    with pytest.raises(RunFailure, match="the columns `at` and `line`"):
        place.drain(ChangeRows(frame))


def test_a_batch_that_was_committed_but_not_published(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    from sheliak.engines.spark.live.outlet import Outlet

    place.put("a.jsonl", line("add", 3, g="z", n=5), COMMIT)
    place.drain()
    place.put("b.jsonl", line("add", 4, g="z", n=6), COMMIT)
    with monkeypatch.context() as patched:
        patched.setattr(Outlet, "publish", failing("the disk is full"))
        with pytest.raises(RunFailure, match="the disk is full"):
            place.drain()
    assert sums(place.rows("sums")) == {"x": 1, "y": 2, "z": 5}
    assert place.drain().batch == 1
    assert sums(place.rows("sums")) == {"x": 1, "y": 2, "z": 11}
    assert replayed(place, "sums").rows("sums") == [*place.rows("sums")]


def failing(message: str) -> Callable[..., None]:
    def fail(*arguments: object) -> None:
        raise RunFailure(message)

    return fail


def test_an_output_that_was_emptied_is_written_anew(place: Place) -> None:
    import shutil

    place.put("a.jsonl", line("add", 3, g="z", n=5), COMMIT)
    place.drain()
    shutil.rmtree(place.out)
    place.drain()
    assert sums(place.rows("sums")) == {"x": 1, "y": 2, "z": 5}
    assert replayed(place, "sums").rows("sums") == [*place.rows("sums")]


def test_the_output_of_another_stream_is_refused(place: Place) -> None:
    place.drain()
    place.state = place.state.with_name("another")
    with pytest.raises(RunFailure, match="holds the output of another stream"):
        place.drain()


def test_without_its_checkpoint_a_stream_of_files_goes_on(place: Place) -> None:
    import shutil

    place.put("a.jsonl", line("add", 3, g="z", n=5), COMMIT)
    place.drain()
    shutil.rmtree(place.state / "checkpoint")
    place.put("b.jsonl", line("add", 4, g="z", n=6), COMMIT)
    assert place.drain().batch == 1
    assert sums(place.rows("sums")) == {"x": 1, "y": 2, "z": 11}


def test_a_batch_of_spark_that_holds_those_of_two_is_taken_apart(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark was killed when it had written down that it has seen a file, but not yet the batch that the file is for."""
    place.put("a.jsonl", line("add", 3, g="z", n=5), COMMIT)
    place.drain(place.files(1))
    place.put("b.jsonl", line("add", 4, g="z", n=6), COMMIT)
    inbox = place.files(1).inbox
    inbox.open(1)
    inbox.take_settled()
    (piece,) = [path for path in pieces_in(inbox.folder) if number_of(path) == 2]
    seen = {"path": piece.as_uri(), "timestamp": piece.stat().st_mtime_ns // 1_000_000, "batchId": 1}
    (place.state / "checkpoint" / "sources" / "0" / "1").write_text(f"v1\n{json.dumps(seen)}", encoding="utf-8")
    place.put("c.jsonl", line("add", 5, g="z", n=7), COMMIT)
    with monkeypatch.context() as patched:
        patched.setattr(Outlet, "publish", failing("the power went"))
        with pytest.raises(RunFailure, match="the power went"):
            place.drain(place.files(1))
    store = place.drain(place.files(1))
    assert (store.batch, store.facts(FACTS)["piece"]) == (2, 3)
    log = [json.loads(text) for text in read_log(place.out / "changes" / "sums")]
    assert [one["update"]["s"] for one in log if "update" in one] == [11, 18]
    assert [number_of(path) for path in pieces_in(inbox.folder)] == [2, 3]  # Spark's own batch
    place.put("d.jsonl", line("add", 6, g="z", n=8), COMMIT)
    assert place.drain(place.files(1)).batch == 3
    assert sums(place.rows("sums")) == {"x": 1, "y": 2, "z": 26}


@pytest.mark.parametrize("name", ["with a space", "a[1]{b}*?", "é%20#+", "a:b"])
def test_folders_with_odd_names(name: str, tmp_path: Path, spark: SparkSession) -> None:
    (tmp_path / name).mkdir()
    place = Place(tmp_path / name, spark)
    place.put("a.jsonl", line("add", 3, g="x", n=5), COMMIT)
    place.drain()
    place.put("b.jsonl", line("add", 4, g="x", n=10), COMMIT)
    place.drain()
    assert sums(place.rows("sums")) == {"x": 16, "y": 2}


def test_a_stream_that_goes_on(place: Place) -> None:
    """Files come while it runs; it is stopped, and started again."""
    import time

    for turn in range(2):
        store = open_store(place.state, "spec")
        stream = place.open(store)
        stream.start(once=False, interval=0.1)
        for number in range(3):
            place.put(f"{turn}{number}.jsonl", line("add", f"{turn}{number}", g="x", n=1), COMMIT)
            deadline = time.monotonic() + 30
            while sums(place.rows("sums"))["x"] != 2 + 3 * turn + number and time.monotonic() < deadline:
                stream.wait(0.05)
                stream._source.take()
        stream.stop()
        store.close()
        assert sums(place.rows("sums")) == {"x": 1 + 3 * (turn + 1), "y": 2}
    assert replayed(place, "sums").rows("sums") == [*place.rows("sums")]


def test_many_batches_are_compacted_and_cleaned(place: Place) -> None:
    for number in range(25):
        place.put(f"{number:02}.jsonl", line("add", 100 + number, g="x", n=1), COMMIT)
    store = place.drain(place.files(files_per_batch=1))
    assert store.batch == 24
    assert len(store.manifest.tables["pulses"].entries) == 6
    assert len(list(store.manifests_folder.iterdir())) == 2
    assert len(list((place.state / "inbox").glob("0*"))) == 1
    assert sums(place.rows("sums")) == {"x": 26, "y": 2}
    assert place.drain().batch == 24
