"""`format.parse` on values: what each of Vega's parsers makes of a cell, and which parser `auto` chooses for a column."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isnan
from typing import TypeAlias

from sheliak.expressions.date_parsing import parse_date
from sheliak.expressions.time_parsing import parsed_time
from sheliak.expressions.values import UNDEFINED, Date, Value, to_number, to_text
from sheliak.expressions.zones import Zone

Parser: TypeAlias = Callable[[Value], Value]


class IllegalParser(Exception):
    """No parser of that name exists."""


def parser_of(column: str, how: str, zone: Zone) -> Parser:
    """The parser called `how`; with a pattern, `date:` reads local time and `utc:` universal time."""
    word, colon, pattern = how.partition(":")
    if colon and word in ("date", "utc") and pattern:
        return _by_pattern(unquoted(pattern), zone, utc=word == "utc")
    match how:
        case "number" | "integer":
            return lambda value: None if _is_blank(value) else to_number(value)
        case "boolean":
            return lambda value: None if _is_blank(value) else _to_boolean(value)
        case "string":
            return lambda value: None if _is_blank(value) else to_text(value, zone)
        case "date":
            return lambda value: None if _is_blank(value) else _to_instant(value, zone)
        case "unknown":
            return lambda value: value
        case _:
            raise IllegalParser(f"Illegal format pattern: {column}:{how}")


def _by_pattern(pattern: str, zone: Zone, *, utc: bool) -> Parser:
    """A date, or null where the text does not fit."""

    def parse(value: Value) -> Value:
        instant = parsed_time(to_text(value, zone), pattern, zone, utc)
        return None if instant is None else Date(instant)

    return parse


def unquoted(pattern: str) -> str:
    return pattern[1:-1] if pattern[0] in "'\"" and pattern[-1] == pattern[0] else pattern


def _is_blank(value: Value) -> bool:
    return value is None or value is UNDEFINED or value == ""


def _to_boolean(value: Value) -> bool:
    """`"no"` is true; `"false"`, `"0"`, 0 and NaN are false."""
    if isinstance(value, float):
        return bool(value) and not isnan(value)
    return value is not False and value not in ("false", "0")


def _to_instant(value: Value, zone: Zone) -> Value:
    """Milliseconds rather than a date; numbers and dates stay what they are."""
    return value if isinstance(value, (float, Date)) and not isinstance(value, bool) else parse_date(to_text(value, zone), zone)


class Inference:
    """`auto`: the first of boolean, number, date that fits every value that is neither missing nor NaN, else string.

    A column without any such value fits them all, and so is boolean, which leaves it as it is or null.
    """

    def __init__(self, zone: Zone) -> None:
        self.zone = zone
        self.fitting = ["boolean", "number", "date"]

    def add(self, values: Iterable[Value]) -> None:
        """Takes more values of the column into account."""
        for value in values:
            if not self.fitting:
                return
            if value is None or value is UNDEFINED or (isinstance(value, float) and isnan(value)):
                continue
            self.fitting = [name for name in self.fitting if _FITS[name](value, self.zone)]

    @property
    def parser(self) -> str:
        return self.fitting[0] if self.fitting else "string"


def inferred_parser(values: Iterable[Value], zone: Zone) -> str:
    """The parser that `auto` chooses for a column."""
    inference = Inference(zone)
    inference.add(values)
    return inference.parser


_FITS: dict[str, Callable[[Value, Zone], bool]] = {
    "boolean": lambda value, zone: isinstance(value, bool) or value in ("true", "false"),
    "number": lambda value, zone: not isinstance(value, Date) and not isnan(to_number(value)),
    "date": lambda value, zone: not isnan(parse_date(to_text(value, zone), zone)),
}
