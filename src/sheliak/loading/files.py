"""`data[].url`: a file at hand is looked at, a large one in part; of anything else nothing is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from sheliak.diagnostics.finding import Finding
from sheliak.diagnostics.loading import UnreadableData
from sheliak.loading.data_file import Unreadable
from sheliak.loading.file_reading import DELIMITED, extension_of, read_shape, type_missing
from sheliak.loading.folders import DataFolders
from sheliak.loading.formats import Format
from sheliak.loading.table import SOURCE, UNSEEN_SHAPE, Loaded, Shape, at, loaded
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


def _problems_of_unseen(url: str, format: Format, refused: str | None) -> Iterator[Finding]:
    if refused is not None:
        yield _unreadable(url, refused)
    kind = DELIMITED.get(extension_of(url))
    # A url with a query may be answered with anything, whatever it ends in.
    if kind is not None and not format.declared and "?" not in url:
        yield type_missing(url, kind, format)


def _shape_of_path(path: Path, url: str, format: Format) -> Shape:
    """One reading serves every spec that names the file, until the file changes."""
    try:
        status = path.stat()
    except OSError as error:
        return replace(UNSEEN_SHAPE, problems=(_unreadable(url, str(error.strerror).lower()),))
    return _shape_of_version(path, status.st_mtime_ns, status.st_size, url, format)


@lru_cache(maxsize=512)
def _shape_of_version(path: Path, modified: int, size: int, url: str, format: Format) -> Shape:
    try:
        return read_shape(path, url, format)
    except Unreadable as error:
        return replace(UNSEEN_SHAPE, problems=(_unreadable(url, str(error)),))


def _unreadable(url: str, reason: str) -> UnreadableData:
    return UnreadableData(place=at(SOURCE), file=url, reason=reason)
