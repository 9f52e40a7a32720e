"""Axes, legends and titles."""

from __future__ import annotations

from sheliak.checker.encode import EncodeSite
from sheliak.checker.expressions import check_signals_below
from sheliak.checker.session import Session
from sheliak.dataflow.scopes import Scope
from sheliak.diagnostics.names import UnknownScale
from sheliak.diagnostics.parameters import UnknownOption, WrongKind
from sheliak.diagnostics.spec import MissingProperty
from sheliak.source.tree import Node
from sheliak.types.shapes import NUMBER, STRING, UNKNOWN, Record

LEGEND_SCALES = ("size", "shape", "fill", "stroke", "strokeWidth", "strokeDash", "opacity")
_ORIENTS = ("left", "right", "top", "bottom")
_GUIDE_DATUM = Record(
    {
        "index": NUMBER,
        "tickIndex": NUMBER,
        "value": UNKNOWN,
        "label": STRING,
        "extra": UNKNOWN,
        "offset": NUMBER,
        "size": NUMBER,
        "perc": NUMBER,
        "perc2": NUMBER,
        "count": NUMBER,
        "scale": STRING,
        "ticks": UNKNOWN,
        "labels": UNKNOWN,
        "grid": UNKNOWN,
        "domain": UNKNOWN,
        "title": UNKNOWN,
        "scales": UNKNOWN,
        "type": STRING,
        "vgrad": UNKNOWN,
        "orient": UNKNOWN,
    }
)


def check_axes(session: Session, scope: Scope, node: Node) -> None:
    """Each axis shows a scale that must exist."""
    for axis in _listed(session, node, "axes"):
        scale = axis.get("scale")
        if scale is None:
            session.report(MissingProperty(place=axis.place, owner="an axis", name="scale"))
        else:
            _check_scale(session, scope, scale)
        grid_scale = axis.get("gridScale")
        if grid_scale is not None and grid_scale.value is not None:
            _check_scale(session, scope, grid_scale)
        orient = axis.get("orient")
        if orient is not None and orient.text is not None and orient.text not in _ORIENTS:
            session.report(UnknownOption(place=orient.place, value=orient.text, owner="the side of an axis", options=_ORIENTS))
        _check_guide(session, scope, axis)


def check_legends(session: Session, scope: Scope, node: Node) -> None:
    """Each legend shows at least one scale that must exist."""
    for legend in _listed(session, node, "legends"):
        scales = [scale for name in LEGEND_SCALES if (scale := legend.get(name)) is not None and scale.value is not None]
        if not scales:
            reason = "one of " + ", ".join(f"`{name}`" for name in LEGEND_SCALES) + " names what it shows"
            session.report(MissingProperty(place=legend.place, owner="a legend", name="a scale", reason=reason))
        for scale in scales:
            _check_scale(session, scope, scale)
        _check_guide(session, scope, legend)


def check_title(session: Session, scope: Scope, node: Node) -> None:
    """A title: text, or an object whose parts may use signals."""
    title = node.get("title")
    if title is not None and title.is_object:
        _check_guide(session, scope, title)


def _listed(session: Session, node: Node, section: str) -> list[Node]:
    listed = node.get(section)
    if listed is None:
        return []
    if not listed.is_array:
        session.report(WrongKind(place=listed.place, owner=f"`{section}`", expected="a list", found=listed.kind))
    return [element for element in listed.elements() if element.is_object]


def _check_scale(session: Session, scope: Scope, scale: Node) -> None:
    if scale.text is None:
        check_signals_below(session, scope, scale)
    elif scope.scale(scale.text) is None:
        session.report(UnknownScale(place=scale.place, name=scale.text, known=scope.scale_names()))


def _check_guide(session: Session, scope: Scope, guide: Node) -> None:
    site = EncodeSite(session, scope, _GUIDE_DATUM, UNKNOWN, None)
    for name, member in guide.members():
        if name != "encode":
            if isinstance(member.value, dict | list):
                check_signals_below(session, scope, member)
            continue
        for part_name, part in member.members():
            if part_name in ("enter", "update", "exit", "hover"):
                site.check_set(part)
                continue
            for set_name, channels in part.members():
                if set_name not in ("name", "interactive", "style"):
                    site.check_set(channels)
