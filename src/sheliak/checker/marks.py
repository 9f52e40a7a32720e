"""Marks in order: where their data come from, what their channels read, and the scopes that groups open."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.checker.datasets import Pipeline, check_data, declare_published, define_dataset, find_dataset, rewrite_others
from sheliak.checker.encode import EncodeSite, item_record
from sheliak.checker.expressions import NO_VARIABLES, check_signals_below, type_of_text
from sheliak.checker.guides import check_axes, check_legends, check_title
from sheliak.checker.scales import check_projections, check_scales, declare_scales, field_type
from sheliak.checker.session import Session, names_in_scope
from sheliak.checker.signals import check_signals, declare_signals
from sheliak.dataflow.scopes import Dataset, Scope, Signal
from sheliak.diagnostics.parameters import UnknownOption, WrongKind
from sheliak.diagnostics.spec import MissingProperty
from sheliak.expressions.field_paths import accessor_name
from sheliak.source.declared import dataclass
from sheliak.source.frames import admit_deep_recursion
from sheliak.source.tree import Node
from sheliak.transforms import transform_class
from sheliak.transforms._elaborate import elaborate
from sheliak.types.operations import extended, opened
from sheliak.types.shapes import EMPTY_RECORD, NUMBER, OPEN_RECORD, UNKNOWN, Array, Lineage, Record, Type

MARK_TYPES = ("arc", "area", "group", "image", "line", "path", "rect", "rule", "shape", "symbol", "text", "trail")
_CHECKED = frozenset({"type", "from", "encode", "name", "key", "sort", "transform", "marks", "signals", "data", "scales"}) | {
    "projections",
    "axes",
    "legends",
    "title",
    "layout",
    "on",
    "usermeta",
    "description",
}


# As many groups inside each other, at a few frames each, come near Python's limit.
_MANY_SCOPES = 50


def check_scope(session: Session, scope: Scope, node: Node) -> None:
    """One scope in Vega's order: names, data, scales, signals, axes, marks, legends, title, layout."""
    session.scopes_entered += 1
    if session.scopes_entered == _MANY_SCOPES:
        admit_deep_recursion()
    scope.later.update(names_in_scope(node))
    declare_signals(session, scope, node)
    declare_published(scope, node)
    declare_scales(session, scope, node)
    check_data(session, scope, node)
    check_projections(session, scope, node)
    check_scales(session, scope)
    check_signals(session, scope, node)
    check_axes(session, scope, node)
    check_marks(session, scope, node)
    check_legends(session, scope, node)
    check_title(session, scope, node)
    layout = node.get("layout")
    if layout is not None:
        check_signals_below(session, scope, layout)


def check_marks(session: Session, scope: Scope, node: Node) -> None:
    """The marks of a scope, in order: each sees only the named marks before it."""
    marks = node.get("marks")
    if marks is None:
        return
    if not marks.is_array:
        session.report(WrongKind(place=marks.place, owner="`marks`", expected="a list of marks", found=marks.kind))
    for mark in marks.elements():
        if mark.is_object:
            _MarkCheck(session, scope, mark).check()
        else:
            session.report(WrongKind(place=mark.place, owner="a mark", expected="an object", found=mark.kind))


@dataclass(slots=True)
class _From:
    """What a mark is fed with: the datum of its items, and for a facet the dataset that its group sees."""

    datum: Type = EMPTY_RECORD
    dataset: str | None = None
    facet: Dataset | None = None
    parent: Type | None = None


