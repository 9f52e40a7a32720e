"""Thrift's compact protocol, as far as the ends and the page headers of Parquet files need it.

A structure is a dictionary of its fields by their numbers; what stands in a file may be anything, so every mistake is a ValueError.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TypeAlias

Thrift: TypeAlias = "bool | int | float | bytes | list[Thrift] | dict[int, Thrift]"

_TRUE, _FALSE = 1, 2
_INTEGERS = (4, 5, 6)
_DEEPEST = 16
"""Structures of Parquet files lie within each other half as deep as this."""
_LONGEST_NUMBER = 10


@dataclass(slots=True)
class ThriftReader:
    """Reads structures from bytes; `at` is behind what was read."""

    data: bytes
    at: int = 0

    def structure(self, depth: int = 0) -> dict[int, Thrift]:
        """The structure that begins here."""
        if depth > _DEEPEST:
            raise ValueError("too deep")
        fields: dict[int, Thrift] = {}
        number = 0
        while (head := self._byte()) != 0:
            number = number + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Thrift:
        if kind in _INTEGERS:
            return self._integer()
        match kind:
            case 12:
                return self.structure(depth + 1)
            case 8:
                return self._bytes(self._number())
            case 9 | 10:
                return self._list(depth + 1)
            case 1 | 2:  # in a list
                return self._byte() == _TRUE
            case 3:
                return self._byte()
            case 7:
                (number,) = struct.unpack("<d", self._bytes(8))
                assert isinstance(number, float)
                return number
            case _:
                raise ValueError(f"no type {kind}")

    def _list(self, depth: int) -> list[Thrift]:
        head = self._byte()
        size = self._number() if head >> 4 == 15 else head >> 4
        if depth > _DEEPEST or size > len(self.data) - self.at:  # every element takes a byte
            raise ValueError("too long")
        return [self._value(head & 15, depth) for _ in range(size)]

    def _byte(self) -> int:
        if self.at >= len(self.data):
            raise ValueError("the bytes end")
        self.at += 1
        return self.data[self.at - 1]

    def _bytes(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            raise ValueError("the bytes end")
        self.at += count
        return self.data[self.at - count : self.at]

    def _number(self) -> int:
        """A number without a sign, seven bits in a byte, the lowest first."""
        result = 0
        for place in range(_LONGEST_NUMBER):
            byte = self._byte()
            result |= (byte & 127) << (7 * place)
            if byte < 128:
                return result
        raise ValueError("a number without an end")

    def _integer(self) -> int:
        """A number with its sign in the lowest bit."""
        number = self._number()
        return (number >> 1) ^ -(number & 1)
