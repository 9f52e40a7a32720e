"""JavaScript's values in Python, and JavaScript's conversions and comparisons between them.

    undefined  UNDEFINED          number  float (always)      Date    Date         array   list
    null       None               text    str                 RegExp  RegExp       object  dict
    boolean    bool

A row is an object; a key it does not have reads as undefined. Arrays, objects, dates and regular expressions are compared by
identity, as in JavaScript, so a value is handed on, not copied. Text is a Python str whose surrogates are joined wherever two
belong together; lengths and positions count UTF-16 units (see `texts`).

A date as text depends on the time zone; whatever may have to write one takes the `zone`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import copysign, fmod, inf, isfinite, isnan, nan
from typing import ClassVar, Final, Literal, TypeAlias

from sheliak.expressions.numerals import number_text, text_number
from sheliak.expressions.zones import MINUTE, UTC, Zone


class EvaluationError(Exception):
    """An expression cannot be evaluated: Vega logs such a message and gives up the whole run, or only the renderer can answer."""


class Undefined:
    """The one value `undefined`."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "UNDEFINED"

    def __reduce__(self) -> str:
        return "UNDEFINED"


UNDEFINED: Final = Undefined()


@dataclass(frozen=True, slots=True)
class Date:
    """An instant in milliseconds since 1970; NaN for an invalid date."""

    ms: float


@dataclass(slots=True, eq=False)
class RegExp:
    """A regular expression. With the flags g or y it remembers where its last test ended."""

    pattern: str
    flags: str = ""
    last_index: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """One of JavaScript's own functions, met as a property (`datum.toString`). It cannot be called."""

    name: str


class Instance(dict[str, "Value"]):
    """An object of a class that prints itself, such as a colour."""

    __slots__ = ()
    methods: ClassVar[str] = ""
    """The names of the functions that the class has."""

    def text(self) -> str:
        """The object as text."""
        raise EvaluationError("the object has no text")

    def enumerable(self) -> Iterable[str]:
        """The names of its functions that a loop over its properties finds."""
        return ()


Value: TypeAlias = "Undefined | None | bool | float | str | Date | RegExp | Function | list[Value] | dict[str, Value]"
Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Row: TypeAlias = dict[str, Value]
Primitive: TypeAlias = Undefined | None | bool | float | str
Hint: TypeAlias = Literal["default", "number", "text"]


# Conversions


def to_primitive(value: Value, hint: Hint = "default", zone: Zone = UTC) -> Primitive:
    """ToPrimitive: a date is a number where one is asked for and text otherwise; all other objects are text."""
    if isinstance(value, Date):
        return value.ms if hint == "number" else date_text(value, zone)
    if isinstance(value, (list, dict, RegExp, Function)):
        return _object_text(value, zone)
    return value


def to_number(value: Value) -> float:
    """Number(value)."""
    if type(value) is float:
        return value
    if isinstance(value, str):
        return text_number(value)
    if value is None:
        return 0.0
    if isinstance(value, (bool, float, int)):
        return float(value)
    if isinstance(value, Undefined):
        return nan
    return value.ms if isinstance(value, Date) else text_number(_object_text(value, UTC))  # a date within never makes a number


def to_text(value: Value, zone: Zone = UTC) -> str:
    """String(value)."""
    if isinstance(value, str):
        return value
    if type(value) is float:
        return number_text(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Undefined):
        return "undefined"
    if isinstance(value, (float, int)):
        return number_text(float(value))
    return date_text(value, zone) if isinstance(value, Date) else _object_text(value, zone)


def to_boolean(value: Value) -> bool:
    """Truthiness: false, 0, NaN, empty text, null and undefined are false; every object, even an empty array, is true."""
    if isinstance(value, (list, dict)):
        return True
    return bool(value) and not (isinstance(value, float) and isnan(value))


def to_integer(value: Value) -> float:
    """ToIntegerOrInfinity: the number without its fraction; 0 for NaN."""
    number = to_number(value)
    if isnan(number):
        return 0.0
    return float(int(number)) if isfinite(number) else number


def to_int32(value: Value) -> int:
    """ToInt32: what the bit operators work on."""
    bits = to_uint32(value)
    return bits - 0x1_0000_0000 if bits >= 0x8000_0000 else bits


def to_uint32(value: Value) -> int:
    number = to_number(value)
    return int(number) & 0xFFFF_FFFF if isfinite(number) else 0


def _object_text(value: list[Value] | dict[str, Value] | RegExp | Function, zone: Zone) -> str:
    if isinstance(value, list):
        return array_text(value, ",", zone)
    if isinstance(value, RegExp):
        return regexp_text(value)
    if isinstance(value, Function):
        return f"function {value.name}() {{ [native code] }}"
    if isinstance(value, Instance):
        return value.text()
    if "toString" in value:  # a field hides the method that would answer, and no value of ours can be called
        raise EvaluationError("Cannot convert object to primitive value")
    return "[object Object]"


