"""Findings about expressions: text that does not parse, calls that cannot be made, operands that JavaScript cannot use."""

from __future__ import annotations

from sheliak.diagnostics.finding import Finding
from sheliak.diagnostics.registry import Related, Severity, diagnostic
from sheliak.diagnostics.suggest import closest
from sheliak.source.place import Place
from sheliak.types.operations import options_of
from sheliak.types.render import render_type
from sheliak.types.shapes import DATE_TEXT, Array, Record, Type

_DATE_TEXT = "text that looks like a date does not become a date by itself"


class _Syntax(Finding):
    problem: str
    """What is wrong, as one sentence without its full stop."""

    def message(self) -> str:
        return self.problem


@diagnostic("expression-syntax", "an expression that Vega cannot read")
class ExpressionSyntax(_Syntax):
    """The text of an expression does not follow Vega's grammar."""


@diagnostic("selector-syntax", "an event selector that Vega cannot read")
class SelectorSyntax(_Syntax):
    """The text of an event selector does not follow Vega's grammar."""


class _OutOfScope(Finding):
    variable: str
    used_by: str | None = None
    """The function that reads the variable, when the text does not name it itself."""

    def message(self) -> str:
        if self.used_by is not None:
            return f"`{self.used_by}()` reads the event, and there is no event here"
        return f"there is no `{self.variable}` here"


@diagnostic("datum-out-of-scope", "`datum` where no datum is at hand")
class DatumOutOfScope(_OutOfScope):
    """A signal's own expression, and others that belong to no row, have no `datum`."""

    def notes(self) -> tuple[str, ...]:
        return ("`datum` exists in transforms, in encode entries and in event handlers: where there is one row",)

    def help(self) -> str | None:
        return "to read a row of a dataset from here, write `data('name')[0]`"


@diagnostic("event-out-of-scope", "`event` outside an event handler")
class EventOutOfScope(_OutOfScope):
    """Only the handlers of a signal and the filters of an event stream have an `event`."""

    def notes(self) -> tuple[str, ...]:
        return ("`event` exists in the `on` handlers of signals and in the filters of event streams",)


@diagnostic("item-out-of-scope", "`item` where no item is at hand")
class ItemOutOfScope(_OutOfScope):
    """Only encode entries have an `item`."""

    def notes(self) -> tuple[str, ...]:
        return ("`item` exists in encode entries; in an event handler it is `event.item` or `item()`",)


OUT_OF_SCOPE: dict[str, type[_OutOfScope]] = {"datum": DatumOutOfScope, "event": EventOutOfScope, "item": ItemOutOfScope}


@diagnostic("illegal-name", "a name that Vega forbids")
class IllegalName(Finding):
    """`_` as a variable, and keys of an object that would hide the methods every JavaScript object has."""

    name: str
    is_key: bool = False

    def message(self) -> str:
        return f"`{self.name}` is not allowed as {'a key of an object' if self.is_key else 'a name'} in an expression"


@diagnostic("unknown-function", "a function that Vega does not have")
class UnknownFunction(Finding):
    """A name is called that is not among Vega's functions."""

    name: str
    known: tuple[str, ...]

    def message(self) -> str:
        return f"there is no function `{self.name}`"

    def help(self) -> str | None:
        if self.name in _ELSEWHERE:
            return f"Vega calls it `{_ELSEWHERE[self.name]}`"
        similar = closest(self.name, self.known)
        return f"a function with a similar name exists: `{similar}`" if similar else None


# What other languages call Vega's functions.
_ELSEWHERE = {
    "len": "length",
    "concat": "a + b",
    "contains": "indexof(text, part) >= 0",
    "includes": "indexof(text, part) >= 0",
    "getDate": "date",
    "getDay": "day",
    "getFullYear": "year",
    "getYear": "year",
    "getMonth": "month",
    "getHours": "hours",
    "getMinutes": "minutes",
    "getTime": "time",
    "isNull": "isValid",
    "isNotNull": "isValid",
    "isNumeric": "isNumber",
    "mod": "a % b",
    "numberFormat": "format",
    "strftime": "timeFormat",
    "toUpperCase": "upper",
    "toLowerCase": "lower",
    "upperCase": "upper",
    "lowerCase": "lower",
    "substr": "substring",
    "Date": "datetime",
    "Number": "toNumber",
    "String": "toString",
    "Boolean": "toBoolean",
    "ifelse": "if",
    "iif": "if",
}