class _MarkCheck:
    def __init__(self, session: Session, scope: Scope, mark: Node) -> None:
        self.session = session
        self.scope = scope
        self.mark = mark

    def check(self) -> None:
        mark_type = self._mark_type()
        source = self._from()
        encode = self.mark.get("encode")
        item = item_record(source.datum, encode)
        if encode is not None:
            EncodeSite(self.session, self.scope, source.datum, item, source.dataset, mark_type).check_sets(encode)
        item = self._transforms(item)
        self._key_and_sort(source, item)
        self._others()
        name = self.mark.get("name")
        if name is not None and name.text is not None:
            self.session.remember_datum(name.text, source.datum)
        if mark_type == "group":
            self._group(source, item)
        if name is not None and name.text is not None:
            define_dataset(self.session, self.scope, name.text, Dataset(name.text, self.mark, item), name)

    def _mark_type(self) -> str | None:
        type_ = self.mark.get("type")
        if type_ is None:
            self.session.report(MissingProperty(place=self.mark.place, owner="a mark", name="type"))
            return None
        if type_.text is None or type_.text not in MARK_TYPES:
            value = type_.text if type_.text is not None else str(type_.value)
            self.session.report(UnknownOption(place=type_.place, value=value, owner="the type of a mark", options=MARK_TYPES))
        return type_.text

    def _from(self) -> _From:
        given = self.mark.get("from")
        if given is None or given.value is None:
            return _From()
        data, facet = given.get("data"), given.get("facet")
        found = find_dataset(self.session, self.scope, data) if data is not None else None
        if facet is not None:
            return self._facet(facet, found, has_data=data is not None)
        if data is None:
            return _From()
        return _From(found.record, found.name) if found is not None else _From(OPEN_RECORD)

    def _facet(self, facet: Node, found: Dataset | None, *, has_data: bool) -> _From:
        name, data = facet.get("name"), facet.get("data")
        if name is None:
            self.session.report(MissingProperty(place=facet.place, owner="a facet", name="name"))
        source = find_dataset(self.session, self.scope, data) if data is not None else None
        record = source.record if source is not None else OPEN_RECORD
        source_name = source.name if source is not None else None
        field, groupby = facet.get("field"), facet.get("groupby")
        if field is not None:
            of = field_type(self.session, self.scope, record, field, source_name)
            rows, datum = _elements(of), record
        else:
            if groupby is None and facet.is_object:
                reason = "it says how rows are split"
                self.session.report(MissingProperty(place=facet.place, owner="a facet", name="groupby", reason=reason))
            rows, datum = record, self._cells(facet, groupby, record, source_name)
        inner = Dataset(name.text, facet, rows) if name is not None and name.text is not None else None
        if not has_data:
            return _From(datum, None, inner, datum)
        outer = found.record if found is not None else OPEN_RECORD
        joined = found.aggregated if found is not None and found.aggregated is not None else outer
        return _From(outer, found.name if found is not None else None, inner, joined if joined is outer else opened(joined))

    def _cells(self, facet: Node, groupby: Node | None, record: Record, dataset: str | None) -> Record:
        """T-tAgg for a facet: the group keys, and the measures or a count."""
        keys: dict[str, Type] = {}
        is_open = False
        nodes = (list(groupby.elements()) if groupby.is_array else [groupby]) if groupby is not None else []
        for node in nodes:
            # Beside other keys a missing one changes nothing: it is undefined in every row.
            of = field_type(self.session, self.scope, record, node, dataset, harmless=len(nodes) > 1)
            if node.text is not None:
                keys[_accessor(node.text)] = of
            else:
                is_open = True
        cells = extended(self._measures(facet, record), {})
        fields = Record({**keys, **cells.fields}, open=is_open or cells.open)
        return Record(fields.fields, open=fields.open, lineage=Lineage("facet", facet.place, record, dataset, tuple(keys)))

    def _measures(self, facet: Node, record: Record) -> Record:
        aggregate = facet.get("aggregate")
        cls = transform_class("aggregate")
        if aggregate is None or not aggregate.is_object or cls is None:
            return Record({"count": NUMBER})
        pipeline = Pipeline(self.session, self.scope, None)
        transform = elaborate(cls, aggregate, record, pipeline)
        return transform.output_type(record, pipeline) if transform is not None else OPEN_RECORD

    def _transforms(self, item: Record) -> Record:
        transforms = self.mark.get("transform")
        if transforms is None:
            return item
        pipeline = Pipeline(self.session, self.scope, None)
        item = pipeline.run(transforms, item, on_mark=True)
        rewrite_others(self.scope, pipeline, item)
        return item

    def _key_and_sort(self, source: _From, item: Record) -> None:
        key, sort = self.mark.get("key"), self.mark.get("sort")
        if key is not None:
            field_type(self.session, self.scope, source.datum, key, source.dataset)
        field = sort.get("field") if sort is not None else None
        if field is not None:
            for node in field.elements() if field.is_array else (field,):
                self._sort_field(node, item)

    def _sort_field(self, node: Node, item: Record) -> None:
        expression = node.get("expr")
        if expression is not None:
            type_of_text(self.session, self.scope, expression, {"datum": item})
        else:
            field_type(self.session, self.scope, item, node, None)

    def _others(self) -> None:
        triggers = self.mark.get("on")
        for trigger in triggers.elements() if triggers else ():
            for part in ("trigger", "modify", "values"):
                expression = trigger.get(part)
                if expression is not None and expression.is_string:
                    type_of_text(self.session, self.scope, expression, NO_VARIABLES)
        for name, member in self.mark.members():
            if name not in _CHECKED and isinstance(member.value, dict | list):
                check_signals_below(self.session, self.scope, member)

    def _group(self, source: _From, item: Record) -> None:
        parent = source.parent if source.parent is not None else source.datum
        inner = Scope(self.scope, group_datum=source.datum, group_item=item)
        inner.signals["parent"] = Signal("parent", of=parent)
        if source.facet is not None:
            inner.datasets[source.facet.name] = source.facet
        check_scope(self.session, inner, self.mark)


def _elements(of: Type) -> Record:
    """The rows of a facet by field: elements of an array, primitives wrapped as `{data: v}`."""
    if not isinstance(of, Array):
        return OPEN_RECORD
    element = of.element
    if isinstance(element, Record):
        return element
    return Record({"data": element}) if element != UNKNOWN else OPEN_RECORD


def _accessor(text: str) -> str:
    try:
        return accessor_name(text)
    except ValueError:
        return text


def mark_names(node: Node) -> Iterator[str]:
    """The names of all marks of a spec, guides included, at any depth."""
    stack: list[object] = [node.value]
    while stack:
        current = stack.pop()
        if not isinstance(current, dict):
            continue
        marks = current.get("marks")
        if isinstance(marks, list):
            for mark in marks:
                if isinstance(mark, dict) and isinstance(mark.get("name"), str):
                    yield mark["name"]
            stack.extend(marks)
        yield from _guide_names(current)


def _guide_names(scope: dict[str, object]) -> Iterator[str]:
    title = scope.get("title")
    for guide in (*_list(scope.get("axes")), *_list(scope.get("legends")), title):
        encode = guide.get("encode") if isinstance(guide, dict) else None
        parts = [guide, *encode.values()] if isinstance(encode, dict) else [guide]
        for part in parts:
            name = part.get("name") if isinstance(part, dict) else None
            if isinstance(name, str):
                yield name


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
