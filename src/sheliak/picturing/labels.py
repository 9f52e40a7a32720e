"""A transform in a few words: `filter datum.x > 3`, `aggregate mean(delay) by carrier`.

A spec may hold anything anywhere: what is not of the expected kind is written as the JSON that it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import TypeAlias

Given: TypeAlias = Mapping[str, object]


def label_of(value: object) -> str:
    """The words for one transform."""
    if not isinstance(value, dict):
        return word(value)
    type_ = value.get("type")
    name = type_.lower() if isinstance(type_, str) else ""
    return " ".join(_LABELS.get(name, _other)(value).split()) or "transform"


def word(value: object) -> str:
    """A parameter as it is read: a field, a signal and an expression by their texts, a list by its elements."""
    match value:
        case str():
            return value
        case {"field": str(inner)} | {"signal": str(inner)} | {"expr": str(inner)}:
            return inner
        case list():
            return ", ".join(word(element) for element in value)
        case None:
            return "null"
        case _:
            return json.dumps(value, ensure_ascii=False)


# What Vega-Lite writes again and again; the quoted part is a name.
_NAMED_MEMBER = re.compile(r"""\bdatum\[(["'])([A-Za-z_$][\w$]*)\1\]""")
_VALID = re.compile(r"""isValid\((datum\.[\w$]+|datum\["[^"]*"\]|datum\['[^']*'\])\) && isFinite\(\+\1\)""")
_DATE = re.compile(r"""\(?isDate\((datum[^()]*(?:\([^()]*\)[^()]*)?)\) \|\| \(?\1 is a number\)*""")
_TESTED = re.compile(r"""vlSelection(?:Id)?Test\("([^"]+)_store", datum(?:, "[^"]*")?\)""")
_SELECTED = re.compile(
    r"""\(?(?:!\(?length\(data\("([^"]+)_store"\)\)\)? \|\| |length\(data\("([^"]+)_store"\)\) && )\(?(in selection (?:\1|\2))\b\)*"""
)
_ESCAPED = re.compile(r"\\([.\[\]])")


def readable(expression: str) -> str:
    """An expression as people would say it: `datum.x` for `datum["x"]`, and Vega-Lite's tests by what they are for."""
    text = _NAMED_MEMBER.sub(r"datum.\2", " ".join(expression.split()))
    text = _SELECTED.sub(r"\3", _TESTED.sub(r"in selection \1", text))
    return _DATE.sub(r"\1 is a date or a number", _VALID.sub(r"\1 is a number", text))


def field_words(value: object) -> str:
    """Fields without the signs that keep a dot from being taken for a path."""
    return _ESCAPED.sub(r"\1", word(value))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _by(given: Given) -> str:
    groups = given.get("groupby")
    return f" by {field_words(groups)}" if groups else ""


def _into(given: Given) -> str:
    name = given.get("as")
    return f" as {word(name)}" if name else ""


def _sorted(given: Given) -> str:
    sort = given.get("sort")
    fields = sort.get("field") if isinstance(sort, dict) else None
    orders = _listed(sort.get("order")) if isinstance(sort, dict) else []
    if not fields:
        return ""
    pairs = zip_longest(_listed(fields), orders[: len(_listed(fields))])
    return f" sorted by {', '.join(field_words(field) + (' desc' if order == 'descending' else '') for field, order in pairs)}"


def _calls(given: Given) -> str:
    """The operations of an aggregate or a window; without any, Vega counts."""
    ops, fields, names = (_listed(given.get(key)) for key in ("ops", "fields", "as"))
    length = max(len(ops), len(fields))
    calls = []
    for index in range(length):
        op = word(ops[index]) if index < len(ops) else "count"
        field = fields[index] if index < len(fields) else None
        name = names[index] if index < len(names) else None
        calls.append((f"{op}({field_words(field)})" if field is not None else op) + (f" as {word(name)}" if name else ""))
    return ", ".join(calls) or "count"


def _aggregate(given: Given) -> str:
    return f"{word(given.get('type'))} {_calls(given)}{_by(given)}"


def _window(given: Given) -> str:
    return f"window {_calls(given)}{_by(given)}{_sorted(given)}"


def _formula(given: Given) -> str:
    return f"{word(given.get('as', 'undefined'))} = {readable(word(given.get('expr', '')))}"


def _lookup(given: Given) -> str:
    values = given.get("values")
    taken = f"{field_words(values)} " if values else ""
    return f"lookup {taken}in {word(given.get('from', ''))} by {field_words(given.get('fields', ''))}{_into(given)}"


def _project(given: Given) -> str:
    pairs = zip_longest(_listed(given.get("fields")), _listed(given.get("as")))
    return "keep " + ", ".join(
        field_words(field) + (f" as {word(name)}" if name and name != field else "") for field, name in pairs
    )


def _timeunit(given: Given) -> str:
    units = "-".join(word(unit) for unit in _listed(given.get("units"))) or "timeunit"
    return f"timeunit {units} of {field_words(given.get('field', ''))}"


def _sequence(given: Given) -> str:
    step = given.get("step")
    return f"sequence {word(given.get('start', ''))} to {word(given.get('stop', ''))}{f' step {word(step)}' if step else ''}"


def _stratify(given: Given) -> str:
    return f"stratify {word(given.get('key', ''))} under {word(given.get('parentKey', ''))}"


def _pivot(given: Given) -> str:
    op = word(given.get("op", "sum"))
    return f"pivot {word(given.get('field', ''))} to {op}({word(given.get('value', ''))}){_by(given)}"


def _fit(given: Given) -> str:
    method = given.get("method")
    how = f" ({word(method)})" if method else ""
    return f"{word(given.get('type'))} {word(given.get('y', ''))} on {word(given.get('x', ''))}{how}{_by(given)}"


def _impute(given: Given) -> str:
    how = given.get("method") or "value"
    filled = f"value {word(given.get('value'))}" if how == "value" else word(how)
    return f"impute {word(given.get('field', ''))} with {filled} per {word(given.get('key', ''))}{_by(given)}"


def _density(given: Given) -> str:
    distribution = given.get("distribution")
    function = distribution.get("function") if isinstance(distribution, dict) else None
    return f"density {word(function) if function else ''}"


def _of_field(given: Given) -> str:
    """A transform that is about one field or some fields."""
    about = next((field_words(given[key]) for key in ("field", "fields", "keys", "size") if given.get(key) is not None), "")
    return f"{word(given.get('type'))} {about}{_by(given)}{_sorted(given)}"


def _with_name(given: Given) -> str:
    return f"{word(given.get('type'))}{_into(given)}"


def _point(given: Given) -> str:
    return f"{word(given.get('type'))} {', '.join(word(given[key]) for key in ('x', 'y') if key in given)}{_by(given)}"


def _other(given: Given) -> str:
    type_ = given.get("type")
    return (word(type_) if type_ else "no type") + (f" {word(given['field'])}" if given.get("field") is not None else "")


_LABELS: dict[str, Callable[[Given], str]] = {
    "aggregate": _aggregate,
    "joinaggregate": _aggregate,
    "window": _window,
    "filter": lambda given: f"filter {readable(word(given.get('expr', '')))}",
    "formula": _formula,
    "lookup": _lookup,
    "project": _project,
    "timeunit": _timeunit,
    "sequence": _sequence,
    "stratify": _stratify,
    "pivot": _pivot,
    "regression": _fit,
    "loess": _fit,
    "impute": _impute,
    "density": _density,
    "identifier": _with_name,
    "graticule": _with_name,
    "collect": lambda given: (_sorted(given) or "collect").replace(" sorted by", "sort by", 1),
    "voronoi": _point,
    "kde2d": _point,
    "contour": _point,
    **dict.fromkeys(
        (
            *("bin", "extent", "fold", "flatten", "stack", "pie", "quantile", "kde", "dotbin", "countpattern", "sample", "nest"),
            *("pack", "partition", "treemap", "tree", "geopoint", "geojson", "crossfilter", "isocontour"),
        ),
        _of_field,
    ),
}
