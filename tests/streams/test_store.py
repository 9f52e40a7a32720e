"""The store: versions that are there whole or not at all, and damage that is named."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pyarrow as pa
import pytest

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.live.store import Draft, Store, open_store, points
from sheliak.engines.spark.live.store.manifest import manifest_name


def opened(folder: Path, identity: str = "a spec") -> Store:
    return open_store(folder / "state", identity)


def write(draft: Draft, name: str, numbers: list[int]) -> Path:
    path = draft.new_file(name, ".arrow")
    table = pa.table({"n": pa.array(numbers, pa.int64())})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return path


def numbers_of(store: Store, name: str) -> list[int]:
    found: list[int] = []
    for file in store.table(name):
        with pa.memory_map(str(file.path)) as mapped:
            found += pa.ipc.open_file(mapped).read_all()["n"].to_pylist()
    return found


def committed(store: Store, batch: int, numbers: list[int]) -> None:
    draft = store.begin(batch)
    draft.append("t", [write(draft, "t", numbers)], "delta")
    draft.set_facts("t", {"next": batch + 1})
    draft.commit()


def reopened(store: Store) -> Store:
    store.close()
    return open_store(store.folder, "a spec")


def test_a_version_is_read_back(tmp_path: Path) -> None:
    store = opened(tmp_path)
    assert (store.batch, store.table("t"), store.facts("t")) == (None, (), {})
    committed(store, 0, [1, 2])
    committed(store, 1, [3])
    again = reopened(store)
    assert again.batch == 1
    assert [(file.rows, file.role) for file in again.table("t")] == [(2, "delta"), (1, "delta")]
    assert numbers_of(again, "t") == [1, 2, 3]
    assert again.facts("t") == {"next": 2}


def test_replacing_forgetting_and_removing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    committed(store, 0, [1])
    committed(store, 1, [2])
    committed(store, 2, [3])
    draft = store.begin(2)
    draft.forget("t", store.table("t")[1:])
    draft.append("t", [write(draft, "t", [2, 3])], "base")
    draft.append("other name / with ..", [write(draft, "other name / with ..", [7])], "base")
    draft.commit()
    store = reopened(store)
    assert numbers_of(store, "t") == [1, 2, 3]
    draft = store.begin(3)
    draft.replace("t", [write(draft, "t", [9])], "base")
    draft.remove("other name / with ..")
    draft.commit()
    assert (numbers_of(store, "t"), store.tables) == ([9], ["t"])


def test_a_folder_that_spark_wrote_is_one_file_of_a_table(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    store = opened(tmp_path)
    draft = store.begin(0)
    folder = draft.new_file("t", "")
    (folder / "k=1").mkdir(parents=True)
    for name in ("part-0.parquet", "k=1/part-1.parquet"):
        pq.write_table(pa.table({"n": [1, 2]}), folder / name)
    (folder / "_SUCCESS").touch()
    draft.append("t", [folder], "base")
    draft.commit()
    store = reopened(store)
    assert [file.rows for file in store.table("t")] == [4]
    (folder / "k=1" / "part-1.parquet").unlink()
    with pytest.raises(RunFailure, match=r"part-1\.parquet': the file is not there"):
        reopened(store).table("t")


def test_an_abandoned_draft_leaves_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    committed(store, 0, [1])
    files = set(store.tables_folder.iterdir())
    draft = store.begin(1)
    draft.append("t", [write(draft, "t", [2])], "delta")
    draft.abandon()
    assert (numbers_of(store, "t"), set(store.tables_folder.iterdir())) == ([1], files)
    draft = store.begin(1)
    write(draft, "t", [3])
    store.begin(1).abandon()
    assert set(store.tables_folder.iterdir()) == files


def test_batches_go_forward(tmp_path: Path) -> None:
    store = opened(tmp_path)
    committed(store, 5, [1])
    with pytest.raises(ValueError, match="batch 4 comes before batch 5"):
        store.begin(4)


def test_a_file_is_new_once(tmp_path: Path) -> None:
    store = opened(tmp_path)
    draft = store.begin(0)
    with pytest.raises(ValueError, match="no new file of this draft"):
        draft.append("t", [tmp_path / "elsewhere.arrow"], "base")


def test_the_state_of_another_spec_is_refused(tmp_path: Path) -> None:
    store = opened(tmp_path)
    committed(store, 0, [1])
    store.close()
    with pytest.raises(RunFailure, match="holds the state of another spec"):
        opened(tmp_path, "another spec")


def test_one_process_at_a_time(tmp_path: Path) -> None:
    store = opened(tmp_path)
    with pytest.raises(RunFailure, match="is used by another process"):
        opened(tmp_path)
    store.close()
    opened(tmp_path).close()


def test_older_versions_are_removed(tmp_path: Path) -> None:
    store = opened(tmp_path)
    for batch in range(6):
        draft = store.begin(batch)
        draft.replace("t", [write(draft, "t", [batch])], "base")
        draft.commit()
    assert len(list(store.tables_folder.iterdir())) == 6
    store.clean(keep_versions=2)
    assert len(list(store.tables_folder.iterdir())) == 2
    assert len(list(store.manifests_folder.iterdir())) == 2
    assert numbers_of(reopened(store), "t") == [5]


def test_a_damaged_older_version_is_no_loss(tmp_path: Path) -> None:
    store = opened(tmp_path)
    committed(store, 0, [1])
    committed(store, 1, [2])
    (store.manifests_folder / manifest_name(1)).write_bytes(b"")
    assert numbers_of(reopened(store), "t") == [1, 2]


# Crashes: what an exception that nobody catches leaves is what the end of the process leaves

POINTS = ["state: before files", "manifest: before", "manifest: after", "clean: manifests removed", "clean: a file removed"]


class Crash(BaseException):
    """The end of the process, as far as the store can tell."""


@pytest.mark.parametrize("point", POINTS)
def test_a_crash_leaves_the_version_before_or_after(tmp_path: Path, point: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened(tmp_path)
    for batch in range(4):
        committed(store, batch, [batch])

    def crash(reached: str) -> None:
        if reached == point:
            raise Crash

    def one_batch() -> None:
        draft = store.begin(4)
        draft.replace("t", [write(draft, "t", [10, 11])], "base")
        draft.commit()
        store.clean(1)

    monkeypatch.setattr(points, "watchers", [crash])
    with pytest.raises(Crash):
        one_batch()
    monkeypatch.setattr(points, "watchers", [])
    assert store._lock is not None
    store._lock.close()
    again = open_store(store.folder, "a spec")
    is_after = POINTS.index(point) >= 2
    assert (again.batch, numbers_of(again, "t")) == ((4, [10, 11]) if is_after else (3, [0, 1, 2, 3]))
    named = again.manifest.files.union(*(again._files_of(version) for version in (4, 5)))
    assert {path.name for path in again.tables_folder.iterdir()} == named


# Damage


@pytest.mark.parametrize("damage", ["truncated", "flipped", "grown", "gone"])
@pytest.mark.parametrize("folder", ["tables", "manifests"])
def test_damage_is_named(tmp_path: Path, folder: str, damage: str) -> None:
    store = opened(tmp_path)
    committed(store, 0, list(range(1000)))
    store.close()
    (path,) = (store.folder / folder).iterdir()
    content = bytearray(path.read_bytes())
    if damage == "gone":
        path.unlink()
        if folder == "manifests":
            assert opened(tmp_path).batch is None
            return
    elif damage == "flipped":
        content[len(content) // 2] ^= 4
        path.write_bytes(content)
    else:
        path.write_bytes(content[:-7] if damage == "truncated" else content + b"x")
    with pytest.raises(RunFailure, match=path.name):
        opened(tmp_path).verify()


def test_every_flipped_bit_of_a_manifest_is_named(tmp_path: Path) -> None:
    store = opened(tmp_path)
    committed(store, 0, [1])
    store.close()
    (path,) = store.manifests_folder.iterdir()
    content = path.read_bytes()
    for place in range(0, len(content) - 1, 3):
        path.write_bytes(content[:place] + bytes([content[place] ^ (1 << place % 8)]) + content[place + 1 :])
        with pytest.raises(RunFailure, match=path.name):
            opened(tmp_path)


def test_a_file_that_was_not_written_whole_is_not_taken(tmp_path: Path) -> None:
    store = opened(tmp_path)
    draft = store.begin(0)
    path = write(draft, "t", list(range(1000)))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(RunFailure, match="was not written whole"):
        draft.append("t", [path], "base")
    with pytest.raises(RunFailure, match="was not written$"):
        draft.append("t", [draft.new_file("t", ".arrow")], "base")


# A disk that refuses

CALLS = ["fsync", "open", "replace"]


@pytest.mark.parametrize("nth", range(6))
@pytest.mark.parametrize("call", CALLS)
def test_a_disk_that_refuses_leaves_the_version_before(
    tmp_path: Path, call: str, nth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(tmp_path)
    committed(store, 0, [1])
    draft = store.begin(1)
    draft.append("t", [write(draft, "t", [2])], "delta")
    real, calls = getattr(os, call), [0]

    def refusing(*arguments: object, **options: object) -> object:
        calls[0] += 1
        if calls[0] == nth + 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(*arguments, **options)

    with monkeypatch.context() as patched:
        patched.setattr(os, call, refusing)
        failed = False
        try:
            draft.commit()
        except RunFailure as failure:
            failed = True
            assert "no space left on device" in str(failure)
            assert str(store.folder) in str(failure)
    assert failed == (calls[0] > nth)
    again = reopened(store)
    assert (again.batch, numbers_of(again, "t")) in ([(0, [1]), (1, [1, 2])] if failed else [(1, [1, 2])])
    if again.batch == 0:
        committed(again, 1, [2])
    assert numbers_of(reopened(again), "t") == [1, 2]


def test_a_version_that_may_be_there_is_not_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is not brought to the disk after the renaming: whether the version is there is known only when it is opened again."""
    from sheliak.engines.spark.live.store import disk

    store = opened(tmp_path)
    committed(store, 0, [1])
    draft = store.begin(1)
    draft.append("t", [write(draft, "t", [2])], "delta")
    real = disk.sync_folder

    def refusing(path: Path) -> None:
        if path == store.manifests_folder:
            raise RunFailure("refused")
        real(path)

    with monkeypatch.context() as patched:
        patched.setattr(disk, "sync_folder", refusing)
        with pytest.raises(RunFailure, match="refused"):
            draft.commit()
    with pytest.raises(RunFailure, match="open it again"):
        store.begin(1)
    again = reopened(store)
    assert (again.batch, numbers_of(again, "t")) == (1, [1, 2])
