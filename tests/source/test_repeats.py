"""Both ways to write a repetition that never goes back match the same."""

from __future__ import annotations

import re
import sys

import pytest

from sheliak.source import repeats

TEXTS = ["", "a", "ab", 'a"b', 'a""b"', "\\u12", "\\u1234x", "/* open", "**/", "*a*/"]


@pytest.mark.parametrize("inner", [r'[^"\\]++|\\(?:["/]|u[0-9]{4})', r"\*(?!/)[^*]*+", r'[^"]++|""', r"\\(?:\r\n|.)[^a\\]*+"])
def test_atomic_groups_match_what_possessive_ones_should(inner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[list[tuple[int, int]]] = []
    for is_right in {sys.version_info >= (3, 11, 5), False}:
        monkeypatch.setattr(repeats, "_IS_RIGHT", is_right)
        patterns = [re.compile(written(inner)) for written in (repeats.any_number, repeats.some)]
        found.append([match.span() if (match := one.match(text)) else (-1, -1) for one in patterns for text in TEXTS])
    assert all(one == found[0] for one in found)
    assert (0, 0) in found[0]


def test_a_piece_that_is_begun_is_given_back() -> None:
    match = re.match(repeats.any_number(r"[^\\]++|\\(?:n|u[0-9]{4})"), "ab\\u12")
    assert match is not None
    assert match.group() == "ab"
