"""What a spec demands of data that nobody has looked at: the columns it reads, and the types that their use needs."""

from __future__ import annotations

from typing import assert_never

from sheliak.checker.report import Location, Report
from sheliak.explaining.shapes import SOURCE, origin
from sheliak.source.declared import dataclass
from sheliak.types.shapes import UNKNOWN, Array, Literal, Record, Scalar, Type, Union, Unknown

_JSON_TYPES = {"words": "string", "numeric text": "string", "date text": "string", "undefined": "null"}

Columns = tuple[tuple[tuple[str, ...], Type], ...]


@dataclass(frozen=True, slots=True)
class Demand:
    """What one source must have: path of a column -> the type it must take, in the order of their first use."""

    dataset: str
    origin: str
    location: Location | None
    columns: Columns


def demands(report: Report) -> tuple[Demand, ...]:
    """One demand for every dataset with unseen columns."""
    columns: dict[str, list[tuple[tuple[str, ...], Type]]] = {}
    for unseen, of in report.checked.requirements.items():
        if unseen.path:
            columns.setdefault(unseen.dataset, []).append((unseen.path, of))
    return tuple(_demand(report, dataset, of) for dataset, of in columns.items())


def _demand(report: Report, dataset: str, columns: list[tuple[tuple[str, ...], Type]]) -> Demand:
    root = report.checked.document.root
    for stage in report.checked.stages:
        if stage.dataset == dataset and stage.step == SOURCE:
            definition = root.descend(*stage.place.path)
            return Demand(dataset, origin(definition, stage.record), report.locate(stage.place), tuple(columns))
    return Demand(dataset, "filled at run time", None, tuple(columns))


def json_schema(demand: Demand) -> dict[str, object]:
    """The demand as a JSON Schema of the rows; `--schema` reads it too."""
    head: dict[str, object] = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": demand.dataset}
    return head | {"type": "array", "items": _row(demand.columns)}


def _row(columns: Columns) -> dict[str, object]:
    """An object with the columns; one that others lie below is an object itself."""
    properties: dict[str, object] = {}
    for name in dict.fromkeys(path[0] for path, _ in columns):
        below = tuple((path[1:], of) for path, of in columns if path[0] == name and len(path) > 1)
        own = next((of for path, of in columns if path == (name,)), UNKNOWN)
        properties[name] = _row(below) if below else _schema_of(own)
    return {"type": "object", "properties": properties, "required": list(properties)}


def _schema_of(of: Type) -> dict[str, object]:
    match of:
        case Scalar("date"):
            return {"type": "string", "format": "date-time"}
        case Scalar(name):
            return {"type": _JSON_TYPES.get(name, name)}
        case Literal(value):
            return {"const": value}
        case Array(element):
            return {"type": "array", "items": _schema_of(element)}
        case Union(options):
            return {"anyOf": [_schema_of(option) for option in options]}
        case Record(fields):
            return {"type": "object", "properties": {name: _schema_of(member) for name, member in fields.items()}}
        case Unknown():
            return {}
        case _:
            assert_never(of)
