"""Fig. 6: the typing of operators, transforms, dataset definitions and specifications."""

from __future__ import annotations

from typing import assert_never

from sheliak.calculus import no_derivation as no
from sheliak.calculus.expression_typing import require_distinct, type_of_expression
from sheliak.calculus.syntax import (
    Agg,
    Avg,
    Count,
    Cross,
    Data,
    Datum,
    Field,
    Filter,
    Formula,
    Operator,
    Path,
    Spec,
    Sum,
    Transform,
)
from sheliak.calculus.type_syntax import NUMBER, Context, RecordType, Type


def type_of_operator(T: Type, op: Operator) -> Type:
    """T ⊢ op : T'."""
    match op:
        case Sum(p):  # T-opSum
            return _number(T, op, "T-opSum", "sum", p)
        case Count():  # T-opCount
            return NUMBER
        case Avg(p):  # T-opAvg; Erratum E7: avg is in the syntax, but has no rule
            return _number(T, op, "T-opAvg", "avg", p)
        case _:
            assert_never(op)


def _number(T: Type, op: Operator, rule: str, word: str, p: Path) -> Type:
    found = type_of_expression(T, p)
    if found is not NUMBER:
        raise no.NotANumber(rule, p, word, found)
    return NUMBER


def name_of_key(p: Path) -> str:
    """name(datum.f₁.….fₙ) = "f₁.….fₙ", one flat field name. Erratum E13: it is undefined for `datum` alone."""
    match p:
        case Field(Datum(), f):
            return f
        case Field(inner, f):
            return f"{name_of_key(inner)}.{f}"
        case Datum():
            raise no.KeyWithoutName("T-tAgg", p)
        case _:
            assert_never(p)


def type_of_transform(T: Type, t: Transform) -> Type:
    """T ⊢ t : T'."""
    match t:
        case Filter(e):  # T-tFilter
            type_of_expression(T, e)
            return T
        case Formula(e, f):  # T-tFormula; Erratum E23: T ∪ {f: T'} asks for a record T
            T_out = type_of_expression(T, e)
            if not isinstance(T, RecordType):
                raise no.NotARecord("T-tFormula", t, f, T)
            return T.extended(f, T_out)
        case Cross(a, b):  # T-tCross
            require_distinct("T-tCross", t, [a, b])
            return RecordType({a: T, b: T})
        case Agg(keys, operators):  # T-tAgg
            names = [name_of_key(p) for p in keys] + [op.output for op in operators]
            types = [type_of_expression(T, p) for p in keys] + [type_of_operator(T, op) for op in operators]
            require_distinct("T-tAgg", t, names)
            return RecordType(dict(zip(names, types, strict=True)))
        case _:
            assert_never(t)


def type_of_dataset(Γ: Context, d: Data) -> Type:
    """Γ ⊢ d : T."""
    if d.source not in Γ:  # T-dData
        raise no.UnknownDataset("T-dData", d, d.source, tuple(Γ), at=d.source_span)
    T = Γ[d.source]
    for t in d.transforms:
        T = type_of_transform(T, t)
    return T


def extend_context(Γ: Context, d: Data) -> Context:
    """One premise of T-spec: Γᵢ = Γᵢ₋₁, n: T. Erratum E14: n must be new, else `lookup` is no function."""
    if d.name in Γ:
        raise no.RepeatedDataset("T-spec", d, d.name, at=d.name_span)
    return {**Γ, d.name: type_of_dataset(Γ, d)}


def type_of_spec(Γ: Context, spec: Spec) -> Context:
    """Γ ⊢ spec : Γ'."""
    for d in spec:  # T-spec
        Γ = extend_context(Γ, d)
    return Γ
