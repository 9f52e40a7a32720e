"""The store: versions of tables in a folder.

    manifests/0000000012.json   version 12: which files make up each table; the highest number is the current version
    tables/...                  the files, never changed once a manifest names them
    lock                        held by the one process that writes

A version becomes visible by the renaming of its manifest, after everything it names is on the disk. So whatever happens, the folder
holds the version before or the version after; files that no manifest names are left over from a crash, and are removed.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Final

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.live.store.disk import (
    checksum,
    discard,
    files_below,
    folders_below,
    naming,
    sync_file,
    sync_folder,
    write_aside,
)
from sheliak.engines.spark.live.store.footers import rows_of
from sheliak.engines.spark.live.store.manifest import (
    Entry,
    Manifest,
    Part,
    TableFile,
    TableState,
    damaged,
    manifest_name,
    read_manifest,
    text_of,
    versions_in,
)
from sheliak.engines.spark.live.store.points import reached
from sheliak.expressions.values import Json

_NOT_PLAIN: Final = re.compile(r"[^A-Za-z0-9_]+")


class Store:
    """The state of one spec in one folder; at most one draft of its next version at a time."""

    def __init__(self, folder: Path, manifest: Manifest, lock: IO[bytes] | None, *, durable: bool) -> None:
        self.folder = folder
        self.durable = durable
        self._manifest = manifest
        self._lock = lock
        self._draft: Draft | None = None
        self._verified: set[str] = set()
        self._is_unsure = False

    @property
    def manifest(self) -> Manifest:
        return self._manifest

    @property
    def batch(self) -> int | None:
        """The last batch that was committed; None before the first."""
        return self._manifest.batch

    @property
    def tables(self) -> list[str]:
        return list(self._manifest.tables)

    @property
    def tables_folder(self) -> Path:
        return self.folder / "tables"

    @property
    def manifests_folder(self) -> Path:
        return self.folder / "manifests"

    def table(self, name: str) -> tuple[TableFile, ...]:
        """The files of a table, none if there is no such table. Raises RunFailure for a file that is not as it was written."""
        entries = self._manifest.tables.get(name, TableState()).entries
        for entry in entries:
            self._verify(entry)
        return tuple([TableFile(self.tables_folder / entry.name, entry.rows, entry.role) for entry in entries])

    def facts(self, name: str) -> Mapping[str, Json]:
        return self._manifest.tables.get(name, TableState()).facts

    def _verify(self, entry: Entry) -> None:
        """Each file is read once in the life of a process; those that it wrote itself were read when they were committed."""
        if entry.name not in self._verified:
            for part in entry.parts:
                _require_whole(
                    self.tables_folder / entry.name / part.name if part.name else self.tables_folder / entry.name, part
                )
            self._verified.add(entry.name)

    def verify(self) -> None:
        """Reads every file. Raises RunFailure for one that is not as it was written."""
        for name in self._manifest.tables:
            self.table(name)

    # The next version

    def begin(self, batch: int) -> Draft:
        """A draft of the next version: with a batch that comes after the last, or with the same one, told in another way."""
        if self._is_unsure:
            raise RunFailure(f"whether the last version was written to {str(self.folder)!r} is not known: open it again")
        self.abandon()
        if self.batch is not None and batch < self.batch:
            raise ValueError(f"batch {batch} comes before batch {self.batch}, which was committed")
        self._draft = Draft(self, batch)
        return self._draft

    def abandon(self) -> None:
        """A draft that was not committed is dropped."""
        if self._draft is not None:
            self._draft.abandon()

    def _make_visible(self, manifest: Manifest, verified: set[str]) -> None:
        path = self.manifests_folder / manifest_name(manifest.version)
        self._is_unsure = True
        try:
            write_aside(path, text_of(manifest), durable=self.durable)
        except RunFailure:
            # Before the renaming nothing has happened; after it, the folder may not be on the disk.
            self._is_unsure = path.exists()
            raise
        self._is_unsure = False
        self._manifest, self._draft = manifest, None
        self._verified = (self._verified | verified) & manifest.files

    # Clean-up

    def clean(self, keep_versions: int = 2) -> None:
        """Removes all manifests but the last ones, then the files that no kept one names."""
        keep_versions = max(keep_versions, 1)
        versions = [version for version in versions_in(self.manifests_folder) if version != self._manifest.version]
        kept = {version: files for version in versions[len(versions) + 1 - keep_versions :] if (files := self._files_of(version))}
        older = [self.manifests_folder / manifest_name(version) for version in versions if version not in kept]
        discard(older)
        reached("clean: manifests removed")
        if older and self.durable:
            sync_folder(self.manifests_folder)
        named = self._manifest.files.union(*kept.values())
        if self._draft is not None:
            named |= self._draft.files
        leftover = [path for path in self._listed(self.tables_folder) if path.name not in named]
        for path in leftover:
            discard([path])
            reached("clean: a file removed")

    def _files_of(self, version: int) -> set[str]:
        """The files of an older version; none where its manifest is damaged, since nothing depends on it."""
        try:
            return read_manifest(self.manifests_folder / manifest_name(version)).files
        except RunFailure:
            return set()

    @staticmethod
    def _listed(folder: Path) -> list[Path]:
        with naming(folder, "read"):
            return sorted(folder.iterdir())

    def close(self) -> None:
        """Lets another process have the folder; a draft that was not committed is dropped."""
        self.abandon()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _forget(self, draft: Draft) -> None:
        if self._draft is draft:
            self._draft = None


class Draft:
    """A version in the making. Nothing of it can be seen before `commit`, nothing is left of it after `abandon`."""

    def __init__(self, store: Store, batch: int) -> None:
        self._store = store
        self._batch = batch
        self._tables = dict(store.manifest.tables)
        self._token = secrets.token_hex(4)  # a process that outlives the one that started it never writes to files of the next
        self._new: dict[str, Path] = {}
        self._is_over = False

    @property
    def batch(self) -> int:
        return self._batch

    @property
    def files(self) -> set[str]:
        """The names of the files that this draft made."""
        return set(self._new)

    def new_file(self, name: str, suffix: str) -> Path:
        """A place for a file of a table, where nothing is yet; without a suffix it may become a folder."""
        plain = _NOT_PLAIN.sub("_", name)[:40]
        file = f"{self._store.manifest.version + 1:010}-{len(self._new):04}-{self._token}-{plain}{suffix}"
        self._new[file] = self._store.tables_folder / file
        return self._new[file]

    def table(self, name: str) -> tuple[TableFile, ...]:
        """The files of a table as they are in this draft, those that are new included."""
        self._store.table(name)
        entries = self._tables.get(name, TableState()).entries
        return tuple([TableFile(self._store.tables_folder / entry.name, entry.rows, entry.role) for entry in entries])

    def facts(self, name: str) -> Mapping[str, Json]:
        return self._tables.get(name, TableState()).facts

    def append(self, name: str, files: Sequence[Path], role: str) -> None:
        """New files after those of a table."""
        table = self._tables.get(name, TableState())
        self._tables[name] = replace(table, entries=(*table.entries, *(self._entry(file, role) for file in files)))

    def replace(self, name: str, files: Sequence[Path], role: str) -> None:
        """New files in the place of all of a table's."""
        table = self._tables.get(name, TableState())
        self._tables[name] = replace(table, entries=tuple([self._entry(file, role) for file in files]))

    def forget(self, name: str, files: Sequence[TableFile]) -> None:
        """Some files are no part of a table any more."""
        table, gone = self._tables[name], {file.path.name for file in files}
        self._tables[name] = replace(table, entries=tuple([entry for entry in table.entries if entry.name not in gone]))

    def remove(self, name: str) -> None:
        """There is no such table any more."""
        self._tables.pop(name, None)

    def set_facts(self, name: str, facts: Mapping[str, Json]) -> None:
        """What is known of a table from now on, instead of what was."""
        self._tables[name] = replace(self._tables.get(name, TableState()), facts=dict(facts))

    def _entry(self, path: Path, role: str) -> Entry:
        if self._new.get(path.name) != path:
            raise ValueError(f"{path} is no new file of this draft")
        return Entry(path.name, rows_of(path), role, ())

    # The end of a draft

    def commit(self) -> None:
        """Makes the version visible. Raises RunFailure, with the version before it still there, or `abandon` to be called."""
        assert not self._is_over, "a draft is committed or abandoned once"
        try:
            reached("state: before files")
            tables = {name: self._finished(table) for name, table in self._tables.items()}
            if self._new and self._store.durable:
                sync_folder(self._store.tables_folder)
            reached("manifest: before")
            self._store._make_visible(self._store.manifest.next(self._batch, tables), set(self._new))
        except RunFailure:
            self.abandon()
            raise
        self._is_over = True
        reached("manifest: after")

    def _finished(self, table: TableState) -> TableState:
        entries = [replace(one, parts=self._parts(one.name)) if one.name in self._new else one for one in table.entries]
        return replace(table, entries=tuple(entries))

    def _parts(self, name: str) -> tuple[Part, ...]:
        """Brings a file to the disk and sums it up."""
        top, parts = self._new[name], []
        for path in files_below(top):
            if self._store.durable:
                sync_file(path)
            parts.append(Part("" if path == top else path.relative_to(top).as_posix(), *checksum(path)))
        if self._store.durable:
            for folder in folders_below(top):
                sync_folder(folder)
        return tuple(parts)

    def abandon(self) -> None:
        """Removes what was written, if it has not become visible."""
        if not self._is_over:
            self._is_over = True
            self._store._forget(self)
            if not self._store._is_unsure:
                discard(self._new.values())


