"""Random expressions over the fields of a random pipeline: plain ones mostly, calls of any function now and then."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from fuzzing.random_calls import Calls

# Not a function of the row: the clock, and dates without arguments, which read it.
_CLOCK = re.compile(r"\bnow\(|\b(?:datetime|utc|time\w*|utc\w*)\(\)")
_FIELD = re.compile(r"\bdatum\.([nmsdluv])\b")
# The fields of `Calls` and the kinds of fields here that stand for them.
_KINDS = {
    "n": ("number", "small", "few"),
    "m": ("few", "small", "number"),
    "s": ("word", "digits"),
    "d": ("date", "time"),
    "l": ("list",),
    "u": (),
    "v": ("mixed",),
}
_PLAIN = (
    "{a}",
    "{a} + {b}",
    "{a} * 2",
    "{a} - {b}",
    "{a} > {b}",
    "{a} >= {b}",
    "{a} == {b}",
    "{a} === {b}",
    "{a} != null",
    "+{a} || 0",
    "isValid({a})",
    "-{a}",
    "!{a}",
    "{a} % 3",
    "{a} / {b}",
    "1 / {a}",
    "{a} && {b}",
    "{a} ? {b} : 0",
    "{a} + ''",
    "toNumber({a})",
    "toString({a})",
    "{a} < low",
    "{a} === word",
    "isNumber({a}) && isFinite({a})",
    "abs({a}) + floor({b})",
    "min({a}, {b}, 3)",
    "upper({a})",
    "length({a})",
    "{a} ? 'yes' : 'no'",
    "year({a})",
    "month({a}) + 1",
    "inrange({a}, [0, 3])",
    "indexof(['x', 'y', 1], {a}) >= 0",
)
SIGNALS: tuple[tuple[str, tuple[object, ...]], ...] = (("low", (0, 2.5, -1e9, "5")), ("word", ("x", "10", "", 1)))
"""The signals that expressions name, with values that they may have."""


def quoted(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def random_expression(random: Random, one: str, other: str, kinds: Mapping[str, str], calls: float = 0.2) -> str:
    """An expression over two fields, or calls over the fields of these kinds."""
    if random.random() < calls:
        text = random_call(random, kinds)
        if text is not None:
            return text
    return random.choice(_PLAIN).format(a=f"datum[{quoted(one)}]", b=f"datum[{quoted(other)}]")


def random_call(random: Random, kinds: Mapping[str, str]) -> str | None:
    """Calls whose fields fit; None for those that tell the time."""
    text = Calls(random).expression(2)
    if _CLOCK.search(text):
        return None

    def field(match: re.Match[str]) -> str:
        return f"datum[{quoted(_fitting(random, _KINDS[match[1]], kinds))}]"

    return _FIELD.sub(field, text)


def _fitting(random: Random, wanted: Sequence[str], kinds: Mapping[str, str]) -> str:
    fitting = [name for name, kind in kinds.items() if kind in wanted]
    return random.choice(fitting or [*kinds] or ["gone"])
