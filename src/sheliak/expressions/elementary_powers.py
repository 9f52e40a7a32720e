"""Exponentials, logarithms and powers to the last bit as JavaScript engines compute them.

They use the method of Sun's fdlibm, whose results are within one unit of the last place but not always the nearest number, as those
of Python's library mostly are. A number is brought into a small range by whole powers of 2, and a polynomial does the rest; the
order of the operations is part of the result. Arguments here are finite; `arithmetic` deals with the others.
"""

from __future__ import annotations

import struct
from math import frexp, inf, ldexp, sqrt
from typing import Final

_LN2_HIGH: Final = 6.93147180369123816490e-01
_LN2_LOW: Final = 1.90821492927058770002e-10
_ONE_BY_LN2: Final = 1.44269504088896338700e00


def high_word(x: float) -> int:
    """The upper half of a number's bits, with its sign as that of an integer."""
    word: int = struct.unpack(">i", struct.pack(">d", x)[:4])[0]
    return word


def with_high_word(x: float, word: int) -> float:
    """The number with other upper bits."""
    number: float = struct.unpack(">d", struct.pack(">I", word & 0xFFFF_FFFF) + struct.pack(">d", x)[4:])[0]
    return number


def rough(x: float) -> float:
    """The number without the lower half of its bits, so that a product of two such is exact."""
    number: float = struct.unpack(">d", struct.pack(">d", x)[:4] + b"\0\0\0\0")[0]
    return number


def log(x: float) -> float:
    """The natural logarithm of a positive number: x = 2**k (1 + f), with 1 + f between √2/2 and √2."""
    fraction, exponent = frexp(x)
    k, mantissa = exponent - 1, high_word(fraction) & 0xF_FFFF
    up = mantissa + 0x9_5F64 & 0x10_0000
    k += up >> 20
    f = fraction * (1.0 if up else 2.0) - 1.0
    low, high = k * _LN2_LOW, k * _LN2_HIGH
    if 2 + mantissa & 0xF_FFFF < 3:  # |f| is below 2**-20
        if f == 0:
            return high + low if k else 0.0
        square = f * f * (0.5 - 0.33333333333333333 * f)
        return high - ((square - low) - f) if k else f - square
    s = f / (2.0 + f)
    rest = _log_rest(s * s)
    if (mantissa - 0x6_147A) | (0x6_B851 - mantissa) > 0:
        half = 0.5 * f * f
        return high - ((half - (s * (half + rest) + low)) - f) if k else f - (half - s * (half + rest))
    return high - ((s * (f - rest) - low) - f) if k else f - s * (f - rest)


def _log_rest(z: float) -> float:
    w = z * z
    even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    odd = 1.818357216161805012e-01 + w * 1.479819860511658591e-01
    return z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + w * odd)) + even


def log1p(x: float) -> float:
    """log(1 + x) for x > -1, exact also where x is small."""
    word = high_word(x)
    size = word & 0x7FFF_FFFF
    k, f, c, mantissa = 1, 0.0, 0.0, 1
    if word < 0x3FDA_827A:  # x is below √2 - 1
        if size < 0x3E20_0000:
            return x if size < 0x3C90_0000 else x - x * x * 0.5
        if word > 0 or word <= 0xBFD2_BEC4 - 2**32:
            k, f = 0, x
    if k:
        k, f, c, mantissa = _log1p_parts(x, word)
    half = 0.5 * f * f
    low, high = k * _LN2_LOW + c, k * _LN2_HIGH
    if mantissa == 0:
        if f == 0:
            return high + low if k else 0.0
        square = half * (1.0 - 0.66666666666666666 * f)
        return high - ((square - low) - f) if k else f - square
    s = f / (2.0 + f)
    rest = _log1p_rest(s * s)
    return high - ((half - (s * (half + rest) + low)) - f) if k else f - (half - s * (half + rest))


