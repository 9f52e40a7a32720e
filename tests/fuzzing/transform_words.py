"""What random pipelines are made of: names of fields, texts, operations, units of time."""

from __future__ import annotations

from sheliak.transforms._operations import AGGREGATES

NAMES = ["a", "b", "k", "t", "d", "x y", "q.r", "it's", "Ä", "😀", "7", "A", "`c`", 'q"t', "$u", "[x]"]
MARKS = {"?NaN": "NaN", "?Infinity": "1 / 0", "?-Infinity": "-1 / 0", "?-0": "-0", "?undefined": "datum['no such']"}
"""Texts in rows that stand for what JSON cannot hold, and the expressions that make it."""
WORDS = [
    "x",
    "y",
    "Ulm",
    "",
    "10",
    "9",
    "007",
    "1e2",
    "null",
    "undefined",
    "a|b",
    "b",
    "a,b",
    "é",
    "😀",
    "ﬀ",
    " 5 ",
    "NaN",
    "true",
]
OPERATIONS = list(AGGREGATES)
UNITS = [
    *(
        ["year"],
        ["year", "month"],
        ["month"],
        ["quarter"],
        ["year", "quarter"],
        ["week"],
        ["year", "week"],
        ["day"],
        ["week", "day"],
    ),
    *(
        ["isoweek"],
        ["year", "isoweek"],
        ["isoweek", "day"],
        ["year", "isoweek", "day"],
        ["date"],
        ["month", "date"],
        ["dayofyear"],
    ),
    *(["year", "dayofyear"], ["hours"], ["year", "month", "date"], ["year", "month", "date", "hours"], ["hours", "minutes"]),
    *(["year", "month", "date", "hours", "minutes"], ["seconds"], ["milliseconds"], ["year", "week", "day"], ["date", "month"]),
    *(["year", "month", "date", "hours", "minutes", "seconds", "milliseconds"], ["month", "week"], []),
]
SECOND = 1000
YEAR = 365 * 86_400 * SECOND
