"""JavaScript's operators and conversions on columns. Nothing here raises, in ANSI mode or not, or reads a session setting.

Numbers are doubles, dates doubles of milliseconds. A mixed column is a struct: `t` 0 undefined, 1 null, 2 boolean, 3 number, 4 text,
5 date; `n` the number (a boolean is 0 or 1), `s` the text. Operands are there unless an operation says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan, pi
from typing import TYPE_CHECKING

from sheliak.engines.spark.lazy_functions import F

if TYPE_CHECKING:
    from pyspark.sql import Column

TAGS = {"undefined": 0, "null": 1, "boolean": 2, "number": 3, "text": 4, "date": 5}
_BLANK = "[\\t\\n\\x0b\\f\\r \\u00a0\\ufeff\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"
_DECIMAL = "^[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"


def let(value: Column, body: Callable[[Column], Column]) -> Column:
    """The body over a value that is computed once."""
    return F.get(F.transform(F.array(value), body), F.lit(0))


def number(value: float) -> Column:
    return F.lit(float(value))


def is_nan(x: Column) -> Column:
    """Never NULL: Spark's answer for a number that is missing is false."""
    return F.isnan(x)


# Arithmetic on doubles that are there


def divide(x: Column, y: Column) -> Column:
    # Under ANSI a division by zero raises; a power of -1 has the infinity or NaN, and the sign, that JavaScript gives.
    return F.when(y == 0.0, x * F.pow(y, F.lit(-1.0))).otherwise(F.try_divide(x, y))


def remainder(x: Column, y: Column) -> Column:
    return F.coalesce(F.try_mod(x, y), number(nan))


def power(x: Column, y: Column) -> Column:
    return F.when((F.abs(x) == 1.0) & (F.abs(y) == inf), number(nan)).otherwise(F.pow(x, y))


def arc_tangent(y: Column, x: Column) -> Column:
    """The angle of a point; Spark takes -0 for 0, which is on the other side of the cut."""
    is_left = (x < 0.0) | ((x == 0.0) & (F.pow(x, F.lit(-1.0)) < 0.0))
    angle = F.when(is_left, number(pi)).otherwise(number(0.0))
    return F.when((y == 0.0) & ~F.isnan(x), F.when(F.pow(y, F.lit(-1.0)) < 0.0, -angle).otherwise(angle)).otherwise(F.atan2(y, x))


_ALL_WHOLE = 4503599627370496.0
"""From here on every number is whole."""


def _whole(rounded: Callable[[Column], Column], x: Column) -> Column:
    """A number rounded by a function that gives a bigint; numbers that are too great for one are whole, NaN stays."""
    return F.coalesce(rounded(F.when(F.abs(x) < _ALL_WHOLE, x)).cast("double"), x)


def truncated(x: Column) -> Column:
    """Without its fraction; NaN and the infinities stay."""
    return _whole(lambda small: small.cast("bigint"), x)


def integer(x: Column) -> Column:
    """ToIntegerOrInfinity: 0 for NaN."""
    return F.nanvl(truncated(x), number(0.0))


def floor(x: Column) -> Column:
    return _whole(lambda small: F.floor(small), x)


def ceil(x: Column) -> Column:
    return _whole(lambda small: F.ceil(small), x)


def rounded(x: Column) -> Column:
    """Half up, towards infinity. Adding 0.5 first would round 0.49999999999999994 up: twice the number has no such neighbour."""
    return _whole(lambda small: F.ceil(F.floor(small * 2.0) / 2.0), x)


def logarithm(x: Column) -> Column:
    return F.when(x > 0.0, F.log(x)).when(x == 0.0, number(-inf)).otherwise(number(nan))


def root(x: Column) -> Column:
    return F.sqrt(x)


def greatest(*xs: Column) -> Column:
    """Math.max: Spark takes NaN for the greatest number, which is what JavaScript answers."""
    return F.greatest(*xs)


def least(*xs: Column) -> Column:
    """Math.min: NaN if one is."""
    return -F.greatest(*(-x for x in xs))


def hypotenuse(*xs: Column) -> Column:
    if len(xs) == 1:
        return F.abs(xs[0])
    infinite = F.lit(False)
    total = F.hypot(xs[0], xs[1])
    for x in xs:
        infinite = infinite | (F.abs(x) == inf)
    for x in xs[2:]:
        total = F.hypot(total, x)
    return F.when(infinite, number(inf)).otherwise(total)


