"""Layers: every item right of (or below) all it depends on, and long connections split where they pass a layer.

The coordinates have no direction yet: `main` runs along the flow, `cross` across it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sheliak.source.declared import dataclass, field

GAP_ACROSS = 22.0
"""The least distance of two items of a layer."""
Connection = tuple[str, str]
"""The box that a line comes from, inside or outside of the frame, and its role: lines that share both share their way."""


@dataclass(slots=True)
class Item:
    """A rectangle to be placed. `ports` tells where lines enter it, counted from its start across; else in the middle."""

    id: str
    main: float
    cross: float
    ports: Mapping[Connection, float] = field(default_factory=dict)
    is_entry: bool = False
    """The place where a line comes in from outside: it stands in the first layer."""

    def entry(self, connection: Connection) -> float:
        return self.ports.get(connection, self.cross / 2)


@dataclass(frozen=True, slots=True)
class Line:
    """From one item to another, for the sake of a connection."""

    source: str
    target: str
    connection: Connection


@dataclass(frozen=True, slots=True)
class Piece:
    """The part of a line between two layers that follow each other. The last one reaches the line's target."""

    source: str
    target: str
    connection: Connection
    is_last: bool
    is_reversed: bool
    """The line runs against the flow: its arrow is at the other end."""


@dataclass(slots=True)
class Layered:
    """Items in layers, in an order that is not yet a good one; the items of bends are new ones without width."""

    items: dict[str, Item]
    layers: list[list[str]]
    pieces: list[Piece]

    def is_bend(self, id: str) -> bool:
        return id.startswith(BEND)


BEND = "bend:"


def layered(items: Iterable[Item], lines: Iterable[Line], longest_layer: float) -> Layered:
    """Layers of items; what nothing comes after moves on to a further layer where one would grow longer than allowed."""
    by_id = {item.id: item for item in items}
    forward, against = _acyclic(by_id, [line for line in lines if line.source != line.target])
    ranks = _spread(by_id, forward, _ranks(by_id, forward), longest_layer)
    result = Layered(by_id, [[] for _ in range(max(ranks.values(), default=-1) + 1)], [])
    for id, rank in ranks.items():
        result.layers[rank].append(id)
    _connect(result, forward, against, ranks)
    return result


def ranks_of(items: Iterable[Item], lines: Iterable[Line]) -> dict[str, int]:
    """The number of the layer that each item would stand in."""
    by_id = {item.id: item for item in items}
    return _ranks(by_id, _acyclic(by_id, [line for line in lines if line.source != line.target])[0])


def _acyclic(items: Mapping[str, Item], lines: list[Line]) -> tuple[list[Line], set[Line]]:
    """The lines with those turned round that would close a cycle, and which these are."""
    following: dict[str, list[Line]] = {id: [] for id in items}
    for line in lines:
        following[line.source].append(line)
    state: dict[str, int] = {}
    forward: list[Line] = []
    against: set[Line] = set()
    for start in items:
        stack: list[tuple[str, int]] = [(start, 0)] if start not in state else []
        while stack:
            id, number = stack.pop()
            state[id] = 1
            if number == len(following[id]):
                state[id] = 2
                continue
            stack.append((id, number + 1))
            line = following[id][number]
            if state.get(line.target) == 1:
                turned = Line(line.target, line.source, line.connection)
                forward.append(turned)
                against.add(turned)
            else:
                forward.append(line)
                if line.target not in state:
                    stack.append((line.target, 0))
    return forward, against


def _ranks(items: Mapping[str, Item], lines: list[Line]) -> dict[str, int]:
    """The longest way to each item; then what only feeds others moves as close to them as it can."""
    before: dict[str, list[str]] = {id: [] for id in items}
    after: dict[str, list[str]] = {id: [] for id in items}
    for line in lines:
        before[line.target].append(line.source)
        after[line.source].append(line.target)
    ranks: dict[str, int] = {}
    order = _topological(items, before, after)
    for id in order:
        ranks[id] = max((ranks[source] + 1 for source in before[id]), default=0)
    if any(item.is_entry for item in items.values()):
        for id in order:
            if not items[id].is_entry and not before[id]:
                ranks[id] = 1
            elif before[id]:
                ranks[id] = max(ranks[source] + 1 for source in before[id])
    for id in reversed(order):
        if not before[id] and after[id] and not items[id].is_entry:
            ranks[id] = max(ranks[id], min(ranks[target] for target in after[id]) - 1)
    return {id: ranks[id] for id in items}


def _topological(items: Mapping[str, Item], before: Mapping[str, list[str]], after: Mapping[str, list[str]]) -> list[str]:
    missing = {id: len(before[id]) for id in items}
    order = [id for id in items if not missing[id]]
    for id in order:
        for target in after[id]:
            missing[target] -= 1
            if not missing[target]:
                order.append(target)
    return order


def _spread(items: Mapping[str, Item], lines: list[Line], ranks: dict[str, int], longest: float) -> dict[str, int]:
    """Moves what nothing comes after out of layers that are too long, the last of them first."""
    feeding = {line.source for line in lines}
    rank = 0
    while rank <= max(ranks.values(), default=0):
        here = [id for id, at in ranks.items() if at == rank]
        length = sum(items[id].cross + GAP_ACROSS for id in here) - GAP_ACROSS
        for id in reversed([id for id in here if id not in feeding and not items[id].is_entry]):
            if length <= max(longest, items[id].cross):
                break
            ranks[id] = rank + 1
            length -= items[id].cross + GAP_ACROSS
        rank += 1
    return ranks


def _connect(result: Layered, lines: list[Line], against: set[Line], ranks: Mapping[str, int]) -> None:
    """Splits every line at the layers that it passes; lines of one connection bend together."""
    made: dict[tuple[Connection, bool, int], str] = {}
    for line in lines:
        turned = line in against
        previous = line.source
        for rank in range(ranks[line.source] + 1, ranks[line.target]):
            key = (line.connection, turned, rank)
            if key not in made:
                made[key] = f"{BEND}{len(made)}"
                result.items[made[key]] = Item(made[key], 0.0, 0.0)
                result.layers[rank].append(made[key])
                result.pieces.append(Piece(previous, made[key], line.connection, False, turned))
            previous = made[key]
        result.pieces.append(Piece(previous, line.target, line.connection, True, turned))
