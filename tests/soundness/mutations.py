"""Well-typed specifications spoiled at a place that a stream reaches.

Evaluation is strict, so an expression without a value anywhere inside a transform leaves the transform without one. Rejected
as well, but not used here, is what does no harm by itself: an array of mixed types, a name that is given twice.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final, assert_never

from sheliak.calculus.graph_building import Label
from sheliak.calculus.spec_typing import type_of_transform
from sheliak.calculus.syntax import (
    Agg,
    Arith,
    ArithOperator,
    Arr,
    Avg,
    Builtin,
    Count,
    Cross,
    Data,
    Datum,
    Expr,
    Field,
    Filter,
    Formula,
    Obj,
    Path,
    Simple,
    Spec,
    Sum,
    Transform,
)
from sheliak.calculus.type_syntax import BOOLEAN, NUMBER, STRING, Primitive, RecordType, Type
from soundness.choices import Choices
from soundness.expressions import DATUM, Scope, path, simple
from soundness.specs import Typed
from soundness.types_and_values import NAMES, new_name

# Operands that no rule allows.
MISFITS: Final[tuple[tuple[ArithOperator, Primitive, Primitive], ...]] = (
    ("-", STRING, NUMBER),
    ("×", NUMBER, BOOLEAN),
    ("/", STRING, STRING),
    ("+", BOOLEAN, BOOLEAN),
    ("+", NUMBER, BOOLEAN),
)


@dataclass(frozen=True, slots=True)
class Mutation:
    """A spoiled specification, the label of the vertex that must err (None: there is no graph), and the dataset it is in."""

    kind: str
    spec: Spec
    spoiled: Label | None
    dataset: str


@dataclass(frozen=True, slots=True)
class Place:
    """The transform number `index` of dataset number `dataset`; `label` is its vertex, `datum` what the vertex is given."""

    dataset: int
    index: int
    label: int
    datum: RecordType


def mutation(choices: Choices, typed: Typed, reached: AbstractSet[Label]) -> Mutation:
    """One mistake: at a transform that takes a change, or, if there is none or by choice, in the source of a dataset."""
    places = [place for place in places_of(typed) if place.label in reached]
    if not places or choices.below(20) == 19:
        return _unknown_source(choices, typed)
    place = choices.pick(places)
    spoil = choices.pick((_spoiled_transform, _spoiled_transform, _filter_before, _field_dropped))
    return spoil(choices, typed, place)


def places_of(typed: Typed) -> list[Place]:
    found: list[Place] = []
    for number, d in enumerate(typed.spec):
        T: Type = typed.types[d.source]
        for index, t in enumerate(d.transforms):
            assert isinstance(T, RecordType)
            found.append(Place(number, index, len(typed.inputs) + len(found), T))
            T = type_of_transform(T, t)
    return found


def _unknown_source(choices: Choices, typed: Typed) -> Mutation:
    """A dataset of a name that is defined nowhere, or not above."""
    number = choices.below(len(typed.spec))
    later = [d.name for d in typed.spec[number:]]
    source = choices.pick([*later, new_name(choices, list(typed.types))])
    d = typed.spec[number]
    return Mutation("unknown dataset", _with(typed.spec, number, replace(d, source=source)), None, d.name)


def _with(spec: Spec, number: int, d: Data) -> Spec:
    return (*spec[:number], d, *spec[number + 1 :])


def _replaced(kind: str, typed: Typed, place: Place, *ts: Transform) -> Mutation:
    """With `ts` in the place of a transform, the first of which errs."""
    d = typed.spec[place.dataset]
    transforms = (*d.transforms[: place.index], *ts, *d.transforms[place.index + 1 :])
    return Mutation(kind, _with(typed.spec, place.dataset, replace(d, transforms=transforms)), place.label, d.name)


def _filter_before(choices: Choices, typed: Typed, place: Place) -> Mutation:
    """One more filter, which cannot be evaluated."""
    kind, e = failing(choices, Scope(place.datum))
    return _replaced(f"{kind}, in a filter", typed, place, Filter(e), typed.spec[place.dataset].transforms[place.index])


def _field_dropped(choices: Choices, typed: Typed, place: Place) -> Mutation:
    """The paper's second mistake: an aggregate comes before, and a field that is used is no longer there."""
    t = typed.spec[place.dataset].transforms[place.index]
    used = [f for p in paths_in(t) if (f := first_field(p)) is not None]
    if not used:
        return _filter_before(choices, typed, place)
    dropping = Agg((), (Count(new_name(choices, used)),))
    mutation = _replaced("field dropped by an aggregate", typed, place, dropping, t)
    return replace(mutation, spoiled=place.label + 1)


def _spoiled_transform(choices: Choices, typed: Typed, place: Place) -> Mutation:
    """The transform itself, with an expression or a path in it that cannot be evaluated."""
    scope, t = Scope(place.datum), typed.spec[place.dataset].transforms[place.index]
    match t:
        case Filter(e):
            kind, bad = failing(choices, scope)
            return _replaced(kind, typed, place, Filter(planted(choices, e, bad)))
        case Formula(e, f):
            kind, bad = failing(choices, scope)
            return _replaced(kind, typed, place, Formula(planted(choices, e, bad), f))
        case Agg():
            kind, spoiled = _spoiled_agg(choices, scope, t)
            return _replaced(kind, typed, place, spoiled)
        case Cross():
            return _filter_before(choices, typed, place)
        case _:
            assert_never(t)


