"""Random expressions: calls of every function whose answer does not depend on a view, operators, and access to fields.

Arguments fit the function most of the time, so that more than its refusals is tried; else they are anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import TypeAlias

from sheliak.expressions.functions import FUNCTIONS, Parameter, Signature

OPERATORS = [
    "+",
    "+",
    "-",
    "*",
    "/",
    "%",
    "==",
    "!=",
    "===",
    "!==",
    "<",
    ">",
    "<=",
    ">=",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    ">>>",
    "&&",
    "||",
]
FIELDS = ("n", "m", "s", "d", "l", "o", "u", "v", "absent")
LITERALS = (
    "0",
    "1",
    "2.5",
    "-3",
    "'a'",
    "'10'",
    "''",
    "true",
    "false",
    "null",
    "NaN",
    "PI",
    "[]",
    "[1, 2]",
    "{a: 1}",
    "'2020-01-02'",
)
UNITS = ["year", "quarter", "month", "week", "isoweek", "date", "day", "dayofyear", "hours", "minutes", "seconds", "milliseconds"]
TIME_LETTERS = "aAbBcdefgGHIjLmMpqQsSuUVwWxXyYZ%"
COLORS = (
    "red",
    "#f00",
    "#ff000080",
    "rgb(1,2,3)",
    "rgba(10%,20%,30%,0.5)",
    "hsl(120,50%,50%)",
    "hsla(-30,150%,50%,2)",
    "SteelBlue",
    "transparent",
    "#12345",
)
# What stays out: it depends on the view, on events or on the page; draws; or is not a function of its arguments in Vega's code.
LEFT_OUT = frozenset({"if", "isTuple", "pathShape", "monthFormat", "monthAbbrevFormat", "dayFormat", "dayAbbrevFormat"})
_OUTSIDE = frozenset({"view", "event", "effect", "environment"})

CALLED = [
    signature
    for name, signature in FUNCTIONS.items()
    if signature.purity not in _OUTSIDE and name not in LEFT_OUT and name != "vlSelectionTuples"
]
Maker: TypeAlias = Callable[["Calls"], str]


class Calls:
    """A source of random expressions."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def expression(self, depth: int = 3) -> str:
        chance = self.random.random()
        if depth <= 0 or chance < 0.12:
            return self.leaf()
        if chance < 0.72:
            return self.call(depth)
        if chance < 0.88:
            operator = self.random.choice(OPERATORS)
            return f"({self.expression(depth - 1)} {operator} {self.expression(depth - 1)})"
        if chance < 0.92:
            return f"{self.random.choice('+-~!')} {self.leaf()}"
        if chance < 0.95:
            return f"({self.leaf()} ? {self.expression(depth - 1)} : {self.expression(depth - 1)})"
        if chance < 0.965:
            return f"{self.expression(depth - 1)}[{self.leaf()}]"
        if chance < 0.975:
            return f"({self.leaf()} in {self.random.choice(('datum.o', 'datum.l', 'datum', 'datum.u', '{a: 1}'))})"
        if chance < 0.985:
            return f"{{a: {self.expression(depth - 1)}, 'b c': {self.leaf()}}}"
        if chance < 0.99:
            return f"{self.leaf()}.{self.random.choice(('length', 'a', 'toString', 'source', 'x', 'trim'))}"
        return f"[{self.expression(depth - 1)}, {self.expression(depth - 1)}]"

    def leaf(self) -> str:
        if self.random.random() < 0.7:
            return f"datum.{self.random.choice(FIELDS)}"
        return self.random.choice(LITERALS)

    def call(self, depth: int) -> str:
        signature = self.random.choice(CALLED)
        arguments = [self.argument(signature, index, depth) for index in range(self.count(signature))]
        return f"{signature.name}({', '.join(arguments)})"

    def count(self, signature: Signature) -> int:
        if self.random.random() < 0.04:
            return self.random.randint(0, 4)
        most = self.random.randint(1, 4) if signature.most is None else signature.most
        return self.random.randint(min(signature.least, most), max(signature.least, most))

    def argument(self, signature: Signature, index: int, depth: int) -> str:
        parameter = signature.parameter(index)
        chance = self.random.random()
        if parameter is None or (chance < 0.12 and signature.name != "pluck"):
            return self.leaf()
        if signature.name == "pluck" and index == 1:
            return self.path()  # Vega remembers paths by their text, and what was no text once stays so
        if chance < 0.25 and depth > 1:
            return self.expression(depth - 1)
        made = _SPECIAL.get((signature.name, parameter.name)) or _SPECIAL.get((signature.name, "*"))
        return made(self) if made else self.fitting(parameter)

    def fitting(self, parameter: Parameter) -> str:
        return self.random.choice(_FITTING.get(parameter.kind, ("datum.u", "datum.v")))

    # Arguments that only make sense as they are

    def specifier(self) -> str:
        parts = [
            self.random.choice(("", "", "<", "*^", "0=")),
            self.random.choice(("", "", "+", "(", " ")),
            self.random.choice(("", "", "$", "#")),
            self.random.choice(("", "", "0", "12", "020")),
            self.random.choice(("", ",")),
            self.random.choice(("", "", f".{self.random.randint(0, 8)}")),
            self.random.choice(("", "~")),
            self.random.choice(("", *"defgrspxXbon%c")),
        ]
        return json.dumps("".join(parts))

    def time_pattern(self) -> str:
        letters = [
            self.random.choice(("%", "%", "%-", "%_")) + self.random.choice(TIME_LETTERS)
            for _ in range(self.random.randint(1, 4))
        ]
        return json.dumps(self.random.choice(("-", "/", " ", "")).join(letters))

    def some_pattern(self) -> str:
        return self.random.choice((self.time_pattern(), self.time_pattern(), "'%Y-%m-%d'", "{year: '%y', hours: '%H'}"))

    def parse_pattern(self) -> str:
        return self.random.choice((self.time_pattern(), "'%Y-%m-%d'", "'%b %d %Y %I %p'", "'%m/%d/%Y'", "'%Y'"))

    def unit(self) -> str:
        # A quarter is looked for without end in Vega when a date leaves the range of dates.
        return json.dumps(self.random.choice([unit for unit in UNITS if unit != "quarter"]))

    def units(self) -> str:
        return json.dumps(self.random.sample(UNITS, self.random.randint(1, 3)))

    def small(self) -> str:
        return str(self.random.randint(-4, 12))

    def near(self) -> str:
        return str(1_577_836_800_000 + self.random.randint(-40, 40) * 1000 + self.random.choice((0, 0, 500)))

    def color(self) -> str:
        return json.dumps(self.random.choice(COLORS))

    def channel(self) -> str:
        return self.random.choice((json.dumps(self.random.choice(COLORS)), str(self.random.randint(-20, 300)), "datum.m", "0.5"))

    def regex(self) -> str:
        """A random regular expression without surprises for time: no repetition of what is repeated."""
        flags = "".join([flag for flag in "gimuy" if self.random.random() < 0.2])
        return f"/{self.regex_alternatives(2)}/{flags}"

    def regex_alternatives(self, depth: int) -> str:
        return "|".join([self.regex_sequence(depth) for _ in range(self.random.choice((1, 1, 1, 2)))])

    def regex_sequence(self, depth: int) -> str:
        return "".join([self.regex_part(depth) for _ in range(self.random.randint(1, 3))])

    def regex_part(self, depth: int) -> str:
        if depth and self.random.random() < 0.25:
            opening = self.random.choice(("(", "(", "(?:", "(?=", "(?!", *_BEHIND, "(?<n>" if depth == 2 else "("))
            # Python looks behind by a fixed width only.
            return f"{opening}{self.random.choice(_ATOMS) if opening in _BEHIND else self.regex_alternatives(depth - 1)})"
        atom = self.random.choice(_ATOMS)
        return atom + self.random.choice(("", "", "", "?", "+", "*", "+?", "{1,2}")) if atom not in _EDGES else atom

    def pattern(self) -> str:
        if self.random.random() < 0.4:
            return self.regex()
        return self.random.choice(
            ("/a/", "/[a-c]+/gi", r"/(\w)(\d?)/g", "/x|b/", r"/\s*/g", "'a'", "' '", "','", "''", r"/^.\b/m", r"/(\d+)\D/")
        )

    def replacement(self) -> str:
        return self.random.choice(("'-'", "'[$&]'", "'$1$2'", "'$$'", "'$`$\\''", "''", "datum.s"))

    def flags(self) -> str:
        return self.random.choice(("''", "'g'", "'i'", "'gm'", "'s'"))

    def align(self) -> str:
        return self.random.choice(("'left'", "'center'", "'right'"))

    def path(self) -> str:
        return self.random.choice(("'a'", "'b'", "'x.a'", "'length'", "'[0]'", "'a\\\\.b'", "'0'"))

    def domain(self) -> str:
        return self.random.choice(("[1, 10]", "[-5, -1]", "[0, 100]", "datum.l", "[2, 3, 8]", "[10, 1]"))

    def share(self) -> str:
        return self.random.choice(("0.25", "0.5", "0", "1", "0.999999", "1e-9", "datum.n", "'0.3'", "1.5"))