def _log1p_parts(x: float, word: int) -> tuple[int, float, float, int]:
    """1 + x as 2**k (1 + f), with the correction c for what was lost by adding 1."""
    u = 1.0 + x if word < 0x4340_0000 else x
    mantissa = high_word(u)
    k = (mantissa >> 20) - 1023
    c = 0.0
    if word < 0x4340_0000:
        c = (1.0 - (u - x) if k > 0 else x - (u - 1.0)) / u
    mantissa &= 0xF_FFFF
    if mantissa < 0x6_A09E:
        u = with_high_word(u, mantissa | 0x3FF0_0000)
    else:
        k += 1
        u = with_high_word(u, mantissa | 0x3FE0_0000)
        mantissa = 0x10_0000 - mantissa >> 2
    return k, u - 1.0, c, mantissa


def _log1p_rest(z: float) -> float:
    tail = 1.818357216161805012e-01 + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01)
    middle = 2.857142874366239149e-01 + z * (2.222219843214978396e-01 + z * tail)
    return z * (6.666666666666735130e-01 + z * (3.999999999940941908e-01 + z * middle))


def exp(x: float) -> float:
    """e to the power x: x = k ln 2 + r with |r| at most half of ln 2."""
    if x > 7.09782712893383973096e02:
        return inf
    if x < -7.45133219101941108420e02:
        return 0.0
    if x == 1.0:
        return 2.718281828459045
    size = high_word(abs(x))
    k, high, low = 0, x, 0.0
    if size > 0x3FD6_2E42:
        k = (1 if x > 0 else -1) if size < 0x3FF0_A2B2 else int(_ONE_BY_LN2 * x + (0.5 if x > 0 else -0.5))
        high, low = x - k * _LN2_HIGH, k * _LN2_LOW
    elif size < 0x3E30_0000:
        return 1.0 + x
    r = high - low
    c = r - _exp_rest(r * r)
    if k == 0:
        return 1.0 - ((r * c) / (c - 2.0) - r)
    y = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    return ldexp(y, k)


def _exp_rest(t: float) -> float:
    tail = 6.61375632143793436117e-05 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08)
    return t * (1.66666666666666019037e-01 + t * (-2.77777777770155933842e-03 + t * tail))


def expm1(x: float) -> float:
    """exp(x) - 1, exact also where x is small."""
    size = high_word(abs(x))
    if size >= 0x4043_687A:  # |x| is at least 56 ln 2
        if x > 7.09782712893383973096e02:
            return inf
        if x < 0:
            return -1.0
    if size <= 0x3FD6_2E42:
        return x if size < 0x3C90_0000 else _expm1_of(x, 0, 0.0)
    k = (1 if x > 0 else -1) if size < 0x3FF0_A2B2 else int(_ONE_BY_LN2 * x + (0.5 if x > 0 else -0.5))
    high, low = x - k * _LN2_HIGH, k * _LN2_LOW
    r = high - low
    return _expm1_of(r, k, (high - r) - low)


def _expm1_of(x: float, k: int, c: float) -> float:
    half = 0.5 * x
    square = x * half
    tail = -7.93650757867487942473e-05 + square * (4.00821782732936239552e-06 + square * -2.01099218183624371326e-07)
    r = 1.0 + square * (-3.33333333333331316428e-02 + square * (1.58730158725481460165e-03 + square * tail))
    t = 3.0 - r * half
    e = square * ((r - t) / (6.0 - x * t))
    if k == 0:
        return x - (x * e - square)
    e = x * (e - c) - c - square
    if k == -1:
        return 0.5 * (x - e) - 0.5
    if k == 1:
        return -2.0 * (e - (x + 0.5)) if x < -0.25 else 1.0 + 2.0 * (x - e)
    if k <= -2 or k > 56:
        return ldexp(1.0 - (e - x), k) - 1.0
    if k < 20:
        return ldexp((1.0 - ldexp(1.0, -k)) - (e - x), k)
    return ldexp((x - (e + ldexp(1.0, -k))) + 1.0, k)


def power(x: float, y: float) -> float:
    """x ** y for a positive x other than 1 and a y other than 0: 2 to the power y log₂ x, with log₂ x in two parts."""
    if y in (1.0, 2.0, -1.0, 0.5):
        return {1.0: x, 2.0: x * x, -1.0: 1.0 / x, 0.5: sqrt(x)}[y]
    if abs(y) > 2.0**31:
        if abs(y) > 2.0**64 or high_word(x) < 0x3FEF_FFFF or high_word(x) > 0x3FF0_0000:
            return inf if (x > 1) == (y > 0) else 0.0
        main, rest = _log2_near_one(x)
    else:
        main, rest = _log2(x)
    y_high = rough(y)
    low = (y - y_high) * main + y * rest
    return _power_of_two(y_high * main, low)