def _require_whole(path: Path, part: Part) -> None:
    if not path.is_file():
        raise damaged(path, "the file is not there")
    size = path.stat().st_size
    if size != part.size:
        raise damaged(path, f"it has {size:,} bytes instead of {part.size:,}")
    if checksum(path) != (part.size, part.checksum):
        raise damaged(path, "its checksum is not that of its content")


# Opening


def open_store(folder: Path, identity: str, *, durable: bool = True) -> Store:
    """The store of a folder, which is made if it is not there. `identity` says whose state it is.

    Raises RunFailure where the folder holds the state of something else, is used by another process, or is damaged.
    """
    with naming(folder):
        for part in ("manifests", "tables"):
            (folder / part).mkdir(parents=True, exist_ok=True)
    lock = _locked(folder / "lock", patience=0.5)
    try:
        manifest = current_manifest(folder) or Manifest(identity)
        if manifest.identity != identity:
            raise RunFailure(
                f"{str(folder)!r} holds the state of another spec, of other options, or of another version of Sheliak",
                help="give another folder, or empty this one to start again from the sources",
            )
        store = Store(folder, manifest, lock, durable=durable)
        _remove_leftovers(store)
        return store
    except BaseException:
        lock.close()
        raise


def current_manifest(folder: Path) -> Manifest | None:
    """The manifest of the current version, also while another process writes the next; None for a folder without state."""
    for _ in range(20):
        versions = versions_in(folder / "manifests")
        if not versions:
            return None
        path = folder / "manifests" / manifest_name(versions[-1])
        try:
            return read_manifest(path)
        except RunFailure:
            if path.exists():
                raise
            continue  # a writer has cleaned up since: there is a newer one
    raise RunFailure(f"{str(folder)!r} changes faster than it can be read")


def _remove_leftovers(store: Store) -> None:
    """What an unfinished version left, and versions before the last two."""
    with suppress(OSError):
        discard(path for path in store.manifests_folder.iterdir() if path.name.endswith(".aside"))
    store.clean()


def _locked(path: Path, patience: float = 0.0) -> IO[bytes]:
    """The lock of a folder, which ends with the process that holds it; who only looks whether it is held, holds it for a moment."""
    with naming(path):
        lock = path.open("ab")
    if os.name == "posix":
        import fcntl

        deadline = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as problem:
                if time.monotonic() >= deadline:
                    lock.close()
                    raise RunFailure(f"{str(path.parent)!r} is used by another process") from problem
            time.sleep(0.05)
    return lock


def is_in_use(folder: Path) -> bool:
    """Another process, or another store of this one, holds the folder."""
    try:
        _locked(folder / "lock").close()
    except RunFailure:
        return True
    return False
