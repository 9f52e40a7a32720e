"""Encode sets: every value reference of every channel of a mark or a guide."""

from __future__ import annotations

from sheliak.checker.expressions import Variables, check_signals_below, type_of_signal_object, type_of_text
from sheliak.checker.scales import CONTINUOUS, field_type, needs_numbers, path_type, report_text
from sheliak.checker.session import Session
from sheliak.dataflow.scopes import Scale, Scope
from sheliak.diagnostics.names import UnknownScale
from sheliak.diagnostics.parameters import WrongKind
from sheliak.diagnostics.spec import ObjectAsText, TextInChannel
from sheliak.source.declared import dataclass
from sheliak.source.tree import Node
from sheliak.transforms._elaborate import found_kind
from sheliak.types.operations import may_be_number, options_of, without_missing
from sheliak.types.shapes import NUMBER, STRING, UNKNOWN, Array, Record, Type, Unknown

NUMERIC_CHANNELS = frozenset(
    [
        "x",
        "x2",
        "xc",
        "width",
        "y",
        "y2",
        "yc",
        "height",
        "opacity",
        "fillOpacity",
        "strokeOpacity",
        "strokeWidth",
        "strokeDashOffset",
        "strokeMiterLimit",
        "zindex",
        "strokeOffset",
        "cornerRadius",
        "cornerRadiusTopLeft",
        "cornerRadiusTopRight",
        "cornerRadiusBottomRight",
        "cornerRadiusBottomLeft",
        "angle",
        "size",
        "scaleX",
        "scaleY",
        "innerRadius",
        "outerRadius",
        "startAngle",
        "endAngle",
        "padAngle",
        "tension",
        "limit",
        "lineHeight",
        "dx",
        "dy",
        "radius",
        "theta",
        "fontSize",
    ]
)
CHANNELS = NUMERIC_CHANNELS | frozenset(
    [
        "fill",
        "stroke",
        "strokeCap",
        "strokeDash",
        "strokeJoin",
        "blend",
        "cursor",
        "tooltip",
        "description",
        "aria",
        "ariaRole",
        "ariaRoleDescription",
        "clip",
        "strokeForeground",
        "shape",
        "path",
        "interpolate",
        "orient",
        "defined",
        "url",
        "align",
        "baseline",
        "aspect",
        "smooth",
        "text",
        "dir",
        "ellipsis",
        "lineBreak",
        "font",
        "fontWeight",
        "fontStyle",
        "href",
    ]
)


