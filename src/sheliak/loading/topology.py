"""TopoJSON decoded: the features of an object of a topology, or its mesh, with coordinates instead of arcs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from sheliak.expressions.values import UNDEFINED, Row, Value, array_text

Point: TypeAlias = list[Value]
Arcs: TypeAlias = list[list[Point]]
Geometry: TypeAlias = dict[str, Value]
Kept: TypeAlias = Callable[[Geometry, Geometry], bool]


class MalformedTopology(Exception):
    """The document is not a topology, or its arcs do not fit together."""


@dataclass(frozen=True, slots=True)
class Topology:
    """The arcs of a topology, decoded once."""

    arcs: Arcs
    """Absolute positions."""
    written: Arcs
    """As the document has them: the steps from one position to the next, where it has a transform."""
    quantized: bool
    position: Callable[[Point], Point]


def features_of(document: Value, name: str) -> list[Row]:
    """`format.feature`: one row per geometry of a collection, else one row."""
    found = _object_of(document, name)
    topology = _topology(document)
    if found.get("type") != "GeometryCollection":
        return [_feature(topology, found)]
    return [_feature(topology, geometry) for geometry in _geometries(found)]


def mesh_of(document: Value, name: str, filter_name: str | None) -> list[Row]:
    """`format.mesh`: one row with the lines of an object, each arc once; `filter` keeps inner or outer borders only."""
    found = _object_of(document, name)
    topology = _topology(document)
    lines = stitched(topology, _arcs_once(found, _FILTERS.get(filter_name or "")))
    return [{"type": "MultiLineString", "coordinates": [_line(topology, line) for line in lines]}]


_FILTERS: dict[str, Kept] = {"interior": lambda a, b: a is not b, "exterior": lambda a, b: a is b}


def _object_of(document: Value, name: str) -> Geometry:
    objects = document.get("objects") if isinstance(document, dict) else None
    if not isinstance(objects, dict):
        raise MalformedTopology(f"Cannot read properties of undefined (reading '{name}')")
    found = objects.get(name)
    if not isinstance(found, dict):
        raise MalformedTopology(f"Invalid TopoJSON object: {name}")
    return found


def _geometries(collection: Geometry) -> list[Geometry]:
    return [geometry for geometry in _list(collection.get("geometries")) if isinstance(geometry, dict)]


def _list(value: Value) -> list[Value]:
    if not isinstance(value, list):
        raise MalformedTopology("a list is missing in the topology")
    return value


def _number(value: Value) -> float:
    if not isinstance(value, float):
        raise MalformedTopology("a coordinate of the topology is not a number")
    return value


# Arcs as positions


def _topology(document: Value) -> Topology:
    assert isinstance(document, dict)
    written = [[_list(point) for point in _list(arc)] for arc in _list(document.get("arcs"))]
    transform = document.get("transform")
    if not isinstance(transform, dict):
        return Topology(written, written, False, lambda point: point)
    scale, move = _pair(transform.get("scale")), _pair(transform.get("translate"))
    arcs = [_absolute(arc, scale, move) for arc in written]
    return Topology(arcs, written, True, lambda point: _absolute([point], scale, move)[0])


def _pair(value: Value) -> tuple[float, float]:
    first, second, *_ = [*_list(value), UNDEFINED, UNDEFINED]
    return _number(first), _number(second)


def _absolute(arc: list[Point], scale: tuple[float, float], move: tuple[float, float]) -> list[Point]:
    """Each point of a quantized arc is a step from the one before, in units of `scale`."""
    x = y = 0.0
    points: list[Point] = []
    for point in arc:
        right, up = _pair(point)
        x, y = x + right, y + up
        points.append([x * scale[0] + move[0], y * scale[1] + move[1], *point[2:]])
    return points


# Geometries


def _feature(topology: Topology, geometry: Geometry) -> Row:
    """A feature has an `id` only if its geometry has one (or a `bbox`), and `properties` always."""
    row: Row = {"type": "Feature"}
    identity, box, properties = geometry.get("id"), geometry.get("bbox"), geometry.get("properties")
    if identity is not None or box is not None:
        row["id"] = geometry.get("id", UNDEFINED)
    if box is not None:
        row["bbox"] = box
    row["properties"] = properties if properties is not None else {}
    row["geometry"] = _geometry(topology, geometry)
    return row


def _geometry(topology: Topology, geometry: Geometry) -> Value:
    kind = geometry.get("type")
    if kind == "GeometryCollection":
        return {"type": kind, "geometries": [_geometry(topology, inner) for inner in _geometries(geometry)]}
    coordinates = _coordinates(topology, geometry, str(kind))
    return None if coordinates is None else {"type": kind, "coordinates": coordinates}


def _coordinates(topology: Topology, geometry: Geometry, kind: str) -> Value:
    """The positions that a geometry stands for; null for a kind of geometry that GeoJSON does not have."""
    match kind:
        case "Point":
            return topology.position(_list(geometry.get("coordinates")))
        case "MultiPoint":
            return [topology.position(_list(point)) for point in _list(geometry.get("coordinates"))]
        case "LineString":
            return _line(topology, _list(geometry.get("arcs")))
        case "MultiLineString":
            return [_line(topology, _list(line)) for line in _list(geometry.get("arcs"))]
        case "Polygon":
            return _polygon(topology, geometry.get("arcs"))
        case "MultiPolygon":
            return [_polygon(topology, polygon) for polygon in _list(geometry.get("arcs"))]
        case _:
            return None


def _polygon(topology: Topology, rings: Value) -> list[Value]:
    return [_ring(topology, _list(ring)) for ring in _list(rings)]


def _ring(topology: Topology, arcs: list[Value]) -> list[Value]:
    points = _line(topology, arcs)
    return points + points[:1] * (4 - len(points))


def _line(topology: Topology, arcs: list[Value]) -> list[Value]:
    """The points of arcs that follow each other: where two meet the point stands once. A line has two points at least."""
    points: list[Value] = []
    for arc in arcs:
        index = _number(arc)
        del points[-1:]
        points += _points_of(topology, int(index))
    return points + points[:1] * (2 - len(points))


def _points_of(topology: Topology, index: int) -> list[Point]:
    """The arc of an index; a negative one (~i) is arc i backwards."""
    try:
        return topology.arcs[index] if index >= 0 else topology.arcs[~index][::-1]
    except IndexError:
        raise MalformedTopology(f"the topology has no arc {index}") from None


# Meshes


def _arcs_once(found: Geometry, kept: Kept | None) -> list[int]:
    """Each arc of an object once, by its number, as it is first used; `kept` is told its first and its last user."""
    users: dict[int, list[tuple[int, Geometry]]] = {}
    for index, geometry in _uses(found):
        users.setdefault(index if index >= 0 else ~index, []).append((index, geometry))
    return [
        uses[0][0]
        for _, uses in sorted(users.items(), key=lambda entry: entry[0])
        if kept is None or kept(uses[0][1], uses[-1][1])
    ]


_DEPTHS = {"LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3}


def _uses(geometry: Geometry) -> list[tuple[int, Geometry]]:
    kind = str(geometry.get("type"))
    if kind == "GeometryCollection":
        return [use for inner in _geometries(geometry) for use in _uses(inner)]
    arcs: list[Value] = [geometry.get("arcs")] if kind in _DEPTHS else []
    for _ in range(_DEPTHS.get(kind, 0)):
        arcs = [arc for inner in arcs for arc in _list(inner)]
    return [(int(_number(arc)), geometry) for arc in arcs]


@dataclass(slots=True, eq=False)
class _Fragment:
    """Arcs that follow each other, from one point to another."""

    arcs: list[int]
    start: str
    end: str


@dataclass(slots=True)
class _Stitching:
    """Fragments by their two ends, in the order in which Vega's library would find them."""

    by_start: dict[str, _Fragment] = field(default_factory=dict)
    by_end: dict[str, _Fragment] = field(default_factory=dict)

    def add(self, arc: int, start: str, end: str) -> None:
        if start in self.by_end:
            before = self.by_end.pop(start)
            before.arcs.append(arc)
            before.end = end
            after = self.by_start.get(end)
            if after is not None:
                del self.by_start[after.start]
            self._put(before, after)
        elif end in self.by_start:
            after = self.by_start.pop(end)
            after.arcs.insert(0, arc)
            after.start = start
            # No fragment ends where this one begins: the first branch would have taken it.
            self._put(after, None)
        else:
            self._put(_Fragment([arc], start, end), None)

    def _put(self, before: _Fragment, after: _Fragment | None) -> None:
        joined = before
        if after is not None and after is not before:
            joined = _Fragment(before.arcs + after.arcs, before.start, after.end)
        self.by_start[joined.start] = self.by_end[joined.end] = joined

    def fragments(self) -> list[list[int]]:
        found: list[list[int]] = []
        for fragment in self.by_end.values():
            self.by_start.pop(fragment.start, None)
            found.append(fragment.arcs)
        return found + [fragment.arcs for fragment in self.by_start.values()]


