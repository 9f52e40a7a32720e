"""The rows of a source: what it started with, and what has become of them since, newest last.

A row keeps its place while it is updated; a new one, and one that comes back, goes to the end. To look up some rows costs what these rows
cost, however many there are: ids of the first rows are their numbers, those of later files are found by their hashes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from pathlib import Path
from typing import Any, NamedTuple, cast

from sheliak.changes.change import Add, Change, Error, Rejected, Remove, Trace, Update
from sheliak.changes.lines import Line
from sheliak.engines.spark.live.segments import (
    Segment,
    Version,
    are_numbers,
    bare,
    fit,
    hashes_of,
    later_segment,
    merged,
    read_segment,
    versions_of,
    write_segment,
)
from sheliak.engines.spark.live.store import Draft, Store, TableFile
from sheliak.expressions.values import Row
from sheliak.plan.column_types import ColumnType, Missing, Nothing, unified

_FAN = 8
"""So many later files of about one size become one."""
_MOST = 4 * _FAN
"""With more later files than this all become one, whatever their sizes."""
SCANNED = "scan"
"""The role of files that Spark reads; others are read row by row."""


class Touched(NamedTuple):
    """What a pulse does to one row of a source."""

    before: Version | None
    after: Version | None


@dataclass(frozen=True)
class SourceTable:
    """The rows of a source at one moment."""

    name: str
    segments: tuple[Segment, ...]
    count: int
    """How many rows there are."""
    next: int
    """The place of the next new row."""
    scanned: Path | None = None
    """The first rows as Spark reads them, where they are many."""
    kind: str = "source"

    # Rows

    def versions(self, ids: Sequence[Trace]) -> list[Version | None]:
        """The rows with these ids, as they are; None for those that are not there and never were."""
        import numpy as np

        found: list[Version | None] = [None] * len(ids)
        later = self.segments[1:]
        hashes = hashes_of(ids) if later else None
        # In the order in which files have them: neighbours are found near each other.
        left = np.arange(len(ids)) if hashes is None else np.argsort(hashes, kind="stable")
        indices: list[int] = []
        wanted: list[tuple[Segment, Any]] = []
        for segment in reversed(later):
            places = segment.found(ids, hashes, left)
            is_here = places >= 0
            if is_here.any():
                indices += left[is_here].tolist()
                wanted.append((segment, places[is_here]))
                left = left[~is_here]
        first, numbers = self._first(ids, left)
        for index, version in zip([*indices, *first], [*versions_of(wanted), *self.segments[0].versions(numbers)], strict=True):
            found[index] = version
        return found

    def _first(self, ids: Sequence[Trace], left: Any) -> tuple[list[int], list[int]]:
        """Which of the ids are those of first rows, and the numbers of these."""
        import numpy as np

        count = self.segments[0].count
        if are_numbers(ids):
            numbers = np.asarray(ids, dtype=np.int64)[left] - 1
            is_first = (numbers >= 0) & (numbers < count)
            first, numbers = left[is_first], numbers[is_first]
            order = np.argsort(numbers)
            return first[order].tolist(), numbers[order].tolist()
        first = [
            index for index in left.tolist() if isinstance(id := ids[index], (int, float)) and 0 < id <= count and id == int(id)
        ]
        return first, [int(cast("float", ids[index])) - 1 for index in first]

    def newest(self) -> list[Version]:
        """The newest version of every row that is not as it was at first."""
        known: dict[Trace, Version] = {}
        for segment in self.segments[1:]:
            known.update((one.id, one) for one in segment.all())
        return list(known.values())

    @cached_property
    def later(self) -> dict[int, Version]:
        """The newest versions by their places."""
        return {one.place: one for one in self.newest()}

    def all(self) -> list[Version]:
        """All rows in their order."""
        later = self.later
        ids = {one.id for one in later.values()}
        first = [one for one in self.segments[0].all() if one.id not in ids]
        found = [*first, *(one for one in later.values() if one.row is not None)]
        return sorted(found, key=lambda one: one.place)

    def id_at(self, place: int) -> Trace:
        """The id of the row at a place."""
        known = self.later.get(place)
        return known.id if known is not None else place + 1

    @cached_property
    def types(self) -> dict[str, ColumnType]:
        """Types that hold all rows."""
        found = dict(self.segments[0].types)
        absent = Nothing(Missing.UNDEFINED)
        for segment in self.segments[1:]:
            names = dict.fromkeys([*found, *segment.types])
            if segment.types != found:
                found = {name: unified(found.get(name, absent), segment.types.get(name, absent)) for name in names}
        return found

    # Changes

    def admitted(self, pulses: Iterable[Sequence[Line]]) -> dict[Trace, Touched]:
        """What lines do to rows, one by one. Raises Rejected for one that does not fit what is there."""
        lines = [line for pulse in pulses for line in pulse]
        ids = list(dict.fromkeys([line.id for line in lines]))
        before = dict(zip(ids, self.versions(ids), strict=True))
        found: dict[Trace, Touched] = {}
        place = self.next
        for line in lines:
            number, _, kind, id, row = line
            touched = found.get(id)
            if touched is None:
                old = first = before[id]
                if first is not None and first.row is None:
                    old = first = None
            else:
                first, old = touched
            if (kind == "add") is (old is not None):
                raise Rejected(Error(self.name, id, f"{_unfit(line)} (line {number})"))
            if row is None:
                new = None
            elif old is None:
                new = Version(id, place, bare(row))
                place += 1
            else:
                new = Version(id, old.place, bare(row))
            found[id] = Touched(first, new)
        if len(found) == len(lines):
            return found
        return {id: one for id, one in found.items() if one.before is not None or one.after is not None}

    def after(self, touched: Iterable[Touched]) -> SourceTable:
        """The rows after changes, with a file that is still to be written."""
        versions, count, place = list[Version](), self.count, self.next
        for one in touched:
            known = one.after or one.before
            assert known is not None
            versions.append(one.after or known._replace(row=None))
            count += (one.after is not None) - (one.before is not None)
            if one.after is not None:
                place = max(place, one.after.place + 1)
        if not versions:
            return self
        return self.with_versions(versions, count, place)

    def with_versions(self, versions: Sequence[Version], count: int, place: int) -> SourceTable:
        """The rows with other versions of some."""
        segment = later_segment(versions, self.types)
        return replace(self, segments=(*self.segments, segment), count=count, next=place)

    def holds(self, rows: Sequence[Row]) -> bool:
        """The types hold other rows as well."""
        return fit(rows, self.types)

    # Files

    def compacted(self) -> SourceTable:
        """The same rows in fewer files: each is several times as large as the next."""
        segments = list(self.segments)
        while len(segments) > _FAN and (_alike(segments[-_FAN:]) or len(segments) > _MOST):
            several = segments[-_FAN:] if len(segments) <= _MOST else segments[1:]
            segments[-len(several) :] = [reduce(merged, several)]
        return replace(self, segments=tuple(segments)) if len(segments) < len(self.segments) else self

    def write(self, draft: Draft, before: SourceTable | None) -> SourceTable:
        """Puts what is new into a draft; the same table, whose rows are where they were written."""
        table = f"{self.kind}:{self.name}"
        old = before.segments if before is not None else ()
        kept = [one for one in self.segments if any(one is other for other in old)]
        files = [file for file in draft.table(table) if file.role != SCANNED]
        gone = [file for file, segment in zip(files, old, strict=True) if not any(segment is one for one in kept)]
        if gone:
            draft.forget(table, gone)
        for segment in self.segments[len(kept) :]:
            path = draft.new_file(table, ".arrow")
            write_segment(segment, path)
            draft.append(table, [path], "rows")
        draft.set_facts(table, {"count": self.count, "next": self.next})
        return self


def _alike(segments: Sequence[Segment]) -> bool:
    """They are of about one size."""
    sizes = [segment.count for segment in segments]
    return max(sizes) <= _FAN * max(min(sizes), 1)


def _unfit(line: Line) -> str:
    """Why a line does not fit what is there."""
    return "add of a row that is there already" if line.kind == "add" else f"{line.kind} of a row that is not there"


def read_source(store: Store, name: str, kind: str = "source") -> SourceTable:
    """A source as the store has it."""
    table = f"{kind}:{name}"
    files, facts = store.table(table), store.facts(table)
    count, place = facts["count"], facts["next"]
    assert isinstance(count, int) and isinstance(place, int)
    scanned = next((file.path for file in files if file.role == SCANNED), None)
    return SourceTable(name, tuple(_segments(files)), count, place, scanned, kind)


def _segments(files: Iterable[TableFile]) -> list[Segment]:
    return [read_segment(file.path) for file in files if file.role != SCANNED]


def line_of(number: int, dataset: str, change: Change) -> Line:
    """A change as a line of a pulse."""
    match change:
        case Add(trace, row):
            return Line(number, dataset, "add", trace, row)
        case Update(trace, _, new):
            return Line(number, dataset, "update", trace, new)
        case Remove(trace):
            return Line(number, dataset, "remove", trace, None)
