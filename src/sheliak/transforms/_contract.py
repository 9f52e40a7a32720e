"""What a transform declares: its parameters as data, then its typing rule, then its meaning on rows.

A transform is one file named after its Vega type, with one class:

    @transform("fold")
    class Fold(Transform):
        fields: tuple[FieldRef, ...] = param("field", array=True, required=True)
        into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", default=("key", "value"))

        def output_type(self, datum: Record, checking: Checking) -> Record:
            ...

        def rows(self, rows: list[Row], running: Running) -> list[Row]:
            ...

`_elaborate.py` reads a spec's JSON into such an object, resolves field parameters against the datum and reports what is
wrong; `output_type` then only says the rule. To run, `_reading.py` makes the object of JSON whose signals have their values.
What only a run needs is imported where it runs: the checker pays for none of it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias, TypeVar, dataclass_transform

from sheliak.diagnostics.findings import Findings
from sheliak.source.declared import dataclass, field, replace
from sheliak.source.place import PathKey, Place
from sheliak.source.tree import Node
from sheliak.types.operations import all_texts, extended, join, opened, type_of_value, widened
from sheliak.types.shapes import OPEN_RECORD, UNKNOWN, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._parameters import Parameters
    from sheliak.transforms._running import Running


@dataclass(frozen=True, slots=True)
class Computed:
    """A parameter whose value only a running signal knows; its type may be known."""

    of: Type = UNKNOWN


COMPUTED = Computed()

Name: TypeAlias = str | Computed
"""A field name, or one that only a signal knows."""


@dataclass(frozen=True, slots=True)
class FieldRef:
    """A field parameter: `"a"`, `"a.b"`, `{field, as}`, `{expr}` or `{signal}`, resolved against the datum it reads."""

    name: Name
    """The name Vega gives to what it reads: the field, the path as written, `as`; an `{expr}` has the name "undefined"."""
    of: Type
    paths: tuple[tuple[str, ...], ...]
    """The paths it may read: one, or one for each option of a signal, or none for an expression or an unknown signal."""
    place: Place
    node: Node = field(compare=False, repr=False)

    @property
    def is_expression(self) -> bool:
        """An `{expr}`: Vega gives it no name."""
        return self.name == "undefined" and not self.paths

    @property
    def is_column(self) -> bool:
        """It reads one field under that field's own name."""
        return self.paths == ((self.name,),)

    @property
    def text(self) -> str:
        """The reference as a user would name it in a sentence."""
        return self.name if isinstance(self.name, str) else ".".join(self.paths[0]) if self.paths else "the field"


@dataclass(frozen=True, slots=True)
class ExprRef:
    """An expression parameter and the type it has over the datum."""

    of: Type
    node: Node = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SortKey:
    """One field of a `compare` parameter."""

    field: FieldRef
    order: Name


Value: TypeAlias = str | float | bool | None | Computed
"""A plain parameter: given, absent (None) or only known to a signal."""

Kind = Literal["field", "expr", "string", "number", "boolean", "enum", "any", "compare", "data", "projection", "param", "raw"]
Demand = Literal["number", "array", "date", "text"]


@dataclass(frozen=True, slots=True)
class Param:
    """How a parameter is read. Kinds beyond Vega's own: `data` (a dataset's name), `raw` (the transform reads it itself)."""

    name: str
    kind: Kind
    array: bool = False
    required: bool = False
    options: tuple[str, ...] = ()
    enforced: bool = True
    """Vega fails at an option it does not know; otherwise it behaves as if the default were given."""
    demands: Demand | None = None
    """What the field's values must be for the result to make sense."""
    nullable: bool = False
    """An element (or the value) may be null."""
    signals: bool = True
    """A `{signal}` may stand for the value."""
    accessor: bool = False
    """For plain values: `{expr}` or `{field}` may stand for the value, which is then read from each row (a FieldRef)."""
    length: int | None = None
    """How many elements Vega reads from the list; a shorter one breaks the result."""
    key: str = ""
    """For kind `param`: the member that chooses among the variants."""
    variants: Mapping[str, type[Transform]] = field(default_factory=dict)
    """For kind `param`: a nested object with parameters of its own, by the text under `key`."""
    attribute: str = ""


