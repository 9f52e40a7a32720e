"""A law: on the expressions of the paper, strict typing finds an error exactly where Fig. 5 has no derivation.

The builtins are those whose types the calculus and Vega's table state alike; `length` also takes arrays in Vega.
"""

from __future__ import annotations

import json

from hypothesis import event, given
from hypothesis import strategies as st

from expressions.typing_scope import FakeScope, typed
from sheliak.calculus import type_syntax as figure
from sheliak.calculus.expression_typing import type_of_expression as type_by_the_figure
from sheliak.calculus.no_derivation import NoDerivation
from sheliak.calculus.syntax import Arith, Arr, Bool, Builtin, Datum, Expr, Field, Num, Obj, Str
from sheliak.diagnostics.registry import Severity
from sheliak.expressions.strict import plain
from sheliak.types.shapes import BOOLEAN, NUMBER, STRING, UNKNOWN, Array, Record, Type

NAMES = st.sampled_from(["f", "g", "h"])
UNARY = ["abs", "ceil", "floor", "round", "isNaN", "lower", "upper"]

types = st.recursive(
    st.sampled_from([figure.BOOLEAN, figure.NUMBER, figure.NUMBER, figure.STRING]),
    lambda inner: st.one_of(
        st.builds(figure.RecordType, st.dictionaries(NAMES, inner, max_size=3)), st.builds(figure.ArrayType, inner)
    ),
    max_leaves=6,
)
records = st.builds(figure.RecordType, st.dictionaries(NAMES, types, min_size=1, max_size=3))
paths = st.recursive(st.just(Datum()), lambda inner: st.builds(Field, inner, NAMES), max_leaves=3)
leaves = st.one_of(
    st.builds(Bool, st.booleans()),
    st.builds(Num, st.integers(0, 9).map(float)),
    st.builds(Str, st.sampled_from(["", "a", "5"])),
    st.builds(Field, st.just(Datum()), NAMES),
    paths,
)


def grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        st.builds(Arith, st.sampled_from(["+", "-", "*", "/"]), inner, inner),
        st.builds(Arith, st.just("+"), inner, inner),
        st.builds(Builtin, st.sampled_from(UNARY), st.tuples(inner)),
        st.builds(Builtin, st.sampled_from(["min", "max"]), st.tuples(inner, inner)),
        st.builds(Arr, st.lists(inner, max_size=3).map(tuple)),
        st.builds(Obj, st.dictionaries(NAMES, inner, max_size=3).map(lambda fields: tuple(fields.items()))),
    )


expressions = st.recursive(leaves, grown, max_leaves=6)


def written(e: Expr) -> str:
    """The expression as Vega writes it."""
    match e:
        case Bool(value):
            return "true" if value else "false"
        case Num(value):
            return repr(value)
        case Str(value):
            return json.dumps(value)
        case Datum():
            return "datum"
        case Field(path, name):
            return f"{written(path)}.{name}"
        case Arith(operator, left, right):
            return f"({written(left)} {operator} {written(right)})"
        case Builtin(name, arguments):
            return f"{name}({', '.join(map(written, arguments))})"
        case Arr(items):
            return f"[{', '.join(map(written, items))}]"
        case Obj(fields):
            return "{" + ", ".join(f"{name}: {written(value)}" for name, value in fields) + "}"


def grown_type(of: figure.Type) -> Type:
    """The paper's type in the grown type language."""
    match of:
        case figure.Primitive():
            return {figure.BOOLEAN: BOOLEAN, figure.NUMBER: NUMBER, figure.STRING: STRING}[of]
        case figure.ArrayType(element):
            return Array(grown_type(element))
        case figure.EmptyArrayType():
            return Array(UNKNOWN)
        case figure.RecordType(fields):
            return Record({name: grown_type(member) for name, member in fields.items()})


@given(records, expressions)
def test_strict_typing_accepts_what_the_figure_derives_and_gives_the_same_type(datum: figure.RecordType, e: Expr) -> None:
    scope = FakeScope(strict=True, variables={"datum": grown_type(datum)})
    of = typed(written(e), scope)
    errors = [finding.message() for finding in scope.findings if finding.severity is Severity.ERROR]
    try:
        expected = type_by_the_figure(datum, e)
    except NoDerivation:
        event("no derivation")
        assert errors != []
    else:
        event("derivable")
        assert errors == []
        assert plain(of) == grown_type(expected)
