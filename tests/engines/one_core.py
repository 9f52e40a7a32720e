"""A live spec with every form of following changes, in a Spark of one core: after each pulse "same" if its rows are those of a run."""

from __future__ import annotations

import sys

import sheliak
from sheliak.engines.spark.session import end_session, local_session

ROWS: list[dict[str, object]] = [{"g": "abc"[number % 3], "x": number} for number in range(12)]
DERIVED: list[dict[str, object]] = [
    {"name": "by_row", "source": "t", "transform": [{"type": "formula", "as": "y", "expr": "datum.x * 2"}]},
    {"name": "same", "source": "by_row"},
    {"name": "few", "source": "t", "transform": [{"type": "filter", "expr": "datum.x > 3"}]},
    {
        "name": "by_group",
        "source": "few",
        "transform": [{"type": "aggregate", "groupby": ["g"], "ops": ["mean"], "fields": ["x"]}],
    },
    {
        "name": "looked_up",
        "source": "t",
        "transform": [{"type": "lookup", "from": "o", "key": "k", "fields": ["g"], "values": ["w"], "as": ["w"]}],
    },
    {"name": "by_key", "source": "few", "transform": [{"type": "stack", "groupby": ["g"], "field": "x"}]},
    {"name": "same_again", "source": "by_row"},
    {"name": "whole", "source": "by_row", "transform": [{"type": "bin", "field": "y", "extent": [0, 50], "as": ["b0", "b1"]}]},
]


def spec_of(rows: list[dict[str, object]]) -> dict[str, object]:
    others = {"name": "o", "values": [{"k": "a", "w": 1}, {"k": "b", "w": 2}]}
    return {"data": [{"name": "t", "values": rows}, others, *DERIVED]}


def main() -> int:
    session = local_session("one core", master="local[1]")
    rows = list(ROWS)
    try:
        with sheliak.open(spec_of(rows), spark=session) as live:
            for number in range(4):
                row: dict[str, object] = {"g": "abd"[number % 3], "x": 20 + number}
                live.apply([{"data": "t", "id": 13 + number, "add": row}])
                rows.append(row)
                with sheliak.run(spec_of(rows), spark=session) as run:
                    are_same = all(live.datasets[name].to_pylist() == run.datasets[name].to_pylist() for name in live.names)
                print("same" if are_same else "other", flush=True)
    finally:
        end_session(session)
    return 0


if __name__ == "__main__":
    sys.exit(main())
