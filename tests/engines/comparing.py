"""Where two runs of one spec differ: rows in their order, kinds of values, errors, signals.

Numbers are compared to nine digits, the sign of zero is none; undefined, null and NaN are kept apart, but a field that is undefined
is as good as absent (as in `reference.verdicts`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from reference.verdicts import same
from sheliak.engines.protocol import DatasetRun, RunResult
from sheliak.expressions.values import Json, Row, Value, encode


def differences(ours: RunResult, meant: RunResult) -> list[str]:
    """What differs, each in a line or a few; nothing for runs that agree."""
    if ours.errors != meant.errors:
        return [f"errors {list(ours.errors)}, not {list(meant.errors)}"]
    found = [*_of_datasets(ours, meant)]
    for name in meant.signals.keys() | ours.signals.keys():
        if not _same_signal(ours.signals.get(name), meant.signals.get(name)):
            found.append(f"signal {name}: {_text(ours.signals.get(name))}, not {_text(meant.signals.get(name))}")
    return found


def _of_datasets(ours: RunResult, meant: RunResult) -> Iterator[str]:
    if list(ours.datasets) != list(meant.datasets):
        yield f"datasets {list(ours.datasets)}, not {list(meant.datasets)}"
        return
    for name, dataset in meant.datasets.items():
        found = _of_dataset(ours.datasets[name], dataset)
        if found:
            yield f"dataset {name}: {found}"


def _of_dataset(ours: DatasetRun, meant: DatasetRun) -> str:
    if ours.rows is None or meant.rows is None:
        return "" if ours.rows is meant.rows else f"no rows in one of them: {ours.reason or meant.reason}"
    return difference_of_rows(ours.rows, meant.rows)


def difference_of_rows(ours: Sequence[Row], meant: Sequence[Row]) -> str:
    """The first rows that differ, or the numbers of rows; empty where there is no difference.

    Rows may hold rows that hold rows, many times each: those that cannot be written down are compared by their number alone.
    """
    sizes = [written_size(list(rows)) for rows in (ours, meant)]
    if min(sizes) > MOST_WRITTEN:
        return "" if len(ours) == len(meant) else f"{len(ours)} rows, not {len(meant)}"
    if max(sizes) > MOST_WRITTEN:
        return f"{sizes[0]} values, not {sizes[1]}"
    return difference_of_encoded([encode(row) for row in ours], [encode(row) for row in meant])


MOST_WRITTEN = 2_000_000


def written_size(value: Value) -> int:
    """How many values there are when all are written down, each as often as it stands somewhere; one more than the most where there are more."""
    open_now: set[int] = set()
    count = 0

    def visit(part: Value) -> None:
        nonlocal count
        count += 1
        # A row that holds itself is not written again within itself.
        if count > MOST_WRITTEN or not isinstance(part, list | dict) or id(part) in open_now:
            return
        open_now.add(id(part))
        for inner in part.values() if isinstance(part, dict) else part:
            visit(inner)
        open_now.discard(id(part))

    visit(value)
    return min(count, MOST_WRITTEN + 1)


def difference_of_encoded(ours: Sequence[Json], meant: Sequence[Json]) -> str:
    """The same of rows that are encoded already."""
    for index, (row, other) in enumerate(zip(ours, meant, strict=False)):
        if not same(row, other):
            told = [json.dumps(one)[:600] for one in (row, other)]
            return f"row {index} of {len(ours)}/{len(meant)}\n    is    {told[0]}\n    meant {told[1]}"
    return "" if len(ours) == len(meant) else f"{len(ours)} rows, not {len(meant)}"


def _same_signal(ours: Value, meant: Value) -> bool:
    return same(encode(ours), encode(meant))


def _text(value: Value) -> str:
    return json.dumps(encode(value))[:600]
