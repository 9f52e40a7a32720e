"""Values, names and texts that a spec does not expect."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"

_PLAIN_NAMES = """
    __proto__ constructor toString hasOwnProperty valueOf prototype length name type value datum item event parent group root view scope
    window data signal scale field expr undefined null NaN true false this if in 0 -1 1e3 a.b a[0] a['b'] a["b"] [a] a\\.b a..b .a a. [] ['
    a[ a] $ _ * ** @x #id :: // /* */ ~ ~0 ~1 / % %41 & < > <script> </script> ${x} {{x}} é 变量 😀 \ufeffx x\u200d \u202e \u2028 \x00 \x1b[31m \ud800
    \udfff \ud83d\ude00 e\u0301
"""
NAMES = (
    *_PLAIN_NAMES.split(),
    "",
    " ",
    "a b",
    "'",
    '"',
    "\\",
    "\n",
    "\t",
    "it's",
    'say "x"',
    "x" * 5000,
    "a." * 300 + "a",
    "[" * 400,
)

NUMBERS: tuple[Json, ...] = (
    *(0, 1, -1, 2, 3, 0.5, -0.0, 1e-320, 1e308, -1e308, 1e400, -1e400, float("nan")),
    *(2**31, -(2**31), 2**53, 2**53 + 1, 2**63, 2**64, 10**40, 10**400, 1e21, 1e9, 12, 100, 4096),
)

TEXTS = (
    *(
        "sum",
        "mean",
        "count",
        "min",
        "argmax",
        "values",
        "ascending",
        "linear",
        "ordinal",
        "time",
        "band",
        "point",
        "width",
        "height",
    ),
    *(
        "csv",
        "tsv",
        "dsv",
        "json",
        "topojson",
        "parquet",
        "arrow",
        "number",
        "boolean",
        "date",
        "date:'%Y'",
        "utc:'%d",
        "auto",
        "string",
    ),
    *("rect", "group", "text", "symbol", "shape", "mercator", "enter", "update", "category10", "zindex", "datum.x", "datum['x']"),
    *("2020-01-01", "12", "1e3", "", " ", "#fff", "red", "M0,0L1,1", "http://example.invalid/x.csv", "data:text/csv,a%0A1"),
)

# Objects that stand for values in many places of a spec.
WRAPPERS = (
    "signal",
    "expr",
    "field",
    "scale",
    "value",
    "data",
    "param",
    "datum",
    "parent",
    "group",
    "update",
    "init",
    "as",
    "source",
    "stream",
)


def deep(levels: int, kind: str) -> Json:
    """Arrays, or objects, one inside the other."""
    value: Json = None
    for _ in range(levels):
        value = [value] if kind == "array" else {kind: value}
    return value


def odd_name(random: Random) -> str:
    return random.choice(NAMES)


def odd_value(random: Random) -> Json:
    """A value of any kind, mostly small."""
    roll = random.randrange(20)
    if roll < 4:
        return random.choice((None, True, False))
    if roll < 8:
        return random.choice(NUMBERS)
    if roll < 13:
        return random.choice(TEXTS if random.random() < 0.5 else NAMES)
    if roll < 16:
        return random.choice(
            ([], {}, [[]], [{}], [None], [None, None], [1, "a", None, {}, []], {"": None}, [""], {"x": {"y": 1}})
        )
    if roll < 19:
        return {random.choice(WRAPPERS): odd_value(random)}
    return deep(random.choice((3, 40, 200)), random.choice(("array", "signal", "marks", "field", "as", "x")))
