"""Scales and projections: names first, domains and ranges when the data are known."""

from __future__ import annotations

from sheliak.checker.datasets import find_dataset
from sheliak.checker.expressions import check_signals_below, type_of_signal_object
from sheliak.checker.session import Session
from sheliak.dataflow.scopes import Dataset, Scale, Scope
from sheliak.diagnostics.parameters import InvalidFieldPath, UnknownOption, WrongKind
from sheliak.diagnostics.spec import Cycle, DuplicateName, InfiniteValue, MissingProperty, TextInScale, ZeroOnLogScale
from sheliak.expressions.field_paths import FieldPathError, Reading, split_path, type_of_path, types_of_alternatives
from sheliak.source.tree import Node
from sheliak.types.columns import distinct_texts
from sheliak.types.operations import all_text_literals, may_be_number, without_missing
from sheliak.types.shapes import NUMBER, STRING, UNKNOWN, Array, Record, Type, Unknown

CONTINUOUS = frozenset({"linear", "log", "pow", "sqrt", "symlog", "time", "utc", "sequential"})
DISCRETIZING = frozenset({"quantile", "quantize", "threshold", "bin-ordinal"})
SCALE_TYPES = (*sorted(CONTINUOUS), *sorted(DISCRETIZING), "ordinal", "band", "point", "identity")
_RANGE_NAMES = ("width", "height", "category", "ordinal", "ramp", "heatmap", "diverging", "symbol")
PROJECTION_TYPES = (
    "albers",
    "albersUsa",
    "azimuthalEqualArea",
    "azimuthalEquidistant",
    "conicConformal",
    "conicEqualArea",
    "conicEquidistant",
    "equalEarth",
    "equirectangular",
    "gnomonic",
    "identity",
    "mercator",
    "mollweide",
    "naturalEarth1",
    "orthographic",
    "stereographic",
    "transverseMercator",
)


def declare_scales(session: Session, scope: Scope, node: Node) -> None:
    """Enters the names of a scope's projections and scales, which share one table."""
    for section in ("projections", "scales"):
        listed = node.get(section)
        if listed is not None and not listed.is_array:
            session.report(WrongKind(place=listed.place, owner=f"`{section}`", expected="a list", found=listed.kind))
        for element in listed.elements() if listed else ():
            _declare(session, scope, section, element)


def _declare(session: Session, scope: Scope, section: str, element: Node) -> None:
    name = element.get("name")
    kind = section[:-1]
    if name is None or name.text is None:
        session.report(MissingProperty(place=element.place, owner=f"a {kind}", name="name"))
        return
    first = scope.projections.get(name.text) or (scope.scales[name.text].node if name.text in scope.scales else None)
    if first is not None:
        session.report(DuplicateName(place=name.place, name=name.text, kind="scale or projection", first=first.place))
    if section == "projections":
        scope.projections[name.text] = element
    else:
        scope.scales[name.text] = Scale(name.text, element, _scale_type(session, element))


def _scale_type(session: Session, element: Node) -> str | None:
    type_ = element.get("type")
    if type_ is None or type_.value is None:
        return "linear"
    if type_.text is None:
        return None
    if type_.text not in SCALE_TYPES and not type_.text.startswith(("sequential-", "diverging-")):
        session.report(UnknownOption(place=type_.place, value=type_.text, owner="the type of a scale", options=SCALE_TYPES))
        return None
    return type_.text


def check_projections(session: Session, scope: Scope, node: Node) -> None:
    """Projection types, and the signals in their parameters."""
    listed = node.get("projections")
    lowered = {name.lower() for name in PROJECTION_TYPES}
    for element in listed.elements() if listed else ():
        type_ = element.get("type")
        if type_ is not None and type_.text is not None and type_.text.lower() not in lowered:
            owner = "the type of a projection"
            session.report(UnknownOption(place=type_.place, value=type_.text, owner=owner, options=PROJECTION_TYPES))
        check_signals_below(session, scope, element)


def check_scales(session: Session, scope: Scope) -> None:
    """Domains and ranges of a scope's scales."""
    for scale in scope.scales.values():
        _ScaleCheck(session, scope, scale).check()
    _check_cycles(session, scope)


def _check_cycles(session: Session, scope: Scope) -> None:
    """A dataset whose transforms use a scale whose domain is computed from that very dataset."""
    for dataset, name, place in session.scale_uses:
        scale = scope.scales.get(name)
        if scale is not None and any(_is_made_from(scope, source, dataset) for source in scale.datasets):
            session.report(Cycle(place=place, names=(dataset, name)))


def _is_made_from(scope: Scope, name: str, source: str) -> bool:
    todo, seen = [name], set[str]()
    while todo:
        current = todo.pop()
        if current == source:
            return True
        found = scope.dataset(current) if current not in seen else None
        seen.add(current)
        todo.extend(found.sources if found is not None else ())
    return False


