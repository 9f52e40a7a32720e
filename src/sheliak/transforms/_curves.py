"""The rows of a curve: the keys of its group and two coordinates."""

from __future__ import annotations

from collections.abc import Iterable

from sheliak.transforms._contract import FieldRef, Name, whole_name, with_names
from sheliak.types.shapes import EMPTY_RECORD, NUMBER, Record


def points(groupby: Iterable[FieldRef], names: tuple[Name | None, ...]) -> Record:
    """{kᵢ: Tᵢ, f₀: number, f₁: number}; a coordinate wins over a key of the same name."""
    keys = [(key.name, key.of) for key in groupby]
    return with_names(EMPTY_RECORD, [*keys, (whole_name(names, 0), NUMBER), (whole_name(names, 1), NUMBER)])
