"""The datasets of a specification computed at one go from the tuples of its inputs: no changes, no states, no graph."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from sheliak.calculus.changes import DataTuple, Extended, Grouped, Identity, Pair, Record, Trace, Value, identical, identity
from sheliak.calculus.expression_evaluation import evaluate, truthy
from sheliak.calculus.spec_typing import name_of_key
from sheliak.calculus.syntax import Agg, Avg, Count, Cross, Filter, Formula, Operator, Spec, Sum, Transform
from soundness.streams import Tuples

Rows = dict[Trace, Record]


def datasets(spec: Spec, inputs: Mapping[str, Tuples]) -> dict[str, Rows]:
    """Every dataset, the inputs included: the fields of its tuples by their trace."""
    known: dict[str, Rows] = {n: {R: v.fields for R, v in tuples.items()} for n, tuples in inputs.items()}
    for d in spec:
        rows = known[d.source]
        for t in d.transforms:
            rows = transformed(t, rows)
        known[d.name] = rows
    return known


def transformed(t: Transform, rows: Rows) -> Rows:
    match t:
        case Filter(e):
            return {R: v for R, v in rows.items() if truthy(evaluate(e, v))}
        case Formula(e, f):
            return {Extended(t, R): {**v, f: evaluate(e, v)} for R, v in rows.items()}
        case Cross(a, b):
            return {Pair(R1, R2): {a: v1, b: v2} for R1, v1 in rows.items() for R2, v2 in rows.items()}
        case Agg():
            return _aggregated(t, rows)
        case _:
            assert_never(t)


def _aggregated(t: Agg, rows: Rows) -> Rows:
    groups: dict[Identity, list[Record]] = {}
    for v in rows.values():
        groups.setdefault(tuple([identity(evaluate(p, v)) for p in t.keys]), []).append(v)
    return {Grouped(t, k): _group(t, members) for k, members in groups.items()}


def _group(t: Agg, members: list[Record]) -> Record:
    fields: dict[str, Value] = {name_of_key(p): evaluate(p, members[0]) for p in t.keys}
    for op in t.operators:
        fields[op.output] = _result(op, members)
    return fields


def _result(op: Operator, members: list[Record]) -> float:
    match op:
        case Count():
            return float(len(members))
        case Sum(p):
            return total([_float(evaluate(p, v)) for v in members])
        case Avg(p):
            return total([_float(evaluate(p, v)) for v in members]) / len(members)
        case _:
            assert_never(op)


def _float(v: Value) -> float:
    assert isinstance(v, float)
    return v


def total(numbers: list[float]) -> float:
    """The exact sum, rounded once."""
    if not any(numbers):  # zeros add up to −0 only where all of them are −0
        return sum(numbers[1:], numbers[0])
    if not all(map(math.isfinite, numbers)):
        return sum(numbers)  # infinities and NaN swallow the rest
    try:
        return math.fsum(numbers)
    except OverflowError:
        exact = sum(map(Fraction, numbers), Fraction())
        try:
            return float(exact)
        except OverflowError:
            return math.inf if exact > 0 else -math.inf


def same_values(rows: Rows, tuples: Mapping[Trace, DataTuple]) -> bool:
    """Whether a dataset has tuples with these fields, as often, whatever their traces."""
    return Counter(map(identity, rows.values())) == Counter(identity(v.fields) for v in tuples.values())


def same_rows(rows: Rows, tuples: Mapping[Trace, DataTuple]) -> bool:
    """Whether a dataset has these tuples and no others."""
    return len(rows) == len(tuples) and all(R in tuples and identical(v, tuples[R].fields) for R, v in rows.items())
