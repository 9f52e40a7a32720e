"""Which files a path on the command line means: a file, the specs below a folder, or what a pattern matches."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

_SPEC_ENDINGS = (".vg.json", ".vl.json")
_SCHEMA_OF_VEGA = re.compile(rb'"\$schema"\s*:\s*"[^"]*\bvega')
_LOOKED_AT = 1 << 16
_NEVER_SEARCHED = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})


class NoSuchPath(Exception):
    """A path that leads to nothing."""


def find_specs(path: str, exclude: Iterable[str] = (), root: str = ".") -> Iterator[str]:
    """The specs that a path means, by the name they are shown with; raises NoSuchPath and OSError.

    A file that is named is taken whatever it holds. `exclude` are patterns, from the folder `root`, of files and folders
    that a search leaves out.
    """
    if os.path.isdir(path):
        yield from _specs_below(path, tuple(exclude), root)
    elif os.path.lexists(path):
        yield path
    elif any(mark in path for mark in "*?["):
        yield from _matching(path)
    else:
        raise NoSuchPath(f"{path!r} does not exist")


def _matching(pattern: str) -> Iterator[str]:
    from glob import glob

    found = sorted(name for name in glob(pattern, recursive=True) if not os.path.isdir(name))
    if not found:
        raise NoSuchPath(f"no file matches {pattern!r}")
    yield from found


def _specs_below(folder: str, exclude: tuple[str, ...], root: str) -> Iterator[str]:
    for directory, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if _is_searched(os.path.join(directory, name), name, exclude, root))
        for name in sorted(names):
            path = os.path.join(directory, name)
            path = path[2:] if folder == "." else path
            if name.endswith(".json") and not _is_excluded(path, exclude, root) and _is_spec(path):
                yield path


def _raise(problem: OSError) -> None:
    raise problem


def _is_searched(path: str, name: str, exclude: tuple[str, ...], root: str) -> bool:
    return not name.startswith(".") and name not in _NEVER_SEARCHED and not _is_excluded(path, exclude, root)


def _is_excluded(path: str, exclude: tuple[str, ...], root: str) -> bool:
    if not exclude:
        return False
    name = os.path.relpath(path, root).replace(os.sep, "/")
    return any(fnmatchcase(name, pattern) or fnmatchcase(os.path.basename(name), pattern.rstrip("/")) for pattern in exclude)


def _is_spec(path: str) -> bool:
    """By its name, or by the `$schema` that stands at its start or its end: data files can be large."""
    if path.endswith(_SPEC_ENDINGS):
        return True
    try:
        with open(path, "rb") as file:
            start = file.read(_LOOKED_AT)
            size = os.fstat(file.fileno()).st_size
            file.seek(max(len(start), size - _LOOKED_AT))
            looked_at = start + b"\n" + file.read(_LOOKED_AT)
    except OSError:
        # It has no name of a spec, and nobody asked for it.
        return False
    # Without its zero bytes, ASCII in UTF-16 reads like ASCII.
    return _SCHEMA_OF_VEGA.search(looked_at.replace(b"\0", b"")) is not None
