"""The errata as data: for each the printed rule, the law that it breaks, a minimal case, and where Hypothesis looks for one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sheliak.calculus import as_printed
from sheliak.calculus.changes import Add, DataTuple, Update
from sheliak.calculus.type_syntax import BOOLEAN, NUMBER, STRING
from soundness import printed
from soundness.defects import (
    NO_TRANSFORM,
    ONE_AGG,
    ONE_CROSS,
    ONE_FILTER,
    ONE_FORMULA,
    Defect,
    accepted,
    case,
    dataset_is_not_at_its_vertex,
    deriving,
    draw_ill_typed,
    filter_is_no_function,
    has_no_name,
    has_two_types,
    in_order,
    lookup_is_no_function,
    loses_edges,
    moved_trace_is_well_formed,
    moved_trace_sticks,
    running,
    sends_no_set,
    short,
    stops_at_error,
    well_formed_input_errs,
    well_typed_input_errs,
    well_typed_state_meets_error,
    with_a_clock,
    without_one_change,
)
from soundness.derivations import Rules
from soundness.streams import Event

V: Final = as_printed.VARIANTS
W: Final = printed.VARIANTS

MOVED: Final[tuple[Event, ...]] = (
    ("a", Add(DataTuple({}, 1))),
    ("a", Update(DataTuple({}, 1), DataTuple({}, 2))),
    ("a", Add(DataTuple({}, 2))),
)


def add(i: int, fields: str = "{}") -> str:
    return f'{{"data": "a", "id": {i}, "add": {fields}}}\n'


def update(i: int, fields: str) -> str:
    return f'{{"data": "a", "id": {i}, "update": {fields}}}\n'


def remove(i: int) -> str:
    return f'{{"data": "a", "id": {i}, "remove": true}}\n'


ZERO, ONE, NAN = '{"x": 0}', '{"x": 1}', '{"x": {"$num": "NaN"}}'
NOTHING = "input(a, {})\n"
NUMBER_X = "input(a, {x: number})\n"
BY_X = NUMBER_X + "data(a, b, agg(datum.x))"
EMPTY_ARRAYS = Rules(empty_arrays=(BOOLEAN, NUMBER, STRING))

DEFECTS: Final = (
    Defect("E1 as in Fig. 4", "typing", in_order("as in Fig. 4"), case(NOTHING + "data(a, b)")),
    Defect("E1 as in the examples", "typing", in_order("as in the examples"), case(NOTHING + "data(a, b)")),
    Defect("E2", "preservation", running(V["E2"]), case(BY_X, add(1, ZERO)), near=ONE_AGG),
    Defect(
        "E3",
        "from scratch",
        running(V["E3"]),
        case(NUMBER_X + "data(a, b, cross(l, r))", add(1, ZERO) + update(1, ONE)),
        near=short(ONE_CROSS, 2),
    ),
    Defect(
        "E4 stored",
        "from scratch",
        running(V["E4 stored"]),
        case(BY_X, add(1, ZERO) + add(2, ONE) + update(1, ONE) + remove(1)),
        near=ONE_AGG,
    ),
    Defect(
        "E4 added",
        "progress",
        running(V["E4 added"]),
        case(BY_X, add(1, ZERO) + add(2, ZERO) + add(3, ONE) + update(1, ONE)),
        near=ONE_AGG,
    ),
    Defect("E5", "progress", running(V["E5"]), case(BY_X, add(1, ZERO) + add(2, ZERO) + update(1, ONE)), near=ONE_AGG),
    Defect(
        "E6",
        "uniqueness",
        deriving(EMPTY_ARRAYS),
        case(NOTHING + "data(a, b, filter([]))"),
        corrected=deriving(Rules()),
        near=short(ONE_FILTER, 1),
    ),
    Defect(
        "E7",
        "uniqueness",
        deriving(printed.WithoutAvg()),
        case(NUMBER_X + "data(a, b, agg(avg datum.x as y))"),
        corrected=deriving(Rules()),
        near=short(ONE_AGG, 1),
    ),
    Defect(
        "E8 builtin",
        "uniqueness",
        deriving(printed.ResultIsDatum()),
        case(NOTHING + "data(a, b, filter(isNaN(0)))"),
        corrected=deriving(Rules()),
        near=short(ONE_FILTER, 1),
    ),
    Defect("E8 edges", "graph existence", loses_edges, case(NOTHING + "data(a, b, filter(0), filter(0))")),
    Defect(
        "E8 error",
        "progress",
        sends_no_set,
        case(NOTHING + "data(a, b, agg(datum.x))", add(1)),
        corrected=stops_at_error,
        drawn=draw_ill_typed,
        near=ONE_AGG,
    ),
    Defect("E9 equality", "progress", running(V["E9 equality"]), case(NUMBER_X, add(1, NAN) + remove(1)), near=NO_TRANSFORM),
    Defect("E9 keys", "preservation", running(V["E9 keys"]), case(BY_X, add(1, NAN) + remove(1)), near=short(ONE_AGG, 2)),
    Defect(
        "E9 truthy", "from scratch", running(V["E9 truthy"]), case(NOTHING + "data(a, b, filter(NaN))", add(1)), near=ONE_FILTER
    ),
    Defect(
        "E10",
        "progress",
        with_a_clock,
        case(NOTHING + "data(a, b, formula(now(), t))", add(1) + remove(1)),
        frozenset({"E10"}),
        accepted,
        near=short(ONE_FORMULA, 2),
    ),
    Defect(
        "E11",
        "from scratch",
        running(V["E11"]),
        case(NUMBER_X + "data(a, b, agg(sum datum.x as y))", add(1, NAN) + update(1, ZERO)),
        near=short(ONE_AGG, 2),
    ),
    Defect(
        "E12",
        "uniqueness",
        has_two_types,
        case("input(a, {x: string})\ndata(a, b, agg(datum.x, count as x))"),
        frozenset({"E12"}),
        accepted,
        near=short(ONE_AGG, 1),
    ),
    Defect(
        "E13",
        "typing",
        has_no_name,
        case(NOTHING + "data(a, b, agg(datum))"),
        frozenset({"E13"}),
        accepted,
        near=short(ONE_AGG, 1),
    ),
    Defect(
        "E14",
        "graph existence",
        lookup_is_no_function,
        case(NOTHING + "data(a, a, filter(0))"),
        frozenset({"E14"}),
        accepted,
    ),
    Defect("E15", "progress", running(W["E15"]), case(NOTHING, add(1))),
    Defect("E16", "from scratch", dataset_is_not_at_its_vertex, case(NOTHING + "data(a, b, filter(0))", add(1))),
    Defect("E17", "from scratch", running(V["E17"]), case(NOTHING + "data(a, b)", add(1) + remove(1) + add(1))),
    Defect(
        "E18",
        "progress",
        moved_trace_sticks,
        replace(case(NOTHING + "data(a, b, cross(l, r))"), events=MOVED),
        frozenset({"E18"}),
        moved_trace_is_well_formed,
        reduced=without_one_change,
        near=short(ONE_CROSS, 3),
    ),
    Defect(
        "E19", "preservation", running(V["E19"]), case(NOTHING + "data(a, b, agg())", add(1) + remove(1)), near=short(ONE_AGG, 2)
    ),
    Defect("E21", "preservation", well_typed_state_meets_error, case(NOTHING + "data(a, b, agg())", add(1)), near=ONE_AGG),
    Defect(
        "E23 cross", "preservation", running(W["E23 cross"]), case(NOTHING + "data(a, b, cross(l, r))", add(1)), near=ONE_CROSS
    ),
    Defect(
        "E23 formula",
        "preservation",
        running(W["E23 formula"]),
        case(NOTHING + "data(a, b, formula(datum, v))", add(1)),
        near=ONE_FORMULA,
    ),
    Defect(
        "E24",
        "preservation",
        well_formed_input_errs,
        case(NUMBER_X + "data(a, b, filter(datum.x))", add(1), check_types=False),
        frozenset({"E24"}),
        well_typed_input_errs,
        near=ONE_FILTER,
    ),
    Defect(
        "E26", "preservation", running(W["E26"]), case(BY_X, add(1, ZERO) + add(2, ONE) + update(1, ONE)), near=short(ONE_AGG, 3)
    ),
    Defect("E27", "from scratch", filter_is_no_function, case(NOTHING + "data(a, b, filter(1))", add(1)), near=ONE_FILTER),
)
