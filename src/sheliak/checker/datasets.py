"""The data section: where rows come from, and what each transform makes of their shape."""

from __future__ import annotations

from pathlib import Path

from sheliak.checker.expressions import (
    NO_VARIABLES,
    check_signals_below,
    type_of_signal_object,
    type_of_text,
)
from sheliak.checker.session import Session, Stage
from sheliak.dataflow.scopes import Dataset, Scope, Signal
from sheliak.diagnostics.names import DatasetUsedTooEarly, UnknownDataset, UnknownProjection
from sheliak.diagnostics.parameters import TransformNotAllowed, UnknownTransform, WrongKind
from sheliak.diagnostics.registry import Diagnostic
from sheliak.diagnostics.spec import DuplicateName, MissingProperty
from sheliak.loading import Format, Loaded, read_format, read_schema, shape_of_url, shape_of_values
from sheliak.source.declared import replace
from sheliak.source.tree import Node
from sheliak.transforms import NAMES, transform_class
from sheliak.transforms._contract import Transform
from sheliak.transforms._elaborate import elaborate
from sheliak.types.bounds import bounded
from sheliak.types.operations import join, join_records, opened, without_missing
from sheliak.types.shapes import OPEN_RECORD, UNKNOWN, Array, Lineage, Record, Type, Unseen


class Pipeline:
    """The Checking of one pipeline of transforms: a dataset's, or a mark's own (`dataset_name` is None then)."""

    def __init__(self, session: Session, scope: Scope, dataset_name: str | None) -> None:
        self.session = session
        self.scope = scope
        self.dataset_name = dataset_name
        self.steps: tuple[str, ...] = ()
        self.strict = session.strict
        self.aggregated: Record | None = None
        self.transforms: list[Transform] = []

    def report(self, finding: Diagnostic) -> None:
        self.session.findings.report(finding)

    def require(self, unseen: Unseen, demanded: Type) -> None:
        self.session.findings.require(unseen, demanded)

    def expression(self, node: Node, datum: Type) -> Type:
        return type_of_text(self.session, self.scope, node, {"datum": datum}, unpublished=False)

    def signal(self, node: Node, datum: Type | None) -> Type:
        return type_of_signal_object(self.session, self.scope, node)

    def dataset(self, node: Node) -> Record | None:
        found = find_dataset(self.session, self.scope, node)
        return found.record if found is not None else None

    def projection(self, node: Node) -> None:
        name = node.text
        if name is None:
            expected = "the name of a projection"
            self.report(WrongKind(place=node.place, owner="`projection`", expected=expected, found=node.kind))
        elif self.scope.projection(name) is None and self.scope.scale(name) is None:
            self.report(UnknownProjection(place=node.place, name=name, known=self.scope.projection_names()))

    def run(self, transforms: Node, record: Record, *, on_mark: bool = False) -> Record:
        """T₀ ⊢ t₁ : T₁, …: the record after all transforms."""
        for node in transforms.elements():
            record = self._step(node, record, on_mark=on_mark)
        return record

    def _step(self, node: Node, record: Record, *, on_mark: bool) -> Record:
        cls = self._class_of(node)
        if cls is None:
            return opened(record)
        if on_mark and cls.generates:
            reason = "a mark's own transforms cannot make or drop items"
            self.report(TransformNotAllowed(place=node.place, name=cls.type, reason=reason))
        transform = elaborate(cls, node, record, self)
        output = bounded(transform.output_type(record, self) if transform is not None else cls.uncertain_type(record))
        output = self._with_lineage(node, cls, transform, record, output)
        self._publish(node, transform, record)
        self.steps = (*self.steps, cls.type)
        if transform is not None:
            self.transforms.append(transform)
        if cls.type == "aggregate":
            self.aggregated = output
        if self.dataset_name is not None:
            self.session.stages.append(Stage(self.dataset_name, node.place, cls.type, output))
        return output

    def _class_of(self, node: Node) -> type[Transform] | None:
        type_ = node.get("type")
        if type_ is None:
            if node.is_object:
                self.report(MissingProperty(place=node.place, owner="a transform", name="type"))
            else:
                self.report(WrongKind(place=node.place, owner="a transform", expected="an object", found=node.kind))
            return None
        name = type_.text
        cls = transform_class(name) if name is not None else None
        if cls is None:
            found = name if name is not None else str(type_.value)
            self.report(UnknownTransform(place=type_.place, name=found, known=tuple(sorted(NAMES))))
        return cls

    def _with_lineage(
        self, node: Node, cls: type[Transform], transform: Transform | None, before: Record, after: Record
    ) -> Record:
        added = tuple(name for name, of in after.fields.items() if before.fields.get(name) is not of)
        defaulted = bool(added) and node.get("as") is None and any(param.name == "as" for param in cls.params)
        renamed = transform.renamed() if transform is not None else {}
        lineage = Lineage(cls.type, node.place, before, self.dataset_name, added, defaulted, renamed)
        return replace(after, lineage=lineage)

    def _publish(self, node: Node, transform: Transform | None, record: Record) -> None:
        name = node.get("signal")
        if name is None or name.text is None:
            return
        of = transform.signal_type(record, self) if transform is not None else UNKNOWN
        known = self.scope.signals.get(name.text)
        if known is not None:
            self.report(DuplicateName(place=name.place, name=name.text, kind="signal"))
            return
        published = self.scope.unpublished.pop(name.text, None) or Signal(name.text)
        published.of = of
        self.scope.signals[name.text] = published


