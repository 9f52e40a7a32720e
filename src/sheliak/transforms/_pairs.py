"""Corners: lists of two points, each a list of two numbers."""

from __future__ import annotations

from sheliak.diagnostics.parameters import WrongKind
from sheliak.source.tree import Node
from sheliak.transforms._contract import Checking, Transform
from sheliak.transforms._elaborate import found_kind


def check_pairs(owner: Transform, name: str, corners: tuple[object, ...], checking: Checking) -> None:
    """Each corner is a signal or two numbers; Vega does not look for signals inside a corner, it computes with the object."""
    for corner in corners:
        if isinstance(corner, Node) and (fault := _fault(corner)) is not None:
            expected = 'two numbers, or a signal as a whole: {"signal": "[width, height]"}'
            whose = f"a corner of `{name}` of {owner.owner}"
            checking.report(WrongKind(place=fault.place, owner=whose, expected=expected, found=_found(fault)))
            return


def _fault(corner: Node) -> Node | None:
    """The value that is not two numbers: the corner itself, or the element that is no number."""
    if not isinstance(corner.value, list) or len(corner.value) < 2:
        return corner
    return next((element for element in corner.elements() if not element.is_number), None)


def _found(fault: Node) -> str:
    return f"a list of {len(fault.value)}" if isinstance(fault.value, list) else found_kind(fault)