# JavaScript's methods, and the functions that take their place.
_METHODS = {
    "toFixed": "format(x, '.2f')",
    "toPrecision": "format(x, '.3')",
    "toLocaleString": "format(x, ',')",
    "toString": "toString(x)",
    "toUpperCase": "upper(x)",
    "toLowerCase": "lower(x)",
    "trim": "trim(x)",
    "split": "split(x, separator)",
    "substring": "substring(x, start, end)",
    "substr": "substring(x, start, end)",
    "slice": "slice(x, start, end)",
    "replace": "replace(x, pattern, replacement)",
    "indexOf": "indexof(x, value)",
    "lastIndexOf": "lastindexof(x, value)",
    "includes": "indexof(x, value) >= 0",
    "startsWith": "indexof(x, start) == 0",
    "padStart": "pad(x, length, character, 'left')",
    "padEnd": "pad(x, length, character, 'right')",
    "match": "test(regexp(pattern), x)",
    "test": "test(pattern, x)",
    "join": "join(x, separator)",
    "reverse": "reverse(x)",
    "sort": "sort(x)",
    "map": "pluck(x, field)",
    "concat": "a + b",
    "getTime": "time(x)",
    "getFullYear": "year(x)",
    "getMonth": "month(x)",
    "getDate": "date(x)",
    "getDay": "day(x)",
    "getHours": "hours(x)",
    "getMinutes": "minutes(x)",
    "getSeconds": "seconds(x)",
}


@diagnostic("illegal-call", "a call of something that is not a function's name")
class IllegalCall(Finding):
    """Vega calls its own functions only: values have no methods."""

    method: str | None
    holder: str | None = None

    def message(self) -> str:
        if self.method is None:
            return "only a function's name can be called"
        return f"methods cannot be called in an expression: `.{self.method}(...)`"

    def help(self) -> str | None:
        if self.method is None:
            return None
        if self.holder == "Math":
            return f"the functions stand on their own: `{self.method}(...)`"
        replacement = _METHODS.get(self.method)
        return f"write `{replacement}`" if replacement else None


@diagnostic("wrong-arity", "a call with too few or too many arguments")
class WrongArity(Finding):
    """A function is given fewer arguments than it needs, or more than it reads."""

    function: str
    usage: str
    given: int
    least: int
    most: int | None
    counted: bool = False
    """Vega itself refuses the call."""

    @property
    def severity(self) -> Severity:
        return Severity.ERROR if self.counted or self.given < self.least else Severity.WARNING

    def message(self) -> str:
        return f"`{self.function}` takes {self._wanted()}, not {self.given}"

    def _wanted(self) -> str:
        if self.most is None:
            return f"at least {_counted(self.least)}"
        if self.least == self.most:
            return _counted(self.least)
        return f"{self.least} to {self.most} arguments"

    def notes(self) -> tuple[str, ...]:
        if self.given > self.least and not self.counted:
            return ("Vega ignores the arguments that are too many",)
        return ()

    def help(self) -> str | None:
        return f"it is called as `{self.usage}`"


def _counted(number: int) -> str:
    return "no arguments" if number == 0 else "1 argument" if number == 1 else f"{number} arguments"


@diagnostic("literal-needed", "a name that must be written out")
class LiteralNeeded(Finding):
    """Vega reads the name of a dataset before anything runs, so it cannot be computed."""

    function: str
    parameter: str

    def message(self) -> str:
        return f"the argument `{self.parameter}` of `{self.function}` must be a text in quotes: it cannot be computed"


@diagnostic("wrong-argument", "an argument of a kind that a function cannot use", Severity.WARNING)
class WrongArgument(Finding):
    """A function gets a value that it cannot use: the result is NaN, undefined or a run error."""

    function: str
    argument: str
    of: Type
    wanted: str
    throws: bool = False

    @property
    def severity(self) -> Severity:
        return Severity.ERROR if self.throws else Severity.WARNING

    def message(self) -> str:
        return f"`{self.function}` needs {self.wanted}, but `{self.argument}` is {described(self.of)}"

    def notes(self) -> tuple[str, ...]:
        if self.throws:
            return ("the call fails when the chart runs, and stops everything that comes after it",)
        return (_DATE_TEXT,) if self.of == DATE_TEXT else ()

    def help(self) -> str | None:
        if self.of == DATE_TEXT:
            return f"convert it first: `toDate({self.argument})`, or parse it when the data are loaded"
        return None


class _Operands(Finding):
    operator: str
    operand: str
    """The operand as it is written, or what to call it."""
    of: Type


@diagnostic("text-in-arithmetic", "arithmetic with text")
class TextInArithmetic(_Operands):
    """An operand of `-`, `*`, `/`, `%` or a bit operator is text that does not read as a number: the result is NaN."""

    def message(self) -> str:
        return f"`{self.operator}` needs numbers, but `{self.operand}` is {described(self.of)}"

    def notes(self) -> tuple[str, ...]:
        return (_DATE_TEXT,) if self.of == DATE_TEXT else ("text that does not read as a number becomes NaN",)

    def help(self) -> str | None:
        if self.of == DATE_TEXT:
            return f"convert it first: `toDate({self.operand})`, or parse it when the data are loaded"
        return None


@diagnostic("object-in-arithmetic", "arithmetic with an object or an array")
class ObjectInArithmetic(_Operands):
    """An operand is an object (always NaN) or an array (NaN unless it has at most one element)."""

    @property
    def severity(self) -> Severity:
        return Severity.ERROR if all(isinstance(option, Record) for option in options_of(self.of)) else Severity.WARNING

    def message(self) -> str:
        return f"`{self.operator}` needs numbers, but `{self.operand}` is {described(self.of)}"

    def help(self) -> str | None:
        return f"take one element: `{self.operand}[0]`" if isinstance(self.of, Array) else None