def declare_published(scope: Scope, node: Node) -> None:
    """Enters the signals that the transforms of a scope's datasets will publish."""
    for section in ("data", "marks"):
        listed = node.get(section)
        for owner in listed.elements() if listed else ():
            transforms = owner.get("transform")
            for transform in transforms.elements() if transforms else ():
                name = transform.get("signal")
                if name is not None and name.text is not None:
                    scope.unpublished[name.text] = Signal(name.text, of=UNKNOWN)


def find_dataset(session: Session, scope: Scope, node: Node) -> Dataset | None:
    """The dataset or mark that a node's text names; reported when there is none yet."""
    name = node.text
    if name is None:
        expected = "the name of a dataset"
        session.report(WrongKind(place=node.place, owner="this", expected=expected, found=node.kind))
        return None
    found = scope.dataset(name)
    if found is None:
        later = scope.defined_later(name)
        if later is not None:
            session.report(DatasetUsedTooEarly(place=node.place, name=name, known=scope.dataset_names(), defined_at=later.place))
        else:
            session.report(UnknownDataset(place=node.place, name=name, known=scope.dataset_names()))
    return found


def define_dataset(session: Session, scope: Scope, name: str, dataset: Dataset, place: Node) -> None:
    """Enters a dataset, a facet or a named mark; the second of one name in a scope is a mistake."""
    dataset.record = bounded(dataset.record)
    first = scope.datasets.get(name)
    if first is not None:
        session.report(DuplicateName(place=place.place, name=name, kind="dataset or mark", first=first.node.place))
    scope.datasets[name] = dataset
    scope.later.pop(name, None)


def check_data(session: Session, scope: Scope, node: Node) -> None:
    """The datasets of a scope, in order: each sees only those before it."""
    data = node.get("data")
    if data is None:
        return
    if not data.is_array:
        session.report(WrongKind(place=data.place, owner="`data`", expected="a list of datasets", found=data.kind))
        return
    for element in data.elements():
        if element.is_object:
            _check_dataset(session, scope, element)
        else:
            session.report(WrongKind(place=element.place, owner="a dataset", expected="an object", found=element.kind))


def _check_dataset(session: Session, scope: Scope, node: Node) -> None:
    name_node = node.get("name")
    name = name_node.text if name_node is not None and name_node.text is not None else "undefined"
    if name_node is None:
        session.report(MissingProperty(place=node.place, owner="a dataset", name="name", reason="Vega calls it `undefined`"))
    record, aggregated = _source_record(session, scope, node, name)
    session.stages.append(Stage(name, node.place, "source", record))
    pipeline = Pipeline(session, scope, name)
    pipeline.aggregated = aggregated
    transforms = node.get("transform")
    if transforms is not None:
        if not transforms.is_array:
            expected = "a list of transforms"
            session.report(WrongKind(place=transforms.place, owner="`transform`", expected=expected, found=transforms.kind))
        session.dataset = name
        record = pipeline.run(transforms, record)
        session.dataset = None
    record = _after_triggers(session, scope, node, record, filled=_has_source(node))
    rewrite_others(scope, pipeline, record)
    define_dataset(session, scope, name, Dataset(name, node, record, pipeline.aggregated, _source_names(node)), name_node or node)


def _source_names(node: Node) -> tuple[str, ...]:
    source = node.get("source")
    if source is None:
        return ()
    return tuple(one.text for one in (source.elements() if source.is_array else (source,)) if one.text is not None)


def _has_source(node: Node) -> bool:
    """The dataset has rows of its own; else its triggers make all of them."""
    return any(node.get(name) is not None for name in ("values", "url", "source", "transform"))


