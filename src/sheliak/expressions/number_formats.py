"""Numbers as text by a specifier: `[[fill]align][sign][symbol][0][width][,][.precision][~][type]`, in the English locale.

type  d whole  f fixed  e exponent  g either  r significant digits  s with a prefix such as k  % and p percent
      b o x X other bases  c as it is  n like g with commas  (none, or an unknown letter: g with 12 digits, trimmed)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from math import isfinite, isnan
from typing import Final

from sheliak.expressions.arithmetic import rounded
from sheliak.expressions.numerals import number_text, text_number
from sheliak.expressions.texts import joined, length_of, units_of
from sheliak.expressions.values import EvaluationError, Value, to_number, to_text
from sheliak.expressions.zones import Zone

_SPECIFIER: Final = re.compile(
    r"(?:(?P<fill>[^\n\r\u2028\u2029])?(?P<align>[<>=^]))?(?P<sign>[+\-( ])?(?P<symbol>[$#])?(?P<zero>0)?(?P<width>[0-9]+)?"
    r"(?P<comma>,)?(?:\.(?P<precision>[0-9]+))?(?P<trim>~)?(?P<type>[a-zA-Z%])?"
)
_TYPES: Final = frozenset("%bcdefgoprsXx")
_PREFIXES: Final = ("y", "z", "a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y")
_MINUS: Final = "\u2212"
_WIDEST: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """A specifier with everything that it leaves out filled in."""

    fill: str
    align: str
    sign: str
    symbol: str
    zero: bool
    width: int
    comma: bool
    precision: int
    trim: bool
    type: str


@lru_cache(maxsize=1024)
def number_format(specifier: str) -> NumberFormat:
    """Raises EvaluationError for what is no specifier."""
    found = _SPECIFIER.fullmatch(units_of(specifier))
    if found is None:
        raise EvaluationError(f"invalid format: {specifier}")
    comma, trim, type_ = found["comma"] is not None, found["trim"] is not None, found["type"] or ""
    precision = None if found["precision"] is None else float(found["precision"])
    if type_ == "n":
        comma, type_ = True, "g"
    elif type_ not in _TYPES:
        precision, trim, type_ = 12.0 if precision is None else precision, True, "g"
    fill, align = found["fill"] or " ", found["align"] or ">"
    zero = found["zero"] is not None or (fill == "0" and align == "=")
    if zero:
        fill, align = "0", "="
    width = int(found["width"] or 0)
    if width > _WIDEST:
        raise EvaluationError(f"a text of more than {_WIDEST} characters is not made")
    digits = _digits(precision, type_)
    return NumberFormat(fill, align, found["sign"] or "-", found["symbol"] or "", zero, width, comma, digits, trim, type_)


def _digits(precision: float | None, type_: str) -> int:
    if precision is None:
        return 6
    low, high = (1, 21) if type_ in "gprs" else (0, 20)
    return int(max(low, min(high, precision)))


def formatted(value: Value, specifier: str, zone: Zone) -> str:
    """A value by a specifier; it is read as a number, unless the type is c."""
    form = number_format(specifier)
    prefix = "$" if form.symbol == "$" else f"0{form.type.lower()}" if form.symbol == "#" and form.type in "boxX" else ""
    suffix = "%" if form.type in "%p" and form.symbol != "$" else ""
    if form.type == "c":
        return _padded(form, prefix, "", to_text(value, zone) + suffix)
    return _formatted_number(form, to_number(value), prefix, suffix)


def _formatted_number(form: NumberFormat, number: float, prefix: str, suffix: str) -> str:
    negative = number < 0 or (number == 0 and str(number)[0] == "-")
    digits, unit = ("NaN", "") if isnan(number) else _written(form, abs(number))
    if form.trim:
        digits = _trimmed(digits)
    if negative and text_number(digits) == 0 and form.sign != "+":
        negative = False
    if negative:
        prefix = ("(" if form.sign == "(" else _MINUS) + prefix
    elif form.sign not in "-(":
        prefix = form.sign + prefix
    suffix = unit + suffix + (")" if negative and form.sign == "(" else "")
    if form.type in "defgprs%" and (rest := re.search("[^0-9]", digits)):
        digits, suffix = digits[: rest.start()], digits[rest.start() :] + suffix
    return _padded(form, prefix, digits, suffix)


def _padded(form: NumberFormat, prefix: str, digits: str, suffix: str) -> str:
    if form.comma and not form.zero:
        digits = _grouped(digits, None)
    length = length_of(prefix) + length_of(digits) + length_of(suffix)
    padding = form.fill * (form.width - length)
    if form.comma and form.zero:
        # The commas count too: zeros are filled in until the width is reached with them.
        digits = _grouped(padding + digits, form.width - length_of(suffix) if padding else None)
        padding = ""
    body = prefix + digits + suffix
    match form.align:
        case "<":
            text = body + padding
        case "=":
            text = prefix + padding + digits + suffix
        case "^":
            text = padding[: len(padding) // 2] + body + padding[len(padding) // 2 :]
        case _:
            text = padding + body
    return joined(text)


def _grouped(digits: str, width: int | None) -> str:
    """Commas between thousands; the text is cut to a width from its end."""
    groups, at, length, size = [], len(digits), 0, 3
    while at > 0:
        if width is not None and length + size + 1 > width:
            size = max(1, width - length)
        groups.append(digits[max(at - size, 0) : at])
        at -= size
        length += size + 1
        if width is not None and length > width:
            break
    return ",".join(reversed(groups))


def _trimmed(digits: str) -> str:
    """Without the zeros at the end of its fraction, and without a point then left alone."""
    found = re.match(r"([0-9]+)(\.[0-9]*?)0*(?=[^0-9]|\Z)", digits)
    if found is None:
        return digits
    fraction = "" if found[2] == "." else found[2]
    return found[1] + fraction + digits[found.end() :]


# The digits of a number that is not negative


def _written(form: NumberFormat, number: float) -> tuple[str, str]:
    """The digits by the format's type, and the prefix of a unit that type s puts behind them."""
    match form.type:
        case "s":
            return _with_prefix(number, form.precision)
        case "d":
            return _whole(number), ""
        case "f":
            return fixed(number, form.precision), ""
        case "%":
            return fixed(number * 100, form.precision), ""
        case "e":
            return exponential(number, form.precision), ""
        case "g":
            return precise(number, form.precision), ""
        case "r":
            return _significant(number, form.precision), ""
        case "p":
            return _significant(number * 100, form.precision), ""
        case _:
            return _in_base(number, form.type), ""


