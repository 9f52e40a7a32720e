"""The datasets of a run at a glance: how many rows, which columns, where they were computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sheliak.rendering.paint import Paint, plain
from sheliak.running.tables_text import text_table

if TYPE_CHECKING:
    from sheliak.engines.spark.counting import Counted

_MOST_NAMES = 8


def overview(datasets: Sequence[Counted], paint: Paint = plain) -> Iterator[str]:
    """One line for each dataset."""
    if not datasets:
        yield "the spec has no datasets"
        return
    lines = [(one.dataset.name, _count(one.rows), _where(one), _names(one.fields)) for one in datasets]
    yield from text_table(("dataset", "rows", "where", "columns"), lines, paint, right=frozenset({1}), widest=(32, 16, 60, 100))


def _count(count: int | None) -> str:
    return "" if count is None else f"{count:,}"


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")


def _where(one: Counted) -> str:
    reason = one.dataset.reason
    return f"renderer: {reason}" if one.dataset.engine == "renderer" and reason else one.dataset.engine
