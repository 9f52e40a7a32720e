"""Findings about Vega-Lite specs, and the findings of Vega in the words of Vega-Lite."""

from __future__ import annotations

from typing import ClassVar

from sheliak.diagnostics.expressions import WordsToNumber
from sheliak.diagnostics.fields import DroppedField, UnknownField
from sheliak.diagnostics.names import UnknownSignal
from sheliak.diagnostics.registry import Diagnostic, Related, diagnostic
from sheliak.diagnostics.spec import TextInScale
from sheliak.diagnostics.suggest import closest, listed
from sheliak.types.operations import is_date_like
from sheliak.types.render import render_type


@diagnostic("vega-lite-error", "a spec that Vega-Lite cannot compile")
class VegaLiteError(Diagnostic):
    """Vega-Lite stops at the spec."""

    reason: str
    """Vega-Lite's own words."""
    is_crash: bool = False
    """The words are about the compiler's code, not about the spec."""
    narrowed: bool = False
    """Without the value at the place the spec can be compiled."""

    def message(self) -> str:
        what = "Vega-Lite cannot compile this" if self.narrowed else "Vega-Lite cannot compile the spec"
        return what if self.is_crash else f"{what}: {self.reason}"

    def notes(self) -> tuple[str, ...]:
        said = (f"Vega-Lite stops with `{self.reason}`",) if self.is_crash else ()
        return (*said, "without it the rest can be compiled") if self.narrowed else said


@diagnostic("too-many-views", "a spec of more views than can be checked")
class TooManyViews(Diagnostic):
    """Every view of a composed spec is compiled and checked by itself."""

    views: int
    limit: int

    def message(self) -> str:
        return f"the spec has {self.views} views; at most {self.limit} are compiled"


@diagnostic("unknown-param", "a Vega-Lite parameter that is not defined")
class UnknownParam(UnknownSignal):
    """A parameter is used that no `params` of the spec defines."""

    kind: ClassVar[str] = "parameter"


@diagnostic("unknown-channel", "an encoding channel that Vega-Lite does not have")
class UnknownChannel(Diagnostic):
    """Vega-Lite leaves such a channel out."""

    name: str
    known: tuple[str, ...]

    def message(self) -> str:
        return f"there is no channel `{self.name}`: Vega-Lite leaves it out"

    def help(self) -> str | None:
        similar = closest(self.name, self.known)
        return f"a channel with a similar name exists: `{similar}`" if similar else None


@diagnostic("ignored-transform", "a transform that Vega-Lite does not know")
class IgnoredTransform(Diagnostic):
    """A transform is recognised by one of its members; without any of them Vega-Lite leaves it out."""

    names: tuple[str, ...]
    known: tuple[str, ...]

    def message(self) -> str:
        return "Vega-Lite leaves this transform out: no member says what it does"

    def notes(self) -> tuple[str, ...]:
        return (f"a transform has one of {listed(self.known, 40)}",)

    def help(self) -> str | None:
        similar = next((found for name in self.names if (found := closest(name, self.known)) is not None), None)
        return f"a transform with a similar name exists: `{similar}`" if similar else None


@diagnostic("compiled-vega-error", "a mistake that shows only in the compiled Vega")
class CompiledVegaError(Diagnostic):
    """The Vega that Vega-Lite makes of a part of the spec is wrong, and the mistake cannot be told in the words of Vega-Lite."""

    found: Diagnostic
    """The finding, with its place in the compiled Vega."""

    def message(self) -> str:
        return f"the Vega that Vega-Lite makes of this has a mistake: {self.found.message()}"

    def notes(self) -> tuple[str, ...]:
        return (*self.found.notes(), f"this is `{self.found.code}` at `{self.found.place.pointer}` of the compiled Vega")


class FieldNotInData(UnknownField):
    """A field of a view that its data does not have."""

    data: str
    """The data, in words."""
    written: str = ""
    """The whole field reference, where the field is a part of it."""

    def _holder(self) -> str:
        return self.data

    def message(self) -> str:
        if self._is_flat:
            return f"`{self.written}` leads into a nested field, and {self.data} has no field `{self.field}`"
        return UnknownField.message(self)

    def help(self) -> str | None:
        if self._is_flat:
            escaped = self.written.replace(".", "\\\\.").replace("[", "\\\\[").replace("]", "\\\\]")
            return f"the field of that name is written `{escaped}`"
        return UnknownField.help(self)

    @property
    def _is_flat(self) -> bool:
        return self.written != self.field and self.written in self.record.fields


class FieldNotInAggregate(DroppedField):
    """A field that the aggregation of an encoding leaves out: it keeps the fields of the channels, and nothing else."""

    def message(self) -> str:
        return f"`{self.field}` is no longer there: the encoding is aggregated"

    def notes(self) -> tuple[str, ...]:
        return (
            "an aggregated encoding keeps only the fields of its channels",
            f"these are {listed(self.record.fields)}",
        )

    def help(self) -> str | None:
        return f"add `{self.field}` as a channel, for example as `detail`, or aggregate it too"

    def related(self) -> tuple[Related, ...]:
        place = self.dropped_by.place
        return (Related(place, "the aggregation is made here"),) if place else ()


class TextInComparison(WordsToNumber):
    """A field of text in a predicate that compares it with a number."""

    def message(self) -> str:
        return f"`{self.operand}` is {render_type(self.of)}: compared with a number it is neither less nor greater"


class TextInQuantitative(TextInScale):
    """A field of text on a channel that computes with numbers."""

    channel: str

    def message(self) -> str:
        return f"the channel `{self.channel}` needs numbers or dates, but `{self.field}` is {render_type(self.of)}"

    def notes(self) -> tuple[str, ...]:
        return ("Vega-Lite leaves out every row whose value is not a number: nothing is drawn",)

    def help(self) -> str | None:
        return 'use `"type": "temporal"` for dates' if is_date_like(self.of) else 'use `"type": "nominal"` for text'
