"""A smaller case with the same failure: subtrees are taken away while it stays, then pieces of the text."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

from fuzzing.odd_values import Json
from fuzzing.spec_corruptions import slots
from fuzzing.spec_verdict import Case

StillFails = Callable[[Case], bool]
_SECONDS = 30.0


def smaller_case(case: Case, still_fails: StillFails) -> Case:
    """The smallest case that was met within half a minute."""
    ends = time.monotonic() + _SECONDS
    if case.strict and still_fails(Case(case.content)):
        case = Case(case.content)
    case = _with_fewer_values(case, still_fails, ends)
    return _with_less_text(case, still_fails, ends)


def _with_fewer_values(case: Case, still_fails: StillFails, ends: float) -> Case:
    value = _read(case.content)
    if value is None:
        return case
    changed = True
    while changed and time.monotonic() < ends:
        changed = False
        for candidate in _simpler(value):
            if time.monotonic() > ends:
                break
            smaller = Case(json.dumps(candidate).encode(), case.strict)
            if len(smaller.content) < len(case.content) and still_fails(smaller):
                value, case, changed = candidate, smaller, True
                break
    return case


def _read(content: bytes) -> Json:
    try:
        value: Json = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return value


def _simpler(value: Json) -> Iterator[Json]:
    """The value without one of its parts, the largest parts first; then with a part replaced by one inside it, or by null."""
    text = json.dumps(value)
    places = sorted(range(len([*slots(value)])), key=lambda number: -len(json.dumps([*slots(value)][number].value)))[:400]
    for number in places:
        copy = json.loads(text)
        [*slots(copy)][number].remove()
        yield copy
    for number in places:
        copy = json.loads(text)
        slot = [*slots(copy)][number]
        inner = slot.value
        for part in (*(inner.values() if isinstance(inner, dict) else inner if isinstance(inner, list) else ()), None):
            slot.put(part)
            yield copy


def _with_less_text(case: Case, still_fails: StillFails, ends: float) -> Case:
    width = max(len(case.content) // 2, 1)
    while width and time.monotonic() < ends:
        at = 0
        while at < len(case.content) and time.monotonic() < ends:
            smaller = Case(case.content[:at] + case.content[at + width :], case.strict)
            if still_fails(smaller):
                case = smaller
            else:
                at += width
        width //= 2
    return case
