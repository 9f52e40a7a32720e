"""Where the paper cannot be taken literally: each erratum of docs/errata.md as a case that breaks a law under the printed rule.

The generator finds such a case, Hypothesis shrinks it, and the pinned one is minimal: nothing can be left out of it.
"""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, find, settings
from hypothesis import strategies as st

from sheliak.calculus.as_printed import VARIANTS, types_of_agg, types_of_expression
from sheliak.calculus.change_typing import is_well_formed, value_has_type
from sheliak.calculus.changes import Add, DataTuple, Error, Record, Remove, Trace
from sheliak.calculus.graph_building import build, with_outputs
from sheliak.calculus.no_derivation import NoDerivation
from sheliak.calculus.propagation import State, Stuck, initial_state, run, send, step
from sheliak.calculus.spec_typing import type_of_spec
from sheliak.calculus.surface import Unparsed, parse_expression, parse_program, parse_transform, parse_type
from sheliak.calculus.syntax import Agg
from sheliak.calculus.type_syntax import NUMBER, STRING, ArrayType, EmptyArrayType, RecordType
from soundness.campaign import BOUNDS, violation_of
from soundness.choices import Draw, Drawn, Seeded
from soundness.defects import Defect, case
from soundness.errata import BY_X, DEFECTS, NOTHING, NUMBER_X, ONE, ZERO, add, remove, update
from soundness.laws import Violation, built, is_safe
from soundness.printed import impure_builtins, reached_in
from soundness.smaller import Case, shrunk

ROOT = Path(__file__).resolve().parents[2]
MOST_CASES = 20_000

each_defect = pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.erratum)


@each_defect
def test_the_pinned_case_breaks_the_law_as_printed(defect: Defect) -> None:
    assert defect.broken(defect.pinned) == defect.law


@each_defect
def test_the_pinned_case_breaks_nothing_as_corrected(defect: Defect) -> None:
    assert defect.corrected(defect.pinned) is None


@each_defect
def test_the_pinned_case_is_minimal(defect: Defect) -> None:
    assert [str(smaller) for smaller in defect.reduced(defect.pinned) if defect.broken(smaller)] == []


@each_defect
def test_the_generator_finds_a_case(defect: Defect) -> None:
    found = (seed for seed in range(MOST_CASES) if defect.broken(defect.draw(Seeded(seed), BOUNDS)))
    assert next(found, None) is not None


@each_defect
def test_hypothesis_shrinks_a_case(defect: Defect) -> None:
    """To the pinned case or one like it: there may be others, a little larger, out of which nothing can be left either."""

    @st.composite
    def cases(draw: Draw) -> Case:
        return defect.draw(Drawn(draw), defect.near)

    without_limits = settings(max_examples=3_000, database=None, suppress_health_check=list(HealthCheck))
    found = find(cases(), lambda case: defect.broken(case) is not None, settings=without_limits, random=Random(0))
    assert found.size() <= defect.pinned.size() + 3
    assert shrunk(found, lambda case: defect.broken(case) is not None).size() <= defect.pinned.size() + 1


# The streams that end in a stuck state as printed


def dataset(c: Case, name: str) -> dict[Trace, Record]:
    """The tuples of a dataset after the case, by trace."""
    graph, outputs = with_outputs(*build(c.inputs, c.spec))
    state = initial_state(graph)
    for source, u in c.events:
        state = send(state, source, [u])
    return {R: v.fields for R, v in run(graph, state).invals[outputs[name].label].items()}


CROSS = NUMBER_X + "data(a, b, cross(l, r))"


def test_e3_removing_an_updated_tuple_is_stuck_as_printed() -> None:
    removed = case(CROSS, add(1, ZERO) + update(1, ONE) + remove(1))
    violation = violation_of(removed, VARIANTS["E3"])
    assert violation is not None and violation.law == "progress"
    assert dataset(removed, "b") == {}


def test_e3_the_pairs_of_an_updated_tuple() -> None:
    pairs = dataset(case(CROSS, add(1, ZERO) + add(2, ZERO) + update(1, ONE)), "b")
    rows = {(v["l"]["x"], v["r"]["x"]) for v in pairs.values()}  # type: ignore[call-overload,index]
    assert len(pairs) == 4 and rows == {(0, 0), (0, 1), (1, 0), (1, 1)}


