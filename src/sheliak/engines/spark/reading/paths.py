"""Files of this machine as Spark names them."""

from __future__ import annotations

import re
from pathlib import Path

_GLOB = re.compile(r"([\\\\*?\[\]{}])")
_COMPRESSED = frozenset({".gz", ".bz2", ".zst", ".zstd", ".lz4", ".snappy", ".deflate", ".xz"})


def spark_path(path: Path) -> str:
    """The path with its scheme: signs that Spark takes for a pattern are escaped."""
    return "file://" + _GLOB.sub(r"\\\1", str(path.resolve()))


def is_passed_over(path: Path) -> bool:
    """Spark takes the file for a temporary one, stumbles over its name, or would unpack it, which no browser does."""
    return path.name.startswith(("_", ".")) or ":" in path.name or path.suffix.lower() in _COMPRESSED