_LG_CP: Final = 9.61796693925975554329e-01  # 2 / (3 ln 2), and its upper and lower part
_LG_CP_HIGH: Final = 9.61796700954437255859e-01
_LG_CP_LOW: Final = -7.02846165095275826516e-09


def _log2_near_one(x: float) -> tuple[float, float]:
    """log₂ x for an x so near to 1 that the first terms of its series do."""
    t = x - 1.0
    w = (t * t) * (0.5 - t * (0.3333333333333333333333 - t * 0.25))
    u = 1.44269502162933349609e00 * t
    v = t * 1.92596299112661746887e-08 - w * _ONE_BY_LN2
    main = rough(u + v)
    return main, v - (main - u)


def _log2(x: float) -> tuple[float, float]:
    """log₂ x as a rough number and the rest: x = 2**n a, with a near to 1 or near to 3/2."""
    fraction, exponent = frexp(x)
    n, mantissa = exponent - 1, high_word(fraction) & 0xF_FFFF
    a = fraction * 2.0
    centre = 1.0
    if 0x3_988E < mantissa < 0xB_B67A:
        centre = 1.5
    elif mantissa >= 0xB_B67A:
        n, a = n + 1, fraction
    near = centre == 1.5
    u, v = a - centre, 1.0 / (a + centre)
    s = u * v
    s_high = rough(s)
    t_high = with_high_word(0.0, (high_word(a) >> 1 | 0x2000_0000) + 0x8_0000 + (near << 18))
    t_low = a - (t_high - centre)
    s_low = v * ((u - s_high * t_high) - s_high * t_low)
    square = s * s
    r = square * square * _log2_rest(square) + s_low * (s_high + s)
    square = s_high * s_high
    t_high = rough(3.0 + square + r)
    t_low = r - ((t_high - 3.0) - square)
    u, v = s_high * t_high, s_low * t_high + t_low * s
    p_high = rough(u + v)
    p_low = v - (p_high - u)
    z_high = _LG_CP_HIGH * p_high
    z_low = _LG_CP_LOW * p_high + p_low * _LG_CP + (1.35003920212974897128e-08 if near else 0.0)
    offset = 5.84962487220764160156e-01 if near else 0.0
    main = rough(((z_high + z_low) + offset) + n)
    return main, z_low - (((main - n) - offset) - z_high)


def _log2_rest(square: float) -> float:
    tail = 2.72728123808534006489e-01 + square * (2.30660745775561754067e-01 + square * 2.06975017800338417784e-01)
    middle = 4.28571428578550184252e-01 + square * (3.33333329818377432918e-01 + square * tail)
    return 5.99999999999994648725e-01 + square * middle


def _power_of_two(high: float, low: float) -> float:
    """2 ** (high + low)."""
    z = low + high
    if z > 1024 or (z == 1024 and low + 8.0085662595372944372e-17 > z - high):
        return inf
    if z < -1075 or (z == -1075 and low <= z - high):
        return 0.0
    word = high_word(z)
    size = word & 0x7FFF_FFFF
    n = 0
    if size > 0x3FE0_0000:  # |z| is above 1/2: split off the nearest whole number
        n = word + (0x10_0000 >> (size >> 20) - 0x3FF + 1)
        k = ((n & 0x7FFF_FFFF) >> 20) - 0x3FF
        high -= with_high_word(0.0, n & ~(0xF_FFFF >> k))
        n = ((n & 0xF_FFFF) | 0x10_0000) >> (20 - k)
        n = -n if word < 0 else n
    t = rough(low + high)
    u = t * 6.93147182464599609375e-01
    v = (low - (t - high)) * 6.93147180559945286227e-01 + t * -1.90465429995776804525e-09
    z = u + v
    w = v - (z - u)
    c = z - _exp_rest(z * z)
    # The correction w belongs behind the quotient; the engine of node and Chrome has it in the divisor, and so its last bits.
    r = (z * c) / ((c - 2.0) - (w + z * w))
    return ldexp(1.0 - (r - z), n)
