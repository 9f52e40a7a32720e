"""Columns of which every text is known, and a whole number for each text, by which rows are grouped in its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Every text that a column may hold, and the code of each; no two have the same code, and what is missing has one of its own."""

    values: tuple[str, ...]
    codes: tuple[int, ...]
    missing: int
    unused: frozenset[str] = frozenset()
    """Texts that no row holds: they stand for a missing one, where it has to be a text."""

    def may_hold(self, text: str) -> bool:
        """A row holds the text."""
        return text in self.values and text not in self.unused

    def __str__(self) -> str:
        return f"{len(self.values)} texts"


KnownTexts: TypeAlias = Callable[[int], Texts | None]
"""The texts of a column, None where they are not known, or too many."""


def unknown(column: int) -> None:
    """No column's texts are known."""
