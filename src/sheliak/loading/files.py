"""`data[].url`: a file at hand is looked at, a large one in part; of anything else nothing is known."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from sheliak.diagnostics.loading import FormatTypeMissing, UnreadableData
from sheliak.diagnostics.registry import Diagnostic
from sheliak.loading.columnar import shape_of_columnar
from sheliak.loading.data_file import Unreadable
from sheliak.loading.file_reading import COLUMNAR, DELIMITED, DistinctOfFile, Reading, extension_of, read_file
from sheliak.loading.folders import DataFolders
from sheliak.loading.formats import Format
from sheliak.loading.shape import SOURCE, UNSEEN_SHAPE, Loaded, Shape, at, loaded, shape_of_problem, shape_of_survey
from sheliak.source.declared import replace
from sheliak.source.tree import Node


def shape_of_url(node: Node, format: Format | None, dataset: str, folders: DataFolders) -> Loaded:
    """The record of the rows in the file that `node`, a data definition's `url`, names; open when it is not at hand."""
    url = node.text
    if url is None or format is None:
        return loaded(UNSEEN_SHAPE, node, dataset, "url")
    located = folders.locate(url)
    if located.path is not None:
        return loaded(_shape_of_path(located.path, url, format), node, dataset, "url")
    problems = tuple(_problems_of_unseen(url, format, located.refused))
    return loaded(replace(UNSEEN_SHAPE, problems=problems, note=f"`{url}` is not at hand"), node, dataset, "url")


def _problems_of_unseen(url: str, format: Format, refused: str | None) -> Iterator[Diagnostic]:
    if refused is not None:
        yield _unreadable(url, refused)
    kind = DELIMITED.get(extension_of(url))
    # A url with a query may be answered with anything, whatever it ends in.
    if kind is not None and not format.declared and "?" not in url:
        yield FormatTypeMissing(place=at(SOURCE), source=f"`{url}`", type=kind, seen=False)


def _unreadable(url: str, reason: str) -> UnreadableData:
    return UnreadableData(place=at(SOURCE), file=url, reason=reason)


def _shape_of_path(path: Path, url: str, format: Format) -> Shape:
    try:
        status = path.stat()
    except OSError as error:
        return shape_of_problem(_unreadable(url, str(error.strerror).lower()))
    return _shape_of_version(path, status.st_mtime_ns, status.st_size, url, _essential(url, format))


def _essential(url: str, format: Format) -> Format:
    """The format without what does not change the shape; a columnar file is one, whether the spec says so or not."""
    extension = extension_of(url)
    kind = COLUMNAR.get(extension, format.type) if not format.declared else format.type
    declared = format.declared and extension in DELIMITED
    return replace(format, type=kind, declared=declared, copy=False, filter=None)


@lru_cache(maxsize=512)
def _shape_of_version(path: Path, modified: int, size: int, url: str, format: Format) -> Shape:
    """One shape serves every spec that names the file in the same way, until the file changes."""
    try:
        if format.type in ("arrow", "parquet"):
            return shape_of_columnar(path, url, format)
        reading = _reading_of_version(path, modified, size, url, replace(format, parse=None), format.parse == "auto")
    except Unreadable as error:
        return shape_of_problem(_unreadable(url, str(error)))
    return _shape_of_reading(reading, path, format)


@lru_cache(maxsize=256)
def _reading_of_version(path: Path, modified: int, size: int, url: str, format: Format, infer: bool) -> Reading:
    """One reading serves every `parse`."""
    return read_file(path, url, format, infer)


def _shape_of_reading(reading: Reading, path: Path, format: Format) -> Shape:
    """The shape under the spec's `parse`, of the format that the file really has."""
    if reading.survey is None:
        return replace(UNSEEN_SHAPE, problems=reading.problems)
    meant = replace(reading.format, parse=format.parse)
    shape = shape_of_survey(reading.survey, meant)
    return replace(shape, problems=reading.problems or shape.problems, distinct=DistinctOfFile(path, meant))