def bin_number(x: Column, start: float, stop: float, step: float) -> Column:
    """The number of the bin that holds a number, as a bigint; the last bin holds its end."""
    inside = F.greatest(number(start), F.least(x, number(stop - step)))
    # A number this close below a bin's start belongs to it: floating point brought it there.
    return F.floor((inside - start) / step + 1e-14)


def bin_start(x: Column, start: float, stop: float, step: float) -> Column:
    """The start of a number's bin: infinite outside of all bins."""
    place = bin_number(x, start, stop, step).cast("double") * step + start
    return F.when(F.isnan(x), x).when(x < start, number(-inf)).when(x > stop, number(inf)).otherwise(place)


# Bits


def int32(x: Column) -> Column:
    """ToInt32, as a bigint."""
    whole = F.coalesce(F.try_mod(truncated(x), F.lit(4294967296.0)), number(0.0))
    bits = F.coalesce(F.nanvl(whole, number(0.0)).try_cast("bigint"), F.lit(0).cast("bigint"))
    positive = F.pmod(bits, F.lit(4294967296))
    return F.when(positive >= 2147483648, positive - F.lit(4294967296)).otherwise(positive)


def bits(operation: Callable[[Column, Column], Column]) -> Callable[[Column, Column], Column]:
    return lambda x, y: operation(int32(x), int32(y)).cast("double")


def _shift(y: Column) -> Column:
    return F.pmod(int32(y), F.lit(32)).cast("int")


def shifted_left(x: Column, y: Column) -> Column:
    # The factor is at most 2^31, the number at most 2^31 in size: the product stays within a bigint and is cut to 32 bits again.
    product = int32(x) * _two_to(_shift(y))
    return int32(product.cast("double")).cast("double")


def _two_to(exponent: Column) -> Column:
    return F.pow(F.lit(2.0), exponent.cast("double")).cast("bigint")


def shifted_right(x: Column, y: Column) -> Column:
    return F.floor(int32(x).cast("double") / F.pow(F.lit(2.0), _shift(y).cast("double"))).cast("double")


def shifted_right_unsigned(x: Column, y: Column) -> Column:
    positive = F.pmod(int32(x), F.lit(4294967296))
    return F.floor(positive.cast("double") / F.pow(F.lit(2.0), _shift(y).cast("double"))).cast("double")


# Comparisons; where an operand is missing the answer is NULL


def less(x: Column, y: Column) -> Column:
    # Spark takes NaN for the greatest number and equal to itself.
    return (x < y) & ~F.isnan(y)


def less_or_equal(x: Column, y: Column) -> Column:
    return (x <= y) & ~F.isnan(y)


def equal(x: Column, y: Column) -> Column:
    return (x == y) & ~F.isnan(x)


def utf16(s: Column) -> Column:
    """Text as bytes whose order is that of its UTF-16 units."""
    return F.encode(s, "UTF-16BE")


def text_less(a: Column, b: Column) -> Column:
    return utf16(a) < utf16(b)


def text_less_or_equal(a: Column, b: Column) -> Column:
    return utf16(a) <= utf16(b)


# Text and numbers


def trimmed(s: Column) -> Column:
    """Without the white space of JavaScript at both ends."""
    return F.regexp_replace(s, f"^{_BLANK}+|{_BLANK}+$", "")


def text_number(s: Column) -> Column:
    """Number(text); NULL where it is missing."""
    return F.when(s.rlike(_DECIMAL), s.try_cast("double")).when(s.isNotNull(), let(trimmed(s), _odd_number))


def _odd_number(s: Column) -> Column:
    sign = F.when(s.startswith("-"), number(-1.0)).otherwise(number(1.0))
    result = F.when(s == "", number(0.0)).when(s.rlike(_DECIMAL), s.try_cast("double"))
    result = result.when(s.rlike("^[+-]?Infinity$"), sign * inf)
    for prefix, digits, base in (("[xX]", "[0-9a-fA-F]{1,16}", 16), ("[oO]", "[0-7]{1,21}", 8), ("[bB]", "[01]{1,64}", 2)):
        written = F.conv(F.substring(s, 3, 1_000_000), base, 10).try_cast("double")
        result = result.when(s.rlike(f"^0{prefix}0*{digits}$"), written)
    return F.coalesce(result.otherwise(number(nan)), number(nan))