def rewrite_others(scope: Scope, pipeline: Pipeline, record: Record) -> None:
    """Datasets that a transform of this one changes in place, such as the links of a force simulation."""
    for transform in pipeline.transforms:
        for rewrite in transform.rewrites(record):
            found = scope.dataset(rewrite.dataset.text or "")
            if found is not None:
                found.record = rewrite.record


def _source_record(session: Session, scope: Scope, node: Node, name: str) -> tuple[Record, Record | None]:
    """The shape of a dataset's rows before its transforms. Vega takes values, then url, then source."""
    schema = session.schemas.get(name)
    if schema is not None:
        return (schema if isinstance(schema, Record) else read_schema(Path(schema), name)), None
    values, url, source = node.get("values"), node.get("url"), node.get("source")
    if values is not None and values.value is not None:
        return _loaded(session, scope, node, values, name), None
    if url is not None and url.value is not None:
        return _loaded(session, scope, node, url, name), None
    if source is not None and source.value is not None:
        return _derived(session, scope, source)
    check_format_signals(session, scope, node)
    return _unseen(name, node), None


def check_format_signals(session: Session, scope: Scope, node: Node) -> None:
    """Signals inside a dataset's `format`."""
    format_node = node.get("format")
    if format_node is not None:
        check_signals_below(session, scope, format_node)


def _unseen(name: str, node: Node) -> Record:
    """A dataset that is filled while the chart runs: nobody knows its fields."""
    return Record({}, open=True, unseen=Unseen(name), lineage=Lineage("source", node.place, dataset=name))


def _loaded(session: Session, scope: Scope, node: Node, given: Node, name: str) -> Record:
    check_format_signals(session, scope, node)
    if isinstance(given.value, dict) and "signal" in given.value:
        of = type_of_signal_object(session, scope, given)
        element = of.element if isinstance(of, Array) else UNKNOWN
        return element if isinstance(element, Record) else _unseen(name, node)
    format_ = read_format(node.get("format"), session.report)
    if format_ is None:
        return _unseen(name, node)
    loaded = _load(session, given, format_, name)
    for problem in loaded.problems:
        session.report(problem)
    if loaded.note is not None:
        session.notes.append((given.place, loaded.note))
    if not loaded.record.fields and not loaded.record.open and loaded.rows == 0:
        return _unseen(name, node)
    return loaded.record


def _load(session: Session, given: Node, format_: Format, name: str) -> Loaded:
    if given.key == "values":
        return shape_of_values(given, format_, name)
    return shape_of_url(given, format_, name, session.folders)


def _derived(session: Session, scope: Scope, source: Node) -> tuple[Record, Record | None]:
    """`source`: one dataset, or several whose rows follow each other."""
    nodes = list(source.elements()) if source.is_array else [source]
    found = [find_dataset(session, scope, node) for node in nodes]
    records = [dataset.record if dataset is not None else OPEN_RECORD for dataset in found]
    if not records:
        return OPEN_RECORD, None
    aggregated = found[0].aggregated if len(found) == 1 and found[0] is not None else None
    joined = join(records)
    return (joined if isinstance(joined, Record) else OPEN_RECORD), aggregated


def _after_triggers(session: Session, scope: Scope, node: Node, record: Record, *, filled: bool) -> Record:
    """`on`: rows that signals insert, and fields that they write, while the chart runs."""
    triggers = node.get("on")
    inserted: list[Type] = []
    for trigger in triggers.elements() if triggers else ():
        for part in ("trigger", "remove", "modify"):
            expression = trigger.get(part)
            if expression is not None and expression.is_string:
                type_of_text(session, scope, expression, NO_VARIABLES)
        values = trigger.get("values")
        if values is not None and values.is_string:
            record = _with_written(record, type_of_text(session, scope, values, NO_VARIABLES))
        for part in ("insert", "toggle"):
            expression = trigger.get(part)
            if expression is not None and expression.is_string:
                inserted.append(type_of_text(session, scope, expression, NO_VARIABLES))
    return _with_inserted(record, inserted, filled=filled) if inserted else record


def _with_written(record: Record, written: Type) -> Record:
    if not isinstance(written, Record):
        return opened(record)
    return join_records(record, Record({**record.fields, **written.fields}, record.optional, lineage=record.lineage))


def _with_inserted(record: Record, inserted: list[Type], *, filled: bool) -> Record:
    rows = without_missing(join(of.element if isinstance(of, Array) else of for of in inserted))
    if not isinstance(rows, Record) or rows.open:
        return opened(record)
    rows = replace(rows, lineage=record.lineage)
    return join_records(record, rows) if filled else rows
