"""Random values of every kind that an expression can meet, with those that JavaScript treats in a special way among them."""

from __future__ import annotations

from math import inf, nan
from random import Random

from sheliak.expressions.values import UNDEFINED, Date, RegExp, Value

NUMBERS = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    3.0,
    0.5,
    -2.5,
    10.0,
    100.0,
    1e21,
    1e-7,
    5e-324,
    1.7976931348623157e308,
    2.0**31,
    2.0**32,
    2.0**53,
)
SPECIAL = (nan, inf, -inf)
TEXTS = (
    *(
        "",
        "0",
        "1",
        "-1",
        "10",
        "9",
        " 5 ",
        "1e3",
        "0x10",
        "Infinity",
        "NaN",
        "null",
        "true",
        "false",
        "undefined",
        "1,2",
        ".5",
        "5.",
    ),
    *(
        "a",
        "b",
        "A",
        "abc",
        "Hello, World",
        "foo bar baz",
        "aXbX",
        "x|y",
        "  trim\t",
        "ß",
        "İ",
        "éa",
        "日本",
        "😀",
        "a😀b",
        "\ud83d",
        "\ue000",
    ),
    *(
        "2020-01-01",
        "2020-02-30T12:00",
        "Jan 5 2021 3 pm",
        "1/2/2003",
        "Sector 7",
        "2012",
        "$1",
        "$&",
        "a.b",
        "[0]",
        "length",
        "left",
        "center",
    ),
)
DATES = (0.0, 1.0, -1.0, 1577836800000.0, 1577836800500.0, 1583020800000.0, 951782400000.0, -62198755200000.0, 8.64e15, nan)
PATTERNS = (
    ("a", ""),
    ("a", "g"),
    ("[a-z]+", "gi"),
    (r"\d", ""),
    (r"\s*", "g"),
    ("(x)|(b)", "i"),
    ("", ""),
    (r"^\w+$", "m"),
    (".", "u"),
)


class Values:
    """A source of random values."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def number(self) -> float:
        chance = self.random.random()
        if chance < 0.35:
            return self.random.choice(NUMBERS)
        if chance < 0.45:
            return self.random.choice(SPECIAL)
        if chance < 0.75:
            return float(self.random.randint(-20, 20))
        return round(self.random.uniform(-1, 1) * 10 ** self.random.randint(-3, 6), self.random.randint(0, 6))

    def text(self) -> str:
        chance = self.random.random()
        if chance < 0.7:
            return self.random.choice(TEXTS)
        if chance < 0.85:
            return "".join(self.random.choices("abcXYZ019 .,-é😀", k=self.random.randint(0, 8)))
        return str(self.random.randint(-100, 100))

    def date(self) -> Date:
        if self.random.random() < 0.4:
            return Date(self.random.choice(DATES))
        return Date(float(self.random.randint(-(10**12), 2 * 10**12)))

    def array(self, depth: int) -> list[Value]:
        chance = self.random.random()
        count = self.random.randint(0, 5)
        if chance < 0.35:
            return [self.number() for _ in range(count)]
        if chance < 0.5:
            return [self.text() for _ in range(count)]
        if chance < 0.58:
            return [self.date() for _ in range(count)]
        return [self.value(depth - 1) for _ in range(count)]

    def object(self, depth: int) -> dict[str, Value]:
        names = self.random.sample(("a", "b", "x", "length", "0", "a.b", "year", "type", "é"), self.random.randint(0, 3))
        return {name: self.value(depth - 1) for name in names}

    def regexp(self) -> RegExp:
        return RegExp(*self.random.choice(PATTERNS))

    def value(self, depth: int = 2) -> Value:
        chance = self.random.random()
        if chance < 0.3:
            return self.number()
        if chance < 0.55:
            return self.text()
        if chance < 0.61:
            return None
        if chance < 0.67:
            return UNDEFINED
        if chance < 0.74:
            return self.random.random() < 0.5
        if chance < 0.82 or depth <= 0:
            return self.date()
        if chance < 0.92:
            return self.array(depth)
        return self.object(depth) if chance < 0.98 else self.regexp()

    def datum(self) -> dict[str, Value]:
        """A row with a field of every kind, and two of any."""
        return {
            "n": self.number(),
            "m": float(self.random.randint(-5, 40)),
            "s": self.text(),
            "d": self.date(),
            "l": self.array(2),
            "o": self.object(2),
            "u": self.value(),
            "v": self.value(),
        }