def _whole(number: float) -> str:
    number = rounded(number)
    if number < 1e21:
        return number_text(number)
    if not isfinite(number):
        return "∞"
    digits, exponent = decimal_parts(number, None) or ("", 0)
    return digits.ljust(exponent + 1, "0")


def _in_base(number: float, type_: str) -> str:
    if not isfinite(number):
        return "INFINITY" if type_ == "X" else "Infinity"
    return format(int(rounded(number)), type_)


def decimal_parts(number: float, digits: int | None) -> tuple[str, int] | None:
    """The decimal digits of a positive number, as many as asked for or as it takes, and its exponent; None for 0 and infinity."""
    if not isfinite(number) or number == 0:
        return None
    mantissa, _, exponent = exponential(number, None if digits is None else digits - 1).partition("e")
    return mantissa.replace(".", ""), int(exponent)


def _significant(number: float, digits: int) -> str:
    parts = decimal_parts(number, digits)
    if parts is None:
        return number_text(number)
    coefficient, exponent = parts
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + coefficient
    if len(coefficient) > exponent + 1:
        return f"{coefficient[: exponent + 1]}.{coefficient[exponent + 1 :]}"
    return coefficient.ljust(exponent + 1, "0")


def _with_prefix(number: float, digits: int) -> tuple[str, str]:
    parts = decimal_parts(number, digits)
    if parts is None:
        return precise(number, digits), ""
    coefficient, exponent = parts
    thousands = max(-8, min(8, exponent // 3))
    point = exponent - thousands * 3 + 1
    unit = _PREFIXES[8 + thousands]
    if point >= len(coefficient):
        return coefficient.ljust(point, "0"), unit
    if point > 0:
        return f"{coefficient[:point]}.{coefficient[point:]}", unit
    # Smaller than the smallest prefix: fewer digits are left of it.
    left = decimal_parts(number, max(0, digits + point - 1) or None)
    return "0." + "0" * -point + (left[0] if left else ""), unit


# JavaScript's own ways to write a number


def fixed(number: float, digits: int) -> str:
    """number.toFixed(digits); a half is rounded away from zero, by the number's exact value."""
    if not abs(number) < 1e21:
        return number_text(number)
    return f"{Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, _EXACT):f}"


_EXACT: Final = Context(prec=400)


def exponential(number: float, digits: int | None) -> str:
    """number.toExponential(digits), with as many digits as it takes if none are given."""
    if not isfinite(number):
        return number_text(number)
    if number == 0:
        return precise(number, (digits or 0) + 1) + "e+0"
    if digits is None:
        mantissa, _, exponent = f"{number!r}".partition("e")
        exact = Decimal(f"{mantissa}e{exponent or 0}").normalize()
        digits = max(0, len(exact.as_tuple().digits) - 1)
    else:
        exact = Context(prec=digits + 1, rounding=ROUND_HALF_UP).plus(Decimal(number))
    written, power = f"{exact:.{digits}e}".lower().split("e")
    return f"{written}e{int(power):+d}"


def precise(number: float, digits: int) -> str:
    """number.toPrecision(digits): plain for exponents from -6 to below the number of digits."""
    if not isfinite(number):
        return number_text(number)
    if number == 0:
        return "0." + "0" * (digits - 1) if digits > 1 else "0"
    written = exponential(number, digits - 1)
    power = int(written.partition("e")[2])
    if power < -6 or power >= digits:
        return written
    return f"{Context(prec=digits, rounding=ROUND_HALF_UP).plus(Decimal(number)):.{digits - 1 - power}f}"