_BEHIND = ("(?<=", "(?<!")
_EDGES = ("^", "$", r"\b", r"\B")
_ATOMS = (
    *_EDGES,
    *(
        "a",
        "b",
        "X",
        "1",
        " ",
        ".",
        r"\d",
        r"\D",
        r"\w",
        r"\W",
        r"\s",
        r"\S",
        "[a-c]",
        "[^a]",
        "[A-Z0-9]",
        r"[\d.,-]",
        "é",
        "[^]",
    ),
    *(r"\.", r"\x41", r"\u0061", "ß", "[é-ü]", r"\-", "[b-]", r"\cJ", r"\0"),
)
_FITTING: dict[str, tuple[str, ...]] = {
    "number": ("datum.n", "datum.m", "datum.m", "2", "0.5", "-1"),
    "formatted": ("datum.n", "datum.n", "datum.m"),
    "finite": ("datum.n", "datum.u"),
    "tested": ("datum.n", "datum.u"),
    "instant": ("datum.d", "datum.n"),
    "date": ("datum.d", "datum.s", "datum.n"),
    "text": ("datum.s", "datum.s", "datum.u", "datum.d"),
    "string": ("datum.s", "'a'"),
    "boolean": ("true", "false", "datum.u"),
    "array": ("datum.l", "[3, 1, 2]", "[datum.n, datum.m]"),
    "sequence": ("datum.l", "datum.s"),
    "object": ("datum.o", "datum"),
    "color": ("datum.s", "'red'"),
    "field": ("'a'", "'length'"),
}
_SPECIAL: dict[tuple[str, str], Maker] = {
    ("format", "specifier"): Calls.specifier,
    ("timeFormat", "specifier"): Calls.some_pattern,
    ("utcFormat", "specifier"): Calls.some_pattern,
    ("timeParse", "specifier"): Calls.parse_pattern,
    ("utcParse", "specifier"): Calls.parse_pattern,
    ("timeUnitSpecifier", "units"): Calls.units,
    **{(name, "unit"): Calls.unit for name in ("timeOffset", "utcOffset", "timeSequence", "utcSequence")},
    **{(name, "step"): Calls.small for name in ("timeOffset", "utcOffset", "timeSequence", "utcSequence", "sequence")},
    **{(name, end): Calls.near for name in ("timeSequence", "utcSequence") for end in ("start", "stop")},
    **{("sequence", end): Calls.small for end in ("start", "stop")},
    **{(name, "*"): Calls.channel for name in ("rgb", "hsl", "lab", "hcl")},
    **{(name, "*"): Calls.color for name in ("luminance", "contrast")},
    ("replace", "pattern"): Calls.pattern,
    ("replace", "replacement"): Calls.replacement,
    ("split", "separator"): Calls.pattern,
    ("test", "regexp"): Calls.pattern,
    ("regexp", "pattern"): Calls.pattern,
    ("regexp", "flags"): Calls.flags,
    ("pad", "length"): Calls.small,
    ("pad", "align"): Calls.align,
    ("truncate", "length"): Calls.small,
    ("truncate", "align"): Calls.align,
    ("parseInt", "radix"): Calls.small,
    **{(f"{how}{scale}", "domain"): Calls.domain for how in ("pan", "zoom") for scale in ("Linear", "Log", "Pow", "Symlog")},
    **{(f"quantile{name}", "value"): Calls.share for name in ("Normal", "LogNormal", "Uniform")},
}
