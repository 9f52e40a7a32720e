"""Our `dataclass` behaves as the standard library's, for everything this code base asks of it."""

import dataclasses

import pytest

from sheliak.source import declared

LIBRARIES = [pytest.param(dataclasses, id="standard"), pytest.param(declared, id="ours")]


def shapes(library):
    @library.dataclass(frozen=True, slots=True)
    class Point:
        x: int
        y: int = 2
        names: list[str] = library.field(default_factory=list, compare=False)
        hidden: str = library.field(default="h", compare=False, repr=False)

        def swapped(self) -> "Point":
            return Point(self.y, self.x)

    @library.dataclass(slots=True)
    class Counter:
        start: int
        now: int = library.field(init=False)

        def __post_init__(self) -> None:
            self.now = self.start

    return Point, Counter


@pytest.mark.parametrize("library", LIBRARIES)
def test_members_defaults_and_factories(library):
    point, _ = shapes(library)
    assert (point(1).x, point(1).y, point(1).names) == (1, 2, [])
    assert point(1).names is not point(1).names
    assert point(x=3, y=4).swapped().x == 4
    with pytest.raises(TypeError):
        point()


@pytest.mark.parametrize("library", LIBRARIES)
def test_equality_and_hash_follow_the_compared_members(library):
    point, counter = shapes(library)
    assert point(1, 2, ["a"], "b") == point(1, 2)
    assert point(1, 2) != point(1, 3)
    assert hash(point(1, 2, ["a"])) == hash(point(1, 2))
    assert point(1, 2) != (1, 2)
    with pytest.raises(TypeError):
        hash(counter(1))


@pytest.mark.parametrize("library", LIBRARIES)
def test_slots_post_init_match_and_replace(library):
    point, counter = shapes(library)
    with pytest.raises((AttributeError, TypeError)):
        point(1).z = 3
    assert counter(5).now == 5
    match point(7, 8):
        case point(x, y):
            assert (x, y) == (7, 8)
    assert library.replace(point(1, 2, ["k"]), y=9) == point(1, 9)
    assert library.replace(point(1, 2, ["k"]), y=9).names == ["k"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_repr_leaves_out_what_it_is_told_to(library):
    point, _ = shapes(library)
    assert repr(point(1)).endswith("Point(x=1, y=2, names=[])")


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_subclass_has_the_members_of_its_base_first(library):
    @library.dataclass(frozen=True, slots=True)
    class Base:
        a: int

    @library.dataclass(frozen=True, slots=True)
    class Derived(Base):
        b: int = 2

    assert (Derived(1).a, Derived(1).b) == (1, 2)
    assert Derived(1, 3) == Derived(1, 3)
