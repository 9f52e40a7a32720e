"""How JavaScript writes a number."""

from __future__ import annotations

import math


def number_text(x: float) -> str:
    """The shortest digits that read back as x; an exponent from 1e21 up and below 1e-6; −0 is "0"."""
    if not math.isfinite(x):
        return "NaN" if math.isnan(x) else "Infinity" if x > 0 else "-Infinity"
    if x == 0:
        return "0"
    mantissa, _, exponent = f"{abs(x)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(digits) - len(fraction) + int(exponent or 0)  # x = 0.digits × 10^point
    return ("-" if x < 0 else "") + _placed(digits.rstrip("0"), point)


def _placed(digits: str, point: int) -> str:
    n = len(digits)
    if n <= point <= 21:
        return digits + "0" * (point - n)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    fraction = f".{digits[1:]}" if n > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"
