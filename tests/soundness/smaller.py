"""The cases that are one step smaller than a case: for shrinking without Hypothesis, and for showing that a case is minimal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from sheliak.calculus.changes import Add, Change, DataTuple, Record, Remove, Trace, Update, Value, identical
from sheliak.calculus.no_derivation import NoDerivation
from sheliak.calculus.printer import change_text, program_text
from sheliak.calculus.spec_typing import type_of_spec
from sheliak.calculus.syntax import Agg, Arith, Arr, Builtin, Cross, Expr, Filter, Formula, Obj, Spec, Transform
from sheliak.calculus.type_syntax import RecordType
from soundness.specs import Typed
from soundness.streams import Stream, Tuples, trace_of

X = TypeVar("X")


@dataclass(frozen=True, slots=True)
class Case:
    """A specification with the types of its inputs, and a stream."""

    inputs: Mapping[str, RecordType]
    spec: Spec
    events: Stream

    def __str__(self) -> str:
        changes = [f"{source}: {change_text(u)}" for source, u in self.events]
        return "\n".join((program_text(self.inputs.items(), self.spec), *changes))

    def typed(self) -> Typed | None:
        """The specification with its types, if it has them."""
        try:
            types = type_of_spec(self.inputs, self.spec)
        except NoDerivation:
            return None
        return Typed(self.inputs, self.spec, {n: T for n, T in types.items() if isinstance(T, RecordType)}, 0)

    def size(self) -> int:
        """How much there is to read: fields, transforms, keys, operators and changes."""
        transforms = [t for d in self.spec for t in d.transforms]
        aggs = [len(t.keys) + len(t.operators) for t in transforms if isinstance(t, Agg)]
        fields = sum(len(T.fields) for T in self.inputs.values())
        return fields + len(self.spec) + len(transforms) + sum(aggs) + len(self.events)


def smaller(case: Case) -> Iterator[Case]:
    """One thing left out, or one value made plainer."""
    yield from (replace(case, events=from_edits(edits)) for edits in _without_one(edits_of(case.events)))
    yield from (replace(case, spec=spec) for spec in smaller_specs(case.spec))
    yield from _without_a_field(case)
    yield from (replace(case, events=from_edits(edits)) for edits in _plainer_edits(edits_of(case.events)))


def shrunk(case: Case, is_wanted: Callable[[Case], bool]) -> Case:
    """A wanted case none of whose smaller cases is wanted."""
    while (found := next(filter(is_wanted, smaller(case)), None)) is not None:
        case = found
    return case


def _without_one(items: tuple[X, ...]) -> Iterator[tuple[X, ...]]:
    return ((*items[:i], *items[i + 1 :]) for i in range(len(items)))


# Streams: what a tuple is set to, so that any part of a stream is a stream

Edit: TypeAlias = tuple[str, Trace, Record | None]


def edits_of(events: Stream) -> tuple[Edit, ...]:
    return tuple([(source, trace_of(u), _set_to(u)) for source, u in events])


def _set_to(u: Change) -> Record | None:
    match u:
        case Add(v) | Update(_, v):
            return v.fields
        case _:
            return None


def from_edits(edits: tuple[Edit, ...]) -> Stream:
    """The changes that the edits amount to; removing what is not there is none."""
    present: dict[str, Tuples] = {}
    changes = [(source, _change(present.setdefault(source, {}), R, fields)) for source, R, fields in edits]
    return tuple([(source, u) for source, u in changes if u is not None])


def _change(tuples: Tuples, R: Trace, fields: Record | None) -> Change | None:
    old = tuples.pop(R, None)
    if fields is None:
        return None if old is None else Remove(old)
    tuples[R] = new = DataTuple(fields, R)
    return Add(new) if old is None else Update(old, new)


def _plainer_edits(edits: tuple[Edit, ...]) -> Iterator[tuple[Edit, ...]]:
    for i, (source, R, fields) in enumerate(edits):
        for f, v in (fields or {}).items():
            for plain in _plainer(v):
                yield (*edits[:i], (source, R, {**(fields or {}), f: plain}), *edits[i + 1 :])


def _plainer(v: Value) -> list[Value]:
    """The values of the same type that are simpler: 0, then 1, then the rest."""
    plain: dict[type, tuple[Value, ...]] = {float: (0.0, 1.0), str: ("", "a"), bool: (False,), tuple: ((),)}
    simpler: list[Value] = []
    for w in plain.get(type(v), ()):
        if identical(v, w):
            break
        simpler.append(w)
    return simpler


def _without_a_field(case: Case) -> Iterator[Case]:
    for n, T in case.inputs.items():
        for f in T.fields:
            kept = RecordType({g: T_g for g, T_g in T.fields.items() if g != f})
            edits = [(source, R, _kept(fields, f) if source == n else fields) for source, R, fields in edits_of(case.events)]
            yield Case({**case.inputs, n: kept}, case.spec, from_edits(tuple(edits)))


def _kept(fields: Record | None, f: str) -> Record | None:
    return None if fields is None else {g: v for g, v in fields.items() if g != f}


# Specifications


def smaller_specs(spec: Spec) -> Iterator[Spec]:
    yield from _without_one(spec)
    for i, d in enumerate(spec):
        for transforms in _smaller_pipelines(d.transforms):
            yield (*spec[:i], replace(d, transforms=transforms), *spec[i + 1 :])


def _smaller_pipelines(transforms: tuple[Transform, ...]) -> Iterator[tuple[Transform, ...]]:
    yield from _without_one(transforms)
    for i, t in enumerate(transforms):
        yield from ((*transforms[:i], other, *transforms[i + 1 :]) for other in _smaller_transforms(t))


def _smaller_transforms(t: Transform) -> Iterator[Transform]:
    match t:
        case Agg(keys, operators):
            yield from (Agg(fewer, operators) for fewer in _without_one(keys))
            yield from (Agg(keys, fewer) for fewer in _without_one(operators))
        case Filter(e):
            yield from map(Filter, _parts(e))
        case Formula(e, f):
            yield from (Formula(part, f) for part in _parts(e))
        case Cross():
            return


def _parts(e: Expr) -> tuple[Expr, ...]:
    match e:
        case Arith(_, e1, e2):
            return e1, e2
        case Builtin(_, parts) | Arr(parts):
            return parts
        case Obj(fields):
            return tuple([value for _, value in fields])
        case _:
            return ()
