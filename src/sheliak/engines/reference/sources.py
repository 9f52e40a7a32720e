"""Where the rows of a dataset come from: inline values, a file at hand, a `data:` url."""

from __future__ import annotations

from urllib.parse import unquote_to_bytes

from sheliak.engines.protocol import Unavailable
from sheliak.expressions.values import Row, Value, to_text
from sheliak.expressions.zones import Zone
from sheliak.loading.folders import DataFolders
from sheliak.loading.rows import LoadedRows, rows_of_file, rows_of_text
from sheliak.source.tree import Node


def rows_of_url(url: Value, format: Node | None, folders: DataFolders, zone: Zone) -> LoadedRows:
    """The rows behind a url; raises Unavailable for one that only the renderer may fetch."""
    text = to_text(url, zone)
    if text.startswith("data:"):
        return _rows_of_data_url(text, format, zone)
    located = folders.locate(text)
    if located.path is not None:
        return rows_of_file(located.path, text, format, zone)
    if located.refused is not None:
        raise Unavailable(f"`{text}` is not read: {located.refused}")
    if is_remote(text):
        raise Unavailable(f"`{text}` is not at hand")
    return LoadedRows([], f"Loading failed {text}: there is no such file")


def is_remote(url: str) -> bool:
    """The url names another machine."""
    scheme, separator, _ = url.partition("://")
    return url.startswith("//") or bool(separator and scheme.isalnum() and scheme != "file")


def _rows_of_data_url(url: str, format: Node | None, zone: Zone) -> LoadedRows:
    kind, comma, content = url.removeprefix("data:").partition(",")
    if not comma:
        return LoadedRows([], "Loading failed: the data url has no comma")
    data = unquote_to_bytes(content)
    if kind.lower().endswith(";base64"):
        import base64

        data = base64.b64decode(data + b"=" * (-len(data) % 4))
    return rows_of_text(data.decode("utf-8", "replace"), "data:", format, zone)


def are_objects(rows: list[Row]) -> bool:
    """Every row is an object: an array, or a plain value that a signal gave, is not."""
    return all(isinstance(row, dict) for row in rows)
