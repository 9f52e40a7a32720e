"""How far a stream is: read from its folders, whether it runs or not, without disturbing it."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.live.inbox import is_change_file, pieces_in, read_piece, read_taken
from sheliak.engines.spark.live.outlet import read_current
from sheliak.engines.spark.live.store.disk import naming
from sheliak.engines.spark.live.store.store import current_manifest, is_in_use
from sheliak.engines.spark.live.streaming import FACTS
from sheliak.expressions.values import Json


@dataclass(frozen=True, slots=True)
class StreamStatus:
    """A stream at one moment."""

    is_running: bool
    batches: int
    changes: int
    """How many changes were received, in pulses that could be read."""
    rejected: int
    """How many pulses were set aside."""
    rows: Mapping[str, int]
    last_batch: float
    """When the last batch was committed, in seconds since 1970."""
    pieces: int
    """Pieces of change files that were taken and are not applied yet."""
    waiting: Mapping[str, int] | None
    """Change files that are not taken whole yet, and how many bytes of them; None if their folder is not known."""
    published: int | None
    """The version that readers of the output see; None if its folder is not known, or empty."""
    state_bytes: int
    state_files: int
    folder_bytes: int
    """All that the folder of the state takes, older versions included."""

    @property
    def seconds_behind(self) -> float:
        """How long changes have been waiting at most: since the last batch, where there are any."""
        return max(0.0, time.time() - self.last_batch) if self.pieces or self.waiting else 0.0


def status_of(state: Path, changes: Path | None = None, out: Path | None = None) -> StreamStatus:
    """Raises RunFailure for a folder without a stream."""
    manifest = current_manifest(state) if state.is_dir() else None
    facts = manifest.tables[FACTS].facts if manifest is not None and FACTS in manifest.tables else None
    if manifest is None or manifest.batch is None or facts is None:
        raise RunFailure(f"{str(state)!r} holds no stream")
    current = read_current(out) if out is not None else None
    rows = facts.get("rows")
    return StreamStatus(
        is_running=is_in_use(state),
        batches=manifest.batch + 1,
        changes=int(_number(facts.get("changes"))),
        rejected=int(_number(facts.get("rejected"))),
        rows={name: int(_number(count)) for name, count in rows.items()} if isinstance(rows, dict) else {},
        last_batch=_number(facts.get("at")),
        pieces=sum(1 for path in _pieces(state) if int(path.name[:10]) > _number(facts.get("piece"))),
        waiting=None if changes is None else waiting_in(changes, state),
        published=None if current is None else int(_number(current.get("version"))),
        state_bytes=manifest.size,
        state_files=len(manifest.files),
        folder_bytes=size_below(state),
    )


def _pieces(state: Path) -> list[Path]:
    return pieces_in(state / "inbox") if (state / "inbox").is_dir() else []


def waiting_in(changes: Path, state: Path) -> dict[str, int]:
    """The files of a folder that are not taken whole, and how much of them is left."""
    ends = {taken.file: taken.end for taken in read_taken(state / "inbox" / "_taken")}
    for path in _pieces(state):
        with suppress(RunFailure):  # it may be removed at this moment
            taken = read_piece(path).taken
            ends[taken.file] = max(taken.end, ends.get(taken.file, 0))
    with naming(changes, "read"):
        sizes = {entry.name: entry.stat().st_size for entry in os.scandir(changes) if is_change_file(entry)}
    return {name: size - ends.get(name, 0) for name, size in sorted(sizes.items()) if size > ends.get(name, 0)}


def size_below(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.stat(os.path.join(place, name)).st_size
    return total


def _number(value: Json) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
