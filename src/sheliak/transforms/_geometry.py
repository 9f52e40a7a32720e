"""Geometry in rows: GeoJSON objects, raster grids, and what a transform needs of them."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.diagnostics.parameters import TextInTransform
from sheliak.expressions.field_paths import Reading, type_of_path
from sheliak.transforms._contract import Checking, FieldRef, Transform
from sheliak.types.operations import options_of, without_missing
from sheliak.types.shapes import NULL, NUMBER, UNDEFINED, UNKNOWN, Array, Literal, Record, Type, Unknown

_RINGS = Array(Array(Array(NUMBER)))

CONTOUR: Mapping[str, Type] = {"type": Literal("MultiPolygon"), "value": NUMBER, "coordinates": Array(_RINGS)}
"""The fields of one contour, a GeoJSON object with the value it encloses."""

GRATICULE = Record({"type": Literal("MultiLineString"), "coordinates": _RINGS})

GRID = Record({"values": Array(NUMBER)} | dict.fromkeys(("scale", "width", "height", "x1", "y1", "x2", "y2"), NUMBER))
"""A raster: `values` row by row, and the window of it that covers the chart."""


def demand_geojson(owner: Transform, ref: FieldRef | None, datum: Type, checking: Checking) -> None:
    """d3 draws nothing, and says nothing, for a value that has no GeoJSON `type`."""
    _demand_members(owner, ref, datum, ("type",), "GeoJSON objects", checking)


def demand_grid(owner: Transform, ref: FieldRef | None, datum: Type, checking: Checking) -> None:
    """A grid without a size aborts the run."""
    _demand_members(owner, ref, datum, ("width", "height"), "raster grids", checking)


def _demand_members(
    owner: Transform, ref: FieldRef | None, datum: Type, members: tuple[str, ...], wanted: str, checking: Checking
) -> None:
    """The members that the field must have, or each row itself without a field; the first that is missing is reported."""
    of = without_missing(datum if ref is None else ref.of)
    if of in (NULL, UNDEFINED):
        return
    if ref is not None and not any(isinstance(option, Record | Unknown) for option in options_of(of)):
        checking.report(TextInTransform(place=ref.place, field=ref.text, owner=owner.owner, of=of, wanted=wanted))
        return
    place = owner.place("type") if ref is None else ref.place
    reading = Reading(checking, place, checking.dataset_name if ref is None else None, owner.owner, replaceable=False)
    for member in members:
        if type_of_path(of, (member,), reading) is UNKNOWN:
            return
