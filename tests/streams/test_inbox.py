"""What is taken from a folder of change files, and when."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.live import inbox as module
from sheliak.engines.spark.live.inbox import Inbox, cuts, pieces_between, pieces_in, read_piece

ADD = b'{"data": "t", "id": 1, "add": {}}\n'
COMMIT = b'{"commit": true}\n'


class Folder:
    """A folder of change files, and its inbox."""

    def __init__(self, folder: Path) -> None:
        self.changes, self.folder = folder / "changes", folder / "inbox"
        self.changes.mkdir()
        self.told: list[str] = []
        self.inbox = self.reopened()

    def reopened(self, applied: int = 0) -> Inbox:
        self.inbox = Inbox(self.changes, self.folder, self.told.append)
        self.inbox.open(applied)
        return self.inbox

    def put(self, name: str, content: bytes, age: float = 100) -> None:
        path = self.changes / name
        path.write_bytes(content)
        os.utime(path, (time.time() - age, time.time() - age))

    @property
    def contents(self) -> list[bytes]:
        return [read_piece(path).content for path in pieces_in(self.folder)]


@pytest.fixture
def place(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_files_are_taken_once_the_oldest_first(place: Folder) -> None:
    place.put("b.jsonl", ADD + COMMIT, age=200)
    place.put("a.jsonl", ADD, age=100)
    assert (place.inbox.take(), place.inbox.take()) == (2, 0)
    assert place.contents == [ADD + COMMIT, ADD]
    assert place.reopened().take() == 0


def test_names_of_files_in_the_making_are_passed_over(place: Folder) -> None:
    for name in (".a.jsonl", "_b.jsonl", "c.jsonl.tmp", "d.txt"):
        place.put(name, ADD)
    (place.changes / "folder.jsonl").mkdir()
    assert place.inbox.take() == 0


def test_a_file_that_is_being_written_is_taken_up_to_its_last_commit(place: Folder) -> None:
    place.put("a.jsonl", ADD + COMMIT + ADD, age=0)
    place.inbox.take()
    assert place.contents == [ADD + COMMIT]
    assert place.inbox.waiting() == ["a.jsonl"]
    place.put("a.jsonl", ADD + COMMIT + ADD + ADD + COMMIT, age=0)
    place.inbox.take()
    assert place.contents == [ADD + COMMIT, ADD + ADD + COMMIT]
    assert [read_piece(path).taken.line for path in pieces_in(place.folder)] == [1, 3]


def test_a_file_without_commits_is_taken_when_it_has_settled(place: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SETTLED", 0.2)
    place.put("a.jsonl", ADD, age=0)
    assert place.inbox.take() == 0
    time.sleep(0.25)
    assert (place.inbox.take(), place.contents) == (1, [ADD])


def test_half_a_line_is_waited_for_longer_and_taken_again_when_it_goes_on(place: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it could be applied, so that it counts as not taken when the rest comes."""
    monkeypatch.setattr(module, "SETTLED", 0.05)
    monkeypatch.setattr(module, "PATIENCE", 0.3)
    place.put("a.jsonl", COMMIT + ADD + ADD[:10], age=0)
    place.inbox.take()
    time.sleep(0.1)
    place.inbox.take()
    assert place.contents == [COMMIT]
    time.sleep(0.3)
    place.inbox.take()
    assert place.contents == [COMMIT, ADD + ADD[:10]]
    assert place.reopened().take() == 0
    place.put("a.jsonl", COMMIT + ADD + ADD)
    place.inbox.take()
    assert place.contents == [COMMIT, ADD + ADD[:10], ADD + ADD]


def test_a_file_that_was_replaced_is_told_and_left_alone(place: Folder) -> None:
    place.put("a.jsonl", ADD + COMMIT)
    place.inbox.take()
    place.put("a.jsonl", COMMIT + ADD)
    assert place.inbox.take() == place.inbox.take() == 0
    assert len(place.told) == 1 and "was changed after its changes were taken" in place.told[0]


def test_a_name_may_come_again_when_it_has_gone(place: Folder) -> None:
    place.put("a.jsonl", ADD + COMMIT)
    place.inbox.take()
    (place.changes / "a.jsonl").unlink()
    place.inbox.clean(1)
    place.reopened(applied=1)
    place.put("a.jsonl", COMMIT + ADD)
    assert (place.inbox.take(), [path.name[:10] for path in pieces_in(place.folder)]) == (1, ["0000000002"])


def test_what_was_taken_stays_known_when_its_pieces_are_gone(place: Folder) -> None:
    place.put("a.jsonl", ADD + COMMIT)
    place.put("b.jsonl", ADD)
    place.inbox.take()
    place.inbox.clean(1)
    assert len(place.contents) == 1
    place.inbox.clean(2)
    assert place.contents == []
    assert place.reopened(applied=2).take() == 0
    place.put("a.jsonl", ADD + COMMIT + ADD + COMMIT)
    assert (place.inbox.take(), place.contents) == (1, [ADD + COMMIT])


def test_large_files_are_cut_after_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PIECE", 100)
    pulse = ADD + COMMIT
    content = pulse * 7 + ADD * 9 + COMMIT + ADD
    ends = list(cuts(content, 0, is_settled=True))
    assert ends == [102 - 2 + 0] or ends[0] <= 100
    pieces = [content[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    assert b"".join(pieces) == content
    assert all(piece.endswith(COMMIT) for piece in pieces[:-1])
    assert pieces[-1] == ADD
    assert list(cuts(content, 0, is_settled=False))[-1] == len(content) - len(ADD)


@pytest.mark.parametrize("damage", ["truncated", "flipped", "gone"])
def test_damage_of_a_piece_is_named(place: Folder, damage: str) -> None:
    place.put("a.jsonl", ADD + COMMIT)
    place.inbox.take()
    (path,) = pieces_in(place.folder)
    content = bytearray(path.read_bytes())
    if damage == "gone":
        path.unlink()
    else:
        content[len(content) // 2] ^= 1
        path.write_bytes(content[:-3] if damage == "truncated" else content)
    with pytest.raises(RunFailure, match="0000000001-"):
        pieces_between(place.folder, 0, 1)


def test_damage_of_what_was_taken_is_named(place: Folder) -> None:
    place.put("a.jsonl", ADD + COMMIT)
    place.inbox.take()
    place.inbox.clean(1)
    path = place.folder / "_taken"
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(RunFailure, match="_taken"):
        place.reopened(applied=1)


def test_a_clock_that_goes_back(place: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark takes pieces by their times, which go on in the order of their numbers."""
    place.put("a.jsonl", ADD + COMMIT)
    place.inbox.take()
    monkeypatch.setattr(time, "time_ns", lambda: 1_000_000_000_000_000_000)
    place.put("b.jsonl", ADD + COMMIT)
    place.inbox.take()
    first, second = pieces_in(place.folder)
    assert first.stat().st_mtime_ns < second.stat().st_mtime_ns
