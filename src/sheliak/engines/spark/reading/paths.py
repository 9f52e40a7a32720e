"""Files of this machine as Spark names them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

_GLOB = re.compile(r"([\\\\*?\[\]{}])")
_COMPRESSED = frozenset({".gz", ".bz2", ".zst", ".zstd", ".lz4", ".snappy", ".deflate", ".xz"})


def spark_path(path: Path) -> str:
    """The path with its scheme: signs that Spark takes for a pattern are escaped."""
    return "file://" + _GLOB.sub(r"\\\1", str(path.resolve()))


def local_paths(urls: Sequence[str]) -> list[Path] | None:
    """The files that Spark reads; None where one of them lies elsewhere."""
    parts = [urlsplit(url) for url in urls]
    if any(part.scheme != "file" or part.netloc for part in parts):
        return None
    return [Path(unquote(part.path)) for part in parts]


def is_passed_over(path: Path) -> bool:
    """Spark takes the file for a temporary one, stumbles over its name, or would unpack it, which no browser does."""
    return path.name.startswith(("_", ".")) or ":" in path.name or path.suffix.lower() in _COMPRESSED
