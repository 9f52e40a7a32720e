"""Coordinates of layered items: along the flow layer by layer, across it as near to their neighbours as their order allows."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.picturing.layering import GAP_ACROSS, Layered, Piece
from sheliak.source.declared import dataclass

GAP_ALONG = 44.0
GAP_AT_BEND = 12.0
_SWEEPS = 8
_STRAIGHT_INTO_DATASETS = 80.0
_STRAIGHTNESS = {"rows": 3.0, "reads": 1.0, "signal": 0.5}


@dataclass(slots=True)
class Placed:
    """Where everything stands: starts along and across, and the stretch of every layer along the flow."""

    along: dict[str, float]
    across: dict[str, float]
    stretch: dict[str, tuple[float, float]]
    """Item -> the start and the end of its layer."""
    length: float
    breadth: float


def placed(layered: Layered) -> Placed:
    """The coordinates of all items, bends included; the smallest are zero."""
    across = _across(layered)
    along: dict[str, float] = {}
    stretch: dict[str, tuple[float, float]] = {}
    position = 0.0
    for layer in layered.layers:
        thickness = max((layered.items[id].main for id in layer), default=0.0)
        for id in layer:
            along[id] = position
            stretch[id] = (position, position + thickness)
        position += thickness + GAP_ALONG
    breadth = max((across[id] + layered.items[id].cross for id in across), default=0.0)
    return Placed(along, across, stretch, max(position - GAP_ALONG, 0.0), breadth)


def _across(layered: Layered) -> dict[str, float]:
    """Sweeps forth and back; in each layer the order is kept and the squared distances from the wanted places are least."""
    before: dict[str, list[Piece]] = {}
    after: dict[str, list[Piece]] = {}
    for piece in layered.pieces:
        before.setdefault(piece.target, []).append(piece)
        after.setdefault(piece.source, []).append(piece)
    across: dict[str, float] = {}
    for layer in layered.layers:
        _settle(layered, layer, dict.fromkeys(layer, 0.0), dict.fromkeys(layer, 1.0), across)
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        both = sweep >= _SWEEPS - 2
        for layer in layered.layers if forward else reversed(layered.layers):
            wanted, weights = {}, {}
            for id in layer:
                # The last word of transforms: exactly beside their dataset, where there is room.
                is_aligned = sweep == _SWEEPS - 1 and id.startswith("steps:")
                come = before.get(id, ()) if (forward or both) and not is_aligned else ()
                go = after.get(id, ()) if not forward or both else ()
                wanted[id], weights[id] = _wanted(layered, id, across, list(come), list(go))
            _settle(layered, layer, wanted, weights, across)
    least = min(across.values(), default=0.0)
    return {id: at - least for id, at in across.items()}


def _wanted(layered: Layered, id: str, across: Mapping[str, float], come: list[Piece], go: list[Piece]) -> tuple[float, float]:
    """Where an item would like to start, and how much: lines should be straight, those of rows most."""
    item = layered.items[id]
    total = weight = 0.0
    for piece in come:
        strength = _strength(layered, piece)
        total += strength * (across[piece.source] + layered.items[piece.source].cross / 2 - item.entry(piece.connection))
        weight += strength
    for piece in go:
        strength = _strength(layered, piece)
        target = layered.items[piece.target]
        total += strength * (across[piece.target] + target.entry(piece.connection) - item.cross / 2)
        weight += strength
    return (total / weight, weight) if weight else (across[id], 0.05)


def _strength(layered: Layered, piece: Piece) -> float:
    if piece.connection[0].startswith("steps:"):
        return _STRAIGHT_INTO_DATASETS
    bends = layered.is_bend(piece.source) + layered.is_bend(piece.target)
    return _STRAIGHTNESS.get(piece.connection[1], 1.0) * (1 + bends)


def _settle(
    layered: Layered, layer: list[str], wanted: Mapping[str, float], weights: Mapping[str, float], across: dict[str, float]
) -> None:
    """The nearest starts to the wanted ones that keep the order and the gaps: neighbours that collide form a block."""
    offsets: list[float] = []
    offset = 0.0
    for number, id in enumerate(layer):
        if number:
            previous = layer[number - 1]
            is_tight = layered.is_bend(previous) or layered.is_bend(id)
            offset += layered.items[previous].cross + (GAP_AT_BEND if is_tight else GAP_ACROSS)
        offsets.append(offset)
    blocks: list[tuple[float, float, int]] = []
    for id, shift in zip(layer, offsets, strict=True):
        value, weight, count = wanted[id] - shift, weights[id], 1
        while blocks and blocks[-1][0] >= value:
            other, other_weight, other_count = blocks.pop()
            value = (value * weight + other * other_weight) / (weight + other_weight)
            weight, count = weight + other_weight, count + other_count
        blocks.append((value, weight, count))
    starts = [value for value, _, count in blocks for _ in range(count)]
    across.update((id, start + shift) for id, start, shift in zip(layer, starts, offsets, strict=True))
