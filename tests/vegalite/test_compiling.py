"""The seam to Vega-Lite's compiler: which version, what it gets to see, what becomes of its refusals."""

import json
import sys

import pytest

from sheliak.source.json_reader import read_document
from sheliak.source.text import Source
from sheliak.source.tree import Node
from sheliak.vegalite import compiling
from sheliak.vegalite.compiling import CompileFailure, Compiler, VegaLiteUnavailable
from sheliak.vegalite.recognise import is_vega_lite
from vegalite.reading import check, one_finding
from vegalite.tables import CARS, Json, q, unit

XY: Json = {"x": q("mpg"), "y": q("weight")}
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
VERSIONS = ("5.8", "5.21", "6.1", "6.4")


def recognised(spec: object) -> bool:
    return is_vega_lite(read_document(Source("spec.json", json.dumps(spec))))


@pytest.mark.parametrize(
    "spec",
    [
        {"$schema": SCHEMA},
        {"mark": "bar", "encoding": {}},
        {"layer": []},
        {"hconcat": []},
        {"facet": {"field": "a"}, "spec": {"mark": "bar"}},
        {"repeat": ["a"], "spec": {"mark": "bar"}},
    ],
)
def test_recognised_as_vega_lite(spec: object) -> None:
    assert recognised(spec)


@pytest.mark.parametrize(
    "spec",
    [
        {"$schema": "https://vega.github.io/schema/vega/v6.json", "layer": []},
        {"data": [], "marks": []},
        {"marks": [], "layer": "x"},
        {"data": []},
        {},
        [],
        "mark",
    ],
)
def test_not_recognised_as_vega_lite(spec: object) -> None:
    assert not recognised(spec)


@pytest.mark.parametrize(
    ("schema", "version", "is_other"),
    [
        (None, "6.4", False),
        ("vega-lite/v6.json", "6.4", False),
        ("vega-lite/v6.1.0.json", "6.1", False),
        ("vega-lite/v5.json", "5.21", False),
        ("vega-lite/v5.14.2.json", "5.21", False),
        ("vega-lite/v4.17.0.json", "5.21", True),
        ("vega-lite/v7.json", "6.4", True),
    ],
)
def test_the_version_that_compiles_a_spec(schema: str | None, version: str, is_other: bool) -> None:
    node = Node(schema) if schema is not None else None
    assert compiling._version_for(node, VERSIONS) == (version, is_other)


def test_rows_are_not_shown_to_the_compiler() -> None:
    pytest.importorskip("vl_convert")
    compiler = Compiler(Node(unit(CARS, "point", XY)))
    assert "amc hornet" not in json.dumps(compiler.spec)
    compiled = compiler.compiled(compiler.spec)
    data = compiled.document.root.get("data")
    assert data is not None
    assert data.at(0).value == {"name": "source_0", **CARS}
    assert compiled.rows == {0: ("data", "values")}


def test_equal_rows_remain_one_dataset() -> None:
    pytest.importorskip("vl_convert")
    compiler = Compiler(Node({"hconcat": [unit(dict(CARS), "point", XY), unit(dict(CARS), "bar", XY)]}))
    data = compiler.compiled(compiler.spec).document.root.get("data")
    assert data is not None
    assert [name.text for dataset in data.elements() if dataset.get("values") and (name := dataset.get("name"))] == ["source_0"]


def test_the_words_of_vega_lite_are_kept_without_its_trace() -> None:
    failure = compiling._failure("Vega-Lite to Vega conversion failed:\nError: Invalid field type.\n    at fp (https://x/y:7:1)")
    assert (failure.reason, failure.is_crash) == ("Invalid field type.", False)


def test_what_javascript_throws_is_no_message_for_people() -> None:
    failure = compiling._failure("Vega-Lite to Vega conversion failed:\nTypeError: Cannot read properties of undefined\n    at x")
    assert (failure.reason, failure.is_crash) == ("Cannot read properties of undefined", True)


def test_a_spec_that_is_no_spec_fails_to_compile() -> None:
    pytest.importorskip("vl_convert")
    compiler = Compiler(Node({}))
    with pytest.raises(CompileFailure):
        compiler.compiled(compiler.spec)


def test_a_failure_is_told_of_at_the_smallest_part_that_is_to_blame() -> None:
    pytest.importorskip("vl_convert")
    bad = {"name": "pick", "select": {"type": "point", "on": "click["}}
    layers = [unit(None, "point", XY), unit(None, "point", XY, params=[bad])]
    finding = one_finding({"data": CARS, "layer": layers})
    assert (finding.code, finding.pointer) == ("vega-lite-error", "/layer/1/params/0/select/on")


def test_a_mistake_that_only_vega_shows_is_told_of_at_the_part_to_blame() -> None:
    pytest.importorskip("vl_convert")
    finding = one_finding(unit(CARS, "point", XY, params=[{"name": "a", "value": 1}, {"value": 2}]))
    assert (finding.code, finding.pointer) == ("compiled-vega-error", "/params/1")
    assert "of the compiled Vega" in finding.notes[-1]


def test_without_the_compiler_the_check_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    compiling._vega_lite.cache_clear()
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    try:
        with pytest.raises(VegaLiteUnavailable, match=r"pip install 'sheliak\[charts\]'"):
            check(unit(CARS, "point", XY))
    finally:
        compiling._vega_lite.cache_clear()
