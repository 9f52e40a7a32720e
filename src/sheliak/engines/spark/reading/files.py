"""Which files Spark reads instead of the driver, and the plans of their rows: the same rows as `rows_of_file` gives."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from sheliak.engines.reference.sources import FileAtHand
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.reading.conversion import convert
from sheliak.engines.spark.reading.inference import Questions, ask
from sheliak.engines.spark.reading.lines import Lines, has_quotes
from sheliak.engines.spark.reading.parquet import scan_parquet
from sheliak.engines.spark.reading.parsers import parsed
from sheliak.engines.spark.reading.paths import is_passed_over
from sheliak.engines.spark.sources import SessionSources
from sheliak.engines.spark.tables import Table
from sheliak.expressions.zones import Zone
from sheliak.loading.batches import FileBatches
from sheliak.loading.columnar import ARROW_MAGIC, PARQUET_MAGIC
from sheliak.loading.data_file import DataFile, Unreadable
from sheliak.loading.delimited import with_header
from sheliak.loading.formats import Format
from sheliak.loading.rows import LoadFailure, usable_format
from sheliak.loading.streams import Unstreamable, delimited_rows
from sheliak.plan.building import with_fields
from sheliak.plan.coercion import NOTHING
from sheliak.plan.column_types import TEXT, UNDEFINED, Nothing, Plain
from sheliak.plan.expressions import PlanExpression
from sheliak.plan.operators import Field, Plan, Scan, Schema, Source
from sheliak.plan.planning import Planning
from sheliak.plan.text_dates import is_text
from sheliak.plan.unplannable import Unplannable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LARGE = 8 << 20
"""Text of at least so many bytes is read by Spark; Parquet always is."""
_SAMPLE = 1000
_MOST_HELD = 256 << 20
_LEAST = 64
"""Text shorter than this may be nothing but a line end, and is always read by the driver."""

FileKind: TypeAlias = Literal["parquet", "arrow", "delimited", "json"]


def kind_of(path: Path, format: Format) -> FileKind | None:
    """What is in a file that Spark may read; None for a topology, and for what cannot be opened. A folder holds Parquet."""
    if path.is_dir():
        return "parquet"
    try:
        with DataFile(path) as file:
            opening = file.bytes_at(0, 8)
    except Unreadable:
        return None
    if format.type in ("arrow", "parquet") or (not format.declared and opening.startswith((ARROW_MAGIC, PARQUET_MAGIC))):
        return "parquet" if opening.startswith(PARQUET_MAGIC) else "arrow"
    if format.separator is not None:
        return "delimited"
    return "json" if format.type == "json" else None


def is_apart(file: FileAtHand) -> bool:
    """Spark reads the file, or what the driver makes of it piece by piece."""
    try:
        kind = kind_of(file.path, usable_format(file.format))
        size = file.path.stat().st_size
    except (LoadFailure, OSError):
        return False
    return kind == "parquet" or (kind is not None and size >= max(LARGE, _LEAST))


def is_too_large(files: Iterable[FileAtHand]) -> bool:
    """The driver cannot be expected to hold the rows of all of them."""
    return sum(file.path.stat().st_size for file in files) > _MOST_HELD


@dataclass(slots=True)
class FileReading:
    """Makes plans of files for one session."""

    sources: SessionSources
    zone: Zone
    used: Callable[[str], bool]
    """Whether the chart may read a column of some name."""

    def plan(self, name: str, file: FileAtHand, planning: Planning) -> Plan | None:
        """The rows of a file; None when the driver must read it as a whole."""
        try:
            format = usable_format(file.format)
            kind = kind_of(file.path, format)
            return self._scanned(name, file.path, format, kind, planning) or self._converted(
                name, file.path, format, kind, planning
            )
        except (LoadFailure, Unstreamable, Unreadable):
            return None

    def _scanned(self, name: str, path: Path, format: Format, kind: FileKind | None, planning: Planning) -> Plan | None:
        """The file as Spark reads it by itself; None for what columns cannot say."""
        if is_passed_over(path):
            return None
        try:
            if kind == "parquet":
                return self._parquet(name, path, format, planning)
            return self._lines(name, path, format, planning) if kind == "delimited" else None
        except Unplannable:
            return None

    def _converted(self, name: str, path: Path, format: Format, kind: FileKind | None, planning: Planning) -> Plan | None:
        batches = FileBatches(path, format, self.zone, columnar=kind in ("parquet", "arrow"))
        target = self.sources.new_path(".parquet")
        return convert(name, batches, target, self.sources.session.read.parquet, planning.column)

    def _parquet(self, name: str, path: Path, format: Format, planning: Planning) -> Plan | None:
        scan = scan_parquet(name, path, self.sources.session, planning, self.used)
        if scan is None:
            return None
        place = scan.source.place
        assert isinstance(place, Table)
        texts = Schema(tuple(field for field in scan.schema.fields if is_text(field.read())))
        return self._parsed(scan, format, planning, {}, lambda: place.frame(texts, position=False))

    def _lines(self, name: str, path: Path, format: Format, planning: Planning) -> Plan:
        header, sample = self._first_rows(path, format)
        places = {field: place for place, field in enumerate(header)}
        fields = tuple(Field(field, planning.column(), TEXT) for field in places)
        columns = {field.column: places[field.name] for field in fields}
        lines = Lines(path, (format.separator or "")[0], columns, self.sources, has_quotes(path), format.header is None)
        if lines.quoted and lines.has_open_cells():
            raise Unplannable("a quoted cell goes on in the next line")
        scan = Scan(Source(name, place=lines), Schema(fields))
        seen = {field: [line[place] if place < len(line) else "" for line in sample] for field, place in places.items()}
        return self._parsed(scan, format, planning, seen, lambda: lines.cut(frozenset(columns)))

    def _first_rows(self, path: Path, format: Format) -> tuple[list[str], list[list[str]]]:
        if any('"' in name for name in format.header or ()):
            raise Unplannable("a name of its header holds a quotation mark")
        before = with_header("", format).removesuffix("\n") if format.header is not None else None
        rows = delimited_rows(path, format.separator or "", before)
        header = next(rows, None)
        if header is None:
            raise Unplannable("it is empty")
        with DataFile(path) as file:
            if before is not None and file.bytes_at(0, 3) == codecs.BOM_UTF8:
                raise Unplannable("a byte order mark stands before the rows")
        return header, list(islice(rows, _SAMPLE))

    # Parsers

    def _parsed(
        self,
        scan: Scan,
        format: Format,
        planning: Planning,
        seen: Mapping[str, list[str]],
        texts: Callable[[], DataFrame],
    ) -> Plan:
        """The scan with its columns parsed, where that is possible for all values of their texts; some were `seen`."""
        reads = scan.schema.reads()
        if format.parse is None:
            return scan
        questions = self._questions(reads, format, seen)
        cells = {field.name: F.col(column_name(field.column)) for field in scan.schema.fields if questions.open(field.name)}
        found = ask(texts(), cells, questions) if cells else {}
        kinds = format.parse if isinstance(format.parse, Mapping) else {**questions.settled(), **found}
        absent = NOTHING[UNDEFINED]
        return with_fields(
            scan, {name: parsed(reads.get(name, absent), kind, self.zone) for name, kind in kinds.items()}, planning
        )

    def _questions(self, reads: Mapping[str, PlanExpression], format: Format, seen: Mapping[str, list[str]]) -> Questions:
        questions = Questions(self.zone)
        for name, read in reads.items():
            if isinstance(format.parse, Mapping):
                if is_text(read) and format.parse.get(name) == "date":
                    questions.dates.add(name)
            elif is_text(read):
                questions.infer(name, [*seen.get(name, [])])
            elif not isinstance(read.of, Plain | Nothing):
                raise Unplannable("it parses lists or objects")
        return questions