@dataclass(frozen=True, slots=True)
class EncodeSite:
    """A mark whose channels are checked: its scope, its datum and its item."""

    session: Session
    scope: Scope
    datum: Type
    item: Type
    dataset: str | None
    mark_type: str | None = None

    @property
    def variables(self) -> Variables:
        return {"datum": self.datum, "item": self.item}

    def check_sets(self, encode: Node) -> None:
        """`encode`: named sets of channels."""
        if not encode.is_object:
            self._wrong(encode, "`encode`")
        for _, channels in encode.members():
            self.check_set(channels)

    def check_set(self, channels: Node) -> None:
        """One set: channel -> value reference, or rules with tests."""
        if not channels.is_object:
            if channels.value is not None:
                self._wrong(channels, "an encode set")
            return
        variables = self.variables
        for name, given in channels.members():
            self._channel(name, given, variables)

    def _wrong(self, node: Node, owner: str) -> None:
        self.session.report(WrongKind(place=node.place, owner=owner, expected="an object", found=found_kind(node)))

    def _channel(self, name: str, given: Node, variables: Variables) -> None:
        value = given.value
        if isinstance(value, list):
            for rule in given.elements():
                self._reference(name, rule, variables)
        elif isinstance(value, dict):
            self._reference(name, given, variables)
        elif value is not None:
            owner = f"the channel `{name}`"
            found = found_kind(given)
            self.session.report(WrongKind(place=given.place, owner=owner, expected="an object", found=found, ignored=True))

    def _reference(self, channel: str, given: Node, variables: Variables) -> None:
        value = given.value
        if not isinstance(value, dict):
            return
        scale: Scale | None = None
        for key in value:
            if key == "value" or key == "band" and not isinstance(value[key], dict):
                continue
            member = Node(value[key], given, key)
            match key:
                case "test":
                    type_of_text(self.session, self.scope, member, variables)
                case "signal":
                    of = type_of_signal_object(self.session, self.scope, given, variables)
                    self._fits(channel, given, of, "scale" in value)
                case "scale":
                    scale = self._scale(member)
                case "field":
                    pass
                case "gradient":
                    self._scale(member)
                case "mult" | "offset" | "exponent" | "color":
                    self._nested(channel, member, variables)
                case _:
                    if isinstance(member.value, dict | list):
                        check_signals_below(self.session, self.scope, member, variables)
        if "field" in value and value.get("signal") is None:
            self._read_field(channel, Node(value["field"], given, "field"), scale, scaled="scale" in value)

    def _nested(self, channel: str, given: Node, variables: Variables) -> None:
        """Value references inside one: `mult`, `offset`, `exponent`, and the parts of a `color`."""
        if given.key == "color":
            for _, part in given.members():
                self._channel("", part, variables)
        elif given.is_object:
            self._reference("", given, variables)

    def _scale(self, given: Node) -> Scale | None:
        if given.is_string:
            found = self.scope.scale(given.text or "")
            if found is None:
                self.session.report(UnknownScale(place=given.place, name=given.text or "", known=self.scope.scale_names()))
            return found
        if given.is_object:
            self._named_by_field(given)
        return None

    def _named_by_field(self, given: Node) -> Type:
        """A name that a signal or a field of the datum, group or parent decides."""
        if given.get("signal") is not None:
            return type_of_signal_object(self.session, self.scope, given, self.variables)
        return self._field_object(given)

    def _read_field(self, channel: str, field: Node, scale: Scale | None, *, scaled: bool) -> None:
        if field.is_string:
            of = path_type(self.session, self.datum, field, field.text or "", self.dataset)
        elif field.is_object:
            of = self._field_object(field)
        else:
            self.session.report(
                WrongKind(place=field.place, owner="a field", expected="a name or an object", found=found_kind(field))
            )
            return
        if scale is not None:
            self._on_scale(scale, field, of)
        elif not scaled:
            self._fits(channel, field, of, scaled=False)

    def _on_scale(self, scale: Scale, field: Node, of: Type) -> None:
        if needs_numbers(scale.type):
            report_text(self.session, scale, field, of)
            if scale.type in CONTINUOUS and isinstance(of, Unknown) and of.origin is not None:
                self.session.findings.require(of.origin, NUMBER)

    def _fits(self, channel: str, given: Node, of: Type, scaled: bool) -> None:
        """A channel that gets a value without a scale must be able to use it."""
        kept = without_missing(of)
        if scaled or isinstance(kept, Unknown):
            return
        text = given.text or "this"
        if channel in NUMERIC_CHANNELS and kept != STRING and not may_be_number(kept):
            self.session.report(TextInChannel(place=given.place, channel=channel, field=text, of=kept))
        elif channel == "text" and self.mark_type == "text" and given.key == "field" and _is_composite(kept):
            self.session.report(ObjectAsText(place=given.place, field=text, of=kept))

    def _field_object(self, field: Node) -> Type:
        """`{datum}`, `{group, level}`, `{parent, level}` or `{signal}`."""
        if field.get("signal") is not None:
            return field_type(self.session, self.scope, self.datum, field, self.dataset)
        level = field.get("level")
        around = self.scope.enclosing(int(level.number) if level is not None and level.number is not None else 1)
        sources = {"datum": self.datum, "parent": around.group_datum, "group": around.group_item}
        for name, source in sources.items():
            inner = field.get(name)
            if inner is None:
                continue
            if inner.is_string:
                dataset = self.dataset if name == "datum" else None
                return path_type(self.session, source, inner, inner.text or "", dataset)
            if inner.is_object:
                self._field_object(inner)
            return UNKNOWN
        return UNKNOWN


def _is_composite(of: Type) -> bool:
    """Objects, and lists of objects: nothing a text mark could show (a list of texts is several lines)."""
    return all(
        isinstance(option, Record) or (isinstance(option, Array) and isinstance(option.element, Record))
        for option in options_of(of)
    )


def item_record(datum: Type, encode: Node | None) -> Record:
    """The item of a mark as other marks read it: its channels, its datum and what Vega puts on every item."""
    fields: dict[str, Type] = dict(_ITEM_FIELDS)
    for _, channels in encode.members() if encode is not None else ():
        for name, _given in channels.members():
            fields.setdefault(name, UNKNOWN)
    fields["datum"] = datum
    return Record(fields)


_BOUNDS = Record({"x1": NUMBER, "y1": NUMBER, "x2": NUMBER, "y2": NUMBER}, open=True)
_ITEM_FIELDS: dict[str, Type] = {
    **dict.fromkeys(sorted(CHANNELS), UNKNOWN),
    "mark": UNKNOWN,
    "bounds": _BOUNDS,
    "exit": UNKNOWN,
    "items": UNKNOWN,
    "context": UNKNOWN,
    "status": UNKNOWN,
    "pathCache": UNKNOWN,
    "image": UNKNOWN,
    "orient": UNKNOWN,
}