def stitched(topology: Topology, arcs: list[int]) -> list[list[Value]]:
    """Arcs joined end to end into as few lines as one pass gives, those without extent first."""
    stitching = _Stitching()
    for arc in _empty_first(topology, arcs):
        start, end = _ends(topology, arc)
        stitching.add(arc, start, end)
    lines = stitching.fragments()
    used = {arc if arc >= 0 else ~arc for line in lines for arc in line}
    lines += [[arc] for arc in arcs if (arc if arc >= 0 else ~arc) not in used]
    return [[float(arc) for arc in line] for line in lines]


def _empty_first(topology: Topology, arcs: list[int]) -> list[int]:
    """An arc that does not leave its point changes places with the first that does."""
    ordered, empty = list(arcs), 0
    for index, arc in enumerate(arcs):
        written = _written(topology, arc)
        if len(written) < 3 and len(written) > 1 and not any(written[1][:2]):
            ordered[index], ordered[empty] = ordered[empty], arc
            empty += 1
    return ordered


def _written(topology: Topology, arc: int) -> list[Point]:
    try:
        return topology.written[arc if arc >= 0 else ~arc]
    except IndexError:
        raise MalformedTopology(f"the topology has no arc {arc}") from None


def _ends(topology: Topology, arc: int) -> tuple[str, str]:
    """The two ends of an arc, by their text."""
    written = _written(topology, arc)
    if not written:
        raise MalformedTopology(f"arc {arc} of the topology has no points")
    start = array_text(written[0], ",")
    if topology.quantized:
        pairs = [_pair(point) for point in written]
        end = array_text([sum(x for x, _ in pairs), sum(y for _, y in pairs)], ",")
    else:
        end = array_text(written[-1], ",")
    return (start, end) if arc >= 0 else (end, start)
