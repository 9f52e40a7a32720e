"""The path language of `format.property`: dots, brackets, quotes and backslashes, as Vega splits them."""

from __future__ import annotations

import re
from functools import lru_cache

from sheliak.source.declared import dataclass

_STEP = (
    r"""\.?\[(?:"(?P<double>(?:\\.|[^"\\])*)"|'(?P<single>(?:\\.|[^'\\])*)'|(?P<bare>(?:\\.|[^\]\\])*))\]"""
    r"""|\.?(?P<name>(?:\\.|[^.\[\\])+)|\."""
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@lru_cache(maxsize=256)
def split_path(text: str) -> tuple[str, ...]:
    """`a.b`, `a[0]`, `a['b.c']` and `a\\.b` as steps; text that is no such path is a single step."""
    if text.isidentifier():
        return (text,)
    steps: list[str] = []
    position = 0
    step_pattern = re.compile(_STEP)
    while position < len(text):
        match = step_pattern.match(text, position)
        if match is None:
            return (text,)
        position = match.end()
        step = next((part for part in match.groups() if part is not None), None)
        if step is not None:
            steps.append(_ESCAPED.sub(r"\1", step))
    return tuple(steps)


@dataclass(frozen=True, slots=True)
class Missing:
    """Where a path stops: the steps taken, and the value that has no member for the next."""

    taken: tuple[str, ...]
    step: str
    holder: object


def select(value: object, path: tuple[str, ...]) -> object | Missing:
    """The value at the end of the path, or where it stops."""
    for index, step in enumerate(path):
        member = _member(value, step)
        if member is _ABSENT:
            return Missing(path[:index], step, value)
        value = member
    return value


class _Absent:
    """Marks a member that is not there (null is)."""


_ABSENT = _Absent()


def _member(value: object, step: str) -> object:
    if isinstance(value, dict):
        return value.get(step, _ABSENT)
    if isinstance(value, list):
        if step.isascii() and step.isdigit() and len(step) < 10 and int(step) < len(value):
            return value[int(step)]
        return len(value) if step == "length" else _ABSENT
    return _ABSENT


def member_names(value: object) -> tuple[str, ...]:
    """The names a step could have taken."""
    return tuple(value) if isinstance(value, dict) else ()
