"""How JavaScript writes a number as text."""

from __future__ import annotations

from math import isinf, isnan


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