def number_text(x: Column) -> Column:
    """String(number): the shortest digits that read back as the number, laid out as JavaScript does. NULL where it is missing."""
    whole = x.try_cast("bigint")
    small = (F.abs(x) < 1e15) & (whole.cast("double") == x)
    return (
        F.when(F.isnan(x), "NaN")
        .when(small, whole.cast("string"))
        .when(x == inf, "Infinity")
        .when(x == -inf, "-Infinity")
        .when(F.abs(x) == 5e-324, F.when(x < 0, "-5e-324").otherwise("5e-324"))  # where Java insists on a second digit
        .when(F.abs(x) == 1e-323, F.when(x < 0, "-1e-323").otherwise("1e-323"))
        .when(x.isNotNull(), F.concat(F.when(x < 0, "-").otherwise(""), _magnitude_text(F.abs(x))))
    )


def _magnitude_text(x: Column) -> Column:
    java = F.regexp_replace(x.cast("string"), "[.]0(?=E|$)", "")
    return let(F.struct(x.alias("x"), java.alias("r")), lambda q: _laid_out(q["x"], q["r"]))


def _laid_out(x: Column, java: Column) -> Column:
    digits = F.regexp_replace(F.regexp_replace(F.substring_index(java, "E", 1), "[.]", ""), "^0+", "")
    exponent = F.when(F.instr(java, "E") > 0, F.substring_index(java, "E", -1).try_cast("int"))
    exponent = F.coalesce(exponent, _plain_exponent(java))
    return let(F.struct(x.alias("x"), digits.alias("d"), exponent.alias("e")), lambda q: _shortest(q["x"], q["d"], q["e"]))


def _plain_exponent(java: Column) -> Column:
    """The power of ten of the first digit of a number that Java wrote without one."""
    whole = F.substring_index(java, ".", 1)
    zeros = F.length(F.regexp_extract(java, "^0[.](0*)", 1))
    return F.when(whole == "0", -1 - zeros).otherwise(F.length(whole) - 1)


def _shortest(x: Column, digits: Column, exponent: Column) -> Column:
    # Java before 19 sometimes writes one digit more than is needed: try with one less, and then to lay it out.
    less_digits = F.length(digits) - 1
    scaled = F.substring(digits, 1, 1_000_000).try_cast("decimal(20,0)")
    down = F.floor(scaled / 10).cast("decimal(20,0)")
    candidates = [down.cast("string"), (down + 1).cast("string")]
    found = digits
    for candidate in candidates:
        written = F.concat(candidate, F.lit("E"), (exponent - less_digits + 1).cast("string"))
        fits = (F.length(digits) >= 16) & (F.length(candidate) == less_digits) & (written.try_cast("double") == x)
        found = F.when(F.coalesce(fits, F.lit(False)), candidate).otherwise(found)
    shortest = F.regexp_replace(found, "0+$", "")
    return let(F.struct(shortest.alias("d"), exponent.alias("e")), lambda q: _positioned(q["d"], q["e"]))


def _positioned(digits: Column, exponent: Column) -> Column:
    """Digits whose first has a power of ten, as JavaScript writes them."""
    count = F.length(digits)
    mantissa = F.when(count == 1, digits).otherwise(F.concat(F.substring(digits, 1, 1), F.lit("."), F.substring(digits, 2, 100)))
    scientific = F.concat(mantissa, F.lit("e"), F.when(exponent < 0, "-").otherwise("+"), F.abs(exponent).cast("string"))
    below_one = F.concat(F.lit("0."), F.repeat(F.lit("0"), -exponent - 1), digits)
    whole = F.rpad(digits, exponent + 1, "0")
    pointed = F.concat(digits.substr(F.lit(1), exponent + 1), F.lit("."), digits.substr(exponent + 2, F.lit(100)))
    return (
        F.when((exponent >= 21) | (exponent < -6), scientific)
        .when(exponent < 0, below_one)
        .when(count - 1 <= exponent, whole)
        .otherwise(pointed)
    )


def boolean_text(b: Column) -> Column:
    return F.when(b, "true").when(~b, "false")


# Mixed columns


def tagged(tag: Column, n: Column, s: Column) -> Column:
    return F.struct(tag.cast("tinyint").alias("t"), n.cast("double").alias("n"), s.cast("string").alias("s"))


def to_mixed(kind: str) -> Callable[[Column, str], Column]:
    """A plain value as a mixed one; `missing` is what NULL means."""

    def convert(x: Column, missing: str) -> Column:
        none = F.lit(None)
        value = tagged(F.lit(TAGS[kind]), none if kind == "text" else x, x if kind == "text" else none)
        return value if missing == "never" else F.when(x.isNotNull(), value).otherwise(nothing(missing))

    return convert


