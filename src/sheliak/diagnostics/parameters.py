"""Findings about the parameters of transforms and about values of the wrong kind."""

from __future__ import annotations

from sheliak.diagnostics.registry import Diagnostic, Repair, Severity, diagnostic
from sheliak.diagnostics.suggest import closest, listed
from sheliak.types.render import render_type
from sheliak.types.shapes import DATE_TEXT, Type


@diagnostic("unknown-transform", "a transform that Vega does not have")
class UnknownTransform(Diagnostic):
    name: str
    known: tuple[str, ...]

    def message(self) -> str:
        return f"there is no transform `{self.name}`"

    def help(self) -> str | None:
        similar = closest(self.name, self.known)
        return f"a transform with a similar name exists: `{similar}`" if similar else None


@diagnostic("unknown-parameter", "a property that is not read", Severity.WARNING)
class UnknownParameter(Diagnostic):
    """A property that Vega ignores."""

    name: str
    owner: str
    known: tuple[str, ...]

    def message(self) -> str:
        return f"{self.owner} has no parameter `{self.name}`: Vega ignores it"

    def notes(self) -> tuple[str, ...]:
        return (f"its parameters are {listed(self.known)}",)

    def help(self) -> str | None:
        similar = closest(self.name, self.known)
        return f"a parameter with a similar name exists: `{similar}`" if similar else None


@diagnostic("missing-parameter", "a required parameter is not given")
class MissingParameter(Diagnostic):
    name: str
    owner: str
    instead: str | None = None
    """What Vega does without it, where it goes on: a warning then."""

    @property
    def severity(self) -> Severity:
        return Severity.WARNING if self.instead else self.default_severity

    def message(self) -> str:
        return f"{self.owner} needs the parameter `{self.name}`"

    def notes(self) -> tuple[str, ...]:
        return (self.instead,) if self.instead else ()


@diagnostic("wrong-kind", "a value of the wrong kind")
class WrongKind(Diagnostic):
    """A JSON value of another kind than the place takes."""

    owner: str
    expected: str
    found: str
    ignored: bool = False
    """Vega goes on without the value: a warning then."""

    @property
    def severity(self) -> Severity:
        return Severity.WARNING if self.ignored else self.default_severity

    def message(self) -> str:
        return f"{self.owner} must be {self.expected}, not {self.found}" + (": Vega ignores it" if self.ignored else "")


@diagnostic("unknown-option", "a word that is not among the options")
class UnknownOption(Diagnostic):
    value: str
    owner: str
    options: tuple[str, ...]
    ignored: bool = False
    """Vega goes on as if the default were given: a warning then."""

    @property
    def severity(self) -> Severity:
        return Severity.WARNING if self.ignored else self.default_severity

    def message(self) -> str:
        return f"{self.owner} cannot be `{self.value}`" + (": Vega takes the default" if self.ignored else "")

    def notes(self) -> tuple[str, ...]:
        return (f"the options are {listed(self.options, 40)}",)

    def help(self) -> str | None:
        similar = closest(self.value, self.options)
        return f"a similar option exists: `{similar}`" if similar else None

    def repair(self) -> Repair | None:
        similar = closest(self.value, self.options)
        if similar is None or similar.casefold() != self.value.casefold():
            return None
        return Repair(self.place, similar, f"write `{similar}` for `{self.value}`")


@diagnostic("invalid-field-path", "a field reference with unbalanced brackets or quotes")
class InvalidFieldPath(Diagnostic):
    reason: str

    def message(self) -> str:
        return self.reason

    def help(self) -> str | None:
        return "write `\\\\[` or `\\\\.` for a name that contains a bracket or a dot"


@diagnostic("text-in-transform", "text where a transform computes with numbers")
class TextInTransform(Diagnostic):
    """A transform computes with a field that is never a number."""

    field: str
    owner: str
    """What computes: "`sum`", "the `bin` transform"."""
    of: Type
    wanted: str = "numbers"

    def message(self) -> str:
        return f"{self.owner} needs {self.wanted}, but `{self.field}` is {render_type(self.of)}"

    def notes(self) -> tuple[str, ...]:
        if self.of == DATE_TEXT:
            return ("text that looks like a date does not become a date by itself",)
        return ()

    def help(self) -> str | None:
        if self.of == DATE_TEXT:
            return f'parse it when the data are loaded: "format": {{"parse": {{"{self.field}": "date"}}}}'
        return None


@diagnostic("numeric-text-order", "numeric text compared as text", Severity.WARNING)
class NumericTextOrder(Diagnostic):
    """Numeric text is ordered as text: "10" comes before "9"."""

    field: str
    owner: str

    def message(self) -> str:
        return f"{self.owner} compares `{self.field}` as text: `10` comes before `9`"

    def help(self) -> str | None:
        return f'turn it into numbers when the data are loaded: "format": {{"parse": {{"{self.field}": "number"}}}}'


@diagnostic("mismatched-lengths", "parallel lists of different lengths")
class MismatchedLengths(Diagnostic):
    owner: str
    first: str
    first_length: int
    second: str
    second_length: int

    def message(self) -> str:
        return f"{self.owner} has {self.first_length} `{self.first}` but {self.second_length} `{self.second}`"


@diagnostic("short-as", "fewer output names than outputs", Severity.WARNING)
class ShortAs(Diagnostic):
    """A list of output names that is too short: Vega writes a field called `undefined`, or a default name."""

    owner: str
    given: int
    wanted: int
    written: str

    def message(self) -> str:
        return f"{self.owner} writes {self.wanted} fields, but `as` names {self.given}: the rest becomes {self.written}"


@diagnostic("transform-not-allowed", "a transform that cannot stand here")
class TransformNotAllowed(Diagnostic):
    name: str
    reason: str

    def message(self) -> str:
        return f"`{self.name}` cannot be used here: {self.reason}"


@diagnostic("missing-parent", "a row whose parent is no row")
class MissingParent(Diagnostic):
    """`stratify` stops at a parent that it does not find, and nothing after it runs."""

    parent: str
    key: str
    keys: tuple[str, ...]

    def message(self) -> str:
        return f"some row has the parent `{self.parent}`, but no row has it as its `{self.key}`: Vega stops here"

    def help(self) -> str | None:
        similar = closest(self.parent, self.keys)
        return f"a row with a similar `{self.key}` exists: `{similar}`" if similar else None


@diagnostic("strict-repeated-field", "a result with two fields of one name (strict)")
class StrictRepeatedField(Diagnostic):
    """Strict: a transform gives every field of its result a name of its own."""

    owner: str
    name: str

    def message(self) -> str:
        return f"the result of {self.owner} would have two fields `{self.name}`"

    def notes(self) -> tuple[str, ...]:
        return ("Vega keeps what it writes last",)
