"""The rows of a curve: the keys of its group and two coordinates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sheliak.transforms._contract import FieldRef, Name, whole_name, with_names
from sheliak.types.operations import options_of
from sheliak.types.shapes import BOOLEAN, EMPTY_RECORD, NULL, NUMBER, UNDEFINED, UNKNOWN, Record, Type, Unknown

if TYPE_CHECKING:
    from sheliak.expressions.values import Row, Value


def points(groupby: Iterable[FieldRef], names: tuple[Name | None, ...], x: Type = NUMBER) -> Record:
    """{kᵢ: Tᵢ, f₀: number, f₁: number}; a coordinate wins over a key of the same name."""
    keys = [(key.name, key.of) for key in groupby]
    return with_names(EMPTY_RECORD, [*keys, (whole_name(names, 0), x), (whole_name(names, 1), NUMBER)])


def type_of_ends(of: Type) -> Type:
    """The type of coordinates between the least and the greatest value of a field.

    Vega takes the values as they are, and adds to them: between text lies text, between dates too.
    """
    plain = all(option in (NUMBER, BOOLEAN, NULL, UNDEFINED) or isinstance(option, Unknown) for option in options_of(of))
    return NUMBER if plain else UNKNOWN


def curve_rows(
    groupby: Iterable[FieldRef], keys: Iterable[Value], names: tuple[str, ...], points: Iterable[tuple[Value, Value]]
) -> list[Row]:
    """The points of one group's curve as rows."""
    from sheliak.transforms._running import ingest, key_name

    of_group = dict(zip(map(key_name, groupby), keys, strict=False))
    first, second = names
    made = []
    for x, y in points:
        row = ingest(of_group)
        row[first] = x
        row[second] = y
        made.append(row)
    return made
