"""Which whole numbers a key may be: not only how many, as sizes tell, but every one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import floor, isfinite
from typing import TypeAlias

from sheliak.plan.column_types import BOOLEAN, Plain
from sheliak.plan.expressions import Apply, Choose, Constant, PlanExpression, Read
from sheliak.plan.known_texts import Texts
from sheliak.plan.rewrite.sizes import PARTS
from sheliak.plan.rewrite.whole_keys import CODES

Span: TypeAlias = tuple[float, float]
Spans: TypeAlias = Callable[[int], Span | None]
"""The least and the greatest date or number of a column, None where that is not known; NaN may be beside them."""

MOST_CODES = 1 << 15
_ALIKE = frozenset({"known", "date.number", "number.date", "date.clip"})


def codes_of(key: PlanExpression, spans: Spans) -> tuple[int, ...] | None:
    """Every whole number that a key may be, and no more than MOST_CODES, in their order; a truth value is 0 or 1. None where that is not known."""
    found: set[int] = set()
    for some in _codes(key, spans):
        if some is None or len(some) > MOST_CODES:
            return None
        found.update(some)
    return tuple(sorted(found)) if len(found) <= MOST_CODES else None


def is_present(key: PlanExpression) -> bool:
    """A key as a whole number is missing in no row: texts have a number for that."""
    match key:
        case Choose(_, consequent, alternate):
            return is_present(consequent) and is_present(alternate)
        case Apply("known", (inner,)):
            return is_present(inner)
        case Apply("text.code" | "whole.constant"):
            return True
        case _:
            return key.of == BOOLEAN


def _codes(e: PlanExpression, spans: Spans) -> Iterator[range | tuple[int, ...] | None]:
    """The whole numbers of each part of a key; None for a part of which they are not known."""
    match e:
        case Choose(_, consequent, alternate):
            yield from _codes(consequent, spans)
            yield from _codes(alternate, spans)
        case Apply("known", (inner,)):
            yield from _codes(inner, spans)
        case Apply("whole.constant", _, _, (int(code),)):
            yield (code,)
        case Apply("whole.missing"):
            yield ()
        case Apply("text.code", _, _, (Texts() as texts,)):
            yield (*texts.codes, texts.missing)
        case Apply("whole.bin", _, _, (float(start), float(stop), float(step))):
            yield _bins(start, stop, step)
            yield tuple(CODES.values())
        case Apply("whole.floor", (ms,), _, (float(length),)):
            yield from _floors(ms, length, spans)
            yield (CODES["nan"],)
        case Apply("whole.part", _, _, (str(operation),)) if operation in PARTS:
            # Days of months begin with 1, all others with 0.
            yield range(PARTS[operation] + 1)
            yield (CODES["nan"],)
        case _:
            yield (0, 1) if isinstance(e.of, Plain) and e.of.kind == "boolean" else None


def _bins(start: float, stop: float, step: float) -> range | None:
    """From the first bin to the last, which begins a step before the end; if that is before the start, there is one."""
    last = (stop - step - start) / step
    return range(max(0, floor(last + 1e-14)) + 1) if isfinite(last) and last < MOST_CODES else None


def _floors(ms: PlanExpression, length: float, spans: Spans) -> Iterator[range | None]:
    match ms:
        case Apply("fill", (inner, Constant() as instead)):
            yield from _floors(inner, length, spans)
            yield from _floors(instead, length, spans)
        case Apply("known", (inner,)):
            yield from _floors(inner, length, spans)
        case _:
            span = span_of(ms, spans)
            low, high = (0, MOST_CODES) if span is None else (floor(end / length) for end in span)
            yield range(low, high + 1) if high - low < MOST_CODES else None


def span_of(e: PlanExpression, spans: Spans) -> Span | None:
    """Numbers around all that an expression may be; beside them it may be missing or NaN."""
    match e:
        case Constant(int() | float() as value) if isfinite(value) and not isinstance(value, bool):
            return value, value
        case Read(column):
            found = spans(column)
            return found if found is not None and all(map(isfinite, found)) else None
        case Apply(operation, (inner,)) if operation in _ALIKE:
            return span_of(inner, spans)
        case Apply("fill", (inner, instead)):
            both = span_of(inner, spans), span_of(instead, spans)
            return None if both[0] is None or both[1] is None else (min(both[0][0], both[1][0]), max(both[0][1], both[1][1]))
        case _:
            return None
