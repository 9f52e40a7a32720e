"""Sines, tangents and their inverses to the last bit as JavaScript engines compute them.

By the method of Sun's fdlibm: see `elementary_powers`. Arguments here are finite; `arithmetic` deals with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import copysign, nan, sqrt
from typing import Final

from sheliak.expressions.elementary_powers import high_word, rough

_PI: Final = 3.141592653589793
_PI_LOW: Final = 1.2246467991473531772e-16
_HALF_PI: Final = 1.57079632679489655800e00
_HALF_PI_LOW: Final = 6.12323399573676603587e-17
_QUARTER_PI: Final = 7.85398163397448278999e-01
_QUARTER_PI_LOW: Final = 3.06161699786838301793e-17


def _polynomial(x: float, coefficients: Sequence[float]) -> float:
    """The highest power first."""
    value = coefficients[0]
    for coefficient in coefficients[1:]:
        value = coefficient + x * value
    return value


# Into the range from -π/4 to π/4

_PARTS: Final = (
    (1.57079632673412561417e00, 6.07710050650619224932e-11),
    (6.07710050630396597660e-11, 2.02226624879595063154e-21),
    (2.02226624871116645580e-21, 8.47842766036889956997e-32),
)
"""π/2 in parts of 33 bits, each with what is left below it."""


def _reduced(x: float) -> tuple[int, float, float]:
    """How many times π/2 to take off, and what remains, as a number and a correction."""
    size = high_word(abs(x))
    if size <= 0x3FE9_21FB:
        return 0, x, 0.0
    if size < 0x4002_D97C:
        n, main, rest = _near_half_pi(abs(x), size)
    elif size <= 0x4139_21FB:
        n, main, rest = _medium(abs(x), size)
    else:
        n, main, rest = _huge(abs(x))
    return (n, main, rest) if x > 0 else (-n, -main, -rest)


def _near_half_pi(x: float, size: int) -> tuple[int, float, float]:
    z, left = x - _PARTS[0][0], _PARTS[0][1]
    if size == 0x3FF9_21FB:  # so near that 33 more bits of π are needed
        z, left = z - _PARTS[1][0], _PARTS[1][1]
    main = z - left
    return 1, main, (z - main) - left


def _medium(x: float, size: int) -> tuple[int, float, float]:
    n = int(x * 6.36619772367581382433e-01 + 0.5)
    r, w = x - n * _PARTS[0][0], n * _PARTS[0][1]
    main = r - w
    for lost, (high, low) in zip((16, 49), _PARTS[1:], strict=True):
        if (size >> 20) - (high_word(main) >> 20 & 0x7FF) <= lost:
            break
        before = r
        w = n * high
        r = before - w
        w = n * low - ((before - r) - w)
        main = r - w
    return n, main, (r - main) - w


def _huge(x: float) -> tuple[int, float, float]:
    """By exact arithmetic on whole numbers, with π to 1 300 bits."""
    numerator, denominator = x.as_integer_ratio()
    half_pi = _half_pi_by_2_to_1300()
    scaled = (numerator << 1300) // denominator
    n, rest = divmod(scaled, half_pi)
    if 2 * rest > half_pi:
        n, rest = n + 1, rest - half_pi
    main = rest / (1 << 1300)
    top, bottom = main.as_integer_ratio()
    return int(n & 3), main, (rest - (top << 1300) // bottom) / (1 << 1300)


@cache
def _half_pi_by_2_to_1300() -> int:
    """π/2 · 2**1300, by Machin's formula."""
    unit = 1 << 1340

    def arctangent_of_one_by(number: int) -> int:
        term = total = unit // number
        k, sign = 3, -1
        while term := term // (number * number):
            total += sign * (term // k)
            k, sign = k + 2, -sign
        return total

    return 2 * (4 * arctangent_of_one_by(5) - arctangent_of_one_by(239)) >> 40


# Sine, cosine, tangent

_SINE: Final = (
    1.58969099521155010221e-10,
    -2.50507602534068634195e-08,
    2.75573137070700676789e-06,
    -1.98412698298579493134e-04,
    8.33333333332248946124e-03,
)
_SINE_FIRST: Final = -1.66666666666666324348e-01
_COSINE: Final = (
    *(-1.13596475577881948265e-11, 2.08757232129817482790e-09, -2.75573143513906633035e-07, 2.48015872894767294178e-05),
    *(-1.38888888888741095749e-03, 4.16666666666666019037e-02),
)
_TANGENT: Final = (
    *(3.33333333333334091986e-01, 1.33333333333201242699e-01, 5.39682539762260521377e-02, 2.18694882948595424599e-02),
    *(8.86323982359930005737e-03, 3.59207910759131235356e-03, 1.45620945432529025516e-03, 5.88041240820264096874e-04),
    *(2.46463134818469906812e-04, 7.81794442939557092300e-05, 7.14072491382608190305e-05, -1.85586374855275456654e-05),
    2.59073051863633712884e-05,
)


def sin(x: float) -> float:
    n, main, rest = _reduced(x)
    value = _cosine(main, rest) if n & 1 else _sine(main, rest, n != 0 or rest != 0)
    return -value if n & 2 else value


def cos(x: float) -> float:
    n, main, rest = _reduced(x)
    value = _sine(main, rest, True) if n & 1 else _cosine(main, rest)
    return -value if n + 1 & 2 else value


def tan(x: float) -> float:
    n, main, rest = _reduced(x)
    return _tangent(main, rest, bool(n & 1))


def _sine(x: float, rest: float, corrected: bool) -> float:
    if high_word(abs(x)) < 0x3E40_0000:
        return x
    z = x * x
    v = z * x
    r = _polynomial(z, _SINE)
    if not corrected:
        return x + v * (_SINE_FIRST + z * r)
    return x - ((z * (0.5 * rest - v * r) - rest) - v * _SINE_FIRST)


def _cosine(x: float, rest: float) -> float:
    size = high_word(abs(x))
    if size < 0x3E40_0000:
        return 1.0
    z = x * x
    r = z * _polynomial(z, _COSINE)
    if size < 0x3FD3_3333:
        return 1.0 - (0.5 * z - (z * r - x * rest))
    quarter = 0.28125 if size > 0x3FE9_0000 else rough(abs(x)) / 4
    return (1.0 - quarter) - ((0.5 * z - quarter) - (z * r - x * rest))


def _tangent(x: float, rest: float, inverted: bool) -> float:
    """The tangent, or minus its inverse."""
    size, negative = high_word(abs(x)), x < 0
    if size < 0x3E30_0000:
        return _small_tangent(x, rest, inverted)
    large = size >= 0x3FE5_9428
    if large:
        x, rest = (-x, -rest) if negative else (x, rest)
        x, rest = (_QUARTER_PI - x) + (_QUARTER_PI_LOW - rest), 0.0
    z = x * x
    w = z * z
    odd = _polynomial(w, _TANGENT[11:0:-2])
    even = z * _polynomial(w, _TANGENT[12:1:-2])
    s = z * x
    r = rest + z * (s * (odd + even) + rest)
    r += _TANGENT[0] * s
    w = x + r
    if large:
        v = -1.0 if inverted else 1.0
        return (-1 if negative else 1) * (v - 2.0 * (x - (w * w / (w + v) - r)))
    return _minus_inverse(w, r - (rough(w) - x)) if inverted else w


def _small_tangent(x: float, rest: float, inverted: bool) -> float:
    if not inverted:
        return x
    w = x + rest
    return _minus_inverse(w, rest - (rough(w) - x))


def _minus_inverse(w: float, v: float) -> float:
    """-1 / w, where v is what w lacks beyond its rough part."""
    a = -1.0 / w
    t = rough(a)
    return t + a * ((1.0 + t * rough(w)) + t * v)


# Inverses

_ARC_P: Final = (
    *(3.47933107596021167570e-05, 7.91534994289814532176e-04, -4.00555345006794114027e-02, 2.01212532134862925881e-01),
    *(-3.25565818622400915405e-01, 1.66666666666666657415e-01),
)
_ARC_Q: Final = (
    7.70381505559019352791e-02,
    -6.88283971605453293030e-01,
    2.02094576023350569471e00,
    -2.40339491173441421878e00,
    1.0,
)


def _arc(t: float) -> float:
    return t * _polynomial(t, _ARC_P) / _polynomial(t, _ARC_Q)


def asin(x: float) -> float:
    size = abs(x)
    if size >= 1:
        return x * _HALF_PI + x * _HALF_PI_LOW if size == 1 else nan
    if size < 0.5:
        return x if size < 2.0**-26 else x + x * _arc(x * x)
    t = (1.0 - size) * 0.5
    s = sqrt(t)
    if high_word(size) >= 0x3FEF_3333:
        value = _HALF_PI - (2.0 * (s + s * _arc(t)) - _HALF_PI_LOW)
    else:
        w = rough(s)
        c = (t - w * w) / (s + w)
        value = _QUARTER_PI - ((2.0 * s * _arc(t) - (_HALF_PI_LOW - 2.0 * c)) - (_QUARTER_PI - 2.0 * w))
    return copysign(value, x)


def acos(x: float) -> float:
    size = abs(x)
    if size >= 1:
        return 0.0 if x == 1 else _PI + 2.0 * _HALF_PI_LOW if x == -1 else nan
    if size < 0.5:
        return _HALF_PI + _HALF_PI_LOW if size < 2.0**-57 else _HALF_PI - (x - (_HALF_PI_LOW - x * _arc(x * x)))
    z = (1.0 - size) * 0.5
    s = sqrt(z)
    if x < 0:
        return _PI - 2.0 * (s + (_arc(z) * s - _HALF_PI_LOW))
    w = rough(s)
    return 2.0 * (w + (_arc(z) * s + (z - w * w) / (s + w)))


_ATAN: Final = (
    *(3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01, -1.11111104054623557880e-01),
    *(9.09088713343650656196e-02, -7.69187620504482999495e-02, 6.66107313738753120669e-02, -5.83357013379057348645e-02),
    *(4.97687799461593236017e-02, -3.65315727442169155270e-02, 1.62858201153657823623e-02),
)
_ATAN_AT: Final = (
    (4.63647609000806093515e-01, 2.26987774529616870924e-17),
    (_QUARTER_PI, _QUARTER_PI_LOW),
    (9.82793723247329054082e-01, 1.39033110312309984516e-17),
    (_HALF_PI, _HALF_PI_LOW),
)
"""The arc tangents of 1/2, 1, 3/2 and infinity, each with the rest."""


def atan(x: float) -> float:
    size = high_word(abs(x))
    if size >= 0x4410_0000:
        return copysign(_HALF_PI + _HALF_PI_LOW, x)
    if size < 0x3FDC_0000:
        return x if size < 0x3E40_0000 else x - x * _atan_rest(x)
    (high, low), t = _nearest(abs(x), size)
    return copysign(high - ((t * _atan_rest(t) - low) - t), x)


def _nearest(x: float, size: int) -> tuple[tuple[float, float], float]:
    if size < 0x3FE6_0000:
        return _ATAN_AT[0], (2.0 * x - 1.0) / (2.0 + x)
    if size < 0x3FF3_0000:
        return _ATAN_AT[1], (x - 1.0) / (x + 1.0)
    if size < 0x4003_8000:
        return _ATAN_AT[2], (x - 1.5) / (1.0 + 1.5 * x)
    return _ATAN_AT[3], -1.0 / x


def _atan_rest(x: float) -> float:
    z = x * x
    w = z * z
    return z * _polynomial(w, _ATAN[10::-2]) + w * _polynomial(w, _ATAN[9::-2])


def atan2(y: float, x: float) -> float:
    """The angle of the point (x, y), neither of them infinite or zero."""
    if x == 1:
        return atan(y)
    scale = high_word(abs(y)) - high_word(abs(x)) >> 20
    if scale > 60:
        return copysign(_HALF_PI + 0.5 * _PI_LOW, y)
    angle = 0.0 if x < 0 and scale < -60 else atan(abs(y / x))
    return copysign(angle if x > 0 else _PI - (angle - _PI_LOW), y)
