"""Findings about the spec as a whole: names defined twice, cycles, values that scales and channels cannot take."""

from __future__ import annotations

from sheliak.diagnostics.registry import Diagnostic, Related, Severity, diagnostic
from sheliak.source.place import Place
from sheliak.source.text import Span
from sheliak.types.operations import is_date_like
from sheliak.types.render import render_type
from sheliak.types.shapes import Type


@diagnostic("invalid-json", "text that is not JSON")
class InvalidJson(Diagnostic):
    reason: str
    span: Span
    other: Span | None = None

    def message(self) -> str:
        return self.reason


@diagnostic("duplicate-key", "a key that stands twice in one object", Severity.WARNING)
class DuplicateKey(Diagnostic):
    """JSON readers keep the last one and forget the others."""

    reason: str
    span: Span
    other: Span | None = None

    def message(self) -> str:
        return self.reason


@diagnostic("not-a-spec", "a file that is not a Vega spec")
class NotASpec(Diagnostic):
    found: str

    def message(self) -> str:
        article = "an" if self.found[:1] in "aeiou" else "a"
        return f"a Vega spec is a JSON object, but this is {self.found if self.found == 'null' else f'{article} {self.found}'}"

    def help(self) -> str | None:
        return "rows of data belong into a spec as `values`, or are named there by their `url`" if self.found == "array" else None


@diagnostic("duplicate-name", "a name that is defined twice")
class DuplicateName(Diagnostic):
    name: str
    kind: str
    first: Place | None = None

    def message(self) -> str:
        return f"the {self.kind} `{self.name}` is defined twice in this scope"

    def related(self) -> tuple[Related, ...]:
        return (Related(self.first, f"`{self.name}` is first defined here"),) if self.first else ()


@diagnostic("cycle", "definitions that need each other")
class Cycle(Diagnostic):
    """Vega stops with "Cycle detected in dataflow graph." and does not say where."""

    names: tuple[str, ...]

    def message(self) -> str:
        return "these definitions need each other: " + " → ".join(f"`{name}`" for name in (*self.names, self.names[0]))


@diagnostic("incomplete-definition", "a definition without something it needs")
class MissingProperty(Diagnostic):
    owner: str
    name: str
    reason: str = ""

    def message(self) -> str:
        return f"{self.owner} needs `{self.name}`" + (f": {self.reason}" if self.reason else "")


@diagnostic("conflicting-properties", "properties that exclude each other")
class ConflictingProperties(Diagnostic):
    owner: str
    names: tuple[str, ...]
    reason: str

    def message(self) -> str:
        return f"{self.owner} has {' and '.join(f'`{name}`' for name in self.names)}: {self.reason}"


@diagnostic("text-in-scale", "text on a scale of numbers or times")
class TextInScale(Diagnostic):
    """A continuous scale is fed with values that are never numbers: nothing is drawn where it should be."""

    field: str
    scale: str
    scale_type: str
    of: Type

    def message(self) -> str:
        return (
            f"the `{self.scale_type}` scale `{self.scale}` needs numbers or dates, but `{self.field}` is {render_type(self.of)}"
        )

    def notes(self) -> tuple[str, ...]:
        if is_date_like(self.of):
            return ("text that looks like a date does not become a date by itself",)
        return ("every value becomes NaN, and the marks have no position",)

    def help(self) -> str | None:
        if is_date_like(self.of):
            return f'parse it when the data are loaded: "format": {{"parse": {{"{self.field}": "date"}}}}'
        return "use a scale of type `band`, `point` or `ordinal` for text"


@diagnostic("text-in-channel", "text where a mark needs a number")
class TextInChannel(Diagnostic):
    """A numeric property of a mark gets text without a scale."""

    channel: str
    field: str
    of: Type

    def message(self) -> str:
        return f"`{self.channel}` needs a number, but `{self.field}` is {render_type(self.of)}"

    def help(self) -> str | None:
        return "map it through a scale"


@diagnostic("object-as-text", "an object or array drawn as text", Severity.WARNING)
class ObjectAsText(Diagnostic):
    """A text mark shows `[object Object]`."""

    field: str
    of: Type

    def message(self) -> str:
        return f"`{self.field}` is {render_type(self.of, 4)}: a text mark cannot show it"

    def help(self) -> str | None:
        return f"show one of its fields, for example with `pluck(datum.{self.field}, …)` or `datum.{self.field}.…`"


@diagnostic("zero-on-log-scale", "a log scale over data that hold zero", Severity.WARNING)
class ZeroOnLogScale(Diagnostic):
    field: str
    scale: str

    def message(self) -> str:
        return f"the log scale `{self.scale}` reads `{self.field}`, which is 0 in some rows: the logarithm of 0 is not finite"

    def help(self) -> str | None:
        return f'keep only rows with `datum.{self.field} > 0`, or use a scale of type "symlog"'


@diagnostic("infinite-value", "data with a value that is not finite", Severity.WARNING)
class InfiniteValue(Diagnostic):
    field: str
    scale: str

    def message(self) -> str:
        return f"`{self.field}` is infinite in some rows, so the scale `{self.scale}` has no finite extent"

    def help(self) -> str | None:
        return f"keep only rows with `isFinite(datum.{self.field})`"
