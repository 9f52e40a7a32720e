"""Which datasets a part of a spec mentions. Too many do no harm: they cost room in the spec that is drawn; one too few leaves a hole."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

_KEYS = frozenset({"data", "source", "from", "links"})
"""The properties that hold a dataset's name, wherever they stand."""
_QUOTED = re.compile(r"""(["'])(.*?)\1""", re.DOTALL)
_WRITERS = re.compile(r"\b(?:modify|setdata)\s*\(\s*([\"'])(.*?)\1", re.DOTALL)


def mentioned(part: object, names: Collection[str]) -> set[str]:
    """The names that the part holds where datasets are named, or as a literal inside of an expression."""
    found = {name for key, text in texts_below(part) for name in _named(key, text) if name in names}
    # A name that an expression has to escape is looked for by nobody.
    return found | {name for name in names if set(name) & set("\"'\\")}


def _named(key: str, text: str) -> Iterator[str]:
    if key in _KEYS:
        yield text
    if "'" in text or '"' in text:
        yield from (quoted for _, quoted in _QUOTED.findall(text))


def written_anywhere(part: object) -> set[str]:
    """The datasets that expressions change, those of event handlers included."""
    return {name for _, text in texts_below(part) if "(" in text for _, name in _WRITERS.findall(text)}


def texts_below(part: object, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text below, with the property it stands under; elements of a list stand under the list's."""
    pending: list[tuple[str, object]] = [(key, part)]
    while pending:
        owner, value = pending.pop()
        if isinstance(value, str):
            yield owner, value
        elif isinstance(value, dict):
            pending += value.items()
        elif isinstance(value, list):
            pending += [(owner, element) for element in value]


def objects_below(part: object) -> Iterator[dict[str, object]]:
    pending = [part]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            yield value
            pending += value.values()
        elif isinstance(value, list):
            pending += value
