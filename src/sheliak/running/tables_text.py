"""Tables for people: the datasets of a run, the first rows of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sheliak.expressions.values import UNDEFINED, Row
from sheliak.rendering.paint import Paint, plain
from sheliak.rendering.visible import visible, width
from sheliak.running.plain_rows import cell, field_names

_WIDEST = 32
_MOST_COLUMNS = 12


def text_table(
    head: Sequence[str],
    lines: Sequence[Sequence[str]],
    paint: Paint = plain,
    *,
    right: frozenset[int] = frozenset(),
    widest: Sequence[int] = (),
) -> Iterator[str]:
    """Lines of cells below each other; the columns of `right` are set to the right."""
    most = [*widest, *[_WIDEST] * (len(head) - len(widest))]
    shown = [[_short(text, limit) for text, limit in zip(line, most, strict=True)] for line in (head, *lines)]
    widths = [max(width(line[index]) for line in shown) for index in range(len(head))]
    for number, line in enumerate(shown):
        cells = [_set(text, widths[index], index in right) for index, text in enumerate(line)]
        text = "  ".join(cells).rstrip()
        yield paint("title", text) if number == 0 else text


def _short(text: str, limit: int) -> str:
    seen = visible(text)
    return seen if width(seen) <= limit else seen[: limit - 1] + "…"


def _set(text: str, columns: int, to_the_right: bool) -> str:
    space = " " * (columns - width(text))
    return space + text if to_the_right else text + space


def first_rows(rows: Sequence[Row], paint: Paint = plain, *, count: int = 10) -> Iterator[str]:
    """The first rows of a dataset, and how many more there are."""
    names = field_names(rows[:1000])
    kept = names[:_MOST_COLUMNS]
    if kept:
        yield from text_table(kept, [[cell(row.get(name, UNDEFINED)) for name in kept] for row in rows[:count]], paint)
    if len(names) > len(kept):
        yield paint("faint", f"and the columns {', '.join(visible(name) for name in names[_MOST_COLUMNS:])}")
    if len(rows) > count:
        yield paint("faint", f"and {len(rows) - count:,} more rows")
    if not rows:
        yield paint("faint", "no rows")