def array_text(array: list[Value], separator: str, zone: Zone = UTC) -> str:
    """The elements as text, joined; null and undefined are empty."""
    return joined(separator.join([_element_text(element, zone) for element in array]))


def _element_text(element: Value, zone: Zone) -> str:
    return "" if element is None or isinstance(element, Undefined) else to_text(element, zone)


def joined(text: str) -> str:
    """Text in its one form: two surrogates that belong together are one character."""
    if text.isascii() or not any("\ud800" <= character <= "\udbff" for character in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def regexp_text(regexp: RegExp) -> str:
    """`/pattern/flags`, with the pattern escaped so that it could be read again."""
    from sheliak.expressions.patterns import source_of

    return f"/{source_of(regexp.pattern)}/{''.join(sorted(regexp.flags))}"


_WEEKDAYS: Final = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def date_text(date: Date, zone: Zone = UTC) -> str:
    """A date as JavaScript prints it, to the second: `Wed Jan 01 2020 00:00:00 GMT+0000 (Coordinated Universal Time)`."""
    if isnan(date.ms):
        return "Invalid Date"
    ms = int(date.ms)
    at = zone.calendar(ms)
    minutes = abs(zone.offset(ms)) // MINUTE
    sign = "-" if zone.offset(ms) < 0 else "+"
    year = f"{at.year:04d}" if at.year >= 0 else f"-{-at.year:04d}"
    day = f"{_WEEKDAYS[at.weekday]} {_MONTHS[at.month]} {at.day:02d} {year}"
    time = f"{at.hours:02d}:{at.minutes:02d}:{at.seconds:02d}"
    return f"{day} {time} GMT{sign}{minutes // 60:02d}{minutes % 60:02d} ({zone.label(ms)})"


# Comparisons


def strict_equal(a: Value, b: Value) -> bool:
    """`===`: the same type and value; NaN equals nothing; arrays, objects and dates only themselves."""
    if isinstance(a, str):
        return isinstance(b, str) and a == b
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (float, int)):
        return isinstance(b, (float, int)) and a == b
    return a is b


def loose_equal(a: Value, b: Value, zone: Zone = UTC) -> bool:
    """`==`: null and undefined equal each other only; otherwise different types are compared as numbers."""
    if a is None or isinstance(a, Undefined):
        return b is None or isinstance(b, Undefined)
    if b is None or isinstance(b, Undefined):
        return False
    if is_object(a):
        if is_object(b):
            return a is b
        a = to_primitive(a, "default", zone)
    elif is_object(b):
        b = to_primitive(b, "default", zone)
    if isinstance(a, str) and isinstance(b, str):
        return a == b
    return to_number(a) == to_number(b)


def is_object(value: Value) -> bool:
    """Neither undefined nor null, a boolean, a number or text."""
    return isinstance(value, (list, dict, Date, RegExp, Function))


def less_than(a: Value, b: Value, zone: Zone = UTC) -> bool:
    """`a < b`: two texts by their UTF-16 units, everything else as numbers; false when one is not a number."""
    if type(a) is float and type(b) is float:
        return a < b
    a, b = to_primitive(a, "number", zone), to_primitive(b, "number", zone)
    if isinstance(a, str) and isinstance(b, str):
        return text_less(a, b)
    return to_number(a) < to_number(b)


def less_or_equal(a: Value, b: Value, zone: Zone = UTC) -> bool:
    """`a <= b`."""
    if type(a) is float and type(b) is float:
        return a <= b
    a, b = to_primitive(a, "number", zone), to_primitive(b, "number", zone)
    if isinstance(a, str) and isinstance(b, str):
        return not text_less(b, a)
    return to_number(a) <= to_number(b)


def text_less(a: str, b: str) -> bool:
    """Text order by UTF-16 units: what lies above U+FFFF comes before U+E000."""
    if a.isascii() or b.isascii():
        return a < b
    return a.encode("utf-16-be", "surrogatepass") < b.encode("utf-16-be", "surrogatepass")


def compare(a: Value, b: Value, zone: Zone = UTC) -> int:
    """Vega's order of sorting, -1, 0 or 1: null and undefined come first, then NaN, then what `<` says.

    Values that `<` does not order (text that is no number beside a number) are equal, so the order of a mixture depends on which
    pairs are compared: `sorting.sorted_by` compares those that JavaScript does.
    """
    if type(a) is float and type(b) is float:
        if a < b:
            return -1
        if a > b:
            return 1
        return isnan(b) - isnan(a)
    a_missing, b_missing = a is None or a is UNDEFINED, b is None or b is UNDEFINED
    if a_missing or b_missing:
        return b_missing - a_missing
    if less_than(a, b, zone):
        return -1
    if less_than(b, a, zone):
        return 1
    return _is_nan(b) - _is_nan(a)


