"""Text as a terminal shows it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheliak.rendering.visible import visible, width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\tb", "a    b"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\nb", "a\\x0ab"),
        ("\u202eabc", "\\u202eabc"),
        ("\ud800", "\\ud800"),
        ("é日本", "é日本"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("a\u00a0b", "a\u00a0b"),
    ],
)
def test_what_does_not_print_is_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("👍", 2), ("", 0)])
def test_width_counts_columns(text: str, columns: int) -> None:
    assert width(text) == columns


@given(st.text())
def test_nothing_that_commands_a_terminal_is_left(text: str) -> None:
    shown = visible(text)
    assert not any(ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for character in shown)
    assert visible(shown) == shown
