"""Which columns of a dataset the rest of a spec can possibly read.

The question is answered from the texts alone: a column whose name no text holds is read by nobody, unless some text takes rows as a
whole or computes a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sheliak.compiler.mentions import objects_below, texts_below
from sheliak.transforms import transform_class

ALWAYS = frozenset({"_vgsid_"})
"""Selections read it without naming it."""
# Selections are told the fields they look at by their stores, whose texts are there to be searched.
_SELECTIONS = re.compile(r"\bvlSelection\w*\(\s*([\"'])[^\"']*\1\s*,\s*datum\s*[,)]")
_MEMBER = re.compile(r"""\bdatum\s*(?:\.\s*[A-Za-z_$]|\[\s*(["'])(?:(?!\1)[^\\]|\\.)*\1\s*\])""")
_WHOLE = re.compile(r"\b(?:datum|parent)\b")
_DATA = re.compile(r"\b(?:data|treePath|treeAncestors|intersect|item|group)\s*\(|\bitem\b")
_FIELD_NAMES = ("field", "key", "groupby", "fields")


def unused_columns(rest: object, columns: Iterable[str]) -> frozenset[str]:
    """The columns that nothing in the rest of the spec reads; none as soon as that cannot be told."""
    texts = [text for _, text in texts_below(rest)]
    if any(_takes_rows(text) for text in texts) or any(_reads_unseen(item) for item in objects_below(rest)):
        return frozenset()
    written = "\n".join([*texts, *_names(rest)])
    # In a path, and in a literal, a name may be written with backslashes.
    everything = written + "\n" + written.replace("\\", "")
    return frozenset(name for name in columns if name not in ALWAYS and _is_plain(name) and name not in everything)


def _is_plain(name: str) -> bool:
    return bool(name) and not set(name) & set("\\\"'\n")


def _takes_rows(text: str) -> bool:
    if "datum" not in text and "parent" not in text and "(" not in text and "item" not in text:
        return False
    without = _MEMBER.sub("", _SELECTIONS.sub("", text))
    return bool(_WHOLE.search(without) or _DATA.search(without))


def _reads_unseen(item: dict[str, object]) -> bool:
    """It may read fields without naming them."""
    steps = item.get("transform")
    return _computes_name(item) or any(_has_defaults(step) for step in (steps if isinstance(steps, list) else [steps]))


def _has_defaults(step: object) -> bool:
    """Transforms of the renderer read whole rows (shapes of a map), or fields that they name by themselves (the ends of links)."""
    if not isinstance(step, dict):
        return False
    cls = transform_class(str(step.get("type")))
    return cls is None or not cls.runs()


def _computes_name(item: dict[str, object]) -> bool:
    """A field that a signal, or the datum of a group, names."""
    return any(isinstance(item.get(name), dict) for name in _FIELD_NAMES)


def _names(rest: object) -> Iterable[str]:
    """The keys of objects are texts too: a lookup table inside of an expression's signal may hold names."""
    return (name for item in objects_below(rest) for name in item)
