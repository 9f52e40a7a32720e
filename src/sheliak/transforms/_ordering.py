"""The order of a `sort` parameter, and rows in an order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, TypeAlias

from sheliak.expressions.sorting import sorted_by
from sheliak.expressions.values import UNDEFINED, Date, Row, Value, compare
from sheliak.expressions.zones import Zone
from sheliak.transforms._running import Getter, IdentifiedRow, RunError, Running, getter

if TYPE_CHECKING:
    from sheliak.transforms._contract import SortKey

Comparator: TypeAlias = Callable[[Row, Row], float]
Rank: TypeAlias = tuple[int, float | str | bytes]


@dataclass(frozen=True, slots=True)
class Order:
    """Vega's order by some fields, each upwards or downwards."""

    keys: list[tuple[Getter, bool]]
    """The fields, and whether the order goes down."""
    zone: Zone
    computed: bool = False
    """An expression may answer differently each time: it is asked as often as JavaScript's `sort` asks."""

    def __call__(self, a: Row, b: Row) -> float:
        for get, down in self.keys:
            compared = compare(get(a), get(b), self.zone)
            if compared:
                return -compared if down else compared
        return 0


def order_of(sort: tuple[SortKey, ...], running: Running) -> Order | None:
    """The order that a `sort` parameter asks for; None without fields."""
    keys = [(getter(key.field, running), key.order == "descending") for key in sort]
    computed = any(key.field.is_expression for key in sort)
    return Order(keys, running.zone, computed) if keys else None


def sorted_rows(rows: Sequence[Row], order: Comparator) -> list[Row]:
    """The rows in an order; those it does not tell apart as they were taken in."""
    positions = {id(row): position for position, row in enumerate(rows)}

    def number(row: Row) -> int:
        return row.number if isinstance(row, IdentifiedRow) else positions[id(row)]

    def total(a: Row, b: Row) -> float:
        compared = order(a, b)
        return compared if compared < 0 or compared > 0 else number(a) - number(b)

    ranked = _ranked(rows, order) if isinstance(order, Order) and not order.computed else None
    return sorted_by(rows, total) if ranked is None else _sorted_by_ranks(sorted(rows, key=number), ranked)


def _ranked(rows: Sequence[Row], order: Order) -> list[tuple[dict[int, Rank], bool]] | None:
    """The ranks of the rows by each field; None where a field has values that Vega's order does not put into one line."""
    ranked = []
    for get, down in order.keys:
        try:
            ranks = ranks_of([get(row) for row in rows])
        except RunError:  # which ends the run only if the comparison gets that far
            return None
        if ranks is None:
            return None
        ranked.append(({id(row): rank for row, rank in zip(rows, ranks, strict=True)}, down))
    return ranked


def _sorted_by_ranks(rows: list[Row], ranked: list[tuple[dict[int, Rank], bool]]) -> list[Row]:
    for ranks, down in reversed(ranked):
        rows.sort(key=_rank_in(ranks), reverse=down)
    return rows


def _rank_in(ranks: dict[int, Rank]) -> Callable[[Row], Rank]:
    return lambda row: ranks[id(row)]


def ranks_of(values: Sequence[Value]) -> list[Rank] | None:
    """Values as Python compares them in the same order, if they are all numbers or dates, or all text; missing ones aside."""
    present = {type(value) for value in values if value is not None and value is not UNDEFINED}
    if present <= {float, bool, Date}:
        return [_rank_of_number(value) for value in values]
    if present != {str}:
        return None
    plain = all(value.isascii() for value in values if isinstance(value, str))
    return [_rank_of_text(value, plain=plain) for value in values]


def _rank_of_number(value: Value) -> Rank:
    number = value.ms if isinstance(value, Date) else value
    if not isinstance(number, (float, bool)):
        return 0, 0.0
    return (1, 0.0) if isnan(number) else (2, float(number))


def _rank_of_text(value: Value, *, plain: bool) -> Rank:
    if not isinstance(value, str):
        return 0, "" if plain else b""
    return 2, value if plain else value.encode("utf-16-be", "surrogatepass")