def _spoiled_agg(choices: Choices, scope: Scope, t: Agg) -> tuple[str, Agg]:
    if choices.below(8) == 7:
        return "datum as a key", replace(t, keys=(*t.keys, DATUM))
    kind, p = choices.pick((_unknown_field, _field_of_no_record, _not_a_number))(choices, scope)
    output = new_name(choices, [op.output for op in t.operators])
    if kind == "no number" or choices.below(2) == 0:
        operator = Sum(p, output) if choices.below(2) == 0 else Avg(p, output)
        return f"{kind}, in an operator", replace(t, operators=(*t.operators, operator))
    return f"{kind}, in a key", replace(t, keys=(*t.keys, p))


# Expressions and paths without a value


def failing(choices: Choices, scope: Scope) -> tuple[str, Simple]:
    """What is wrong, and an expression over the datum that has neither type nor value."""
    makers: tuple[Callable[[Choices, Scope], tuple[str, Simple]], ...] = (
        *(_unknown_field, _unknown_field, _field_of_no_record, _misfit, _compound_operand),
        *(_unknown_builtin, _wrong_argument, _wrong_number_of_arguments),
    )
    return choices.pick(makers)(choices, scope)


def _unknown_field(choices: Choices, scope: Scope) -> tuple[str, Path]:
    """A name that the record does not have; at its most likely a misspelt one."""
    names, T = choices.pick([(names, T) for names, T in scope.compounds if isinstance(T, RecordType)])
    known = list(T.fields)
    wrong = choices.pick(known)[:-1] if known and choices.below(2) else choices.pick(NAMES)
    while wrong in T.fields:
        wrong += "_"
    return "unknown field", Field(path(names), wrong)


def _field_of_no_record(choices: Choices, scope: Scope) -> tuple[str, Path]:
    others = [names for found in scope.primitives.values() for names in found]
    others += [names for names, T in scope.compounds if not isinstance(T, RecordType)]
    if not others:
        return _unknown_field(choices, scope)
    return "field of no record", Field(path(choices.pick(others)), choices.pick(NAMES))


def _not_a_number(choices: Choices, scope: Scope) -> tuple[str, Path]:
    others = [*scope.primitives[STRING], *scope.primitives[BOOLEAN], *(names for names, _ in scope.compounds)]
    return "no number", path(choices.pick(others))


def _misfit(choices: Choices, scope: Scope) -> tuple[str, Simple]:
    op, T1, T2 = choices.pick(MISFITS)
    return f"{T1.value} {op} {T2.value}", Arith(op, simple(choices, scope, T1, 1), simple(choices, scope, T2, 1))


def _compound_operand(choices: Choices, scope: Scope) -> tuple[str, Simple]:
    p = path(choices.pick(scope.compounds)[0])
    return "compound operand", Arith("+", p, simple(choices, scope, choices.pick((STRING, NUMBER)), 0))


def _unknown_builtin(choices: Choices, scope: Scope) -> tuple[str, Simple]:
    return "unknown builtin", Builtin("sqroot", (simple(choices, scope, NUMBER, 0),))


def _wrong_argument(choices: Choices, scope: Scope) -> tuple[str, Simple]:
    builtin, T = choices.pick((("round", STRING), ("upper", NUMBER), ("isNaN", BOOLEAN)))
    return "wrong argument", Builtin(builtin, (simple(choices, scope, T, 0),))


def _wrong_number_of_arguments(choices: Choices, scope: Scope) -> tuple[str, Simple]:
    return "wrong number of arguments", Builtin("min", tuple([simple(choices, scope, NUMBER, 0)] * choices.pick((0, 1, 3))))


def planted(choices: Choices, e: Expr, bad: Simple) -> Expr:
    """e with `bad` in the place of one of its parts, or of the whole."""
    if choices.below(3) == 0:
        return bad
    match e:
        case Arith(op, e1, e2):
            if choices.below(2):
                return Arith(op, _planted_simple(choices, e1, bad), e2)
            return Arith(op, e1, _planted_simple(choices, e2, bad))
        case Builtin(name, arguments) if arguments:
            return Builtin(name, _planted_among(choices, arguments, bad))
        case Arr(items) if items:
            return Arr(_planted_among(choices, items, bad))
        case Obj(fields) if fields:
            values = _planted_among(choices, tuple([value for _, value in fields]), bad)
            return Obj(tuple([(f, value) for (f, _), value in zip(fields, values, strict=True)]))
        case _:
            return bad


def _planted_simple(choices: Choices, e: Simple, bad: Simple) -> Simple:
    spoiled = planted(choices, e, bad)
    assert not isinstance(spoiled, Arr | Obj)
    return spoiled


def _planted_among(choices: Choices, parts: tuple[Expr, ...], bad: Simple) -> tuple[Expr, ...]:
    i = choices.below(len(parts))
    return (*parts[:i], planted(choices, parts[i], bad), *parts[i + 1 :])


def paths_in(t: Transform) -> list[Path]:
    """The longest paths in a transform."""
    match t:
        case Filter(e) | Formula(e, _):
            return _paths(e)
        case Agg(keys, operators):
            return [*keys, *(op.path for op in operators if not isinstance(op, Count))]
        case Cross():
            return []
        case _:
            assert_never(t)


def _paths(e: Expr) -> list[Path]:
    match e:
        case Datum() | Field():
            return [e]
        case Arith(_, e1, e2):
            return _paths(e1) + _paths(e2)
        case Builtin(_, parts) | Arr(parts):
            return [p for part in parts for p in _paths(part)]
        case Obj(fields):
            return [p for _, value in fields for p in _paths(value)]
        case _:
            return []


def first_field(p: Path) -> str | None:
    """f₁ of datum.f₁.….fₙ."""
    while isinstance(p, Field):
        if p.path == DATUM:
            return p.name
        p = p.path
    return None
