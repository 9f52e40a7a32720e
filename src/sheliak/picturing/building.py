"""From a spec to its picture: boxes for datasets and for what reads them, arrows between them, frames for groups.

Simplified on purpose. Marks and scales of one group that read the same dataset share a box. A facet whose group only draws marks is a
line in such a box, not a frame. Of the signals, only those that transforms use are shown; of the datasets, those that only events fill
are left out unless something reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sheliak.picturing.dataset_boxes import DatasetBoxes, file_name
from sheliak.picturing.drawings import domain_fields, mark_line, scale_line
from sheliak.picturing.labels import field_words, label_of, word
from sheliak.picturing.picture import Edge, Frame, Node, Picture, Role
from sheliak.picturing.problems import Owners
from sheliak.picturing.references import Named, named_in_expression, named_in_transform, named_in_value
from sheliak.picturing.scopes import PictureScope, Signal, elements, text_of
from sheliak.picturing.simplifying import simplified
from sheliak.picturing.subject import Subject
from sheliak.source.declared import dataclass, field, replace
from sheliak.source.tree import Node as SpecNode

_INNER = ("data", "signals", "scales", "projections")


def picture_of(subject: Subject, *, marks: bool = True) -> Picture:
    """The picture of a spec, with or without its marks and scales."""
    building = _Building(subject, marks)
    building.add_scope(PictureScope(subject.root))
    building.add_references()
    building.colour_sources()
    nodes = {**building.nodes, **{id: draft.node() for id, draft in building.drawings.items()}}
    picture = Picture(subject.title, tuple(nodes.values()), tuple(building.edges), tuple(building.frames.values()))
    return simplified(building.owners.attached(picture, subject.problems))


@dataclass(slots=True)
class _Draft:
    """A drawing as it grows."""

    id: str
    frame: str
    pointer: str
    marks: list[str] = field(default_factory=list)
    scales: list[tuple[str, str]] = field(default_factory=list)

    def node(self) -> Node:
        name = " and ".join(name for name, has_lines in (("marks", self.marks), ("scales", self.scales)) if has_lines)
        marks, scales = tuple(dict.fromkeys(self.marks)), tuple(dict.fromkeys(self.scales))
        return Node(self.id, "drawing", name, self.pointer, self.frame, marks=marks, scales=scales)


@dataclass(slots=True)
class _Waiting:
    """Names that a box reads, to be looked up when everything is declared."""

    scope: PictureScope
    id: str
    named: tuple[Named, ...]


class _Building:
    def __init__(self, subject: Subject, shows_marks: bool) -> None:
        self._shows_marks = shows_marks
        self._name_of = subject.name_of
        self._boxes = DatasetBoxes(subject.stages)
        self._waiting: list[_Waiting] = []
        self.owners = Owners()
        self.nodes: dict[str, Node] = {}
        self.edges: dict[Edge, None] = {}
        self.frames: dict[str, Frame] = {}
        self.drawings: dict[str, _Draft] = {}

    def add_scope(self, scope: PictureScope) -> None:
        """One group, or the spec itself, in the order in which Vega reads it."""
        scope.declare_signals()
        for definition in elements(scope.node.get("data")):
            self._add_dataset(scope, definition)
        if self._shows_marks:
            for scale in elements(scope.node.get("scales")):
                self._add_scale(scope, scale)
        for mark in elements(scope.node.get("marks")):
            self._add_mark(scope, mark)

    def _connect(self, source: str | None, target: str, role: Role) -> None:
        if source is not None and source != target:
            self.edges[Edge(source, target, role)] = None

    # Datasets

    def _add_dataset(self, scope: PictureScope, definition: SpecNode) -> None:
        name = text_of(definition, "name") or "undefined"
        upstream = [id for source in _upstream(definition) if (id := scope.dataset(source)) is not None]
        shown_name = self._shown_name(definition, scope, name)
        boxes = list(self._boxes.boxes(definition, scope, shown_name, upstream, lambda step: self._reads_kept(scope, step)))
        dataset = boxes[-1]
        self.nodes.update((box.id, box) for box in boxes)
        for source in [box.id for box in boxes[:-1]] or upstream:
            self._connect(source, dataset.id, "rows")
        self.owners.own_dataset(definition, dataset.id, boxes[0].id)
        scope.datasets[name] = dataset.id
        self._publish(scope, definition, dataset.id)
        named = [named for transform in elements(definition.get("transform")) for named in named_in_transform(transform)]
        named += [named for part in ("url", "format") if (given := definition.get(part)) for named in named_in_value(given.value)]
        self._waiting.append(_Waiting(scope, dataset.id, tuple(dict.fromkeys(named))))

    def _reads_kept(self, scope: PictureScope, transform: SpecNode) -> bool:
        """A transform uses a dataset, or a signal made of one, whose rows stay with the renderer."""
        for kind, name in named_in_transform(transform):
            signal = scope.signal(name) if kind == "signal" else None
            id = scope.dataset(name) if kind == "dataset" else signal.publisher if signal is not None else None
            if id is not None and self._boxes.is_kept(id):
                return True
        return False

    def _shown_name(self, definition: SpecNode, scope: PictureScope, name: str) -> str:
        """What the author calls it; where Vega-Lite made the name up, the file that its rows come from."""
        known = self._name_of(name) if not scope.frame else name
        if known == name or known != text_of(definition, "url"):
            return known
        return file_name(known) + (", transformed" if elements(definition.get("transform")) else "")

    def _publish(self, scope: PictureScope, definition: SpecNode, dataset: str) -> None:
        for transform in elements(definition.get("transform")):
            name = text_of(transform, "signal")
            if name:
                scope.signals[name] = Signal(name, transform, scope.frame, publisher=dataset)

    def colour_sources(self) -> None:
        """A dataset without transforms is read by Spark if something that runs there reads it."""
        readers: dict[str, list[str]] = {}
        for edge in self.edges:
            readers.setdefault(edge.source, []).append(edge.target)
        for id in reversed(self.nodes):
            node = self.nodes[id]
            if node.kind == "dataset" and not node.steps and self._boxes.is_computed(id):
                reading = [self.nodes[reader] for reader in readers.get(id, ()) if reader in self.nodes]
                is_read = any(reader.on_spark or any(step.on_spark for step in reader.steps) for reader in reading)
                self.nodes[id] = replace(node, on_spark=is_read)

    # Marks and scales

    def _add_scale(self, scope: PictureScope, scale: SpecNode) -> None:
        sources = [id for name, _ in domain_fields(scale) if (id := scope.dataset(name)) is not None]
        if not sources:
            return
        drawing = self._drawing(scope, sources)
        drawing.scales.append(scale_line(scale))
        self.owners.own(scale.path, drawing.id)
        name = text_of(scale, "name")
        if name is not None:
            scope.scales[name] = drawing.id

    def _drawing(self, scope: PictureScope, sources: Iterable[str]) -> _Draft:
        """The box of what reads the same datasets in one group."""
        distinct = tuple(dict.fromkeys(sources))
        id = f"drawing:{scope.node.place.pointer}:{','.join(distinct)}"
        if id not in self.drawings:
            self.drawings[id] = _Draft(id, scope.frame, scope.node.place.pointer)
            for source in distinct:
                self._connect(source, id, "rows")
        return self.drawings[id]

    def _add_mark(self, scope: PictureScope, mark: SpecNode) -> None:
        given = mark.get("from")
        data, facet = text_of(given, "data"), given.get("facet") if given is not None else None
        source = scope.dataset(data) if data is not None else None
        if source is not None and self._shows_marks:
            self._draw(scope, mark, source)
        if text_of(mark, "type") != "group":
            return
        if facet is not None and self._shows_marks and _only_draws(mark):
            self._draw_cells(scope, mark, facet)
        else:
            self._add_group(scope, mark, facet)

    def _draw(self, scope: PictureScope, mark: SpecNode, source: str, per: str = "") -> None:
        drawing = self._drawing(scope, [source])
        drawing.marks.append(mark_line(mark, per))
        self.owners.own(mark.path, drawing.id)
        for transform in elements(mark.get("transform")):
            drawing.marks.append(f"+ {label_of(transform.value)}")
            named = tuple(named for named in named_in_transform(transform) if named[0] == "dataset")
            self._waiting.append(_Waiting(scope, drawing.id, named))
        name = text_of(mark, "name")
        if name is not None:
            scope.datasets[name] = drawing.id

    def _draw_cells(self, scope: PictureScope, group: SpecNode, facet: SpecNode) -> None:
        """The marks of a facet's cells as lines of a drawing over what the facet splits."""
        source = scope.dataset(text_of(facet, "data") or "")
        if source is not None:
            for mark in elements(group.get("marks")):
                if text_of(mark.get("from"), "data") == text_of(facet, "name"):
                    self._draw(scope, mark, source, per=_keys(facet))

    def _add_group(self, scope: PictureScope, mark: SpecNode, facet: SpecNode | None) -> None:
        pointer = mark.place.pointer
        title = (text_of(mark, "name") or "group").removesuffix("_group")
        title += f", for each {_keys(facet)}" if facet is not None else ""
        self.frames[pointer] = Frame(pointer, scope.frame, title, pointer)
        self.owners.own(mark.path, pointer)
        inner = PictureScope(mark, pointer, scope)
        name = text_of(facet, "name")
        if facet is not None and name is not None:
            source = scope.dataset(text_of(facet, "data") or "")
            node = self._boxes.facet(f"dataset:{facet.place.pointer}", facet, pointer, name, source)
            self.nodes[node.id] = node
            self.owners.own(facet.path, node.id)
            self._connect(source, node.id, "rows")
            inner.datasets[name] = node.id
        self.add_scope(inner)

    # What is read beside the rows

    def add_references(self) -> None:
        """Arrows for the signals, datasets and scales that transforms name; a signal is shown from here on."""
        for waiting in self._waiting:
            for named in waiting.named:
                self._add_reference(waiting.scope, waiting.id, named)

    def _add_reference(self, scope: PictureScope, reader: str, named: Named) -> None:
        kind, name = named
        match kind:
            case "dataset":
                self._connect(scope.dataset(name), reader, "reads")
            case "scale":
                self._connect(scope.scale(name), reader, "reads")
            case "signal":
                signal = scope.signal(name)
                if signal is not None and not self._is_known_way(signal, reader):
                    self._connect(self._show(scope, signal), reader, "signal")

    def _is_known_way(self, signal: Signal, reader: str) -> bool:
        """What a transform publishes for a later one of the same dataset, or of one that takes its rows, needs no second arrow."""
        publisher = signal.publisher
        return publisher is not None and (publisher == reader or Edge(publisher, reader, "rows") in self.edges)

    def _show(self, scope: PictureScope, signal: Signal) -> str:
        pointer = signal.node.place.pointer
        id = f"signal:{pointer}"
        if id not in self.nodes:
            self.nodes[id] = Node(
                id, "signal", signal.name, pointer, signal.frame, signals=((signal.name, _signal_detail(signal)),)
            )
            self.owners.own(signal.node.path, id, unless_owned=True)
            self._connect(signal.publisher, id, "signal")
            for kind, name in _named_by_signal(signal) if signal.publisher is None else ():
                self._connect(scope.dataset(name) if kind == "dataset" else None, id, "reads")
        return id


