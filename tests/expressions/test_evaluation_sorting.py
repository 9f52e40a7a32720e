"""Sorting takes JavaScript's steps, which shows where a comparison is not an order."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sheliak.expressions.sorting import sorted_by
from sheliak.expressions.values import compare, decode, encode

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers()), max_size=300)


@given(PAIRS)
def test_an_order_is_kept_as_any_stable_sort_keeps_it(pairs: list[tuple[int, int]]) -> None:
    assert sorted_by(pairs, lambda a, b: a[0] - b[0]) == sorted(pairs, key=lambda pair: pair[0])


@given(st.lists(st.integers(), max_size=2000).map(sorted), st.integers(0, 2000))
def test_two_runs_are_merged(numbers: list[int], cut: int) -> None:
    assert sorted_by([*numbers[cut:], *numbers[:cut]], lambda a, b: a - b) == numbers
    assert sorted_by(reversed(numbers), lambda a, b: a - b) == numbers


def test_a_mixture_ends_as_in_vega() -> None:
    given_, expected = json.loads(Path(__file__).with_name("mixture.json").read_text("ascii"))
    mixture = decode(given_)
    assert isinstance(mixture, list)
    assert encode(sorted_by(mixture, compare)) == expected
