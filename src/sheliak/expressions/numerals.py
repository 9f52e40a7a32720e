"""How JavaScript writes a number as text, and reads one from it."""

from __future__ import annotations

import re
from math import inf, isinf, isnan, nan
from typing import Final


def number_text(value: float) -> str:
    """JavaScript's String(value): the shortest digits that read back as the same number.

    Plain digits for 1e-7 < |value| < 1e21, an exponent outside; no sign on zero.
    """
    if isnan(value):
        return "NaN"
    if isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == int(value) and abs(value) < 1e21:
        return str(int(value)) if abs(value) < 2**53 else _plain(value)
    return _plain(value)


def _plain(value: float) -> str:
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # The value is 0.digits x 10**point, whatever form Python chose.
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    return sign + _positioned(digits, point)


def _positioned(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{point - 1:+d}"


# What JavaScript's trim and number reading call space; Python's own list differs (it has U+001C to U+001F and U+0085, not U+FEFF).
SPACES: Final = (
    " \t\n\v\f\r\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_DECIMAL = r"[+-]?(?:Infinity|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
_PREFIXED = r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)"


def text_number(text: str) -> float:
    """JavaScript's Number(text): 0 for an empty text, NaN for what is no number."""
    text = text.strip(SPACES)
    if not text:
        return 0.0
    if re.fullmatch(_DECIMAL, text):
        return float(text)
    return prefixed_number(text) if re.fullmatch(_PREFIXED, text) else nan


def prefixed_number(digits: str) -> float:
    """The value of `0x...`, `0o...` or `0b...`; infinity beyond the largest number."""
    try:
        return float(int(digits, 0))
    except OverflowError:
        return inf
