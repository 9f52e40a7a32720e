"""Geometry in rows: GeoJSON objects, raster grids, and what a transform needs of them."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.diagnostics.parameters import TextInTransform
from sheliak.source.declared import dataclass
from sheliak.transforms._contract import Checking, FieldRef, Transform
from sheliak.transforms._defaults import read_by_default
from sheliak.types.operations import options_of, without_missing
from sheliak.types.shapes import NULL, NUMBER, UNDEFINED, UNKNOWN, Array, Literal, Record, Type, Unknown

_RINGS = Array(Array(Array(NUMBER)))

CONTOUR: Mapping[str, Type] = {"type": Literal("MultiPolygon"), "value": NUMBER, "coordinates": Array(_RINGS)}
"""The fields of one contour, a GeoJSON object with the value it encloses."""

GRATICULE = Record({"type": Literal("MultiLineString"), "coordinates": _RINGS})

GRID = Record({"values": Array(NUMBER)} | dict.fromkeys(("scale", "width", "height", "x1", "y1", "x2", "y2"), NUMBER))
"""A raster: `values` row by row, and the window of it that covers the chart."""


def demand_geojson(owner: Transform, ref: FieldRef | None, datum: Type, checking: Checking, parameter: str = "field") -> None:
    """d3 draws nothing, and says nothing, for a value that has no GeoJSON `type`."""
    _demand_members(owner, ref, datum, _Demanded(("type",), "a GeoJSON object", parameter), checking)


def demand_grid(owner: Transform, ref: FieldRef | None, datum: Type, checking: Checking) -> None:
    """A grid without a size aborts the run."""
    _demand_members(owner, ref, datum, _Demanded(("width", "height"), "a raster grid", "field"), checking)


@dataclass(frozen=True, slots=True)
class _Demanded:
    members: tuple[str, ...]
    noun: str
    parameter: str


def _demand_members(owner: Transform, ref: FieldRef | None, datum: Type, demanded: _Demanded, checking: Checking) -> None:
    """The members that the field must have, or each row itself without a field; the first that is missing is reported."""
    of = without_missing(datum if ref is None else ref.of)
    if of in (NULL, UNDEFINED):
        return
    if ref is not None and not any(isinstance(option, Record | Unknown) for option in options_of(of)):
        wanted = f"{demanded.noun} in each row"
        checking.report(TextInTransform(place=ref.place, field=ref.text, owner=owner.owner, of=of, wanted=wanted))
        return
    if ref is None:
        place, dataset = owner.place("type"), checking.dataset_name
        why = f"`{owner.type}` without `{demanded.parameter}` takes each row for {demanded.noun}"
    else:
        place, dataset, why = ref.place, None, f"`{owner.type}` takes `{ref.text}` for {demanded.noun}"
    for member in demanded.members:
        if read_by_default(of, (member,), place, why, dataset, checking) is UNKNOWN:
            return