def param(
    kind: Kind,
    *,
    vega_name: str | None = None,
    array: bool = False,
    required: bool = False,
    options: tuple[str, ...] = (),
    enforced: bool = True,
    demands: Demand | None = None,
    nullable: bool = False,
    signals: bool = True,
    accessor: bool = False,
    length: int | None = None,
    key: str = "",
    variants: Mapping[str, type[Transform]] | None = None,
    default: object = None,
) -> Any:
    """Declares a parameter. An absent one has its default: None, or the empty tuple for an array."""
    declared = Param(
        name=vega_name or "",
        kind=kind,
        array=array,
        required=required,
        options=options,
        enforced=enforced,
        demands=demands,
        nullable=nullable,
        signals=signals,
        accessor=accessor,
        length=length,
        key=key,
        variants=variants or {},
    )
    absent = () if array and default is None else default
    return dataclasses.field(default=absent, metadata={"param": declared}, kw_only=True)


class Checking(Findings, Protocol):
    """What a rule may ask of the checker while it types one transform."""

    dataset_name: str | None
    """The dataset the pipeline belongs to; None for a mark's own transforms."""
    steps: tuple[str, ...]
    """The transforms that come before this one in the same pipeline."""

    def expression(self, node: Node, datum: Type) -> Type:
        """T ⊢ e : T' for an expression's text, with `datum` bound to the type; mistakes are reported."""

    def signal(self, node: Node, datum: Type | None) -> Type:
        """The type of a `{signal: …}` object's value; mistakes are reported."""

    def dataset(self, node: Node) -> Record | None:
        """The record of the dataset or mark that a text names; an unknown one is reported and gives None."""

    def projection(self, node: Node) -> None:
        """Reports an unknown projection."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A dataset whose rows a transform of another dataset changes in place, and what they are afterwards."""

    dataset: Node
    """The text that names it."""
    record: Record


@dataclasses.dataclass(frozen=True)
class Transform:
    """One transform of a spec, its parameters read."""

    node: Node = dataclasses.field(kw_only=True, repr=False, compare=False)
    """Where it stands in the spec."""

    type: ClassVar[str] = ""
    owner: ClassVar[str] = ""
    """What a message calls it: "the `bin` transform"."""
    params: ClassVar[tuple[Param, ...]] = ()
    own_members: ClassVar[tuple[str, ...]] = ("type", "signal")
    """The members that are not parameters."""
    generates: ClassVar[bool] = False
    """Makes new tuples, or drops some: such a transform cannot stand on a mark."""
    keeps_input: ClassVar[bool] = True
    """The output has all fields of the input."""
    writes: ClassVar[bool] = False
    """Adds fields to the rows that it is given."""

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T ⊢ t : T'."""
        raise AssertionError(f"{type(self).__name__} has no typing rule")

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        """The type of the value that the transform's `signal` publishes."""
        return UNKNOWN

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦t⟧: the rows after it. A transform that `writes` adds fields to the rows themselves; the list is never changed."""
        raise AssertionError(f"{type(self).__name__} stays with the renderer")

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        """The rows after it as a plan over those before. Raises Unplannable with the reason where a plan cannot say them exactly."""
        from sheliak.plan.unplannable import Unplannable

        raise Unplannable(f"`{self.type}` has no plan")

    @classmethod
    def runs(cls) -> bool:
        """Whether it has a meaning on rows; all others stay with the renderer."""
        return cls.rows is not Transform.rows

    def parameters(self) -> Parameters:
        """The plain parameters, for a run."""
        from sheliak.transforms._parameters import Parameters

        return Parameters(self.node)

    def given(self, name: str) -> bool:
        """The spec writes this parameter (Vega takes an empty list for a given one)."""
        return self.node.get(name) is not None

    def place(self, *path: PathKey) -> Place:
        """The place of a parameter or of one of its elements; the transform's own where the spec does not write it."""
        node = self.node.descend(*path)
        return self.node.place if node is None else node.place

    def renamed(self) -> dict[str, str]:
        """Old name -> new name of the fields that the transform keeps under another name, for messages."""
        return {}

    def rewrites(self, rows: Record) -> tuple[Rewrite, ...]:
        """The other datasets that it changes in place; `rows` is what the rows of its own dataset end up as."""
        return ()

    @classmethod
    def reads(cls, name: str, datum: Type, given: Mapping[str, object], checking: Checking) -> Type:
        """What a parameter's fields and expressions read from: the datum, unless Vega hands them something else.

        `given` holds the parameters that were read before this one, by attribute.
        """
        return datum

    @classmethod
    def passes_over(cls, name: str, index: int, given: Mapping[str, object]) -> bool:
        """Vega never looks at this element of a list parameter, so that a field it names may be missing."""
        return False

    @classmethod
    def uncertain_type(cls, datum: Record) -> Record:
        """The output when a parameter that decides the shape cannot be read."""
        return opened(datum) if cls.keeps_input else OPEN_RECORD