COUNTED = NUMBER_X + "data(a, b, agg(datum.x, count as n))"
FOUNDER_MOVES = add(1, ZERO) + add(2, ZERO) + update(1, ONE)


def test_e5_two_groups_of_one_founder_are_stuck_as_printed() -> None:
    violation = violation_of(case(COUNTED, FOUNDER_MOVES), VARIANTS["E5"])
    assert violation is not None and "add of a tuple that is there already" in violation.detail


def test_e5_the_groups_after_the_founder_has_moved() -> None:
    groups = dataset(case(COUNTED, FOUNDER_MOVES), "b")
    assert sorted(groups.values(), key=str) == [{"x": 0, "n": 1}, {"x": 1, "n": 1}]


# Other sides of the same errata


@pytest.mark.parametrize("element", [NUMBER, STRING, ArrayType(NUMBER)])
def test_e6_as_printed_the_empty_array_has_any_array_type(element: ArrayType) -> None:
    datum = RecordType({})
    assert types_of_expression(datum, parse_expression("[]"), [element, RecordType({})]) == [
        ArrayType(element),
        ArrayType(RecordType({})),
    ]
    assert value_has_type((), ArrayType(element)) and value_has_type((), EmptyArrayType())


def test_e9_zero_for_minus_zero_is_a_change_of_another_tuple() -> None:
    """With IEEE equality the remove below is taken, and downstream it is of a tuple with 1/x = ∞, where −∞ was added."""
    minus_zero, zero = DataTuple({"x": -0.0}, 1), DataTuple({"x": 0.0}, 1)
    changes = (("a", Add(minus_zero)), ("a", Remove(zero)))
    c = Case(case(NUMBER_X).inputs, case(NUMBER_X + "data(a, b, formula(1 / datum.x, y))").spec, changes)
    assert not is_well_formed([u for _, u in changes])
    violation = violation_of(c, VARIANTS["E9 equality"])
    assert violation is not None and violation.law == "progress"


def test_e10_a_filter_that_changes_its_mind_keeps_a_removed_tuple() -> None:
    with impure_builtins():
        c = case(NOTHING + "data(a, b, filter(random()))", add(1) + remove(1))
        assert dataset(c, "b") == {1: {}}


def test_e11_a_small_number_is_lost_beside_a_large_one() -> None:
    c = case(NUMBER_X + "data(a, b, agg(sum datum.x as y))", add(1, ONE) + add(2, '{"x": 1e16}') + remove(2))
    violation = violation_of(c, VARIANTS["E11"])
    assert violation is not None and violation.law == "from scratch"
    assert [v["y"] for v in dataset(c, "b").values()] == [1]


def test_e12_a_nested_path_and_a_field_with_a_point_have_one_name() -> None:
    T, t = parse_type('{a: {b: number}, "a.b": string}'), parse_transform('agg(datum.a.b, datum["a.b"])')
    assert isinstance(t, Agg)
    assert types_of_agg(T, t) == [RecordType({"a.b": NUMBER}), RecordType({"a.b": STRING})]


def test_e16_without_outputs_the_defect_of_cross_at_the_end_is_not_seen() -> None:
    c = case(CROSS, add(1, ZERO) + update(1, ONE) + remove(1))
    graph, _ = build(c.inputs, c.spec)
    state = initial_state(graph)
    for source, u in c.events:
        state = send(state, source, [u])
    assert not any(run(graph, state, VARIANTS["E3"]).cs.values())


def test_e20_a_value_has_the_fields_of_its_type_and_no_others() -> None:
    T = parse_type("{x: number}")
    assert value_has_type({"x": 0.0}, T)
    assert not value_has_type({"x": 0.0, "y": 0.0}, T) and not value_has_type({}, T)


FIG_7 = """
input(books, {classification: string, words: number})
data(books, aggs, agg(datum.classification, avg datum.words as avg_words, count as book_count))
"""


def test_e22_fig_7_as_printed_is_not_in_the_syntax() -> None:
    with pytest.raises(Unparsed):
        parse_program(FIG_7 + "data(aggs, hundreds, formula(round(avg_words / 100), avg_hundreds))")