def _is_nan(value: Value) -> bool:
    number = value.ms if isinstance(value, Date) else value
    return isinstance(number, float) and isnan(number)


def key_text(value: Value, zone: Zone = UTC) -> str:
    """What a group, a lookup and a distinct count tell values apart by: their text, of dates to the second."""
    return to_text(value, zone)


# Arithmetic


def add(a: Value, b: Value, zone: Zone = UTC) -> Value:
    """`+`: concatenation as soon as one side is text (or a date, an array, an object), else the sum."""
    if type(a) is float and type(b) is float:
        return a + b
    a, b = to_primitive(a, "default", zone), to_primitive(b, "default", zone)
    if isinstance(a, str) or isinstance(b, str):
        return concatenated(to_text(a), to_text(b))
    return to_number(a) + to_number(b)


def concatenated(a: str, b: str) -> str:
    """Two texts as one."""
    return joined(a + b) if a and b and "\ud800" <= a[-1] <= "\udbff" else a + b


def divided(a: float, b: float) -> float:
    """`/`, with infinities and NaN where Python would refuse."""
    if b:  # NaN too
        return a / b
    return nan if isnan(a) or not a else copysign(inf, a) * copysign(1.0, b)


def remainder(a: float, b: float) -> float:
    """`%`: the sign is that of the dividend."""
    if b == 0 or not isfinite(a) or isnan(b):
        return nan
    return fmod(a, b)


def type_of(value: Value) -> str:
    """`typeof`."""
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (float, int)):
        return "number"
    if isinstance(value, Undefined):
        return "undefined"
    return "function" if isinstance(value, Function) else "object"


# Values as JSON


def encode(value: Value, within: tuple[int, ...] = ()) -> Json:
    """A value as JSON; what JSON cannot hold becomes an object with one key that begins with `$`.

    {"$undefined": true}  {"$num": "NaN" | "Infinity" | "-Infinity" | "-0"}  {"$date": ms or null}  {"$regexp": "/a/g"}
    {"$function": true}   {"$escape": {...}} for an object that has only one key, beginning with `$`
    {"$cycle": true}      {"$deep": true} for an array or object that holds itself, or lies more than 60 levels deep

    `within` are the arrays and objects around the value, by identity.
    """
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, (float, int)):
        return _encoded_number(value)
    if isinstance(value, (list, dict)):
        return _encoded_parts(value, within)
    if isinstance(value, Undefined):
        return {"$undefined": True}
    if isinstance(value, Date):
        return {"$date": None if isnan(value.ms) else _encoded_number(value.ms)}
    return {"$regexp": regexp_text(value)} if isinstance(value, RegExp) else {"$function": True}


def _encoded_parts(value: list[Value] | dict[str, Value], within: tuple[int, ...]) -> Json:
    if id(value) in within:
        return {"$cycle": True}
    if len(within) > _DEEPEST:
        return {"$deep": True}
    within = (*within, id(value))
    if isinstance(value, list):
        return [encode(element, within) for element in value]
    encoded = {name: encode(inner, within) for name, inner in value.items()}
    return {"$escape": encoded} if len(encoded) == 1 and next(iter(encoded)).startswith("$") else encoded


_DEEPEST: Final = 60


def _encoded_number(value: float) -> Json:
    if not isfinite(value):
        return {"$num": number_text(value)}
    if value == 0 and str(value)[0] == "-":
        return {"$num": "-0"}
    return int(value) if value == int(value) and abs(value) < 2**53 else value


def decode(encoded: Json) -> Value:
    """The value that `encode` wrote."""
    if isinstance(encoded, list):
        return [decode(element) for element in encoded]
    if not isinstance(encoded, dict):
        return float(encoded) if isinstance(encoded, int) and not isinstance(encoded, bool) else encoded
    if len(encoded) == 1:
        ((name, inner),) = encoded.items()
        if name in _DECODERS:
            return _decoded(name, inner)
    return {name: decode(inner) for name, inner in encoded.items()}


_DECODERS: Final = frozenset({"$undefined", "$num", "$date", "$regexp", "$escape"})


def _decoded(name: str, inner: Json) -> Value:
    if name == "$undefined":
        return UNDEFINED
    if name == "$num":
        return text_number(str(inner))
    if name == "$date":
        return Date(float(inner) if isinstance(inner, (int, float)) else nan)
    if name == "$regexp":
        pattern, _, flags = str(inner)[1:].rpartition("/")
        return RegExp(pattern, flags)
    return {key: decode(value) for key, value in inner.items()} if isinstance(inner, dict) else UNDEFINED
