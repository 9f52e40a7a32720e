"""Findings about names: datasets, signals, scales, projections and marks that a spec mentions and does not define."""

from __future__ import annotations

from typing import ClassVar

from sheliak.diagnostics.finding import Finding
from sheliak.diagnostics.registry import Related, Repair, Severity, diagnostic
from sheliak.diagnostics.suggest import closest, listed
from sheliak.source.place import Place


class _UnknownName(Finding):
    kind: ClassVar[str] = ""

    name: str
    known: tuple[str, ...] = ()
    """The names that can be used here."""
    replaceable: bool = True
    """The place covers exactly the name, so that a similar name can take its stead."""

    def message(self) -> str:
        return f"there is no {self.kind} `{self.name}`"

    def notes(self) -> tuple[str, ...]:
        if not self.known:
            return (f"no {self.kind} is defined here",)
        verb = "is" if len(self.known) == 1 else "are"
        noun = self.kind if len(self.known) == 1 else f"{self.kind}s"
        return (f"the {noun} here {verb} {listed(self.known)}",)

    def help(self) -> str | None:
        similar = closest(self.name, self.known)
        if similar is None:
            return None
        if similar.casefold() == self.name.casefold():
            return f"names are case sensitive: the {self.kind} is called `{similar}`"
        return f"a {self.kind} with a similar name exists: `{similar}`"

    def repair(self) -> Repair | None:
        """Another spelling of the same letters is safe; a similar name is only advice."""
        similar = closest(self.name, self.known)
        if similar is None or not self.replaceable or similar.casefold() != self.name.casefold():
            return None
        return Repair(self.place, similar, f"write `{similar}` for `{self.name}`")


@diagnostic("unknown-dataset", "a dataset that is not defined")
class UnknownDataset(_UnknownName):
    """A dataset is read that is defined nowhere, neither here nor further out."""

    kind: ClassVar[str] = "dataset"

    counts_as_empty: bool = False
    """`data()` of a dataset that does not exist is an empty array: a warning then, for a spec may ask on purpose."""

    @property
    def severity(self) -> Severity:
        return Severity.WARNING if self.counts_as_empty else Severity.ERROR

    def notes(self) -> tuple[str, ...]:
        notes = _UnknownName.notes(self)
        return (*notes, "Vega takes it for an empty dataset and says nothing") if self.counts_as_empty else notes


@diagnostic("dataset-used-too-early", "a dataset that is defined only later")
class DatasetUsedTooEarly(_UnknownName):
    """A dataset is read before the place that defines it: Vega reads datasets and marks in order."""

    kind: ClassVar[str] = "dataset"

    defined_at: Place | None = None

    def message(self) -> str:
        return f"the dataset `{self.name}` is used before it is defined"

    def notes(self) -> tuple[str, ...]:
        return ("Vega reads datasets and marks in the order in which they are written; a name counts only after its definition",)

    def help(self) -> str | None:
        return f"move the definition of `{self.name}` before this use"

    def related(self) -> tuple[Related, ...]:
        return (Related(self.defined_at, f"`{self.name}` is defined here"),) if self.defined_at else ()

    def repair(self) -> Repair | None:
        return None


def unknown_dataset(
    place: Place,
    name: str,
    known: tuple[str, ...],
    *,
    defined_later: bool = False,
    replaceable: bool = True,
    counts_as_empty: bool = False,
) -> UnknownDataset | DatasetUsedTooEarly:
    """The finding for a dataset that cannot be read here: defined later in the spec, or nowhere."""
    if defined_later:
        return DatasetUsedTooEarly(place=place, name=name, known=known)
    return UnknownDataset(place=place, name=name, known=known, replaceable=replaceable, counts_as_empty=counts_as_empty)


@diagnostic("unknown-scale", "a scale that is not defined")
class UnknownScale(_UnknownName):
    """A scale is used that is defined neither here nor further out."""

    kind: ClassVar[str] = "scale"


@diagnostic("unknown-projection", "a projection that is not defined")
class UnknownProjection(_UnknownName):
    """A projection is used that is defined neither here nor further out."""

    kind: ClassVar[str] = "projection"


@diagnostic("unknown-mark", "a mark name that no mark has")
class UnknownMark(_UnknownName):
    """A mark is named that does not exist: Vega accepts it and never finds anything."""

    kind: ClassVar[str] = "mark"

    def message(self) -> str:
        return f"no mark is called `{self.name}`"


# Words of JavaScript that Vega's expressions do not have: Vega reads them as signal names.
_JAVASCRIPT_WORDS = {
    "undefined": "write `isDefined(x)` to test for a missing value, `null` for an empty one",
    "Infinity": "write `1 / 0`, or a limit such as `MAX_VALUE`",
    "Math": "the functions stand on their own: `floor(x)` rather than `Math.floor(x)`, `PI` rather than `Math.PI`",
    "Date": "dates are made by `datetime(...)`, `toDate(...)` and `timeParse(...)`; `now()` is the present time",
    "Number": "text becomes a number by `toNumber(...)`",
    "String": "a value becomes text by `toString(...)`",
    "Boolean": "a value becomes true or false by `toBoolean(...)`",
    "Array": "an array is written `[...]`; `isArray(...)` tests for one",
    "Object": "an object is written `{...}`; `isObject(...)` tests for one",
    "JSON": "expressions cannot read or write JSON text",
    "console": "`info(...)`, `warn(...)` and `debug(...)` write to the log",
    "window": "the size of the page is given by `windowSize()` and `containerSize()`",
    "document": "expressions cannot reach the page; its size is given by `windowSize()` and `containerSize()`",
}


@diagnostic("unknown-signal", "a name that is no signal")
class UnknownSignal(_UnknownName):
    """An expression uses a bare name that is neither a signal nor a constant nor a variable of this place."""

    kind: ClassVar[str] = "signal"

    field_of: str | None = None
    """The variable that has a field of this name: the likely mistake is a forgotten `datum.`."""
    is_function: bool = False
    """A function has this name: the likely mistake is a forgotten pair of brackets."""

    def message(self) -> str:
        if self.name in _JAVASCRIPT_WORDS:
            return f"`{self.name}` is not a word of Vega's expressions: it is read as the name of a signal, and there is none"
        return _UnknownName.message(self)

    def notes(self) -> tuple[str, ...]:
        return () if self.name in _JAVASCRIPT_WORDS else _UnknownName.notes(self)

    def help(self) -> str | None:
        if self.name in _JAVASCRIPT_WORDS:
            return _JAVASCRIPT_WORDS[self.name]
        if self.field_of is not None:
            return f"a field is read as `{self.field_of}.{self.name}`"
        if self.is_function:
            return f"a function with this name exists: it is called as `{self.name}(...)`"
        return _UnknownName.help(self)

    def repair(self) -> Repair | None:
        return None if self.name in _JAVASCRIPT_WORDS or self.field_of else _UnknownName.repair(self)
