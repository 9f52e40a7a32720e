"""Which file a url of a spec means, if it means one that may be read.

A spec is untrusted: its urls reach only files below the spec's own folder and the folders given with `--data-dir`, nothing
is fetched, and a link in those folders that leads out of them is not followed. One exception: a folder that its owner has
linked directly into one of them (`data -> /mnt/data`) counts as part of it, unless `linked` is false. The link was made by
whoever owns the folder, the spec can only name it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from sheliak.source.declared import dataclass

_PROTOCOL = re.compile(r"(?:data:|(?:[A-Za-z][A-Za-z0-9+.-]*:)?//)")
_MAX_STEPS = 32
_MAX_URL = 4096


@dataclass(frozen=True, slots=True)
class Located:
    """A regular file that may be read, or the reason why the one that is there may not; neither when there is none."""

    path: Path | None = None
    refused: str | None = None


class DataFolders:
    """The folders whose files a spec may name: its own, and the ones the user gave."""

    def __init__(self, spec_folder: Path | None, *data_dirs: Path, linked: bool = True) -> None:
        self.spec_folder = spec_folder
        self.data_dirs = data_dirs
        self.linked = linked
        self._roots: dict[Path, str] = {}

    def resolve(self, url: str) -> Path | None:
        """The regular file below one of the folders that the url names, or None."""
        return self.locate(url).path

    def locate(self, url: str) -> Located:
        """Like `resolve`, and why a file that is there may not be read."""
        refused: str | None = None
        for folder, relative in self._candidates(url):
            found = _regular_file_below(self._root(folder), relative, self.linked)
            if found.path is not None:
                return found
            refused = refused or found.refused
        return Located(refused=refused)

    def _root(self, folder: Path) -> str:
        root = self._roots.get(folder)
        if root is None:
            root = self._roots[folder] = os.path.realpath(folder)
        return root

    def _candidates(self, url: str) -> Iterator[tuple[Path, str]]:
        """The url below the spec's folder; below a data folder also without its leading directories."""
        if not url or len(url) > _MAX_URL or "\0" in url or url.startswith("data:"):
            return
        relative, remote = _path_of(url)
        for text in _readings(relative):
            if self.spec_folder is not None and not remote:
                yield self.spec_folder, text
            for folder in self.data_dirs:
                for shorter in _endings(text):
                    yield folder, shorter


def _readings(path: str) -> Iterator[str]:
    """The path as it is written; then as a server reads it, without percent signs, query and fragment."""
    yield path
    if "%" in path or "?" in path or "#" in path:
        from urllib.parse import unquote

        yield unquote(path)
        yield unquote(path.partition("?")[0].partition("#")[0])


def _path_of(url: str) -> tuple[str, bool]:
    """The path in a url, and whether it is the path on another machine."""
    if not _PROTOCOL.match(url):
        return url, False
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
    except ValueError:
        return "", True
    return parts.path, parts.scheme != "file"


def _endings(path: str) -> Iterator[str]:
    """`a/b/c`, then `b/c`, then `c`."""
    steps = [step for step in path.split("/") if step not in ("", ".")][-_MAX_STEPS:]
    for start in range(len(steps)):
        yield "/".join(steps[start:])


def _regular_file_below(root: str, relative: str, linked: bool) -> Located:
    named = os.path.normpath(os.path.join(root, _below(relative, root)))
    if not _is_below(named, root):
        return Located(refused="it is outside of the folders that may be read") if os.path.lexists(named) else Located()
    try:
        status = os.stat(named)
    except (OSError, ValueError):
        return Located()
    return _permitted(named, root, linked, status.st_mode, status.st_dev, status.st_ino)


@lru_cache(maxsize=4096)
def _permitted(named: str, root: str, linked: bool, mode: int, device: int, inode: int) -> Located:
    """Whether the file that a path leads to may be read. Kept for as long as the path leads to the same file."""
    path = os.path.realpath(named)
    if not _is_below(path, root) and not (linked and _in_linked_folder(path, named, root)):
        return Located(refused="a link leads out of the folders that may be read")
    if not stat.S_ISREG(mode):
        return Located(refused="it is not a regular file")
    return Located(Path(path))


def _below(relative: str, root: str) -> str:
    """A path from the server's root starts at the folder, unless it is already a path into it."""
    return relative if _is_below(os.path.normpath(relative), root) else relative.lstrip("/")


def _is_below(path: str, root: str) -> bool:
    return path.startswith(root if root.endswith(os.sep) else root + os.sep)


def _in_linked_folder(path: str, named: str, root: str) -> bool:
    """The first step from the root is a link to a folder, and the file is really in that folder."""
    first = os.path.join(root, named[len(root) :].lstrip(os.sep).split(os.sep, 1)[0])
    if first == named or not os.path.islink(first):
        return False
    return _is_below(path, os.path.realpath(first))