TRANSFORMS: dict[str, type[Transform]] = {}
T = TypeVar("T", bound=Transform)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(param,))
def transform(
    name: str, *, generates: bool = False, keeps_input: bool = True, writes: bool = False
) -> Callable[[type[T]], type[T]]:
    """Registers a transform under its Vega type and gathers its parameters in the order they are declared."""

    def register(cls: type[T]) -> type[T]:
        made = declared(cls, name, f"the `{name}` transform")
        made.generates, made.keeps_input, made.writes = generates, keeps_input, writes
        TRANSFORMS[name] = made
        return made

    return register


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(param,))
def variant(name: str, owner: str, key: str, among: dict[str, type[Transform]]) -> Callable[[type[T]], type[T]]:
    """Adds a nested object with parameters of its own to the variants of a `param` parameter; `key` holds its name."""

    def register(cls: type[T]) -> type[T]:
        made = declared(cls, name, owner)
        made.own_members = (key,)
        among[name] = made
        return made

    return register


def declared(cls: type[T], name: str, owner: str) -> type[T]:
    """Gathers the parameters of a class in the order they are declared."""
    made = dataclasses.dataclass(frozen=True)(cls)
    made.type, made.owner = name, owner
    made.params = tuple(
        replace(declared, name=declared.name or field.name, attribute=field.name)
        for field in dataclasses.fields(made)
        if (declared := field.metadata.get("param")) is not None
    )
    return made


def with_names(record: Record, added: Iterable[tuple[Name | None, Type]]) -> Record:
    """The record with fields added; None adds nothing.

    A name that a signal chooses among options adds them all as possibly missing; one that only the signal knows makes the
    record open.
    """
    fields: dict[str, Type] = {}
    chosen: list[tuple[str, Type]] = []
    is_open = False
    for name, of in added:
        if isinstance(name, str):
            fields[name] = of
        elif name is not None:
            options = all_texts(name.of)
            is_open = is_open or options is None
            chosen += [(option, of) for option in options or ()]
    result = extended(record, fields)
    if chosen:
        result = _with_options(result, chosen)
    return opened(result) if is_open else result


def _with_options(record: Record, chosen: list[tuple[str, Type]]) -> Record:
    """Each of the names may be written, or not: a field that is there may keep its type."""
    fields, new = dict(record.fields), set[str]()
    for name, of in chosen:
        if name not in fields:
            new.add(name)
        fields[name] = join((fields[name], of)) if name in fields else of
    return replace(record, fields=fields, optional=record.optional | new)


def name_at(names: tuple[Name | None, ...], index: int, default: Name | None) -> Name | None:
    """Element `index` of an `as` list; null, absent and empty entries fall back to the default."""
    return (names[index] or default) if index < len(names) else default


def all_names(given: tuple[Name | None, ...], defaults: tuple[str, ...]) -> tuple[Name, ...]:
    """An `as` list that Vega takes whole or not at all: a short one leaves the rest to a field called "undefined"."""
    if not given:
        return defaults
    return tuple(whole_name(given, index) for index in range(len(defaults)))


def whole_name(names: tuple[Name | None, ...], index: int) -> Name:
    """Element `index` of an `as` list that replaces all default names at once: JavaScript names what is absent "undefined"."""
    if index >= len(names):
        return "undefined"
    name = names[index]
    return "null" if name is None else name


def renamings(kept: Iterable[tuple[FieldRef, Name | None]]) -> dict[str, str]:
    """The columns among the fields that go on under another name: old name -> new name."""
    return {
        field.paths[0][0]: name
        for field, name in kept
        if isinstance(name, str) and len(field.paths) == 1 and len(field.paths[0]) == 1 and field.paths[0][0] != name
    }


def type_of_given(value: Value | Node) -> Type:
    """The type of a parameter that takes any value; null when it is absent."""
    match value:
        case Node():
            return type_of_value(value.value)
        case Computed(of):
            return widened(of)
        case _:
            return type_of_value(value)


def constant(value: Value, default: Value) -> Value:
    """A plain parameter's value when the spec says it, the default when absent; Computed stays."""
    return default if value is None else value
