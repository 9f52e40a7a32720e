"""Rules for results that depend on the arguments."""

from __future__ import annotations

import re

from sheliak.expressions.field_paths import FieldPathError, split_path
from sheliak.types.operations import Presence, all_texts, field_of, join, options_of, text_type, without_missing
from sheliak.types.shapes import (
    BOOLEAN,
    DATE,
    NULL,
    NUMBER,
    NUMERIC_TEXT,
    OPEN_RECORD,
    STRING,
    TEXTS,
    UNDEFINED,
    UNKNOWN,
    WORDS,
    Array,
    Literal,
    Record,
    Type,
    Unknown,
)

Arguments = tuple[Type, ...]

NUMBERS = Array(NUMBER)
ANYTHING = Array(UNKNOWN)
DATES = Array(DATE)
NUMBER_OR_UNDEFINED = join((NUMBER, UNDEFINED))
DATE_OR_NULL = join((DATE, NULL))

_ADDED = (NUMBER, BOOLEAN, NULL, UNDEFINED)
_DIRECTIVE = r"%[-_0]?([a-zA-Z%])"  # compiled when first used: most runs never do
_TIME_UNITS = frozenset(
    "year quarter month week date day dayofyear hours minutes seconds milliseconds".split()  # noqa: SIM905
)


def argument(arguments: Arguments, index: int) -> Type:
    """The type of an argument; one that is not given is undefined."""
    return arguments[index] if index < len(arguments) else UNDEFINED


def last_argument(arguments: Arguments) -> Type:
    """The log functions hand their last argument on."""
    return arguments[-1] if arguments else UNDEFINED


def second_or_third(arguments: Arguments) -> Type:
    """if(test, then, else): the type of `then` or of `else`."""
    return join(arguments[1:3])


def fourth_to_sixth(arguments: Arguments) -> Type:
    """flush(range, value, threshold, left, right, center): the type of one of the last three."""
    return join(arguments[3:6])


def rows_of_dataset(arguments: Arguments) -> Type:
    """data(name): all rows of the dataset."""
    return Array(arguments[0])


def rows_or_undefined(arguments: Arguments) -> Type:
    """treePath and treeAncestors: rows of the dataset, or undefined when a node is not found."""
    return join((Array(arguments[0]), UNDEFINED))


def same(arguments: Arguments) -> Type:
    """sort, reverse: an array like the first argument."""
    kept = [option for option in options_of(argument(arguments, 0)) if isinstance(option, Array)]
    return join(kept) if kept else ANYTHING


def same_kind(arguments: Arguments) -> Type:
    """slice: an array of an array, text of text."""
    kept = [kind for option in options_of(argument(arguments, 0)) if (kind := _sequence(option)) is not None]
    return join(kept) if kept else UNKNOWN


def _sequence(option: Type) -> Type | None:
    if isinstance(option, Array | Unknown):
        return option
    return STRING if _is_text(option) else None


def _is_text(option: Type) -> bool:
    return option in TEXTS or (isinstance(option, Literal) and isinstance(option.value, str))


def element(arguments: Arguments) -> Type:
    """peek: the last element of an array, the last letter of a text, undefined where there is none."""
    found: list[Type] = []
    for option in options_of(argument(arguments, 0)):
        if isinstance(option, Array):
            found += (option.element, UNDEFINED)
        elif _is_text(option):
            found += (STRING, UNDEFINED)
        elif option not in (NULL, UNDEFINED):
            return UNKNOWN
    return join(found)


def two_of_element(arguments: Arguments) -> Type:
    """extent: least and greatest of an array, of the elements' own type (nothing is coerced); of text, letters."""
    of = argument(arguments, 0)
    if isinstance(of, Array):
        return Array(without_missing(of.element))
    return ANYTHING


def length_of(arguments: Arguments) -> Type:
    """length: a number for arrays and text, undefined for what has no length."""
    certain = all(isinstance(option, Array) or _is_text(option) for option in options_of(argument(arguments, 0)))
    return NUMBER if certain else NUMBER_OR_UNDEFINED


def between_ends(arguments: Arguments) -> Type:
    """lerp: a number between numbers."""
    return NUMBER if argument(arguments, 0) == NUMBERS else UNKNOWN


def number_of_numbers(arguments: Arguments) -> Type:
    """A number if only numbers are given: the function adds with `+`, so that text and dates would be joined."""
    return NUMBER if all(option in _ADDED for of in arguments for option in options_of(of)) else UNKNOWN


def clamped(arguments: Arguments) -> Type:
    """clampRange: an array of numbers if only numbers are given; it may hand its arguments on as they are."""
    return NUMBERS if arguments == (NUMBERS, NUMBER, NUMBER) else ANYTHING


def parsed_time(arguments: Arguments) -> Type:
    """timeParse, utcParse: null for text that does not fit, and the text "null" for null."""
    if NULL in options_of(argument(arguments, 0)):
        return join((DATE, NULL, Literal("null")))
    return DATE_OR_NULL


