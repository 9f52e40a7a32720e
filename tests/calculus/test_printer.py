"""What is printed is read back as what it was."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheliak.calculus.changes import Add, DataTuple, Error, Extended, Grouped, Pair, Remove, Trace, Update, identity
from sheliak.calculus.printer import (
    change_text,
    expression_text,
    name_text,
    program_text,
    string_text,
    trace_text,
    type_text,
    value_text,
)
from sheliak.calculus.surface import parse_expression, parse_program, parse_type
from sheliak.calculus.syntax import (
    Agg,
    Arith,
    Arr,
    Avg,
    Bool,
    Builtin,
    Count,
    Cross,
    Data,
    Datum,
    Expr,
    Field,
    Filter,
    Formula,
    Num,
    Obj,
    Operator,
    Path,
    Simple,
    Str,
    Sum,
    Transform,
)
from sheliak.calculus.type_syntax import NUMBER, ArrayType, EmptyArrayType, Primitive, RecordType, Type

names = st.sampled_from(
    ["x", "datum", "as", "sum", "true", "a.b", "", "μ", "0", "a b", '"', "\\", "\n", "\ud800", "😀", "__proto__"]
) | st.text(max_size=4)
plain_names = st.sampled_from(["round", "abs", "nothing", "datum_", "datums"])
numbers = st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 1e21, 1e-7, math.inf, -math.inf])


def paths() -> st.SearchStrategy[Path]:
    return st.lists(names, max_size=3).map(lambda fields: path_of(fields))


def path_of(fields: list[str]) -> Path:
    p: Path = Datum()
    for f in fields:
        p = Field(p, f)
    return p


def expressions() -> st.SearchStrategy[Expr]:
    leaves = st.booleans().map(Bool) | numbers.map(Num) | st.text(max_size=4).map(Str) | paths()
    simple: st.SearchStrategy[Simple] = st.recursive(
        leaves,
        lambda inner: (
            st.builds(Arith, st.sampled_from(["+", "-", "×", "/"]), inner, inner)
            | st.builds(Builtin, plain_names, st.lists(inner | nested(inner), max_size=3).map(tuple))
        ),
        max_leaves=8,
    )
    return simple | nested(simple)


def nested(inner: st.SearchStrategy[Simple]) -> st.SearchStrategy[Expr]:
    fields = st.lists(st.tuples(names, inner), max_size=3).map(tuple)
    return st.lists(inner, max_size=3).map(tuple).map(Arr) | fields.map(Obj)


def operators() -> st.SearchStrategy[Operator]:
    return st.builds(Sum, paths(), names) | st.builds(Avg, paths(), names) | st.builds(Count, names)


def transforms() -> st.SearchStrategy[Transform]:
    aggs = st.builds(Agg, st.lists(paths(), max_size=2).map(tuple), st.lists(operators(), max_size=2).map(tuple))
    return aggs | st.builds(Cross, names, names) | st.builds(Formula, expressions(), names) | st.builds(Filter, expressions())


types: st.SearchStrategy[Type] = st.recursive(
    st.sampled_from(Primitive) | st.just(EmptyArrayType()),
    lambda inner: inner.map(ArrayType) | st.dictionaries(names, inner, max_size=3).map(RecordType),
    max_leaves=6,
)
records = st.dictionaries(names, types, max_size=3).map(RecordType)
definitions = st.builds(Data, names, names, st.lists(transforms(), max_size=3).map(tuple))


@given(expressions())
def test_expressions(e: Expr) -> None:
    # repr tells −0 from 0, which == does not
    assert repr(parse_expression(expression_text(e))) == repr(e)


@given(types)
def test_types(T: Type) -> None:
    assert parse_type(type_text(T)) == T


@given(st.lists(st.tuples(names, records), min_size=1, max_size=2), st.lists(definitions, max_size=3))
def test_programs(inputs: list[tuple[str, RecordType]], spec: list[Data]) -> None:
    text = program_text(inputs, spec)
    program = parse_program(text)
    assert [(definition.name, definition.type) for definition in program.inputs] == inputs
    assert repr(program.spec) == repr(tuple(spec))
    assert text.count("\n") == len(inputs) + len(spec)


@given(st.text())
def test_strings_are_written_with_printable_characters_only(s: str) -> None:
    assert string_text(s).isprintable()
    assert parse_expression(string_text(s)) == Str(s)


def test_nan_is_read_back() -> None:
    e = parse_expression(expression_text(Num(math.nan)))
    assert isinstance(e, Num)
    assert math.isnan(e.value)


@pytest.mark.parametrize(
    "text",
    ["1 - (2 - 3)", "1 - 2 - 3", "(1 + 2) × 3", "1 / (2 × 3)", "1 + 2 × 3", "1 - -2", 'datum["a.b"].c', "round(datum.x / 100)"],
)
def test_parentheses_stand_where_they_are_needed(text: str) -> None:
    assert expression_text(parse_expression(text)) == text


def test_a_type_that_doubles_forever_is_cut() -> None:
    T: Type = RecordType({"x": NUMBER})
    for _ in range(200):
        T = RecordType({"a": T, "b": T})
    assert len(type_text(T)) < 20_000
    assert "…" in type_text(T)


AGG, FORMULA = Agg((Field(Datum(), "k"),), ()), Formula(Num(1.0), "f")


@pytest.mark.parametrize(
    "trace, text",
    [
        (1, "1"),
        (1.5, "1.5"),
        ("a", '"a"'),
        (Pair(1, "b"), '(1, "b")'),
        (Extended(FORMULA, 3), "f(3)"),
        (Grouped(AGG, (identity("x"), identity(-0.0))), 'agg("x", -0)'),
        (Grouped(AGG, (identity(True), identity(math.nan))), "agg(true, NaN)"),
        (Grouped(AGG, (identity((1.0, 2.0)), identity({"b": "y", "a": 1.5}))), 'agg([1, 2], {a: 1.5, b: "y"})'),
    ],
)
def test_traces(trace: Trace, text: str) -> None:
    assert trace_text(trace) == text


def test_values_and_changes() -> None:
    old, new = DataTuple({"x": -0.0, "a.b": (True, "s")}, 1), DataTuple({"x": math.inf}, 1)
    assert value_text(old.fields) == '{x: -0, "a.b": [true, "s"]}'
    assert change_text(Add(new)) == "add 1 {x: Infinity}"
    assert change_text(Update(old, new)) == 'update 1 {x: -0, "a.b": [true, "s"]} to {x: Infinity}'
    assert change_text(Remove(new)) == "remove 1 {x: Infinity}"
    assert change_text(Error()) == "error"


def test_names() -> None:
    assert [name_text(name) for name in ("x_1", "a.b", "ü", "")] == ["x_1", '"a.b"', '"ü"', '""']
