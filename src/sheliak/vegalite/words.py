"""Words with a meaning of their own in Vega-Lite, checked before anything is compiled: marks, channels, types, operations.

Vega-Lite leaves out a part with a word that it does not know, or stops with an error about its own code.
"""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.diagnostics.expressions import ExpressionSyntax
from sheliak.diagnostics.loading import PARSE_TYPES, UnknownParseType
from sheliak.diagnostics.parameters import MissingParameter, UnknownOption, WrongKind
from sheliak.diagnostics.registry import Diagnostic
from sheliak.diagnostics.spec import MissingProperty
from sheliak.diagnostics.vegalite import IgnoredTransform, UnknownChannel
from sheliak.expressions.parser import ExpressionSyntaxError, parse_expression
from sheliak.source.declared import dataclass
from sheliak.source.place import PathKey
from sheliak.source.tree import Node
from sheliak.vegalite.mentions import expressions_of
from sheliak.vegalite.recognise import COMPOSITIONS
from sheliak.vegalite.variants import with_value, without
from sheliak.vegalite.views import views_of
from sheliak.vegalite.vocabulary import (
    CHANNELS,
    JOINED_TIME_UNITS,
    MARKS,
    NEEDED,
    OPERATIONS,
    REPEATED,
    SCALES,
    SELECTIONS,
    TIME_UNIT,
    TIME_UNITS,
    TRANSFORMS,
    TYPES,
    WINDOW_OPERATIONS,
)

_SHORT_TYPES = frozenset({"q", "t", "o", "n"})
_REMOVED = object()
# Vega-Lite leaves it out; the transforms after it keep their numbers.
_NO_TRANSFORM: dict[str, object] = {}


@dataclass(frozen=True, slots=True)
class Wrong:
    """A finding of this check, and what the compiler gets in the stead of the wrong value."""

    finding: Diagnostic
    path: tuple[PathKey, ...]
    instead: object = _REMOVED

    def mended(self, spec: object) -> object:
        return without(spec, self.path) if self.instead is _REMOVED else with_value(spec, self.path, self.instead)


def wrong_words(root: Node) -> Iterator[Wrong]:
    """Everything that is wrong before names are looked at."""
    for view in views_of(root):
        yield from _of_view(view.node)
    for node in expressions_of(root):
        yield from _of_expression(node)


def _of_view(view: Node) -> Iterator[Wrong]:
    if not any(view.get(key) is not None for key in ("mark", *COMPOSITIONS, "spec")):
        place = next((member.key_place for key, member in view.members() if key == "encoding"), view.place)
        missing = MissingProperty(place=place, owner="a view", name="mark")
        yield Wrong(missing, (*view.path, "mark"), "point")
    for key in COMPOSITIONS:
        views = view.get(key)
        if views is not None and not views.is_array:
            wrong = WrongKind(place=views.place, owner=f"`{key}`", expected="a list of views", found=views.kind)
            yield Wrong(wrong, views.path, [{"mark": "point"}])
    yield from _of_mark(view.get("mark"))
    yield from _of_encoding(view.get("encoding"))
    yield from _of_transforms(view.get("transform"))
    yield from _of_params(view.get("params"))
    yield from _of_parse(view.descend("data", "format", "parse"))
    facet = view.get("facet")
    if facet is not None and facet.is_object:
        yield from _of_definitions(facet)


def _of_mark(mark: Node | None) -> Iterator[Wrong]:
    type_ = mark.get("type") if mark is not None and mark.is_object else mark
    if type_ is not None:
        yield from _option(type_, MARKS, "a mark", instead="point")
    elif mark is not None:
        yield Wrong(MissingProperty(place=mark.place, owner="a mark", name="type"), mark.path, "point")


def _of_parse(parse: Node | None) -> Iterator[Wrong]:
    for column, type_ in parse.members() if parse is not None else ():
        if type_.text is not None and type_.text not in PARSE_TYPES and not type_.text.startswith(("date:", "utc:")):
            yield Wrong(UnknownParseType(place=type_.place, column=column, type=type_.text), type_.path)


def _of_encoding(encoding: Node | None) -> Iterator[Wrong]:
    for channel, definition in encoding.members() if encoding is not None else ():
        if channel not in CHANNELS:
            yield Wrong(UnknownChannel(place=definition.key_place, name=channel, known=CHANNELS), definition.path)
            continue
        for one in definition.elements() if definition.is_array else (definition,):
            yield from _of_definitions(one)


