"""From a spec's JSON to a Transform object: parameters read, fields resolved against the datum, mistakes reported."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.diagnostics.parameters import (
    InvalidFieldPath,
    MissingParameter,
    ShortAs,
    UnknownOption,
    UnknownParameter,
    WrongKind,
)
from sheliak.expressions.field_paths import (
    FieldPathError,
    Reading,
    accessor_name,
    split_path,
    type_of_path,
    types_of_alternatives,
)
from sheliak.source.declared import dataclass, field
from sheliak.source.tree import Node
from sheliak.transforms._contract import COMPUTED, Checking, Computed, ExprRef, FieldRef, Name, Param, SortKey, Transform, Value
from sheliak.transforms._demands import demand, report_text_order
from sheliak.types.operations import all_text_literals, join, reads_as_number
from sheliak.types.shapes import UNKNOWN, Array, Literal, Record, Type

_KIND_NAMES = {"string": "text", "number": "a number", "boolean": "true or false", "enum": "text"}


class _Unreadable(Exception):
    """A parameter that decides the shape cannot be read; it has been reported, or a signal decides it."""


@dataclass(slots=True)
class Elaboration:
    """Reads the parameters of one transform; `scope` is what the parameter at hand reads its fields from."""

    cls: type[Transform]
    node: Node
    datum: Type
    checking: Checking
    scope: Type = field(init=False)

    def __post_init__(self) -> None:
        self.scope = self.datum

    @property
    def owner(self) -> str:
        return self.cls.owner

    def transform(self) -> Transform | None:
        """The transform with its parameters; None when a parameter that decides the shape cannot be read."""
        values: dict[str, object] = {}
        readable = True
        for param in self.cls.params:
            given = self.node.get(param.name)
            # A field "" has no name: Vega takes it for none.
            if given is None or (given.value == "" and param.kind == "field" and not param.array):
                if param.required:
                    self.checking.report(MissingParameter(place=self.node.place, name=param.name, owner=self.owner))
                    readable = False
                continue
            # For a single value null is as good as absent; for a list or a sort order Vega stops.
            if given.value is None and (param.nullable or not param.required) and not _is_composite(param):
                continue
            self.scope = self.cls.reads(param.name, self.datum, values, self.checking)
            try:
                values[param.attribute] = self._read(param, given, values)
            except _Unreadable:
                readable = False
        self._unknown_parameters()
        return self.cls(node=self.node, **values) if readable else None

    def _unknown_parameters(self) -> None:
        names = tuple(param.name for param in self.cls.params)
        value = self.node.value
        assert isinstance(value, dict)
        for name in value:
            if (
                name not in names
                and name not in self.cls.own_members
                and name not in ("as", "usermeta")
                and not name.startswith("_")
            ):
                key_place = Node(None, self.node, name).key_place
                self.checking.report(UnknownParameter(place=key_place, name=name, owner=self.owner, known=names))

    def _read(self, param: Param, given: Node, before: Mapping[str, object]) -> object:
        if param.kind == "raw":
            return given
        if param.kind == "compare":
            return self.sort_keys(given, param)
        if not param.array:
            return self._one(param, given)
        if _is_signal(given) and param.signals:
            return self._computed_array(param, given)
        if not isinstance(given.value, list):
            # A lone value is not taken for a list of one: Vega stops with "value.map is not a function".
            self._wrong(param, given, "a list")
        elif param.length is not None and len(given.value) < param.length:
            self._too_short(param, given, len(given.value), param.length)
        return tuple(self._element(param, index, element, before) for index, element in enumerate(given.elements()))

    def _element(self, param: Param, index: int, given: Node, before: Mapping[str, object]) -> object:
        if not self.cls.passes_over(param.name, index, before):
            return self._one(param, given)
        scope, self.scope = self.scope, UNKNOWN
        element = self._one(param, given)
        self.scope = scope
        return element

    def _too_short(self, param: Param, given: Node, count: int, length: int) -> None:
        if param.name == "as":
            written = "a field called `undefined`"
            self.checking.report(ShortAs(place=given.place, owner=self.owner, given=count, wanted=length, written=written))
        else:
            owner = f"`{param.name}` of {self.owner}"
            expected, found = f"a list of {length} elements", f"a list of {count}"
            self.checking.report(WrongKind(place=given.place, owner=owner, expected=expected, found=found))
            raise _Unreadable

    def _computed_array(self, param: Param, given: Node) -> tuple[object, ...]:
        of = self.checking.signal(given, self.datum)
        if param.kind in ("field", "string", "enum"):
            raise _Unreadable
        return (Computed(of.element if isinstance(of, Array) else UNKNOWN),)

    def _one(self, param: Param, given: Node) -> object:
        if given.value is None and param.nullable:
            return None
        match param.kind:
            case "field":
                return self.field(given, param)
            case "expr":
                return self.expression(given, param)
            case "data":
                return self._signal_value(given) if _is_signal(given) else self.checking.dataset(given)
            case "param":
                return self._variant(param, given)
            case "projection":
                self.checking.projection(given)
                return given
            case "any":
                return self._any(given)
            case _:
                return self._plain(param, given)

    def _variant(self, param: Param, given: Node) -> Transform | None:
        """A nested object: the text under the key chooses which parameters it has."""
        key = given.get(param.key)
        if key is None or key.text is None:
            self._wrong(param, given if key is None else key, f"an object whose `{param.key}` is text")
            raise _Unreadable
        cls = param.variants.get(key.text)
        if cls is None:
            owner, options = f"`{param.key}` of {self.owner}", tuple(param.variants)
            self.checking.report(UnknownOption(place=key.place, value=key.text, owner=owner, options=options))
            raise _Unreadable
        return Elaboration(cls, given, self.datum, self.checking).transform()

    def _plain(self, param: Param, given: Node) -> Value | FieldRef:
        if _is_signal(given) and param.signals:
            known = self._signal_value(given)
            is_text = param.kind in ("string", "enum")
            return COMPUTED if is_text and not isinstance(known, str | Computed) else known
        if param.accessor and isinstance(given.value, dict):
            return self.field(given, param)
        value = given.value
        fits = {"string": given.is_string, "enum": given.is_string, "boolean": given.is_boolean, "number": given.is_number}
        if param.kind == "string" and param.accessor and given.is_number:
            return given.number  # a font weight of 700 is as good as "bold"
        if not fits[param.kind]:
            # JavaScript reads numeric text and truth values where it wants a number or a condition: nothing breaks.
            if param.kind == "boolean" or (param.kind == "number" and _reads_as_number(value)):
                return value if isinstance(value, str | bool | int | float) else COMPUTED
            self._wrong(param, given, _KIND_NAMES[param.kind] + (", `{field}` or `{expr}`" if param.accessor else ""))
        if param.kind == "enum" and isinstance(value, str) and param.options and value not in param.options:
            owner = f"`{param.name}` of {self.owner}"
            self.checking.report(
                UnknownOption(place=given.place, value=value, owner=owner, options=param.options, ignored=not param.enforced)
            )
            return COMPUTED
        assert isinstance(value, str | int | float | bool)
        return value

    def _signal_value(self, given: Node) -> Value:
        of = self.checking.signal(given, self.datum)
        return of.value if isinstance(of, Literal) else Computed(of)

    def _any(self, given: Node) -> Value | Node:
        return self._signal_value(given) if _is_signal(given) else given

    def _wrong(self, param: Param, given: Node, expected: str) -> None:
        owner = f"`{param.name}` of {self.owner}"
        self.checking.report(WrongKind(place=given.place, owner=owner, expected=expected, found=found_kind(given)))
        raise _Unreadable

    def expression(self, given: Node, param: Param) -> ExprRef:
        """An `expr` parameter: its text; where signals may stand, also `{expr: text}` and `{signal}`, with the signal's type."""
        if given.is_string:
            return ExprRef(self.checking.expression(given, self.scope), given)
        if not param.signals:
            self._wrong(param, given, "an expression")
        inner = given.get("expr")
        if inner is not None and inner.is_string:
            return ExprRef(self.checking.expression(inner, self.scope), inner)
        if _is_signal(given):
            return ExprRef(self.checking.signal(given, self.datum), given)
        self._wrong(param, given, "an expression")
        raise _Unreadable

    def field(self, given: Node, param: Param | None = None, of: Type | None = None) -> FieldRef:
        """A field parameter, resolved against `of` (the parameter's scope if not given)."""
        ref = self._field(given, self.scope if of is None else of)
        if param is not None and param.demands is not None:
            demand(ref, param.demands, self.owner, self.checking)
        return ref

    def _field(self, given: Node, of: Type) -> FieldRef:
        if given.is_string:
            return self._named(given, of)
        if _is_signal(given):
            return self._by_signal(given, of)
        inner = given.get("field")
        if inner is not None:
            ref = self._field(inner, of)
            name = given.get("as")
            renamed: Name = name.text if name is not None and name.text is not None else ref.name
            return FieldRef(renamed, ref.of, ref.paths, ref.place, given)
        expr = given.get("expr")
        if expr is not None and expr.is_string:
            # Vega's accessor for an expression has no name, even when `as` gives one: the output is called "undefined".
            return FieldRef("undefined", self.checking.expression(expr, of), (), expr.place, given)
        owner = f"a field of {self.owner}"
        self.checking.report(WrongKind(place=given.place, owner=owner, expected="a field name", found=found_kind(given)))
        raise _Unreadable

    def _named(self, given: Node, of: Type) -> FieldRef:
        text = given.text or ""
        try:
            path = split_path(text)
        except FieldPathError as problem:
            self.checking.report(InvalidFieldPath(place=given.place, reason=str(problem)))
            raise _Unreadable from None
        type_ = type_of_path(of, path, self._reading(given, simple=len(path) == 1 and path[0] == text))
        return FieldRef(accessor_name(text), type_, (path,), given.place, given)

    def _by_signal(self, given: Node, of: Type) -> FieldRef:
        options = all_text_literals(self.checking.signal(given, self.datum))
        if options is None:
            return FieldRef(COMPUTED, UNKNOWN, (), given.place, given)
        names = [str(option.value) for option in options]
        try:
            paths = tuple(split_path(name) for name in names)
        except FieldPathError as problem:
            self.checking.report(InvalidFieldPath(place=given.place, reason=str(problem)))
            raise _Unreadable from None
        types = types_of_alternatives(of, options, self._reading(given, simple=False))
        called = join(Literal(accessor_name(name)) for name in names)
        return FieldRef(accessor_name(names[0]) if len(names) == 1 else Computed(called), join(types), paths, given.place, given)

    def _reading(self, given: Node, *, simple: bool) -> Reading:
        dataset = self.checking.dataset_name if self.scope is self.datum else _dataset_of(self.scope)
        return Reading(self.checking, given.place, dataset, f"the `{self.cls.type}`", replaceable=simple)

    def sort_keys(self, given: Node, param: Param, of: Type | None = None) -> tuple[SortKey, ...]:
        """A `compare` parameter: `{field, order}`, each a value or a list; a signal for the whole is ignored by Vega."""
        if _is_signal(given):
            self.checking.signal(given, self.datum)
            return ()
        if not given.is_object:
            self._wrong(param, given, "an object with `field` and `order`")
        fields, orders = given.get("field"), given.get("order")
        if fields is None or fields.value is None:
            return ()
        nodes = list(fields.elements()) if fields.is_array else [fields]
        order_nodes = list(orders.elements()) if orders is not None and orders.is_array else [orders] if orders else []
        keys = []
        for index, node in enumerate(nodes):
            order = order_nodes[index] if index < len(order_nodes) else None
            key = SortKey(self.field(node, of=of), self._order(order))
            report_text_order(key.field, self.scope if of is None else of, f"the `{param.name}` of {self.owner}", self.checking)
            keys.append(key)
        return tuple(keys)

    def _order(self, given: Node | None) -> Name:
        if given is None or given.value is None:
            return "ascending"
        if _is_signal(given):
            value = self._signal_value(given)
            return value if isinstance(value, str) else COMPUTED
        options = ("ascending", "descending")
        if given.text is not None and given.text not in options:
            owner = f"the sort order of {self.owner}"
            self.checking.report(UnknownOption(place=given.place, value=given.text, owner=owner, options=options, ignored=True))
        return given.text or COMPUTED


def elaborate(cls: type[Transform], node: Node, datum: Record, checking: Checking) -> Transform | None:
    """Reads one transform of a spec."""
    return Elaboration(cls, node, datum, checking).transform()


def _dataset_of(scope: Type) -> str | None:
    return scope.lineage.dataset if isinstance(scope, Record) and scope.lineage is not None else None


def _is_composite(param: Param) -> bool:
    return param.array or param.kind == "compare"


def _reads_as_number(value: object) -> bool:
    return isinstance(value, bool) or (isinstance(value, str) and reads_as_number(value))


def _is_signal(given: Node) -> bool:
    return isinstance(given.value, dict) and "signal" in given.value


def found_kind(given: Node) -> str:
    """The kind of a value, for a sentence."""
    kind = given.kind
    return {"object": "an object", "array": "a list", "string": "text", "number": "a number", "null": "null"}.get(
        kind, "true or false"
    )
