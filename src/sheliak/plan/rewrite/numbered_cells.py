"""Groupings over one source that have nothing in common, in one pass: each row is looked up by one number for each set of cells.

Where every value of every key is known (known_codes), so is every combination of keys. A row's combination is written as one whole number, whose parts
lie beside each other in its bits: texts, whose codes fill all bits, lie over the others. Engines see to it that no two combinations, of one set or of
two, have the same number. Then the sets need no pass each: a row is one row for each of them, with one number for a key, and the numbers tell the
cells apart.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from math import prod

from sheliak.plan.column_types import Plain
from sheliak.plan.expressions import PlanExpression
from sheliak.plan.known_texts import KnownTexts
from sheliak.plan.operators import Group, Output, Summarized
from sheliak.plan.rewrite.groupings import Grouping
from sheliak.plan.rewrite.known_codes import Spans, codes_of, is_present
from sheliak.plan.rewrite.shared_cells import Cells, floor_of_part
from sheliak.plan.rewrite.whole_keys import MEANINGS

MOST_NUMBERS = 100_000
"""So many combinations of all sets together are looked through for two with one number."""
_MOST_SUMMARIES = 8
"""Each is computed for all sets."""
_PLAIN = frozenset({"count", "count_true", "sum", "mean", "min", "max"})
_WIDEST = 1 << 20
"""Whole numbers further apart, as the codes of texts are, fill too many bits to lie beside others."""


@dataclass(frozen=True, slots=True)
class Digit:
    """A key of cells as a part of their numbers: (code - start) << shift."""

    base: Output
    missing: int | None
    """Stands for a key that is missing; None where none is."""
    start: int
    shift: int
    values: tuple[int | None, ...]
    """Every value that the key may have."""
    parts: tuple[int, ...]
    """The part of each, in 64 bits."""


@dataclass(frozen=True, slots=True)
class NumberedCells:
    """Cells that are told apart by numbers: their mark and the parts of their keys, with "exclusive or" between them."""

    cells: Cells
    group: Group
    digits: tuple[Digit, ...]
    mark: int

    @property
    def count(self) -> int:
        """How many combinations of keys there are."""
        return prod(len(digit.values) for digit in self.digits)


def numbered_cells(
    groupings: Sequence[Grouping], spans: Spans, column: Callable[[], int], texts: KnownTexts, most: int
) -> list[NumberedCells]:
    """The groupings of one scan in as few sets of cells as their combinations allow, none with more than `most`; those with other keys are left out."""
    choosing = _Choosing(spans, column, texts, most)
    known = [(size, grouping) for grouping in groupings if (size := choosing.size(None, grouping)) is not None]
    every: list[Cells] = []
    for _, grouping in sorted(known, key=lambda one: -one[0]):
        fitting = [(size, cells) for cells in every if (size := choosing.size(cells, grouping)) is not None]
        least = min(fitting, key=lambda one: one[0], default=None)
        chosen = choosing.none(grouping) if least is None else least[1]
        if least is None:
            every.append(chosen)
        chosen.add(grouping)
    made = [_numbered(index, cells, spans) for index, cells in enumerate(every)]
    if sum(one.count for one in made) > MOST_NUMBERS:
        return numbered_cells(groupings, spans, column, texts, most // 2)
    different = {key for cells in every for key in cells.partial}
    return made if len(different) <= _MOST_SUMMARIES and all(one.digits for one in made) else []


@dataclass(slots=True)
class _Choosing:
    spans: Spans
    column: Callable[[], int]
    texts: KnownTexts
    most: int
    sizes: dict[Hashable, int] = field(default_factory=dict)
    """How many values keys have, one that is missing among them, by what they compute; 0 where that is not known."""

    def none(self, grouping: Grouping) -> Cells:
        return Cells(grouping.scan, self.column, self.texts)

    def size(self, cells: Cells | None, grouping: Grouping) -> int | None:
        """How many combinations there are with one more grouping; None if too many, or not known."""
        every = (cells or self.none(grouping)).bases_with(grouping)
        values = [*every.values()]
        bases = {key: base for key, base in every.items() if floor_of_part(base, values) is None}
        if not bases or not _is_plain(grouping):
            return None
        size = prod(self._size_of(key, base) for key, base in bases.items())
        return size if 0 < size <= self.most else None

    def _size_of(self, key: Hashable, base: PlanExpression) -> int:
        if key not in self.sizes:
            codes = codes_of(base, self.spans)
            self.sizes[key] = 0 if codes is None else len(codes) + 1
        return self.sizes[key]


def _is_plain(grouping: Grouping) -> bool:
    return all(_is_plain_summary(one) for one in grouping.summaries)


def _is_plain_summary(made: Summarized) -> bool:
    summary = made.summary
    return summary.function in _PLAIN and all(isinstance(one.of, Plain) and one.of.kind != "text" for one in summary.operands)


def _numbered(index: int, cells: Cells, spans: Spans) -> NumberedCells:
    group = cells.plan()
    known = [(base, codes_of(base.value, spans) or ()) for base in group.keys]
    digits: list[Digit] = []
    # The key with most values comes first: whoever goes through all combinations takes those of it at once.
    shift = over = 0
    for base, codes in sorted(known, key=lambda one: -len(one[1])):
        plain = [code for code in codes if code not in MEANINGS]
        missing = None if is_present(base.value) else plain[-1] + 1 if plain else 0
        if plain and plain[-1] - plain[0] < _WIDEST:
            digits.append(_digit(base, codes, missing, plain[0], shift))
            shift += (plain[-1] + 1 - plain[0]).bit_length()
        else:
            digits.append(_digit(base, codes, missing, 0, over))
            over += 1
    # Spark looks rows up by the last bits of their number: sets that begin there with other bits are in each other's way less.
    return NumberedCells(cells, group, tuple(digits), _in_64_bits(index << 59 ^ index << 14))


def _digit(base: Output, codes: Sequence[int], missing: int | None, start: int, shift: int) -> Digit:
    values = (*codes, *([] if missing is None else [None]))
    places = (*codes, *([] if missing is None else [missing]))
    return Digit(base, missing, start, shift, values, tuple(_in_64_bits((code - start) << shift) for code in places))


def _in_64_bits(number: int) -> int:
    """What is left of a number in 64 bits, the first of which is its sign."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)