def nothing(missing: str) -> Column:
    return tagged(F.lit(TAGS[missing]), F.lit(None), F.lit(None))


def mixed_number(m: Column) -> Column:
    tag = m["t"]
    return F.when(tag == 4, text_number(m["s"])).when(tag == 1, 0.0).when(tag == 0, number(nan)).otherwise(m["n"])


def mixed_text(m: Column) -> Column:
    from sheliak.engines.spark.dates import date_text

    tag = m["t"]
    return (
        F.when(tag == 4, m["s"])
        .when(tag == 3, number_text(m["n"]))
        .when(tag == 2, F.when(m["n"] == 1.0, "true").otherwise("false"))
        .when(tag == 5, date_text(m["n"]))
        .when(tag == 1, "null")
        .otherwise("undefined")
    )


def mixed_truth(m: Column) -> Column:
    tag = m["t"]
    counts = F.nanvl(m["n"], number(0.0)) != 0.0
    return F.when(tag == 4, m["s"] != "").when(tag == 5, True).when(tag >= 2, counts).otherwise(False)


def mixed_add(a: Column, b: Column) -> Column:
    texts = (a["t"] >= 4) | (b["t"] >= 4)
    joined = tagged(F.lit(4), F.lit(None), F.concat(mixed_text(a), mixed_text(b)))
    return F.when(texts, joined).otherwise(tagged(F.lit(3), mixed_number(a) + mixed_number(b), F.lit(None)))


def mixed_equal(a: Column, b: Column) -> Column:
    gone, other_gone = a["t"] <= 1, b["t"] <= 1
    return (
        F.when(gone | other_gone, gone & other_gone)
        .when((a["t"] >= 4) & (b["t"] >= 4), mixed_text(a) == mixed_text(b))
        .when((a["t"] == 5) | (b["t"] == 5), False)
        .otherwise(equal(mixed_number(a), mixed_number(b)))
    )


def mixed_same(a: Column, b: Column) -> Column:
    values = F.when(a["t"] <= 1, True).when(a["t"] == 4, a["s"] == b["s"]).otherwise(equal(a["n"], b["n"]))
    return (a["t"] == b["t"]) & values


def mixed_less(texts: Callable[[Column, Column], Column], numbers: Callable[[Column, Column], Column]) -> Callable[..., Column]:
    def compare(a: Column, b: Column) -> Column:
        both = (a["t"] == 4) & (b["t"] == 4)
        return F.when(both, texts(a["s"], b["s"])).otherwise(numbers(mixed_number(a), mixed_number(b)))

    return compare


def part_of_kind(kind: str) -> Callable[[Column], Column]:
    """The values of one kind, NULL where the value is of another."""
    field = "s" if kind == "text" else "n"

    def part(m: Column) -> Column:
        value = m[field].cast("boolean") if kind == "boolean" else m[field]
        return F.when(m["t"] == TAGS[kind], value)

    return part


def json_key(m: Column) -> Column:
    """What JSON text tells apart: null, undefined and what is no finite number are one."""
    none = (m["t"] <= 1) | ((m["t"] != 4) & (F.isnan(m["n"]) | (F.abs(m["n"]) == inf)))
    return F.when(none, nothing("null")).otherwise(m)


