"""The table of functions is Vega's: every name, its arguments, what it depends on."""

import json
from pathlib import Path

import pytest

from sheliak.expressions.functions import CONSTANTS, FUNCTIONS
from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import NUMBER


def test_vega_has_224_functions_and_11_constants() -> None:
    assert (len(FUNCTIONS), len(CONSTANTS)) == (224, 11)


def test_a_signature_is_read_from_one_line() -> None:
    taken = signature("f", "a:number b? c*:text", NUMBER)
    assert (taken.least, taken.most) == (1, None)
    assert [(p.name, p.kind, p.optional, p.repeated) for p in taken.parameters] == [
        ("a", "number", False, False),
        ("b", "any", True, False),
        ("c", "text", True, True),
    ]


def test_a_repeated_parameter_takes_all_that_follow() -> None:
    most = FUNCTIONS["max"]
    assert most.parameter(7) == most.parameters[0]
    assert FUNCTIONS["abs"].parameter(1) is None


def test_a_call_is_shown_as_documentation_writes_it() -> None:
    assert FUNCTIONS["pad"].usage() == "pad(string, length, [character], [align])"
    assert FUNCTIONS["max"].usage() == "max(values, ...)"
    assert FUNCTIONS["now"].usage() == "now()"


@pytest.mark.parametrize("name", ["data", "indata", "treePath", "treeAncestors", "vlSelectionTest", "vlSelectionResolve"])
def test_the_name_of_a_dataset_must_be_written_out(name: str) -> None:
    first = FUNCTIONS[name].parameters[0]
    assert (first.kind, first.literal) == ("dataset", True)


@pytest.fixture(scope="module")
def facts(shared: Path) -> dict[str, dict[str, object]]:
    loaded: dict[str, dict[str, object]] = json.loads((shared / "vega" / "functions.json").read_text())
    return loaded


@pytest.mark.needs_shared
def test_the_names_are_those_of_the_library(facts: dict[str, dict[str, object]]) -> None:
    assert FUNCTIONS.keys() == facts["functions"].keys()
    assert CONSTANTS.keys() == facts["constants"].keys()


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_function_takes_what_the_library_reads(name: str, facts: dict[str, dict[str, object]]) -> None:
    observed, ours = facts["functions"][name], FUNCTIONS[name]
    assert isinstance(observed, dict)
    assert (ours.least, ours.most) == (observed["min"], observed["max"])
    assert [parameter.name for parameter in ours.parameters] == [argument["name"] for argument in observed["args"]]
    assert ours.purity == observed["purity"]
    assert ours.strict_arity == ("exactArity" in observed)
    literals = {index for index, parameter in enumerate(ours.parameters) if parameter.literal}
    assert literals == {int(index) for index in observed.get("literalArgs", ())}
    scales = [index for index, parameter in enumerate(ours.parameters) if parameter.kind in ("scale", "projection")]
    assert scales == ([observed["scaleArg"]] if "scaleArg" in observed else [])


@pytest.mark.needs_shared
def test_the_constants_have_the_values_of_the_library(facts: dict[str, dict[str, object]]) -> None:
    for name, entry in facts["constants"].items():
        assert isinstance(entry, dict)
        value = entry["value"]
        assert (CONSTANTS[name] == value) or (value == {"$num": "NaN"} and CONSTANTS[name] != CONSTANTS[name])
