"""The boxes of one dataset: its rows as they are given, its transforms, and its rows after them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sheliak.checker.session import Stage
from sheliak.explaining.shapes import field_text
from sheliak.picturing.labels import label_of
from sheliak.picturing.picture import Field, Node, Step
from sheliak.picturing.scopes import PictureScope, elements, text_of
from sheliak.picturing.subject import Path
from sheliak.source.tree import Node as SpecNode
from sheliak.transforms import transform_class
from sheliak.transforms._contract import Transform
from sheliak.types.shapes import OPEN_RECORD, Record

MOST_FIELDS = 5
_GENERATORS = ("sequence", "graticule")


class DatasetBoxes:
    """Makes the boxes of datasets; knows which of them the engine can compute so far."""

    def __init__(self, stages: tuple[Stage, ...]) -> None:
        self._stages: Mapping[Path, Stage] = {stage.place.path: stage for stage in stages}
        self._records: dict[str, Record] = {}
        self._computed: dict[str, bool] = {}
        """Id of a dataset -> everything on the way to its rows has a plan."""
        self._kept: set[str] = set()

    def record(self, id: str) -> Record:
        return self._records.get(id, OPEN_RECORD)

    def is_computed(self, id: str) -> bool:
        return self._computed.get(id, False)

    def is_kept(self, id: str) -> bool:
        """Some transform on the way to its rows has no plan, so that they stay with the renderer."""
        return id in self._kept

    def boxes(
        self,
        definition: SpecNode,
        scope: PictureScope,
        name: str,
        upstream: list[str],
        reads_kept: Callable[[SpecNode], bool],
    ) -> Iterator[Node]:
        """The source of a dataset that transforms what it is given, if it does; then the dataset itself."""
        pointer = definition.place.pointer
        transforms = elements(definition.get("transform"))
        given = self._given(definition)
        is_at_hand = bool(upstream) or row_source(definition) != FILLED or _generates(transforms)
        starts = not scope.frame and is_at_hand and all(self.is_computed(id) for id in upstream)
        steps = tuple(_steps(transforms, starts, reads_kept))
        id = f"dataset:{pointer}"
        self._computed[id] = starts and all(step.on_spark for step in steps)
        if is_at_hand and not scope.frame and not self._computed[id]:
            self._kept.add(id)
        self._records[id] = self._last(definition, transforms, given)
        detail, from_rows = row_source(definition), not upstream
        if steps and from_rows and not _is_generated(steps, detail):
            yield self._source(definition, scope, name, given, on_spark=steps[0].on_spark)
            from_rows = False
        yield Node(
            id,
            "dataset",
            name,
            pointer,
            scope.frame,
            detail if from_rows and not _is_generated(steps, detail) else "",
            tuple(shown_fields(self._records[id], given if steps else None)),
            self._records[id].open,
            _keeps_fields(self._records[id], given, upstream),
            steps,
            on_spark=bool(steps) and self._computed[id],
        )

    def facet(self, id: str, facet: SpecNode, frame: str, name: str, source: str | None) -> Node:
        """The dataset that the cells of a facet see: by groups of rows, or the rows inside of a field."""
        is_split = facet.get("field") is None
        record = self.record(source) if source is not None and is_split else OPEN_RECORD
        self._records[id] = record
        fields = tuple(shown_fields(record, None))
        keeps = is_split and len(fields) > 1
        return Node(id, "dataset", name, facet.place.pointer, frame, "rows of one cell", fields, record.open, keeps)

    def _given(self, definition: SpecNode) -> Record:
        stage = self._stages.get(definition.path)
        return stage.record if stage is not None else OPEN_RECORD

    def _last(self, definition: SpecNode, transforms: list[SpecNode], given: Record) -> Record:
        known = (self._stages.get(transform.path) for transform in reversed(transforms))
        return next((stage.record for stage in known if stage is not None), given)

    def _source(self, definition: SpecNode, scope: PictureScope, name: str, given: Record, *, on_spark: bool) -> Node:
        detail = row_source(definition)
        url = text_of(definition, "url")
        title = file_name(url) if url and detail.startswith("url") else name
        pointer = definition.place.pointer
        fields = tuple(shown_fields(given, None))
        return Node(
            f"source:{pointer}", "source", title, pointer, scope.frame, detail, fields, is_open=given.open, on_spark=on_spark
        )


def _keeps_fields(after: Record, before: Record, upstream: list[str]) -> bool:
    return bool(upstream) and len(after.fields) > 1 and after.open == before.open and set(after.fields) == set(before.fields)


def _steps(transforms: list[SpecNode], computed: bool, reads_kept: Callable[[SpecNode], bool]) -> Iterator[Step]:
    """The transforms in words. One runs on Spark if all before it and all it reads do, and it has a plan."""
    for transform in transforms:
        name = text_of(transform, "type") or ""
        cls = transform_class(name)
        computed = computed and cls is not None and cls.plan is not Transform.plan and not reads_kept(transform)
        yield Step(name.lower(), label_of(transform.value), computed, transform.place.pointer)


def _generates(transforms: list[SpecNode]) -> bool:
    return bool(transforms) and (text_of(transforms[0], "type") or "").lower() in _GENERATORS


def _is_generated(steps: tuple[Step, ...], detail: str) -> bool:
    """Its rows come out of nothing."""
    return bool(steps) and steps[0].type in _GENERATORS and detail == FILLED


FILLED = "filled at run time"


def row_source(definition: SpecNode) -> str:
    """Where the rows of a dataset without upstream come from; what Vega looks at first, first."""
    values, url = definition.get("values"), definition.get("url")
    if values is not None and values.value is not None:
        rows = values.value
        return f"values, {len(rows)} row{'' if len(rows) == 1 else 's'}" if isinstance(rows, list) else "values"
    if url is not None and url.value is not None:
        return f"url {url.text}" if url.text is not None else "url of a signal"
    return FILLED


def file_name(url: str) -> str:
    """The last part of a url, or all of it."""
    return url.rstrip("/").rpartition("/")[2] or url


def shown_fields(record: Record, before: Record | None) -> Iterator[Field]:
    """All fields of a dataset in their order; with the record before its transforms, those that they make are marked."""
    old = before if before is not None else record
    for name in record.fields:
        yield Field(name, field_text(record, name), name not in old.fields)


def few(fields: tuple[Field, ...], most: int = MOST_FIELDS) -> tuple[Field, ...]:
    """The fields that a box has room for: those the dataset's own transforms make before the others, in their order."""
    if len(fields) <= most + 1:
        return fields
    chosen = sorted(range(len(fields)), key=lambda index: (not fields[index].is_made, index))[:most]
    return tuple(fields[index] for index in sorted(chosen))
