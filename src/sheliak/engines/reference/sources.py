"""Where the rows of a dataset come from: a file at hand, one of a host that is allowed, a `data:` url."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_to_bytes

from sheliak.engines.protocol import Unavailable
from sheliak.expressions.values import Row, Value, to_text
from sheliak.expressions.zones import Zone
from sheliak.loading.folders import DataFolders
from sheliak.loading.remote import RemoteFiles, Unfetched, host_of
from sheliak.loading.rows import LoadedRows, rows_of_file, rows_of_text
from sheliak.source.tree import Node


@dataclass(frozen=True, slots=True)
class FileAtHand:
    """A file that a dataset's url means, and how its text becomes rows."""

    path: Path
    url: str
    format: Node | None


class Refused(Unavailable):
    """There is such a file, and it may not be read."""


def rows_of_url(
    url: Value, format: Node | None, folders: DataFolders, zone: Zone, remote: RemoteFiles | None = None
) -> LoadedRows:
    """The rows behind a url; raises Unavailable for one that only the renderer may fetch."""
    text = to_text(url, zone)
    if text.startswith("data:"):
        return _rows_of_data_url(text, format, zone)
    try:
        path = located(text, folders, remote)
    except Unfetched as problem:
        return LoadedRows([], f"Loading failed {text}: {problem}")
    if path is None:
        return LoadedRows([], f"Loading failed {text}: there is no such file")
    return rows_of_file(path, text, format, zone)


def located(url: str, folders: DataFolders, remote: RemoteFiles | None = None) -> Path | None:
    """The file that a url means, None where there is none; raises Unavailable, and Unfetched for an allowed host's."""
    found = folders.locate(url)
    if found.path is not None:
        return found.path
    if found.refused is not None:
        raise Refused(f"`{url}` is not read: {found.refused}")
    if not is_remote(url):
        return None
    if remote is not None and remote.allows(url if not url.startswith("//") else f"https:{url}"):
        return remote.fetch(url)
    host = host_of(url)
    option = f"; `--allow-host {host}` lets it be fetched" if host is not None else ""
    raise Unavailable(f"`{url}` is not at hand{option}")


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
