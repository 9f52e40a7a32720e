"""The shape of every dataset of a spec after every step: what a step adds, drops and changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sheliak.checker.report import Location, Report
from sheliak.checker.session import Stage
from sheliak.source.declared import dataclass
from sheliak.source.tree import Node
from sheliak.types.render import render_record, render_type
from sheliak.types.shapes import EMPTY_RECORD, Record, Type

SOURCE = "source"
_SOURCES = ("values", "url", "schema")


@dataclass(frozen=True, slots=True)
class ShapeStep:
    """A dataset after one of its transforms, or as it comes from its source."""

    name: str
    """The transform's type, or where the rows come from."""
    location: Location
    record: Record
    before: Record

    @property
    def added(self) -> tuple[str, ...]:
        """Fields that were not there before."""
        return tuple(name for name in self.record.fields if name not in self.before.fields)

    @property
    def dropped(self) -> tuple[str, ...]:
        """Fields that were there and are no longer."""
        return tuple(name for name in self.before.fields if name not in self.record.fields)

    @property
    def changed(self) -> tuple[str, ...]:
        """Fields that were there and have another type now."""
        before, after = self.before, self.record
        candidates = (
            name
            for name, of in after.fields.items()
            if name in before.fields and (before.fields[name] is not of or (name in before.optional) != (name in after.optional))
        )
        return tuple(name for name in candidates if field_text(after, name) != field_text(before, name))


@dataclass(frozen=True, slots=True)
class DatasetShape:
    """A dataset: where it stands, and its shape step by step. The first step is its source."""

    name: str
    scope: str
    """The pointer of the group that it belongs to; empty for the spec itself."""
    steps: tuple[ShapeStep, ...]

    @property
    def record(self) -> Record:
        """The shape after the last step."""
        return self.steps[-1].record

    @property
    def fields(self) -> Mapping[str, Type]:
        """The fields after the last step, with their types."""
        return self.record.fields

    def __str__(self) -> str:
        return render_record(self.record, 1000)

    def __repr__(self) -> str:
        return f"<DatasetShape {self.name}: {render_record(self.record)}>"


def field_text(record: Record, name: str) -> str:
    """The type of a field as it is read; a field that only some rows have is marked."""
    optional = " (in some rows)" if name in record.optional else ""
    return render_type(record.fields[name], 6) + optional


def dataset_shapes(report: Report) -> tuple[DatasetShape, ...]:
    """Every dataset in the order of its definition."""
    root = report.checked.document.root
    grouped: list[list[Stage]] = []
    for stage in report.checked.stages:
        if stage.step == SOURCE or not grouped:
            grouped.append([])
        grouped[-1].append(stage)
    return tuple(_dataset(stages, root, report) for stages in grouped)


def shapes_by_name(report: Report) -> dict[str, DatasetShape]:
    """The datasets by their names; one of a group whose name is taken is told apart by the group's pointer."""
    found: dict[str, DatasetShape] = {}
    for shape in dataset_shapes(report):
        name = f"{shape.name} ({shape.scope})" if shape.name in found else shape.name
        found[name] = shape
    return found


def _dataset(stages: list[Stage], root: Node, report: Report) -> DatasetShape:
    scope = "".join(f"/{key}" for key in stages[0].place.path[:-2])
    return DatasetShape(stages[0].dataset, scope, tuple(_steps(stages, root, report)))


def _steps(stages: list[Stage], root: Node, report: Report) -> Iterator[ShapeStep]:
    before = EMPTY_RECORD
    for stage in stages:
        name = stage.step if stage.step != SOURCE else origin(root.descend(*stage.place.path), stage.record)
        yield ShapeStep(name, report.locate(stage.place), stage.record, before)
        before = stage.record


def origin(definition: Node | None, record: Record) -> str:
    """Where the rows of a dataset come from: as its definition says, what Vega looks at first, first; else as it was made."""
    members = definition.value if definition is not None and isinstance(definition.value, dict) else {}
    if members.get("values") is not None:
        return "values"
    if members.get("url") is not None:
        return f"url {members['url']}" if isinstance(members["url"], str) else "url of a signal"
    source = members.get("source")
    if source is not None:
        return f"source {', '.join(map(str, source)) if isinstance(source, list) else source}"
    made = record.lineage
    if made is not None and made.step in _SOURCES:
        return made.step
    if made is not None and made.dataset and made.before is not None:
        return f"source {made.dataset}"
    return "filled at run time"