def _of_definitions(node: Node) -> Iterator[Wrong]:
    """What a channel is bound to: a field with a type, an aggregate, a time unit; conditions have the same."""
    for key, member in node.members():
        if key == "type":
            yield from _type(member)
        elif key == "aggregate":
            yield from _option(member, OPERATIONS, "`aggregate`", kinds=(str, dict))
        elif key == "timeUnit":
            yield from _time_unit(member)
        elif key == "scale" and (type_ := member.get("type")) is not None:
            yield from _option(type_, SCALES, "the type of a scale", kinds=(str, dict))
        elif key == "field":
            yield from _field(member)
        elif key in ("condition", "row", "column"):
            for one in member.elements() if member.is_array else (member,):
                yield from _of_definitions(one)


def _type(node: Node) -> Iterator[Wrong]:
    if node.text is None or node.text.lower() not in (*TYPES, *_SHORT_TYPES):
        yield from _option(node, TYPES, "the type of a field", always=True)


def _time_unit(node: Node) -> Iterator[Wrong]:
    unit = node.get("unit") if node.is_object else node
    if unit is not None and (unit.text is None or not TIME_UNIT.fullmatch(unit.text)):
        yield from _option(unit, (*TIME_UNITS, *JOINED_TIME_UNITS), "a time unit", always=True)


def _field(node: Node) -> Iterator[Wrong]:
    repeat = node.get("repeat")
    if repeat is not None:
        yield from (Wrong(wrong.finding, node.path) for wrong in _option(repeat, REPEATED, "`repeat`"))
    elif not node.is_string:
        wrong = WrongKind(place=node.place, owner="`field`", expected="the name of a field", found=node.kind)
        yield Wrong(wrong, node.path)


def _of_transforms(transforms: Node | None) -> Iterator[Wrong]:
    for transform in transforms.elements() if transforms is not None else ():
        if not any(transform.get(name) is not None for name in TRANSFORMS):
            names = tuple(name for name, _ in transform.members())
            yield Wrong(IgnoredTransform(place=transform.place, names=names, known=TRANSFORMS), transform.path, _NO_TRANSFORM)
            continue
        yield from _missing_members(transform)
        for key in ("aggregate", "joinaggregate", "window"):
            yield from _operations(transform.get(key), (*OPERATIONS, *(WINDOW_OPERATIONS if key == "window" else ())))
        unit = transform.get("timeUnit")
        if unit is not None:
            yield from _time_unit(unit)


def _missing_members(transform: Node) -> Iterator[Wrong]:
    """A transform that lacks what it cannot do without is left out."""
    for kind, members in NEEDED.items():
        given = transform.get(kind)
        for name in members if given is not None else ():
            # `extent` is also a list of limits in other transforms.
            if transform.get(name) is None and given is not None and not given.is_array:
                yield Wrong(MissingParameter(place=given.key_place, name=name, owner=f"`{kind}`"), transform.path, _NO_TRANSFORM)
                return


def _operations(listed: Node | None, known: tuple[str, ...]) -> Iterator[Wrong]:
    for one in listed.elements() if listed is not None else ():
        op = one.get("op")
        if op is not None:
            yield from _option(op, known, "`op`", instead="count")


def _of_params(params: Node | None) -> Iterator[Wrong]:
    for param in params.elements() if params is not None else ():
        select = param.get("select")
        if select is None:
            continue
        type_ = select.get("type") if select.is_object else select
        if type_ is not None:
            yield from _option(type_, SELECTIONS, "the type of a selection", instead="point")
        encodings = select.get("encodings")
        for channel in encodings.elements() if encodings is not None else ():
            if encodings is not None and channel.text is not None and channel.text not in CHANNELS:
                # A selection by no channel at all is another mistake, so the whole list goes.
                yield Wrong(UnknownChannel(place=channel.place, name=channel.text, known=CHANNELS), encodings.path)


def _of_expression(node: Node) -> Iterator[Wrong]:
    try:
        parse_expression(node.text or "")
    except ExpressionSyntaxError as error:
        place = node.place.within(error.offset, error.end)
        yield Wrong(ExpressionSyntax(place=place, problem=error.message), node.path, "true")


def _option(
    node: Node,
    options: tuple[str, ...],
    owner: str,
    *,
    instead: object = _REMOVED,
    always: bool = False,
    kinds: tuple[type, ...] = (str,),
) -> Iterator[Wrong]:
    """A word that must be one of several; `always` says that the caller has found it is not."""
    if not isinstance(node.value, kinds):
        yield Wrong(WrongKind(place=node.place, owner=owner, expected="a word", found=node.kind), node.path, instead)
    elif node.text is not None and (always or node.text not in options):
        yield Wrong(UnknownOption(place=node.place, value=node.text, owner=owner, options=options), node.path, instead)
