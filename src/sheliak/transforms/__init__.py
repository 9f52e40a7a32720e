"""Vega's transforms, one file each; the module's name is the transform's `type`. They are imported when first asked for."""

from __future__ import annotations

import importlib
from pathlib import Path

from sheliak.transforms._contract import TRANSFORMS, Transform

NAMES: frozenset[str] = frozenset(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
"""The types that exist, without importing them: a check of a small spec loads only what it uses."""


def transform_class(name: str) -> type[Transform] | None:
    """The class of a Vega transform type; the type's letter case does not matter, as in Vega."""
    name = name.lower()
    if name not in NAMES:
        return None
    if name not in TRANSFORMS:
        importlib.import_module(f"sheliak.transforms.{name}")
    return TRANSFORMS[name]
