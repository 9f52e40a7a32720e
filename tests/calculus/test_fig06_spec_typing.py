"""Fig. 6, one positive and one negative case per rule at least."""

import pytest

from sheliak.calculus import no_derivation as no
from sheliak.calculus.spec_typing import name_of_key, type_of_dataset, type_of_operator, type_of_spec, type_of_transform
from sheliak.calculus.surface import parse_expression, parse_program, parse_transform, parse_type
from sheliak.calculus.syntax import Agg, Data, Field, Path
from sheliak.calculus.type_syntax import NUMBER

DATUM = parse_type('{k: string, n: number, r: {x: number, y: string}, "r.x": boolean}')


def path(text: str) -> Path:
    p = parse_expression(text)
    assert isinstance(p, Field)
    return p


@pytest.mark.parametrize(
    "op",
    [
        pytest.param("sum datum.n as f", id="T-opSum"),
        pytest.param("count as f", id="T-opCount"),
        pytest.param("avg datum.r.x as f", id="T-opAvg"),
    ],
)
def test_operator(op: str) -> None:
    agg = parse_transform(f"agg({op})")
    assert isinstance(agg, Agg)
    assert type_of_operator(DATUM, agg.operators[0]) is NUMBER


@pytest.mark.parametrize(
    "t, T",
    [
        pytest.param("filter(datum.k)", '{k: string, n: number, r: {x: number, y: string}, "r.x": boolean}', id="T-tFilter"),
        pytest.param(
            "formula(1, z)", '{k: string, n: number, r: {x: number, y: string}, "r.x": boolean, z: number}', id="T-tFormula"
        ),
        pytest.param(
            "formula([1], k)", '{k: [number], n: number, r: {x: number, y: string}, "r.x": boolean}', id="T-tFormula, overwriting"
        ),
        pytest.param(
            "cross(a, b)",
            '{a: {k: string, n: number, r: {x: number, y: string}, "r.x": boolean},'
            ' b: {k: string, n: number, r: {x: number, y: string}, "r.x": boolean}}',
            id="T-tCross",
        ),
        pytest.param("agg(datum.k, sum datum.n as s, count as c)", "{k: string, s: number, c: number}", id="T-tAgg"),
        pytest.param("agg(datum.r.y, avg datum.n as m)", '{"r.y": string, m: number}', id="T-tAgg, nested key"),
        pytest.param("agg(datum.r)", "{r: {x: number, y: string}}", id="T-tAgg, record key"),
        pytest.param("agg(count as k)", "{k: number}", id="T-tAgg, no key"),
        pytest.param("agg()", "{}", id="T-tAgg, nothing"),
    ],
)
def test_transform(t: str, T: str) -> None:
    assert type_of_transform(DATUM, parse_transform(t)) == parse_type(T)


@pytest.mark.parametrize(
    "t, reason, rule",
    [
        pytest.param("agg(sum datum.k as f)", no.NotANumber, "T-opSum", id="T-opSum"),
        pytest.param("agg(avg datum.r as f)", no.NotANumber, "T-opAvg", id="T-opAvg"),
        pytest.param("agg(sum datum as f)", no.NotANumber, "T-opSum", id="T-opSum, datum"),
        pytest.param("filter(datum.z)", no.UnknownField, "T-eField", id="T-tFilter"),
        pytest.param("formula(datum.z, y)", no.UnknownField, "T-eField", id="T-tFormula"),
        pytest.param("cross(a, a)", no.RepeatedField, "T-tCross", id="T-tCross, one name"),
        pytest.param("agg(datum.z)", no.UnknownField, "T-eField", id="T-tAgg, key"),
        pytest.param("agg(datum)", no.KeyWithoutName, "T-tAgg", id="T-tAgg, datum as key"),
        pytest.param("agg(datum.k, count as k)", no.RepeatedField, "T-tAgg", id="T-tAgg, key and output"),
        pytest.param("agg(count as c, sum datum.n as c)", no.RepeatedField, "T-tAgg", id="T-tAgg, two outputs"),
        pytest.param('agg(datum.r.x, datum["r.x"])', no.RepeatedField, "T-tAgg", id="T-tAgg, two paths of one name"),
    ],
)
def test_no_derivation(t: str, reason: type[no.NoDerivation], rule: str) -> None:
    with pytest.raises(reason) as raised:
        type_of_transform(DATUM, parse_transform(t))
    assert raised.value.rule == rule


def test_formula_asks_for_a_record() -> None:
    with pytest.raises(no.NotARecord):
        type_of_transform(NUMBER, parse_transform("formula(1, f)"))


def test_name_is_one_flat_field() -> None:
    assert name_of_key(path("datum.a")) == "a"
    assert name_of_key(path("datum.a.b.c")) == "a.b.c"
    assert name_of_key(path('datum["a.b"].c')) == "a.b.c"


class TestData:
    """T-dData."""

    def test_the_types_go_from_transform_to_transform(self) -> None:
        d = Data("src", "out", (parse_transform("formula(datum.n / 2, h)"), parse_transform("agg(datum.k, sum datum.h as s)")))
        assert type_of_dataset({"src": DATUM}, d) == parse_type("{k: string, s: number}")

    def test_no_transform_gives_the_same_type(self) -> None:
        assert type_of_dataset({"src": DATUM}, Data("src", "out", ())) == DATUM

    def test_the_source_must_be_known(self) -> None:
        with pytest.raises(no.UnknownDataset, match="`sorce`.*`src`"):
            type_of_dataset({"src": DATUM}, Data("sorce", "out", ()))


class TestSpec:
    """T-spec."""

    def test_each_definition_sees_those_before_it(self) -> None:
        program = parse_program("input(a, {n: number})\ndata(a, b, formula('x', s))\ndata(b, c, filter(datum.s))")
        assert type_of_spec(program.context, program.spec) == {
            "a": parse_type("{n: number}"),
            "b": parse_type("{n: number, s: string}"),
            "c": parse_type("{n: number, s: string}"),
        }

    def test_none_sees_those_after_it(self) -> None:
        program = parse_program("input(a, {n: number})\ndata(b, c)\ndata(a, b)")
        with pytest.raises(no.UnknownDataset):
            type_of_spec(program.context, program.spec)

    def test_none_sees_itself(self) -> None:
        program = parse_program("input(a, {n: number})\ndata(b, b)")
        with pytest.raises(no.UnknownDataset):
            type_of_spec(program.context, program.spec)

    @pytest.mark.parametrize("text", ["data(a, a)", "data(a, b)\ndata(a, b)"], ids=["as an input", "twice"])
    def test_a_name_is_defined_once(self, text: str) -> None:
        program = parse_program(f"input(a, {{n: number}})\n{text}")
        with pytest.raises(no.RepeatedDataset):
            type_of_spec(program.context, program.spec)

    def test_the_empty_spec_defines_nothing(self) -> None:
        assert type_of_spec({"a": DATUM}, ()) == {"a": DATUM}
