"""§4: the types of µVega, T ::= boolean | number | string | {f: T, …} | [T]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Primitive(Enum):
    """boolean, number, string."""

    BOOLEAN = "boolean"
    NUMBER = "number"
    STRING = "string"


BOOLEAN, NUMBER, STRING = Primitive.BOOLEAN, Primitive.NUMBER, Primitive.STRING


@dataclass(frozen=True, slots=True)
class RecordType:
    """{f₁: T₁, …}: the order of the fields is kept for reading, and ignored by equality."""

    fields: Mapping[str, Type]

    def __hash__(self) -> int:
        return hash(frozenset(self.fields))

    def extended(self, f: str, T: Type) -> RecordType:
        """T ∪ {f: T'}, the right-hand side taking precedence."""
        return RecordType({**self.fields, f: T})


@dataclass(frozen=True, slots=True)
class ArrayType:
    """[T]."""

    element: Type


@dataclass(frozen=True, slots=True)
class EmptyArrayType:
    """The type of the expression []. Erratum E6: as printed, [] has every type [T']."""


Type: TypeAlias = Primitive | RecordType | ArrayType | EmptyArrayType
Context: TypeAlias = Mapping[str, Type]