def interpolated(arguments: Arguments) -> Type:
    """interpolateLinear: a number between numbers, an end of the array at the ends."""
    return NUMBER_OR_UNDEFINED if argument(arguments, 0) == NUMBERS else UNKNOWN


def plucked(arguments: Arguments) -> Type:
    """pluck(array, path): the path of every element; of one object, of it alone."""
    paths = all_texts(argument(arguments, 1))
    if paths is None:
        return UNKNOWN
    of = argument(arguments, 0)
    if isinstance(of, Array):
        return Array(join(_at_path(of.element, path) for path in paths))
    return join(_at_path(of, path) for path in paths) if isinstance(of, Record) else UNKNOWN


def _at_path(of: Type, path: str) -> Type:
    try:
        names = split_path(path)
    except FieldPathError:
        return UNKNOWN
    for name in names:
        if not isinstance(of, Record):
            return UNKNOWN
        of, presence = field_of(of, name)
        if presence is Presence.ABSENT:
            return UNKNOWN
    return of


def merged(arguments: Arguments) -> Type:
    """merge: the fields of all objects, later ones win; open as soon as one argument is not a known object."""
    result = Record({})
    for of in arguments:
        result = _merged_pair(result, of if isinstance(of, Record) else OPEN_RECORD)
    return result


def _merged_pair(one: Record, other: Record) -> Record:
    if other.open:
        return OPEN_RECORD  # an unseen field of the later object may replace any field of the earlier one
    fields = dict(one.fields)
    for name, of in other.fields.items():
        kept = one.fields.get(name)
        fields[name] = join((kept, of)) if kept is not None and name in other.optional else of
    optional = one.optional.difference(other.fields) | other.optional.difference(one.fields.keys() - one.optional)
    return Record(fields, optional, one.open)


def to_number(arguments: Arguments) -> Type:
    """toNumber: null for null, undefined and empty text."""
    return _or_null(argument(arguments, 0), NUMBER)


def to_text(arguments: Arguments) -> Type:
    """toString: null for null, undefined and empty text; words stay words."""
    return _or_null(argument(arguments, 0), same_text(arguments))


def same_text(arguments: Arguments) -> Type:
    """upper, lower, trim: words stay words."""
    return WORDS if without_missing(argument(arguments, 0)) is WORDS else STRING


# What each directive of a time format writes for one date; those that are not here write digits.
_WRITTEN = {
    "a": "Mon",
    "A": "Monday",
    "b": "Jan",
    "B": "January",
    "p": "AM",
    "%": "%",
    "c": "1/2/2001, 3:04:05 AM",
    "Y": "2001",
    "y": "01",
    "x": "1/2/2001",
    "X": "3:04:05 AM",
    "Z": "+0000",
    "f": "006000",
    "L": "006",
    "j": "002",
}


def formatted_time(arguments: Arguments) -> Type:
    """timeFormat, utcFormat: the kind of text that the specifier writes for an example; digits may be compared as text."""
    specifiers = all_texts(argument(arguments, 1))
    if not specifiers:
        return STRING
    written = join(text_type(re.sub(_DIRECTIVE, _example, specifier)) for specifier in specifiers)
    return STRING if written is NUMERIC_TEXT else written


def _example(directive: re.Match[str]) -> str:
    return _WRITTEN.get(directive[1], "02")


def to_boolean(arguments: Arguments) -> Type:
    """toBoolean: null for null, undefined and empty text."""
    return _or_null(argument(arguments, 0), BOOLEAN)


def to_date(arguments: Arguments) -> Type:
    """toDate: a date stays one; everything else becomes a number of milliseconds, or null."""
    options = options_of(argument(arguments, 0))
    if any(isinstance(option, Unknown) for option in options):
        return join((NUMBER, DATE, NULL))
    return join(option if option == DATE else _or_null(option, NUMBER) for option in options)


def _or_null(of: Type, result: Type) -> Type:
    may_be_null = any(map(_converts_to_null, options_of(of)))
    return join((result, NULL)) if may_be_null else result


def _converts_to_null(option: Type) -> bool:
    if isinstance(option, Literal):
        return option.value == ""
    return option in (NULL, UNDEFINED) or option in TEXTS or isinstance(option, Unknown)


def offset_date(arguments: Arguments) -> Type:
    """timeOffset, utcOffset: a date; undefined when the unit is not one."""
    return DATE if _known_unit(arguments) else join((DATE, UNDEFINED))


def date_sequence(arguments: Arguments) -> Type:
    """timeSequence, utcSequence: dates; undefined when the unit is not one."""
    return DATES if _known_unit(arguments) else join((DATES, UNDEFINED))


def _known_unit(arguments: Arguments) -> bool:
    units = all_texts(argument(arguments, 0))
    return units is not None and _TIME_UNITS.issuperset(units)
