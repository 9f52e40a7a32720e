"""Reading one data file: JSON, TopoJSON or delimited text, sampled when it is large."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from sheliak.diagnostics.loading import FormatTypeMismatch, FormatTypeMissing
from sheliak.diagnostics.registry import Diagnostic
from sheliak.loading.data_file import DataFile, Unreadable
from sheliak.loading.delimited import cells_of, table_of_cells, table_of_text, with_header
from sheliak.loading.distinct import distinct_texts
from sheliak.loading.documents import document_path, table_of_part
from sheliak.loading.formats import Format
from sheliak.loading.json_text import LIMIT, Looked, look_at, whole_member, whole_value
from sheliak.loading.shape import SOURCE, at
from sheliak.loading.table import Survey, Table, survey_of, survey_of_sample
from sheliak.source.declared import dataclass, replace

WHOLE = 1 << 18
"""Delimited text up to this size is read whole."""
OPENING = 1 << 16
WINDOW = 1 << 14
DELIMITED = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv"}
COLUMNAR = {".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".arrows": "arrow", ".feather": "arrow"}
_HEADER_LIMIT = 1 << 23
_JSON_ROWS = re.compile(r'\s*(?:\[\s*)?\{\s*"')


@dataclass(frozen=True, slots=True)
class Reading:
    """What one look at a file gave: what was seen (None when there is nothing to see), and the format it really has."""

    survey: Survey | None
    format: Format
    problems: tuple[Diagnostic, ...] = ()


def read_file(path: Path, url: str, format: Format, infer: bool) -> Reading:
    """What the file's rows look like before `parse`; raises Unreadable. `url` is what the spec calls it."""
    with DataFile(path) as file:
        meant, problem = _meant_format(file, url, format)
        if meant.separator is not None:
            found: Survey | Diagnostic = _survey_of_delimited(file, url, meant, infer)
        else:
            found = _survey_of_json(file, path, url, meant, infer)
    if isinstance(found, Diagnostic):
        return Reading(None, meant, (problem or found,))
    return Reading(found, meant, (problem,) if problem is not None else ())


def extension_of(url: str) -> str:
    """The extension of the file that a url ends in, lower case."""
    return os.path.splitext(url.partition("?")[0].partition("#")[0])[1].lower()


def _meant_format(file: DataFile, url: str, format: Format) -> tuple[Format, Diagnostic | None]:
    """The format that the file is really in, and the finding when the spec says another."""
    kind = DELIMITED.get(extension_of(url))
    if format.type == "json" and kind is not None:
        if file.text_at(0, 256).lstrip()[:1] not in ("[", "{"):
            missing = FormatTypeMissing(place=at(SOURCE), source=f"`{url}`", type=kind, declared=format.declared)
            return replace(format, type=kind, property=None), missing
    elif format.separator is not None and _JSON_ROWS.match(file.text_at(0, 256)):
        mismatch = FormatTypeMismatch(place=at("format", "type"), source=f"`{url}`", type=format.type)
        return replace(format, type="json", header=None), mismatch
    return format, None


def _survey_of_json(file: DataFile, path: Path, url: str, format: Format, infer: bool) -> Survey | Diagnostic:
    path_of_rows = document_path(format)
    looked = Looked(whole_member(file, path_of_rows)) if format.type == "topojson" else look_at(file, path_of_rows)
    table = table_of_part(looked.value, format)
    if isinstance(table, Diagnostic):
        return table
    if looked.complete:
        return survey_of(table, infer)
    return survey_of_sample(table, infer, KeySearch(path), _sample_note(table.count, looked.rows / looked.share, url))


def _sample_note(count: int, estimate: float, url: str) -> str:
    # Two significant digits: the number of all rows is an estimate.
    return f"looked at {count:,} of about {int(float(f'{estimate:.2g}')):,} rows of `{url}`"


def _survey_of_delimited(file: DataFile, url: str, format: Format, infer: bool) -> Survey:
    if file.size <= WHOLE:
        return survey_of(_whole_table(file, format), infer)
    opening = _opening(file)
    cut = max(opening.rfind("\n"), opening.rfind("\r"))
    rows = cells_of(with_header(opening[: cut + 1], format), format.separator or "")
    # A quoted cell may go on past the cut, and past the start of a piece further in.
    further = _rows_further_in(file, format.separator or "") if '"' not in opening else []
    header, first = rows[0] or [""], rows[1:] if '"' not in opening else rows[1:-1]
    table = table_of_cells(header, first + further)
    return survey_of_sample(table, infer, None, _sample_note(table.count, len(first) * file.size / cut, url))


def _opening(file: DataFile) -> str:
    """The first lines: at least the header and one row, however long they are."""
    length = OPENING
    while length <= _HEADER_LIMIT:
        text = file.text_at(0, length)
        if text.count("\n", 0, -1) + text.count("\r", 0, -1) >= 2:
            return text
        length *= 4
    raise Unreadable("its first lines are longer than 8 MB")


def _rows_further_in(file: DataFile, separator: str) -> list[list[str]]:
    """Whole lines from the middle and the end; a piece with quotes is left out, because a quoted cell may span lines."""
    rows: list[list[str]] = []
    for start in (file.size // 2, file.size - WINDOW):
        lines = file.text_at(start, WINDOW)
        if '"' not in lines:
            rows += cells_of(lines, separator)[1:-1]
    return rows


def _whole_table(file: DataFile, format: Format) -> Table:
    return table_of_text(with_header(file.text(), format), format.separator or "")


class KeySearch:
    """Asks a whole JSON file whether any object in it, at any depth, has a member of some name."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, bool] = {}

    def __call__(self, name: str) -> bool:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._search(name)
        return known

    def _search(self, name: str) -> bool:
        pattern, longest = _key_pattern(name)
        try:
            with DataFile(self._path) as file:
                return file.matches(pattern, longest)
        except Unreadable:
            return True


def _key_pattern(name: str) -> tuple[re.Pattern[bytes], int]:
    """The name as a key, written plainly or with the escapes that JSON writers use; and the most bytes it can take."""
    plain, escaped = json.dumps(name, ensure_ascii=False), json.dumps(name)
    upper = re.sub(r"\\u[0-9a-f]{4}", lambda found: "\\u" + found.group()[2:].upper(), escaped)
    spellings = {spelling for text in (plain, escaped, upper) for spelling in (text, text.replace("/", "\\/"))}
    forms = [re.escape(spelling.encode("utf-8", "surrogatepass")) for spelling in sorted(spellings)]
    return re.compile(b"(?:" + b"|".join(forms) + rb")[ \t\r\n]{0,64}:"), max(map(len, forms)) + 65


class DistinctOfFile:
    """Reads the whole file, unless it is very large, for the texts that one of its columns takes."""

    def __init__(self, path: Path, format: Format) -> None:
        self._path = path
        self._format = format
        self._known: dict[str, frozenset[str] | None] = {}

    def __call__(self, name: str) -> frozenset[str] | None:
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def _read(self, name: str) -> frozenset[str] | None:
        try:
            with DataFile(self._path) as file:
                table = self._table(file) if file.size <= LIMIT else None
        except Unreadable:
            return None
        return distinct_texts(table, self._format, name) if isinstance(table, Table) else None

    def _table(self, file: DataFile) -> Table | Diagnostic:
        if self._format.separator is not None:
            return _whole_table(file, self._format)
        return table_of_part(whole_value(file, document_path(self._format)), self._format)
