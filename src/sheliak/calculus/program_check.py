"""The findings of a whole program: at most one per definition, each with what helps to repair it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, TypeAlias

from sheliak.calculus.no_derivation import NoDerivation, RepeatedDataset, TooDeep, UnknownBuiltin, UnknownDataset, UnknownField
from sheliak.calculus.printer import path_text
from sheliak.calculus.spec_typing import type_of_transform
from sheliak.calculus.surface import InputDefinition, Program
from sheliak.calculus.syntax import Agg, Cross, Data, Datum, Field, Node, Span, Transform
from sheliak.calculus.type_syntax import ArrayType, RecordType, Type


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that has to do with a finding."""

    span: Span | None
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A reason, the code users know it by, and what helps to repair it."""

    code: str
    reason: NoDerivation
    help: str | None = None
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """Γ', as far as it can be derived, and why not further."""

    types: dict[str, Type]
    findings: tuple[Finding, ...]


MAX_DEPTH: Final = 150

# How the tuples of a dataset came about: each transform so far, with the type it was given.
History: TypeAlias = tuple[tuple[Transform, Type], ...]


def check_program(program: Program) -> Report:
    """T-spec, going on after a definition without a derivation; what reads from that one is passed over."""
    checking = _Checking()
    for definition in program.inputs:
        checking.input(definition)
    for d in program.spec:
        checking.data(d)
    return Report(checking.types, tuple(checking.findings))


class _Checking:
    def __init__(self) -> None:
        self.types: dict[str, Type] = {}
        self.histories: dict[str, History] = {}
        self.findings: list[Finding] = []
        self.underivable: set[str] = set()
        self.depths = Depths()

    def input(self, definition: InputDefinition) -> None:
        if self.is_new(definition, definition.name, definition.name_span):
            self.types[definition.name], self.histories[definition.name] = definition.type, ()

    def is_new(self, node: Node, name: str, at: Span | None) -> bool:
        is_new = name not in self.types and name not in self.underivable
        if not is_new:
            self.findings.append(_finding(RepeatedDataset("T-spec", node, name, at=at), ()))
        return is_new

    def data(self, d: Data) -> None:
        if not self.is_new(d, d.name, d.name_span):
            return
        if d.source in self.types:
            self.derive(d)
        else:
            if d.source not in self.underivable:
                unknown = UnknownDataset("T-dData", d, d.source, (*self.types, *self.underivable), at=d.source_span)
                self.findings.append(_finding(unknown, ()))
            self.underivable.add(d.name)

    def derive(self, d: Data) -> None:
        T, history = self.types[d.source], self.histories[d.source]
        for t in d.transforms:
            history = (*history, (t, T))
            try:
                T = type_of_transform(T, t)
                if self.depths.of(T) > MAX_DEPTH:
                    raise TooDeep("T-dData", t, MAX_DEPTH)
            except NoDerivation as reason:
                self.findings.append(_finding(reason, history))
                self.underivable.add(d.name)
                return
        self.types[d.name], self.histories[d.name] = T, history


class Depths:
    """How deep types are nested. Remembers what it has seen: `cross` uses one type twice, again and again."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Type, int]] = {}  # the type is kept, so that its id stays its own

    def of(self, T: Type) -> int:
        if id(T) not in self.known:
            self.known[id(T)] = (T, self._found(T))
        return self.known[id(T)][1]

    def _found(self, T: Type) -> int:
        match T:
            case RecordType(fields):
                return 1 + max(map(self.of, fields.values()), default=0)
            case ArrayType(element):
                return 1 + self.of(element)
            case _:
                return 1


def _finding(reason: NoDerivation, history: History) -> Finding:
    match reason:
        case UnknownField(node=Field(Datum(), f)):
            return _dropped(reason, f, history) or Finding(reason.code, reason, _similar("field", f, reason.record.fields))
        case UnknownField(field=f):
            return Finding(reason.code, reason, _similar("field", f, reason.record.fields))
        case UnknownBuiltin(name=name, known=known):
            return Finding(reason.code, reason, _similar("builtin", name, known))
        case UnknownDataset(name=name, known=known):
            return Finding(reason.code, reason, _similar("dataset", name, known))
        case _:
            return Finding(reason.code, reason)


def _similar(what: str, name: str, names: Iterable[str]) -> str | None:
    by_shape = {n.lower().replace("_", ""): n for n in names}
    found = get_close_matches(name.lower().replace("_", ""), by_shape, n=2, cutoff=0.7)
    return f"a {what} with a similar name exists: {', '.join(f'`{by_shape[n]}`' for n in found)}" if found else None


def _dropped(reason: UnknownField, f: str, history: History) -> Finding | None:
    """The last transform that was given the field and did not pass it on, if there is one."""
    given = [t for t, T in history if isinstance(T, RecordType) and f in T.fields]
    return _dropped_by(reason, f, given[-1]) if given else None


def _dropped_by(reason: UnknownField, f: str, t: Transform) -> Finding | None:
    match t:
        case Cross(a, b):
            nested = " or ".join(path_text(Field(Field(Datum(), side), f)) for side in (a, b))
            help = f"`cross` puts the two tuples under `{a}` and `{b}`: the field is {nested}"
            return Finding("nested-field", reason, help, (Related(t.span, f"`{f}` is nested here"),))
        case Agg():
            flat = [path_text(Field(Datum(), name)) for name in reason.record.fields if name.startswith(f"{f}.")]
            keep = f"`agg` keeps its keys and outputs only; add {path_text(Field(Datum(), f))} to its keys, or use it before"
            help = f"the key of several names is one field: {flat[0]}" if flat else keep
            return Finding("dropped-field", reason, help, (Related(t.span, f"`{f}` is dropped here"),))
        case _:
            return None
