"""What a version of the state consists of: its batch, its tables, their files with size and checksum, their facts."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.live.store.disk import naming
from sheliak.expressions.values import Json

FORMAT: Final = 1
_NAME: Final = re.compile(r"(\d{10})\.json")


@dataclass(frozen=True, slots=True)
class TableFile:
    """An immutable file of a table, or a folder of such files that Spark wrote."""

    path: Path
    rows: int
    role: str


@dataclass(frozen=True, slots=True)
class Part:
    """A file as it must be on the disk; `name` is its place below the folder that holds it, empty for the file itself."""

    name: str
    size: int
    checksum: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a table; `name` is its place in the folder of tables."""

    name: str
    rows: int
    role: str
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)


@dataclass(frozen=True, slots=True)
class TableState:
    """The files of a table in their order, and what is known of it."""

    entries: tuple[Entry, ...] = ()
    facts: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Manifest:
    """One version."""

    identity: str
    version: int = 0
    batch: int | None = None
    tables: Mapping[str, TableState] = field(default_factory=dict)

    def next(self, batch: int, tables: Mapping[str, TableState]) -> Manifest:
        return replace(self, version=self.version + 1, batch=batch, tables=tables)

    @property
    def files(self) -> set[str]:
        """The names of all files of this version."""
        return {entry.name for table in self.tables.values() for entry in table.entries}

    @property
    def size(self) -> int:
        return sum(entry.size for table in self.tables.values() for entry in table.entries)


# Names


def manifest_name(version: int) -> str:
    return f"{version:010}.json"


def versions_in(folder: Path) -> list[int]:
    """The versions whose manifests are in a folder, ascending."""
    if not folder.is_dir():
        return []
    with naming(folder, "read"):
        return sorted(int(found[1]) for path in folder.iterdir() if (found := _NAME.fullmatch(path.name)))


# Text: a line with the checksum of the rest, then JSON


def text_of(manifest: Manifest) -> bytes:
    document = {
        "format": FORMAT,
        "identity": manifest.identity,
        "version": manifest.version,
        "batch": manifest.batch,
        "tables": {name: _table_object(table) for name, table in manifest.tables.items()},
    }
    body = json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode()
    return b"%08x\n%s\n" % (zlib.crc32(body), body)


def _table_object(table: TableState) -> Json:
    entries: list[Json] = [
        {
            "file": entry.name,
            "rows": entry.rows,
            "role": entry.role,
            "parts": [[part.name, part.size, part.checksum] for part in entry.parts],
        }
        for entry in table.entries
    ]
    return {"files": entries, "facts": dict(table.facts)}


def read_manifest(path: Path) -> Manifest:
    """A manifest whose checksum is right. Raises RunFailure, which names the file."""
    with naming(path, "read"):
        raw = path.read_bytes()
    told, _, body = raw.removesuffix(b"\n").partition(b"\n")
    if told != b"%08x" % zlib.crc32(body):
        raise damaged(path, "its checksum is not that of its content")
    document = json.loads(body)
    if document["format"] != FORMAT:
        raise RunFailure(f"{str(path)!r} was written by another version of Sheliak (format {document['format']})")
    tables = {name: _table_of(table) for name, table in document["tables"].items()}
    return Manifest(document["identity"], document["version"], document["batch"], tables)


def _table_of(table: Mapping[str, Json]) -> TableState:
    files, facts = table["files"], table["facts"]
    assert isinstance(files, list) and isinstance(facts, dict)
    return TableState(tuple([_entry_of(entry) for entry in files if isinstance(entry, dict)]), facts)


def _entry_of(entry: Mapping[str, Json]) -> Entry:
    parts, rows = entry["parts"], entry["rows"]
    assert isinstance(parts, list) and isinstance(rows, int)
    return Entry(str(entry["file"]), rows, str(entry["role"]), tuple([_part_of(part) for part in parts]))


def _part_of(part: Json) -> Part:
    assert isinstance(part, list)
    name, size, checksum = part
    assert isinstance(size, int) and isinstance(checksum, int)
    return Part(str(name), size, checksum)


def damaged(path: Path, reason: str) -> RunFailure:
    """A file of the state that is not what was written."""
    return RunFailure(
        f"the state is damaged: {str(path)!r}: {reason}",
        help="bring the folder back from a copy, or start again from the sources with an empty folder",
    )
