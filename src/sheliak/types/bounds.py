"""How large a type may get: `cross`, or an object that holds the datum twice, doubles it with every step."""

from __future__ import annotations

from sheliak.source.declared import replace
from sheliak.types.operations import join
from sheliak.types.shapes import UNKNOWN, Array, Record, Type, Union

MAX_LEVELS = 16
"""What is nested deeper is `unknown`."""
MAX_PARTS = 5_000
_FEWER_LEVELS = (MAX_LEVELS, 12, 8, 5, 3, 2)
_COMPOUND = frozenset({Record, Array, Union})


def bounded(record: Record) -> Record:
    """The record, or one that knows less of what is nested in it, so that every walk over it comes to an end soon."""
    result = bounded_type(record)
    return result if isinstance(result, Record) else record


def bounded_type(of: Type) -> Type:
    """The type, or one that knows less of what is nested in it."""
    if type(of) not in _COMPOUND or _is_small(of):
        return of
    for levels in _FEWER_LEVELS:
        if _count(of, levels, {}) <= MAX_PARTS:
            return _cut(of, levels, {})
    return _cut(of, 1, {})


def _is_small(of: Type) -> bool:
    """The ordinary case, found in one step for each level."""
    level, parts = [of], 0
    for _ in range(MAX_LEVELS):
        inner = [part for one in level for part in _parts_of(one)]
        parts += len(inner)
        if parts > MAX_PARTS:
            return False
        level = [part for part in inner if type(part) in _COMPOUND]
        if not level:
            return True
    return False


def _parts_of(of: Type) -> tuple[Type, ...]:
    match of:
        case Record(fields):
            return tuple(fields.values())
        case Array(element):
            return (element,)
        case Union(options):
            return options
        case _:
            return ()


# Parts are shared: a walk that remembers what it has met takes its steps for each part once, however often it occurs.


def _count(of: Type, levels: int, met: dict[tuple[int, int], int]) -> int:
    """How many parts there are down to some level."""
    key = (id(of), levels)
    found = met.get(key)
    if found is None:
        parts = _parts_of(of) if levels else ()
        found = len(parts) + sum([_count(part, levels - 1, met) for part in parts if type(part) in _COMPOUND])
        met[key] = found
    return found


def _cut(of: Type, levels: int, met: dict[tuple[int, int], Type]) -> Type:
    """The type down to some level, `unknown` below it; the very same where nothing is below."""
    if levels == 0:
        return UNKNOWN
    key = (id(of), levels)
    found = met.get(key)
    if found is None:
        parts = list(_parts_of(of))
        cut = [(index, _cut(part, levels - 1, met)) for index, part in enumerate(parts) if type(part) in _COMPOUND]
        found = met[key] = of if all(parts[index] is part for index, part in cut) else _with_parts(of, parts, dict(cut))
    return found


def _with_parts(of: Type, parts: list[Type], changed: dict[int, Type]) -> Type:
    for index, part in changed.items():
        parts[index] = part
    match of:
        case Record(fields):
            return replace(of, fields=dict(zip(fields, parts, strict=True)))
        case Array():
            return Array(parts[0])
        case _:
            return join(parts)
