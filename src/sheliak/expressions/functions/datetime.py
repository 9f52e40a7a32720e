"""Dates. `datetime` gives a date, `utc` and `time` a number of milliseconds."""

from __future__ import annotations

from sheliak.expressions.functions.results import date_sequence, offset_date
from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import DATE, NUMBER

_PARTS = (
    "year",
    "quarter",
    "month",
    "week",
    "isoweek",
    "date",
    "day",
    "dayofyear",
    "hours",
    "minutes",
    "seconds",
    "milliseconds",
)
_FIELDS = "month?:number day?:number hour?:number min?:number sec?:number ms?:number"
_OFFSET = "unit:string date:instant step?:number"
_SEQUENCE = "unit:string start:instant stop:instant step?:number"

FUNCTIONS = (
    signature("now", "", NUMBER, "clock"),
    # With one argument `datetime` converts a timestamp or text, without any it is the present time.
    signature("datetime", f"year? {_FIELDS}", DATE, "timezone"),
    signature("utc", f"year:number {_FIELDS}", NUMBER),
    signature("time", "datetime:date", NUMBER),
    signature("timezoneoffset", "datetime:date", NUMBER, "timezone"),
    *(signature(part, "datetime:date", NUMBER, "timezone") for part in _PARTS),
    *(signature(f"utc{part}", "datetime:date", NUMBER) for part in _PARTS),
    signature("timeOffset", _OFFSET, offset_date, "timezone"),
    signature("timeSequence", _SEQUENCE, date_sequence, "timezone"),
    signature("utcOffset", _OFFSET, offset_date),
    signature("utcSequence", _SEQUENCE, date_sequence),
)
