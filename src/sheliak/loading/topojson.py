"""TopoJSON: which rows the features, or the mesh, of one object of a topology are. The arcs are never looked at."""

from __future__ import annotations

from sheliak.diagnostics.loading import UnknownTopojsonObject
from sheliak.diagnostics.registry import Diagnostic
from sheliak.loading.columns import columns_of
from sheliak.loading.formats import Format
from sheliak.loading.shape import at
from sheliak.loading.table import Table

_POINT = [0.0, 0.0]
_MESH_ROW = {"type": "MultiLineString", "coordinates": [[_POINT]]}
# One value of each geometry type stands for all of that type: its coordinates are numbers in arrays of known depth.
_COORDINATES: dict[str, object] = {
    "Point": _POINT,
    "MultiPoint": [_POINT],
    "LineString": [_POINT],
    "MultiLineString": [[_POINT]],
    "Polygon": [[_POINT]],
    "MultiPolygon": [[[_POINT]]],
}


def table_of_objects(objects: object, format: Format) -> Table | Diagnostic:
    """One row per feature, or one row for the mesh, of an object among a topology's; the finding when it is not there."""
    part, name = ("feature", format.feature) if format.feature else ("mesh", format.mesh or "")
    if not isinstance(objects, dict):
        return UnknownTopojsonObject(place=at("format", part), name=name, objects=None)
    found = objects.get(name)
    if not isinstance(found, dict):
        return UnknownTopojsonObject(place=at("format", part), name=name, objects=tuple(objects))
    if part == "mesh":
        return Table(columns_of([_MESH_ROW]), 1, tuple(_MESH_ROW))
    return _table_of_features(_geometries(found))


def _geometries(found: dict[str, object]) -> list[dict[str, object]]:
    inner = found.get("geometries")
    if found.get("type") != "GeometryCollection" or not isinstance(inner, list):
        return [found]
    return [geometry for geometry in inner if isinstance(geometry, dict)]


def _table_of_features(geometries: list[dict[str, object]]) -> Table:
    shapes: dict[str, dict[str, object] | None] = {}
    rows = [_feature(geometry, shapes) for geometry in geometries]
    return Table(columns_of(rows), len(rows), tuple(rows[0]) if rows else ())


def _feature(geometry: dict[str, object], shapes: dict[str, dict[str, object] | None]) -> dict[str, object]:
    """A feature has an `id` only if its geometry has one, and `properties` always."""
    row: dict[str, object] = {"type": "Feature"}
    identity, box, properties = geometry.get("id"), geometry.get("bbox"), geometry.get("properties")
    if identity is not None:
        row["id"] = identity
    if box is not None:
        row["bbox"] = box
    row["properties"] = properties if properties is not None else {}
    kind = str(geometry.get("type"))
    if kind not in shapes:
        shapes[kind] = _geometry_of(kind)
    row["geometry"] = shapes[kind]
    return row


def _geometry_of(kind: str) -> dict[str, object] | None:
    if kind == "GeometryCollection":
        return {"type": kind, "geometries": []}
    return {"type": kind, "coordinates": _COORDINATES[kind]} if kind in _COORDINATES else None
