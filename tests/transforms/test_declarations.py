"""What the transforms declare is what Vega declares; every transform has its page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import SHARED
from sheliak.transforms import NAMES, transform_class
from sheliak.transforms._contract import Param, Transform
from sheliak.transforms._operations import AGGREGATES, WINDOW_ONLY

PAGES = Path(__file__).parent
# Vega does not declare these as required and fails without them all the same.
NEEDED = {("density", "distribution"), ("lookup", "from"), ("lookup", "key")}


def class_of(name: str) -> type[Transform]:
    cls = transform_class(name)
    assert cls is not None
    return cls


def facts() -> dict[str, Any]:
    """Vega's own declarations, read from the running library."""
    assert SHARED is not None
    found: dict[str, Any] = json.loads((SHARED / "vega" / "transforms.json").read_text())["transforms"]
    return found


def parameters(name: str) -> dict[str, Any]:
    """Vega's parameters of a transform, by name; the parts of `index` stand on the transform itself."""
    found: dict[str, Any] = {}
    for declared in facts()[name]["params"]:
        parts = declared["params"] if declared["type"] == "index" else [declared]
        found |= {part["name"]: part for part in parts}
    return found


def own_parameters(name: str) -> dict[str, Param]:
    return {param.name: param for param in class_of(name).params}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_transform_has_a_page(name: str) -> None:
    assert (PAGES / f"{name}.md").read_text(encoding="utf-8").startswith(f"# {name}\n")


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_rule_is_written_down(name: str) -> None:
    assert (class_of(name).output_type.__doc__ or "").startswith("T-t")


@pytest.mark.needs_shared
def test_all_of_vegas_transforms_are_here() -> None:
    assert facts().keys() == NAMES


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_parameters_are_vegas(name: str) -> None:
    assert own_parameters(name).keys() == parameters(name).keys()


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(NAMES))
def test_lists_are_lists_in_vega(name: str) -> None:
    own = {param: declared.array for param, declared in own_parameters(name).items() if declared.kind != "raw"}
    assert own == {param: bool(parameters(name)[param].get("array")) for param in own}


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_required_parameters_are_vegas(name: str) -> None:
    vega = {param for param, declared in parameters(name).items() if declared["required"]}
    needed = {param for transform, param in NEEDED if transform == name}
    assert {param for param, declared in own_parameters(name).items() if declared.required} == vega | needed


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_options_are_vegas(name: str) -> None:
    vega = {param: set(declared.get("options") or ()) for param, declared in parameters(name).items()}
    own = {param: set(declared.options) for param, declared in own_parameters(name).items() if declared.options and vega[param]}
    assert own == {param: vega[param] for param in own}


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", sorted(NAMES))
def test_marks_take_what_vegas_parser_takes(name: str) -> None:
    assert class_of(name).generates == (not facts()[name]["parseEffects"]["allowedOnMarksByParser"])


@pytest.mark.needs_shared
def test_the_operations_are_vegas() -> None:
    assert SHARED is not None
    operations = json.loads((SHARED / "vega" / "aggregates.json").read_text())
    assert AGGREGATES.keys() == operations["aggregateOps"].keys()
    assert WINDOW_ONLY.keys() == operations["windowOps"].keys()
