"""What the functions of the expression language compute: one module per group of signatures, imported when first evaluated.

The checker never imports these.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from sheliak.expressions import functions
from sheliak.expressions.functions.evaluation.meaning import Meaning, Meanings

_GROUPS = (
    "types",
    "math",
    "statistics",
    "datetime",
    "array",
    "text",
    "format",
    "color",
    "event",
    "data",
    "scale",
    "ease",
)


@cache
def meaning_of(name: str) -> Meaning | None:
    """The evaluation of a function, if Vega has one of that name."""
    group = _group_of().get(name)
    return _meanings(group).get(name) if group is not None else None


@cache
def _group_of() -> dict[str, str]:
    return {signature.name: group for group in _GROUPS for signature in getattr(functions, group).FUNCTIONS}


def _meanings(group: str) -> Meanings:
    module = import_module(f"{__name__}.{group}")
    meanings: Meanings = module.MEANINGS
    return meanings