def test_e22_round_of_two_strings_has_no_type() -> None:
    program = parse_program(FIG_7 + 'data(aggs, english, filter(round(datum.classification, "English")))')
    with pytest.raises(NoDerivation):
        type_of_spec(program.context, program.spec)


def test_e24_error_itself_is_well_formed_input() -> None:
    assert is_well_formed([Error()])
    typed = case(NOTHING + "data(a, b)").typed()
    assert typed is not None
    with pytest.raises(Violation, match="preservation"):
        is_safe(built(typed), [(("a", Error()),)])


def test_e24_a_start_that_has_seen_tuples_is_not_excluded() -> None:
    """The definition fixes cs and ls, and leaves invals open: a remove can be taken, and the aggregate errs."""
    graph, lookup = build(["a"], case(BY_X).spec)
    start, v = initial_state(graph), DataTuple({"x": 0.0}, 1)
    label = lookup["b"].label
    seen = State(start.cs, start.ls, {"a": {1: v}, label: {1: v}})
    sent: list[object] = []
    run(graph, send(seen, "a", [Remove(v)]), observer=lambda vertex, taken, changes, st: sent.extend(changes))
    assert Error() in sent


def test_e25_as_printed_no_state_reaches_itself_in_no_steps_if_it_is_stuck() -> None:
    graph, _ = build(["a"], ())
    stuck = send(initial_state(graph), "a", [Remove(DataTuple({}, 1))])
    with pytest.raises(Stuck):
        reached_in(0, graph, stuck)


def test_e25_a_state_without_changes_has_a_step_to_itself() -> None:
    graph, _ = build(["a"], ())
    end = initial_state(graph)
    assert step(graph, end) is end


def test_e26_the_same_stream_as_corrected() -> None:
    c = case(COUNTED, add(1, ZERO) + add(2, ONE) + update(1, ONE))
    assert list(dataset(c, "b").values()) == [{"x": 1, "n": 2}]


# The pages


PAGE = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")


def headings() -> list[str]:
    return re.findall(r"^## (E\d+)\b", PAGE, re.MULTILINE)


def cases_of_the_page() -> dict[str, Case]:
    """The cases in the fences, by the names that stand beside them."""
    found: dict[str, Case] = {}
    for names, text in re.findall(r"^```calculus (.+)\n((?:.*\n)*?)```$", PAGE, re.MULTILINE):
        program, _, changes = text.partition("\n{")
        shown = case(program, "{" + changes if changes else "", check_types=False)
        found.update(dict.fromkeys(names.split(", "), shown))
    return found


def test_the_page_shows_the_pinned_cases() -> None:
    # An update that changes a trace cannot be written as a line of JSON.
    assert cases_of_the_page() == {defect.erratum: defect.pinned for defect in DEFECTS if defect.erratum != "E18"}


def test_the_table_of_the_page_has_a_line_for_every_erratum() -> None:
    assert re.findall(r"^\| \[(E\d+)\]", PAGE, re.MULTILINE) == headings()


def test_the_page_tells_every_erratum_once_and_in_order() -> None:
    assert headings() == [f"E{i + 1}" for i in range(len(headings()))]


def test_the_page_tells_every_erratum_that_the_code_names() -> None:
    named = {
        erratum
        for path in (ROOT / "src" / "sheliak" / "calculus").glob("*.py")
        for mention in re.findall(r"Errat(?:um|a) (E\d+(?:(?:, | and )E\d+)*)", path.read_text(encoding="utf-8"))
        for erratum in re.findall(r"E\d+", mention)
    }
    assert named <= set(headings())


def test_every_erratum_has_a_test() -> None:
    tested = {defect.erratum.split()[0] for defect in DEFECTS}
    tested |= {name.split("_")[1].upper() for name in globals() if re.match(r"test_e\d+_", name)}
    assert set(headings()) <= tested


def test_the_map_has_every_rule_that_the_code_names() -> None:
    rules = {
        rule
        for path in (ROOT / "src" / "sheliak" / "calculus").glob("*_typing.py")
        for rule in re.findall(r"# (T-\w+)", path.read_text(encoding="utf-8"))
    }
    mapped = re.findall(r"^\| (T-\w+) \|", (ROOT / "docs" / "paper-map.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(mapped) == len(set(mapped)) and set(mapped) == rules