OPERATIONS: dict[str, Callable[..., Column]] = {
    "number.add": lambda x, y: x + y,
    "number.subtract": lambda x, y: x - y,
    "number.multiply": lambda x, y: x * y,
    "number.divide": divide,
    "number.remainder": remainder,
    "number.modulo": lambda x, by: F.pmod(x, number(by)),
    "number.negate": lambda x: -x,
    "number.pow": power,
    "number.abs": lambda x: F.abs(x),
    "number.acos": lambda x: F.acos(x),
    "number.asin": lambda x: F.asin(x),
    "number.atan": lambda x: F.atan(x),
    "number.atan2": arc_tangent,
    "number.ceil": ceil,
    "number.cos": lambda x: F.cos(x),
    "number.exp": lambda x: F.exp(x),
    "number.expm1": lambda x: F.expm1(x),
    "number.log1p": lambda x: F.log1p(x),
    "number.floor": floor,
    "number.hypot": hypotenuse,
    "number.log": logarithm,
    "number.max": greatest,
    "number.min": least,
    "number.round": rounded,
    "number.sin": lambda x: F.sin(x),
    "number.sqrt": root,
    "number.tan": lambda x: F.tan(x),
    "number.truncate": truncated,
    "number.integer": integer,
    "number.is_nan": is_nan,
    "number.is_finite": lambda x: ~F.isnan(x) & (F.abs(x) != inf),
    "number.less": less,
    "number.less_or_equal": less_or_equal,
    "number.equal": equal,
    "number.valid": lambda x: F.nanvl(x, F.lit(None).cast("double")),
    "number.finite_part": lambda x: F.when(~F.isnan(x) & (F.abs(x) != inf), x),
    "number.bin": bin_start,
    "number.bin_end": lambda x, start, step: (1.0 + (x - start) / step) * step + start,
    "number.truth": lambda x: F.coalesce(F.nanvl(x, number(0.0)) != 0.0, F.lit(False)),
    "number.text": number_text,
    "number.digits": lambda x: x.try_cast("bigint").cast("string"),
    "number.mixed": to_mixed("number"),
    "number.date": lambda x: x,
    "bits.and": bits(lambda x, y: x.bitwiseAND(y)),
    "bits.or": bits(lambda x, y: x.bitwiseOR(y)),
    "bits.xor": bits(lambda x, y: x.bitwiseXOR(y)),
    "bits.not": lambda x: F.bitwise_not(int32(x)).cast("double"),
    "bits.left": shifted_left,
    "bits.right": shifted_right,
    "bits.right_unsigned": shifted_right_unsigned,
    "boolean.number": lambda b: b.cast("double"),
    "boolean.text": boolean_text,
    "boolean.equal": lambda a, b: a == b,
    "boolean.mixed": to_mixed("boolean"),
    "text.number": text_number,
    "text.truth": lambda s: F.coalesce(s != "", F.lit(False)),
    "text.equal": lambda a, b: a == b,
    "text.less": text_less,
    "text.less_or_equal": text_less_or_equal,
    "text.among": lambda s, *names: s.isin(*names),
    "text.contains": lambda s, part: s.contains(part),
    "text.concatenate": lambda *texts: F.concat(*texts),
    "text.mixed": to_mixed("text"),
    "date.number": lambda x: x,
    "date.mixed": to_mixed("date"),
    "mixed.missing": lambda m: m["t"] <= 1,
    "mixed.tag": lambda m, tag: m["t"] == tag,
    "mixed.number": mixed_number,
    "mixed.text": mixed_text,
    "mixed.truth": mixed_truth,
    "mixed.add": mixed_add,
    "mixed.equal": mixed_equal,
    "mixed.same": mixed_same,
    "mixed.less": mixed_less(text_less, less),
    "mixed.less_or_equal": mixed_less(text_less_or_equal, less_or_equal),
    "mixed.number_part": part_of_kind("number"),
    "mixed.text_part": part_of_kind("text"),
    "mixed.boolean_part": part_of_kind("boolean"),
    "mixed.date_part": part_of_kind("date"),
    "mixed.json_key": json_key,
    "mixed.present": lambda m: F.when(m["t"] > 1, m),
    "mixed.or_null": lambda m: F.when(m["t"] > 1, m).otherwise(nothing("null")),
    "opaque.is": lambda x, text: F.coalesce(x, F.lit("null")) == text,
    "opaque.matching": lambda x, pattern: F.coalesce(x, F.lit("null")).rlike(pattern),
    "opaque.filled": lambda x: F.coalesce(x, F.lit('{"$undefined": true}')),
    "mixed.filled": lambda m: F.coalesce(m, nothing("undefined")),
    "missing": lambda x: x.isNull(),
    "known": lambda x: x,
    "fill": lambda x, value: F.coalesce(x, value),
    "required": lambda x, message: F.coalesce(x, F.raise_error(F.lit(message))),
    # A test that is always true, which Spark cannot know before it has computed every operand.
    "computed": lambda *values: F.xxhash64(*values) >= F.lit(-(2**63)),
    "not": lambda b: ~b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
}
"""What each operation of a plan's expressions is on columns; `functions`, `dates` and `lists` hold the rest."""

ANSWERS_NULL = frozenset(
    {
        *("number.less", "number.less_or_equal", "number.equal", "number.is_finite", "boolean.equal", "text.equal"),
        *("text.less", "text.less_or_equal", "text.among"),
    }
)
"""Tests that are NULL, and mean false, where an operand is missing."""