def _upstream(definition: SpecNode) -> Iterator[str]:
    """The datasets whose rows a dataset starts from: only without values and a url of its own."""
    own = [definition.get(part) for part in ("values", "url")]
    source = definition.get("source")
    if source is None or any(given is not None and given.value is not None for given in own):
        return
    for one in source.elements() if source.is_array else (source,):
        if one.text is not None:
            yield one.text


def _keys(facet: SpecNode) -> str:
    keys = facet.get("groupby") or facet.get("field")
    return field_words(keys.value) if keys is not None and keys.value not in (None, []) else "group"


def _only_draws(group: SpecNode) -> bool:
    """The cells hold plain marks and no definitions of their own."""
    if any(group.get(section) is not None and group.get(section).value for section in _INNER):  # type: ignore[union-attr]
        return False
    return all(text_of(mark, "type") != "group" for mark in elements(group.get("marks")))


def _signal_detail(signal: Signal) -> str:
    """How a signal gets its values, in a word or two."""
    if signal.publisher is not None:
        return "published"
    bind = signal.node.get("bind")
    if bind is not None:
        return text_of(bind, "input") or "input"
    if signal.node.get("on") is not None:
        return "events"
    expression = text_of(signal.node, "update") or text_of(signal.node, "init")
    if expression:
        return f"= {' '.join(expression.split())}"
    value = signal.node.get("value")
    return f"= {word(value.value)}" if value is not None else ""


def _named_by_signal(signal: Signal) -> Iterator[Named]:
    for part in ("update", "init"):
        text = text_of(signal.node, part)
        if text:
            yield from named_in_expression(text)
