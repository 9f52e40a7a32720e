"""JSON in which every value knows its column: one text, read in one pass."""

from __future__ import annotations

import re
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder
from typing import Final, TypeAlias

MAX_DEPTH: Final = 150
_BLANK: Final = re.compile(r"[ \t\r\n]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])")
_STRING: Final = JSONDecoder()
_WORD: Final = re.compile(r"true|false|null")


@dataclass(eq=False)
class JsonProblem(Exception):
    """The text is no JSON; `offset` is where that shows."""

    message: str
    offset: int


@dataclass(frozen=True, slots=True)
class NumberText:
    """A number as written: whether to read it as a double or exactly is for the reader to say."""

    text: str


@dataclass(frozen=True, slots=True)
class Json:
    """A value and where it begins and ends."""

    value: JsonValue
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class JsonObject:
    """Its members in order; no key stands twice."""

    members: dict[str, tuple[int, Json]]  # key -> where the key begins, value


JsonValue: TypeAlias = bool | str | NumberText | JsonObject | list[Json] | None


def read_json(text: str) -> Json:
    """The one value of the text, or JsonProblem."""
    found = _value(text, _after_blank(text, 0), 0)
    end = _after_blank(text, found.end)
    if end < len(text):
        raise JsonProblem("there is something after the end of the JSON value", end)
    return found


def _after_blank(text: str, i: int) -> int:
    match = _BLANK.match(text, i)
    return match.end() if match else i


def _value(text: str, i: int, depth: int) -> Json:
    if depth > MAX_DEPTH:
        raise JsonProblem(f"this is nested more than {MAX_DEPTH} deep", i)
    match text[i : i + 1]:
        case "{":
            return _object(text, i, depth + 1)
        case "[":
            return _array(text, i, depth + 1)
        case '"':
            return _string(text, i)
        case _:
            return _scalar(text, i)


def _scalar(text: str, i: int) -> Json:
    if number := _NUMBER.match(text, i):
        return Json(NumberText(number[0]), i, number.end())
    if word := _WORD.match(text, i):
        return Json({"true": True, "false": False, "null": None}[word[0]], i, word.end())
    raise JsonProblem("expected a JSON value", i)


def _string(text: str, i: int) -> Json:
    try:
        value, end = _STRING.raw_decode(text, i)
    except JSONDecodeError as problem:
        raise JsonProblem("this string is not valid JSON", problem.pos) from None
    return Json(value, i, end)


def _array(text: str, start: int, depth: int) -> Json:
    items: list[Json] = []
    i = _after_blank(text, start + 1)
    if text[i : i + 1] == "]":
        return Json(items, start, i + 1)
    while True:
        items.append(_value(text, i, depth))
        i = _after_blank(text, items[-1].end)
        if text[i : i + 1] == "]":
            return Json(items, start, i + 1)
        i = _after_blank(text, _past(text, i, ",", "`,` or `]`"))


def _object(text: str, start: int, depth: int) -> Json:
    members: dict[str, tuple[int, Json]] = {}
    i = _after_blank(text, start + 1)
    if text[i : i + 1] == "}":
        return Json(JsonObject(members), start, i + 1)
    while True:
        if text[i : i + 1] != '"':
            raise JsonProblem("expected a key in double quotes", i)
        key = _string(text, i)
        name = str(key.value)
        if name in members:
            raise JsonProblem(f'the key "{name}" stands here twice', i)
        i = _after_blank(text, _past(text, _after_blank(text, key.end), ":", "`:`"))
        members[name] = (key.start, _value(text, i, depth))
        i = _after_blank(text, members[name][1].end)
        if text[i : i + 1] == "}":
            return Json(JsonObject(members), start, i + 1)
        i = _after_blank(text, _past(text, i, ",", "`,` or `}`"))


def _past(text: str, i: int, symbol: str, expected: str) -> int:
    if text[i : i + 1] != symbol:
        raise JsonProblem(f"expected {expected}", i)
    return i + 1
