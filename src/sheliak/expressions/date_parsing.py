"""Date.parse: the instant that a text means to the JavaScript engine of node and Chrome.

First the form that the standard asks for, `2020-01-31T23:59:59.999+01:00` and its beginnings. What goes beyond it, or is no such
text at all, is read word by word with great patience: `Jan 5`, `5/1/2020 3:00 pm`, `Tue, 5 Jan 2021 (a holiday) 10:00 GMT-8`, and also
`Sector 7` (July 2001). A date alone in the standard's form is UTC, everything else without a zone is local time.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import nan
from typing import Final, NamedTuple

from sheliak.expressions.numerals import SPACES
from sheliak.expressions.texts import units_of
from sheliak.expressions.zones import HOUR, MINUTE, Zone, clipped, milliseconds_of

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_HALVES: Final = {"am": 0, "pm": 12}
_ZONES: Final = {
    **dict.fromkeys(("ut", "utc", "z", "gmt"), 0),
    "est": -5,
    "edt": -4,
    "cst": -6,
    "cdt": -5,
    "mst": -7,
    "mdt": -6,
    "pst": -8,
    "pdt": -7,
}
_DIGITS_READ: Final = 9

_TOKEN: Final = re.compile(
    rf"(?P<number>[0-9]+)|(?P<sign>[+-])|(?P<mark>[:.)])|(?P<space>[{re.escape(SPACES)}])|(?P<word>[^\x00-@{re.escape(SPACES)}]+)|(?P<other>.)",
    re.DOTALL,
)


class _Token(NamedTuple):
    kind: str
    text: str

    @property
    def number(self) -> int:
        return int(self.text.lstrip("0")[:_DIGITS_READ] or 0)


_END: Final = _Token("end", "")


@lru_cache(maxsize=1 << 14)
def parse_date(text: str, zone: Zone) -> float:
    """Milliseconds since 1970; NaN for what is no date."""
    reader = _Reader(_tokens(units_of(text)))
    return reader.instant(zone) if reader.read() else nan


def _tokens(text: str) -> list[_Token]:
    tokens, at = [], 0
    while at < len(text):
        if text[at] == "(":
            at = _after_brackets(text, at)
            tokens.append(_Token("other", "("))
            continue
        found = _TOKEN.match(text, at)
        assert found is not None
        tokens.append(_Token(found.lastgroup or "", found[0]))
        at = found.end()
    return [*tokens, _END, _END]


def _after_brackets(text: str, at: int) -> int:
    """Where a remark in brackets ends, also one with brackets inside, or without an end."""
    depth = 0
    while at < len(text):
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
        if not depth:
            break
    return at


def _digits(token: _Token, count: int, low: int, high: int) -> bool:
    return token.kind == "number" and len(token.text) == count and low <= token.number <= high


def _milliseconds(token: _Token) -> int:
    """The digits after the point, as thousandths."""
    digits = token.text[: len(token.text) - len(token.text.lstrip("0")) + _DIGITS_READ]
    return int(digits.ljust(3, "0")[:3]) if len(token.text) <= _DIGITS_READ else token.number // 10 ** (_DIGITS_READ - 3)


class _Refused(Exception):
    """It is no date."""


class _Reader:
    """What was read so far: up to three numbers of the day, up to four of the time, an offset from UTC."""

    __slots__ = ("at", "day", "half", "hours", "minutes", "month", "numbered", "sign", "standard", "time", "tokens")

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.day: list[int] = []
        self.month: int | None = None
        self.time: list[int] = []
        self.half: int | None = None
        self.sign: int | None = None
        self.hours: int | None = None
        self.minutes: int | None = None
        self.standard = False
        self.numbered = False
        """A number was read: from then on unknown words are refused."""

    def read(self) -> bool:
        """Whether the text is a date, as far as its form goes."""
        try:
            self.standard_form()
            self.numbered = bool(self.day)
            while (token := self.take()) is not _END:
                self.token(token)
        except _Refused:
            return False
        return True

    def take(self) -> _Token:
        self.at += 1
        return self.tokens[self.at - 1]

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def skip(self, mark: str) -> bool:
        if self.next.text != mark:
            return False
        self.at += 1
        return True

    # The standard's form. What does not fit is left to the patient reader, but behind a T nothing is forgiven.

    def standard_form(self) -> None:
        if not self.standard_year():
            return
        for high in (12, 31):
            if not self.skip("-"):
                break
            if not _digits(self.next, 2, 1, high):
                return
            self.day.append(self.take().number)
        if self.next.kind == "word" and self.next.text in "Tt":
            self.at += 1
            self.standard_time()
        elif self.next is not _END:
            return
        if self.sign is None and not self.time:
            self.offset(0)
        self.standard = True

    def standard_year(self) -> bool:
        if self.next.kind == "sign":
            sign, year = self.tokens[self.at], self.tokens[self.at + 1]
            if not _digits(year, 6, 0, 999_999):
                return False
            if sign.text == "-" and year.number == 0:
                self.at += 2  # the patient reader never sees it
                return False
            self.at += 2
            self.day.append(-year.number if sign.text == "-" else year.number)
            return True
        if not _digits(self.next, 4, 0, 9999):
            return False
        self.day.append(self.take().number)
        return True

    def standard_time(self) -> None:
        self.time_part(24)
        midnight = self.time == [24]
        self.expect(":")
        self.time_part(0 if midnight else 59)
        if self.skip(":"):
            self.time_part(0 if midnight else 59)
            if self.skip("."):
                if self.next.kind != "number" or (midnight and self.next.number):
                    raise _Refused
                self.time.append(_milliseconds(self.take()))
        self.standard_offset()
        if self.next is not _END:
            raise _Refused

    def time_part(self, high: int) -> None:
        if not _digits(self.next, 2, 0, high):
            raise _Refused
        self.time.append(self.take().number)

    def expect(self, mark: str) -> None:
        if not self.skip(mark):
            raise _Refused

    def standard_offset(self) -> None:
        if self.next.kind == "word" and self.next.text in "Zz":
            self.at += 1
            self.offset(0)
        elif self.next.kind == "sign":
            self.sign = -1 if self.take().text == "-" else 1
            token = self.take()
            if _digits(token, 4, 0, 2359):
                self.hours, self.minutes = divmod(token.number, 100)
            elif _digits(token, 2, 0, 23):
                self.expect(":")
                self.hours, self.minutes = token.number, self.take().number
                if not _digits(self.tokens[self.at - 1], 2, 0, 59):
                    raise _Refused
            if self.hours is None or self.minutes is None or self.minutes > 59:
                raise _Refused

    def offset(self, hours: int) -> None:
        self.sign, self.hours, self.minutes = (-1 if hours < 0 else 1), abs(hours), 0

    # The patient reader

    def token(self, token: _Token) -> None:
        if token.kind == "number":
            self.numbered = True
            self.number(token.number)
        elif token.kind == "word":
            self.word(token.text)
        elif token.kind == "sign" and (self.time or (self.hours, self.minutes) == (0, 0)):
            self.signed(-1 if token.text == "-" else 1)
        elif (token.kind == "sign" or token.text == ")") and self.numbered:
            raise _Refused

    def number(self, number: int) -> None:
        if self.skip(":"):
            self.before_colon(number)
        elif self.skip(".") and self.expects(number):
            self.time.append(number)
            if self.next.kind != "number":
                raise _Refused
            self.finish(_milliseconds(self.take()))
        elif self.hours is not None and self.minutes is None and number < 60:
            self.minutes = number
        elif self.expects(number):
            self.finish(number)
            if self.next.kind not in ("end", "space", "sign") and not (self.next.kind == "word" and self.next.text in "Zz"):
                raise _Refused
        else:
            self.add(self.day, number, 3)
            self.skip("-")

    def before_colon(self, number: int) -> None:
        if self.skip(":"):
            if self.time:
                raise _Refused
            self.time = [number, 0]
        else:
            self.add(self.time, number, 4)
            self.skip(".")

    def expects(self, number: int) -> bool:
        """Whether a number can be the next part of the time begun."""
        return 1 <= len(self.time) <= 3 and number < (60, 60, 1000)[len(self.time) - 1]

    def finish(self, number: int) -> None:
        self.time = [*self.time, number, 0, 0, 0][:4]

    def add(self, parts: list[int], number: int, most: int) -> None:
        if len(parts) == most:
            raise _Refused
        parts.append(number)

    def word(self, text: str) -> None:
        """Of a month's name the first three letters count; the other words must be whole."""
        name = "".join([chr(ord(letter) | 0x20) for letter in text[:3]])
        if name in _MONTHS:
            self.month = _MONTHS.index(name) + 1
            self.skip("-")
        elif len(text) <= 3 and name in _HALVES and self.time:
            self.half = _HALVES[name]
        elif len(text) <= 3 and name in _ZONES and self.numbered:
            self.offset(_ZONES[name])
        elif self.numbered or self.next.kind == "number":
            raise _Refused

    def signed(self, sign: int) -> None:
        """An offset from UTC: `+1`, `+01`, `+130`, `+0130`, `+1:30`; nothing behind the sign is 0."""
        self.sign = sign
        digits, number = 0, 0
        if self.next.kind == "number":
            token = self.take()
            digits, number = len(token.text), token.number
        self.numbered = True
        if self.next.text == ":":
            self.hours, self.minutes = number, None
        elif digits in (1, 2):
            self.hours, self.minutes = number, 0
        elif digits in (3, 4):
            self.hours, self.minutes = divmod(number, 100)
        else:
            raise _Refused

    # The instant

    def instant(self, zone: Zone) -> float:
        day, time = self.whole_day(), self.whole_time()
        if day is None or time is None:
            return nan
        local = milliseconds_of((*day, *time))
        if self.sign is None:
            return clipped(zone.instant(local))
        return clipped(local - self.sign * ((self.hours or 0) * HOUR + (self.minutes or 0) * MINUTE))

    def whole_day(self) -> tuple[int, int, int] | None:
        if not self.day:
            return None
        first, second, third = [*self.day, 1, 1][:3]
        if self.month is not None:
            year, month, day = (second, self.month, first) if 1 <= first <= 31 else (first, self.month, second)
        elif self.standard or not 1 <= first <= 31:
            year, month, day = first, second, third
        else:
            year, month, day = third, first, second
        if not self.standard and 0 <= year <= 99:
            year += 2000 if year < 50 else 1900
        return (year, month - 1, day) if 1 <= month <= 12 and 1 <= day <= 31 else None

    def whole_time(self) -> tuple[int, int, int, int] | None:
        hours, minutes, seconds, milliseconds = [*self.time, 0, 0, 0, 0][:4]
        if self.half is not None:
            if hours > 12:
                return None
            hours = hours % 12 + self.half
        if hours == 24:
            return None if minutes or seconds or milliseconds else (24, 0, 0, 0)
        in_range = hours < 24 and minutes < 60 and seconds < 60 and milliseconds < 1000
        return (hours, minutes, seconds, milliseconds) if in_range else None
