"""Places and the cursor over decoded JSON."""

import pytest

from sheliak.source import Node, Place


def test_the_pointer_of_the_root_is_empty() -> None:
    assert Place(()).pointer == ""


def test_a_pointer_escapes_tilde_and_slash_and_keeps_an_empty_key() -> None:
    assert Place(("a/b", "c~d", 0, "")).pointer == "/a~1b/c~0d/0/"


def test_a_stretch_of_a_key_stays_on_the_key() -> None:
    assert Place(("a",), on_key=True).within(1, 3) == Place(("a",), on_key=True, start=1, end=3)


@pytest.fixture
def spec() -> Node:
    return Node({"data": [{"name": "t", "values": [1, 2.5, True, None]}], "width": 0})


def test_a_node_knows_the_path_it_was_reached_by(spec: Node) -> None:
    values = spec.descend("data", 0, "values")
    assert values is not None
    assert values.at(1).path == ("data", 0, "values", 1)
    assert values.key_place == Place(("data", 0, "values"), on_key=True)
    assert repr(values) == "Node('/data/0/values')"


def test_a_node_around_zero_or_null_is_present(spec: Node) -> None:
    width, null = spec.get("width"), spec.descend("data", 0, "values", 3)
    assert width and width.value == 0
    assert null and null.is_null


@pytest.mark.parametrize(
    "path", [("marks",), ("width", "x"), ("data", "0"), ("data", 1), ("data", -1), (0,), ("data", 0, 0), ("a", "b", "c")]
)
def test_a_step_that_is_absent_leads_to_none(spec: Node, path: tuple[str | int, ...]) -> None:
    assert spec.descend(*path) is None


def test_members_and_elements_are_empty_for_other_kinds(spec: Node) -> None:
    data = spec.descend("data")
    assert data is not None
    assert [name for name, _ in spec.members()] == ["data", "width"]
    assert [element.path for element in data.elements()] == [("data", 0)]
    assert list(data.members()) == []
    assert [*spec.elements(), *Node("text").elements()] == []


@pytest.mark.parametrize("index", [1, -1])
def test_asking_for_an_element_that_is_not_there_is_our_own_mistake(spec: Node, index: int) -> None:
    data = spec.descend("data")
    assert data is not None
    with pytest.raises(IndexError, match="/data"):
        data.at(index)


@pytest.mark.parametrize(
    ("value", "kind"),
    [({}, "object"), ([], "array"), ("", "string"), (0, "number"), (0.5, "number"), (False, "boolean"), (None, "null")],
)
def test_each_value_has_one_kind_and_a_boolean_is_no_number(value: object, kind: str) -> None:
    node = Node(value)
    flags = {
        "object": node.is_object,
        "array": node.is_array,
        "string": node.is_string,
        "number": node.is_number,
        "boolean": node.is_boolean,
        "null": node.is_null,
    }
    assert node.kind == kind
    assert [name for name, holds in flags.items() if holds] == [kind]


def test_text_and_number_are_none_for_other_kinds() -> None:
    assert (Node("x").text, Node("x").number) == ("x", None)
    assert (Node(2).text, Node(2).number) == (None, 2)
    assert Node(True).number is None
