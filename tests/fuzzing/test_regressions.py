"""Inputs that once made the checker fail, hang or say something wrong: found by `fuzzing.specs`, made small."""

from __future__ import annotations

import json

import pytest

from fuzzing.odd_files import make_odd_files
from fuzzing.odd_values import Json, deep
from fuzzing.spec_verdict import Case, Examiner


@pytest.fixture(scope="module")
def examiner(tmp_path_factory: pytest.TempPathFactory) -> Examiner:
    folder = tmp_path_factory.mktemp("odd")
    make_odd_files(folder)
    return Examiner(folder, limit=10.0)


def rows(*transforms: Json, values: Json = None) -> Json:
    return {"data": [{"name": "t", "values": values or [{"a": 1, "b": "x"}], "transform": list(transforms)}]}


def signals(count: int, last: str) -> Json:
    """Each reads the next."""
    return {"signals": [{"name": f"s{i}", "update": f"s{i + 1} + 1" if i + 1 < count else last} for i in range(count)]}


def groups(count: int) -> Json:
    mark: Json = {"type": "text"}
    for _ in range(count):
        mark = {"type": "group", "from": {"facet": {"name": "t", "data": "t", "groupby": "a"}}, "marks": [mark]}
    return {"data": [{"name": "t", "values": [{"a": 1}]}], "marks": [mark]}


def options(count: int) -> Json:
    signal: Json = {"name": "s", "bind": {"input": "select", "options": [f"o{i}" for i in range(count)]}}
    steps: Json = [
        {"type": "formula", "as": {"signal": "s"}, "expr": "datum[s]"},
        {"type": "aggregate", "groupby": [{"signal": "s"}]},
    ]
    return {"signals": [signal], "data": [{"name": "t", "values": [{"o1": 1}], "transform": steps}]}


CROSS: Json = {"type": "cross"}
DOUBLE: Json = {"type": "formula", "as": "a", "expr": "{x: datum.a, y: datum.a}"}

SPECS: dict[str, Json] = {
    "fifteen hundred signals in a chain": signals(1500, "1"),
    "a circle of signals": signals(600, "s0"),
    "signals that nest as deep as JSON may": {"signals": [{"name": "s", "init": deep(500, "array")}]},
    "records that double thirty times": rows(*[CROSS] * 30, {"type": "formula", "as": "z", "expr": "[datum, datum.a]"}),
    "objects that double twenty times": rows(
        *[DOUBLE] * 20, {"type": "aggregate", "groupby": ["a"], "ops": ["values"], "fields": ["a"]}
    ),
    "marks made of marks": {"marks": [{"type": "rect", "name": f"m{i}", "from": {"data": f"m{i - 1}"}} for i in range(300)]},
    "groups that nest as deep as JSON may": groups(245),
    "a thousand options as field names": options(1000),
    "a field whose name is half a character": rows(values=[{"\ud800": 1, "b": "\udfff"}]),
    "a lookup without fields": rows({"type": "lookup", "from": "t", "key": "a", "fields": [], "values": ["a"]}),
}


@pytest.mark.parametrize("strict", [False, True], ids=["lax", "strict"])
@pytest.mark.parametrize("name", SPECS)
def test_spec(examiner: Examiner, name: str, strict: bool) -> None:
    assert examiner.failure(Case(json.dumps(SPECS[name]).encode(), strict)) is None


TEXTS: dict[str, bytes] = {
    "three thousand comments that ask for silence": b"// sheliak: ignore unknown-field\n" * 3000 + b'{"marks": 1}',
}


@pytest.mark.parametrize("name", TEXTS)
def test_text(examiner: Examiner, name: str) -> None:
    assert examiner.failure(Case(TEXTS[name])) is None


def test_a_vega_lite_transform_after_one_that_is_left_out(examiner: Examiner) -> None:
    pytest.importorskip("vl_convert")
    spec: Json = {"layer": [{"transform": [{}, {"calculate": "", "as": "\udfff"}]}]}
    assert examiner.failure(Case(json.dumps(spec).encode())) is None