@diagnostic("words-to-number", "text that cannot become a number", Severity.WARNING)
class WordsToNumber(_Operands):
    """An explicit conversion, unary `+` or `toNumber`, of text that does not read as a number."""

    def message(self) -> str:
        return f"`{self.operand}` is {described(self.of)}: `{self.operator}` makes NaN of it"

    def notes(self) -> tuple[str, ...]:
        return (_DATE_TEXT,) if self.of == DATE_TEXT else ()

    def help(self) -> str | None:
        return f"a date's milliseconds are `toDate({self.operand})`" if self.of == DATE_TEXT else None


@diagnostic("text-compared-with-number", "text put in order with a number", Severity.WARNING)
class TextComparedWithNumber(_Operands):
    """`<` and its kin turn text into a number first; text that does not read as one is neither less nor greater."""

    other: str

    def message(self) -> str:
        kind = described(self.of)
        return f"`{self.operator}` compares `{self.operand}` with a number, but it is {kind}: the result is always false"

    def notes(self) -> tuple[str, ...]:
        return (_DATE_TEXT,) if self.of == DATE_TEXT else ()

    def help(self) -> str | None:
        if self.of == DATE_TEXT:
            return f"convert it first: `toDate({self.operand})`, or parse it when the data are loaded"
        return None


@diagnostic("null-as-zero", "arithmetic with a lookup that may have found nothing", Severity.WARNING)
class NullAsZero(_Operands):
    """A lookup stores null where it finds no row, and arithmetic takes null for 0."""

    lookup: Place | None = None

    def message(self) -> str:
        return f"`{self.operand}` is null where the `lookup` finds no row, and `{self.operator}` takes null for 0"

    def help(self) -> str | None:
        return f"give the `lookup` a `default`, or ask first: `isValid({self.operand}) ? ... : null`"

    def related(self) -> tuple[Related, ...]:
        return (Related(self.lookup, "this `lookup` has no `default`"),) if self.lookup else ()


@diagnostic("numeric-text-concatenation", "`+` that joins instead of adding", Severity.WARNING)
class NumericTextConcatenation(_Operands):
    """A column holds numbers as text, and `+` with text joins the two."""

    def message(self) -> str:
        return f"`{self.operand}` holds numbers as text, so `+` writes the two one after the other instead of adding them"

    def help(self) -> str | None:
        return f"convert it first: `toNumber({self.operand})`, or parse it when the data are loaded"


@diagnostic("date-plus-number", "`+` between a date and a number", Severity.WARNING)
class DatePlusNumber(_Operands):
    """A date and a number are both turned into text and joined."""

    def message(self) -> str:
        return f"`{self.operand}` is a date, so `+` writes both as text instead of adding them"

    def help(self) -> str | None:
        return f"add to its milliseconds, `time({self.operand}) + ...`, or use `timeOffset(unit, {self.operand}, step)`"


@diagnostic("never-equal", "a comparison that is always false", Severity.WARNING)
class NeverEqual(_Operands):
    """The two sides are of different kinds that are never equal."""

    other: str
    other_type: Type

    def message(self) -> str:
        kinds = f"`{self.operand}` is {described(self.of)} and `{self.other}` is {described(self.other_type)}"
        return f"`{self.operator}` is always false: {kinds}"


@diagnostic("strict-unknown", "a value whose type is not known (strict)")
class StrictUnknown(Finding):
    """Strict: every value that is computed with must have a known type."""

    operand: str

    def message(self) -> str:
        return f"the type of `{self.operand}` is not known"


@diagnostic("strict-possibly-missing", "a value that may be missing (strict)")
class StrictPossiblyMissing(Finding):
    """Strict: a field that only some rows have, or that may be null, cannot be computed with."""

    operand: str

    def message(self) -> str:
        return f"`{self.operand}` may be missing or null"


@diagnostic("strict-coercion", "a value that JavaScript converts silently (strict)")
class StrictCoercion(Finding):
    """Strict: an operator or function gets exactly the type it is made for."""

    owner: str
    operand: str
    of: Type
    wanted: str

    def message(self) -> str:
        return f"{self.owner} takes {self.wanted}, but `{self.operand}` is {described(self.of)}"


@diagnostic("strict-mixed-array", "an array of several types (strict)")
class StrictMixedArray(Finding):
    """Strict: all elements of an array have one type."""

    of: Type

    def message(self) -> str:
        return f"the elements of the array have several types: {render_type(self.of)}"


def described(of: Type) -> str:
    """A type at the end of a sentence: "text", "a date", "an object"; what is longer is shown as a type."""
    if isinstance(of, Record):
        return "an object"
    if isinstance(of, Array):
        return "an array"
    return _WORDS.get(render_type(of)) or render_type(of)


_WORDS = {
    "string": "text",
    "string (numeric)": "text (numeric)",
    "string (date)": "text (a date)",
    "number": "a number",
    "boolean": "true or false",
    "date": "a date",
}
