"""The order inside the layers: sweeps that put each item near its neighbours, kept while they cross fewer lines."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping

from sheliak.picturing.layering import Layered, Piece

_SWEEPS = 12
_MOST_WORK = 200_000


def order_layers(layered: Layered) -> None:
    """Orders the layers in place."""
    before, after = _neighbours(layered.pieces)
    best, fewest = [list(layer) for layer in layered.layers], crossings(layered)
    sweeps = min(_SWEEPS, _MOST_WORK // (1 + len(layered.pieces)))
    for sweep in range(sweeps):
        if fewest == 0:
            break
        _sweep(layered, before if sweep % 2 == 0 else after, forward=sweep % 2 == 0)
        count = crossings(layered)
        if count < fewest:
            best, fewest = [list(layer) for layer in layered.layers], count
    layered.layers[:] = best


def _neighbours(pieces: Iterable[Piece]) -> tuple[dict[str, list[Piece]], dict[str, list[Piece]]]:
    before: dict[str, list[Piece]] = {}
    after: dict[str, list[Piece]] = {}
    for piece in pieces:
        before.setdefault(piece.target, []).append(piece)
        after.setdefault(piece.source, []).append(piece)
    return before, after


def _sweep(layered: Layered, pieces: Mapping[str, list[Piece]], *, forward: bool) -> None:
    """One way through the layers; items without neighbours keep their places."""
    layers = layered.layers
    for index in range(1, len(layers)) if forward else range(len(layers) - 2, -1, -1):
        fixed = {id: place for place, id in enumerate(layers[index - 1 if forward else index + 1])}
        wanted: dict[str, float] = {}
        for place, id in enumerate(layers[index]):
            at = [_position(layered, piece, fixed, forward=forward) for piece in pieces.get(id, ())]
            wanted[id] = sum(at) / len(at) if at else place * len(fixed) / max(len(layers[index]), 1)
        layers[index].sort(key=lambda id: wanted[id])


def _position(layered: Layered, piece: Piece, fixed: Mapping[str, int], *, forward: bool) -> float:
    """Where a neighbour stands; of a frame, where the line enters it counts too."""
    if forward:
        return float(fixed[piece.source])
    item = layered.items[piece.target]
    return fixed[piece.target] + (item.entry(piece.connection) / item.cross - 0.5 if item.cross else 0.0)


def crossings(layered: Layered) -> int:
    """How many pairs of lines cross between layers that follow each other."""
    places = {id: place for layer in layered.layers for place, id in enumerate(layer)}
    rank_of = {id: rank for rank, layer in enumerate(layered.layers) for id in layer}
    between: dict[int, list[tuple[int, float]]] = {}
    for piece in layered.pieces:
        item = layered.items[piece.target]
        inner = item.entry(piece.connection) / item.cross if item.cross else 0.5
        between.setdefault(rank_of[piece.source], []).append((places[piece.source], places[piece.target] + 0.99 * inner))
    return sum(_inversions([target for _, target in sorted(lines)]) for lines in between.values())


def _inversions(values: list[float]) -> int:
    seen: list[float] = []
    count = 0
    for value in values:
        count += len(seen) - bisect_right(seen, value)
        insort(seen, value)
    return count
