"""Random types, and random values of a type."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, assert_never

from sheliak.calculus.changes import Record, Value
from sheliak.calculus.type_syntax import BOOLEAN, NUMBER, STRING, ArrayType, EmptyArrayType, Primitive, RecordType, Type
from soundness.choices import Choices

# `a.b` beside a nested a, names that JavaScript objects have, names that need quotes, no name at all.
NAMES: Final = (
    *("a", "b", "c", "a", "b", "a.b", "b.a", "count", "datum", ""),
    *(
        "x y",
        'say "hi"',
        "it's",
        "back\\slash",
        "new\nline",
        "0",
        "__proto__",
        "constructor",
        "ключ",
        "é",
        "e\u0301",
        "😀",
        "μ",
        "\u202e",
    ),
)

# Whole numbers and dyadic fractions, whose sums are exact; 1e16 because 1e16 + 1 is not one; what IEEE adds to them.
NUMBERS: Final = (0.0, 1.0, 2.0, -0.0, math.nan, -1.0, 0.5, 3.0, 100.0, -2.75, 1e16, math.inf, -math.inf, 0.0, 1.0, 2.0)
STRINGS: Final = ("", "a", "b", "A", "0", "NaN", "true", "a.b", "é", "😀", "\u0000", "line\nbreak")
PRIMITIVES: Final = (NUMBER, STRING, BOOLEAN)


def name(choices: Choices) -> str:
    return choices.pick(NAMES)


def new_name(choices: Choices, taken: Sequence[str]) -> str:
    """A name that is not taken; where the drawn one is, it gets a number."""
    drawn = choices.pick(NAMES)
    while drawn in taken:
        drawn += str(len(taken))
    return drawn


def record_type(choices: Choices, fields: int, depth: int = 2) -> RecordType:
    """A record of up to `fields` fields, rarely of none, nested up to `depth`."""
    found: dict[str, Type] = {}
    for _ in choices.turns((0, *range(1, fields + 1), *range(1, fields + 1), *range(1, fields + 1))):
        f = new_name(choices, list(found))
        found[f] = type_of_field(choices, fields, depth - 1)
    return RecordType(found)


def type_of_field(choices: Choices, fields: int, depth: int) -> Type:
    kind = choices.below(12)
    if depth < 0 or kind < 6:
        return NUMBER
    if kind < 10:
        return choices.pick(PRIMITIVES)
    if kind == 10:
        return record_type(choices, min(fields, 2), depth)
    return ArrayType(type_of_field(choices, fields, depth - 1))


def value(choices: Choices, T: Type) -> Value:
    """A value of the type."""
    match T:
        case Primitive.NUMBER:
            return choices.pick(NUMBERS)
        case Primitive.STRING:
            return choices.pick(STRINGS)
        case Primitive.BOOLEAN:
            return choices.below(2) == 1
        case RecordType():
            return record(choices, T)
        case ArrayType(element):
            return tuple([value(choices, element) for _ in choices.turns((0, 1, 2))])
        case EmptyArrayType():
            return ()
        case _:
            assert_never(T)


def record(choices: Choices, T: RecordType) -> Record:
    return {f: value(choices, T_f) for f, T_f in T.fields.items()}
