"""Where the generators take their choices from: a seeded generator for volume, or Hypothesis, which can shrink.

Choice 0 is always the simplest one, so that what Hypothesis shrinks to is simple.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import Protocol, TypeVar

from hypothesis import strategies as st

X = TypeVar("X")


class Choices(ABC):
    @abstractmethod
    def below(self, n: int) -> int:
        """One of 0, …, n − 1."""

    def pick(self, items: Sequence[X]) -> X:
        return items[self.below(len(items))]

    @abstractmethod
    def turns(self, numbers: Sequence[int]) -> Iterable[int]:
        """As many turns as one of the numbers says."""


class Seeded(Choices):
    """The same choices for the same seed, on every machine."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def below(self, n: int) -> int:
        return int(self._random() * n)

    def pick(self, items: Sequence[X]) -> X:
        return items[int(self._random() * len(items))]

    def turns(self, numbers: Sequence[int]) -> Iterable[int]:
        return range(numbers[int(self._random() * len(numbers))])


class Draw(Protocol):
    def __call__(self, strategy: st.SearchStrategy[int], /) -> int: ...


@cache
def _below(n: int) -> st.SearchStrategy[int]:
    return st.integers(0, n - 1)


class Drawn(Choices):
    """Choices made by Hypothesis."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def below(self, n: int) -> int:
        return self._draw(_below(n)) if n > 1 else 0

    def turns(self, numbers: Sequence[int]) -> Iterable[int]:
        """Turn by turn, so that Hypothesis can leave out one in the middle."""
        fewest, most = min(numbers), max(numbers)
        turn = 0
        while turn < fewest or (turn < most and self.below(3) > 0):
            yield turn
            turn += 1