class _ScaleCheck:
    def __init__(self, session: Session, scope: Scope, scale: Scale) -> None:
        self.session = session
        self.scope = scope
        self.scale = scale

    def check(self) -> None:
        for name, member in self.scale.node.members():
            if name == "domain":
                self._domain(member)
            elif name == "range":
                self._range(member)
            elif isinstance(member.value, dict | list):
                check_signals_below(self.session, self.scope, member)

    def _domain(self, domain: Node) -> None:
        if domain.is_object and domain.get("signal") is None:
            self._data_reference(domain, numeric=needs_numbers(self.scale.type))
        else:
            check_signals_below(self.session, self.scope, domain)

    def _range(self, given: Node) -> None:
        if given.text is not None and given.text not in _RANGE_NAMES:
            if not self._configured_range(given.text):
                owner = "the range of a scale"
                self.session.report(UnknownOption(place=given.place, value=given.text, owner=owner, options=_RANGE_NAMES))
        elif given.get("data") is not None or given.get("fields") is not None:
            self._data_reference(given, numeric=False)
        else:
            check_signals_below(self.session, self.scope, given)

    def _configured_range(self, name: str) -> bool:
        """`config.range` may name further ranges."""
        root = self.scale.node
        while root.parent is not None:
            root = root.parent
        config = root.descend("config", "range", name)
        return config is not None or name in ("stroke", "symbol")

    def _data_reference(self, given: Node, *, numeric: bool) -> None:
        """`{data, field, sort}`, `{data, fields}` or `{fields: [{data, field}, …]}`."""
        data, field, fields = given.get("data"), given.get("field"), given.get("fields")
        dataset = find_dataset(self.session, self.scope, data) if data is not None else None
        if dataset is not None:
            self.scale.datasets.add(dataset.name)
        if field is not None and data is not None:
            self._field(dataset, field, numeric=numeric)
        for element in fields.elements() if fields is not None else ():
            self._element(dataset, element, numeric=numeric)
        if fields is not None and fields.get("signal") is not None:
            type_of_signal_object(self.session, self.scope, fields)
        sort = given.get("sort")
        if sort is not None and sort.is_object:
            self._sort(dataset, sort)

    def _element(self, dataset: Dataset | None, element: Node, *, numeric: bool) -> None:
        if element.is_string:
            self._field(dataset, element, numeric=numeric)
        elif element.get("data") is not None:
            self._data_reference(element, numeric=numeric)
        else:
            check_signals_below(self.session, self.scope, element)

    def _sort(self, dataset: Dataset | None, sort: Node) -> None:
        field, op = sort.get("field"), sort.get("op")
        if field is None or (field.text in ("key", "count") and op is None):
            check_signals_below(self.session, self.scope, sort)
            return
        self._field(dataset, field, numeric=False)

    def _field(self, dataset: Dataset | None, field: Node, *, numeric: bool) -> None:
        if dataset is None:
            if field.is_object:
                check_signals_below(self.session, self.scope, field)
            return
        of = field_type(self.session, self.scope, dataset.record, field, dataset.name)
        if not numeric:
            return
        report_text(self.session, self.scale, field, of)
        if isinstance(of, Unknown) and of.origin is not None:
            self.session.findings.require(of.origin, NUMBER)
        elif field.text is not None:
            self._values(dataset.record, field, field.text)

    def _values(self, record: Record, field: Node, name: str) -> None:
        """What the values themselves forbid: zero on a log scale, infinities on any."""
        texts = distinct_texts(record, name, all_rows=True)
        if texts is None or self.scale.type not in CONTINUOUS:
            return
        if self.scale.type == "log" and texts & {"0", "-0"}:
            self.session.report(ZeroOnLogScale(place=field.place, field=name, scale=self.scale.name))
        if texts & {"Infinity", "-Infinity"}:
            self.session.report(InfiniteValue(place=field.place, field=name, scale=self.scale.name))


def needs_numbers(scale_type: str | None) -> bool:
    """The scale computes with its domain; text has no place on it."""
    return scale_type in CONTINUOUS or scale_type in DISCRETIZING


def report_text(session: Session, scale: Scale, field: Node, of: Type) -> None:
    """Reports values that are never numbers on a scale that needs them."""
    kept = without_missing(of)
    if (
        scale.type is None
        or isinstance(kept, Unknown)
        or may_be_number(kept)
        or kept == STRING
        or isinstance(kept, Array | Record)
    ):
        return
    text = field.text or "the field"
    session.report(TextInScale(place=field.place, field=text, scale=scale.name, scale_type=scale.type, of=kept))


def field_type(session: Session, scope: Scope, record: Type, field: Node, dataset: str | None, *, harmless: bool = False) -> Type:
    """The type of a field reference: a path, or a signal that names one."""
    if field.text is not None:
        return path_type(session, record, field, field.text, dataset, harmless=harmless)
    if field.get("signal") is None:
        return UNKNOWN
    options = all_text_literals(type_of_signal_object(session, scope, field))
    if options is not None:
        types_of_alternatives(record, options, Reading(session.findings, field.place, dataset, replaceable=False))
    return UNKNOWN


def path_type(session: Session, record: Type, field: Node, text: str, dataset: str | None, *, harmless: bool = False) -> Type:
    """The type of one access path on a record."""
    try:
        path = split_path(text)
    except FieldPathError as problem:
        session.report(InvalidFieldPath(place=field.place, reason=str(problem)))
        return UNKNOWN
    exact = len(path) == 1 and path[0] == text
    reading = Reading(session.findings, field.place, dataset, replaceable=exact, harmless=harmless)
    return type_of_path(record, path, reading)
