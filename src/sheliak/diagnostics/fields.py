"""Findings about fields: the ones a datum does not have, and where they were lost."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.diagnostics.registry import Diagnostic, Related, Repair, Severity, diagnostic
from sheliak.diagnostics.suggest import closest, listed
from sheliak.source.place import Place
from sheliak.types.render import render_type
from sheliak.types.shapes import Lineage, Record, Type


class _MissingField(Diagnostic):
    field: str
    record: Record
    dataset: str | None = None
    site: str | None = None
    """Where it is read, in words: "the scale `x`", "the `filter`"."""
    replaceable: bool = True
    """The place covers exactly the name, so that a similar name can take its stead."""
    harmless: bool = False
    """Vega does the same without the field: a warning then."""

    @property
    def severity(self) -> Severity:
        return Severity.WARNING if self.harmless else self.default_severity

    def notes(self) -> tuple[str, ...]:
        if not self.record.fields:
            return ("there are no fields at all here",)
        return (f"the fields here are {listed(self.record.fields)}",)

    def _holder(self) -> str:
        return f"dataset `{self.dataset}`" if self.dataset else "the datum"

    def repair(self) -> Repair | None:
        similar = closest(self.field, self.record.fields)
        if similar is None or not self.replaceable or similar.casefold() != self.field.casefold():
            return None
        return Repair(self.place, similar, f"write `{similar}` for `{self.field}`")


@diagnostic("unknown-field", "a field that no row has")
class UnknownField(_MissingField):
    """A field is read that the datum does not have and never had."""

    def message(self) -> str:
        return f"{self._holder()} has no field `{self.field}`"

    def notes(self) -> tuple[str, ...]:
        named = [_default_names(step) for step in _steps(self.record) if step.defaulted and step.added]
        return (*_MissingField.notes(self), *named[:1])

    def help(self) -> str | None:
        similar = closest(self.field, self.record.fields)
        if similar is None:
            return None
        if similar.casefold() == self.field.casefold():
            return f"field names are case sensitive: the field is called `{similar}`"
        return f"a field with a similar name exists: `{similar}`"


class UnknownDefaultField(UnknownField):
    """A field is missing that the spec does not name: Vega reads it because no other was given."""

    why: str

    def notes(self) -> tuple[str, ...]:
        return (self.why, *UnknownField.notes(self))


class UnknownNodeField(UnknownField):
    """A tree layout's `sort` or `radius` reads a field that a hierarchy node does not have; the row is its `data`."""

    row: Record

    def message(self) -> str:
        return f"the node of a tree has no field `{self.field}`"

    def notes(self) -> tuple[str, ...]:
        return (f"a node has the fields {listed(self.record.fields)}; the row is its `data`",)

    def help(self) -> str | None:
        if self.field in self.row.fields:
            return f"to read the field of the row, write `data.{self.field}`"
        return UnknownField.help(self)

    def repair(self) -> Repair | None:
        if self.field in self.row.fields and self.replaceable:
            return Repair(self.place, f"data.{self.field}", f"write `data.{self.field}` for `{self.field}`")
        return None


@diagnostic("dropped-field", "a field that an earlier step dropped")
class DroppedField(_MissingField):
    """A field is read that the datum had before a transform that does not keep it."""

    dropped_by: Lineage

    def message(self) -> str:
        step = self.dropped_by
        renamed = step.renamed.get(self.field)
        if renamed is not None:
            return f"`{self.field}` is called `{renamed}` after the `{step.step}`"
        return f"`{self.field}` is no longer there: the `{step.step}` dropped it"

    def notes(self) -> tuple[str, ...]:
        return (f"after the `{self.dropped_by.step}` only {listed(self.record.fields)} remain",)

    def help(self) -> str | None:
        step = self.dropped_by
        if step.step in ("aggregate", "pivot"):
            return f"add `{self.field}` to the `groupby` of the `{step.step}`, or read it before the `{step.step}`"
        similar = closest(self.field, self.record.fields)
        return f"a field with a similar name exists: `{similar}`" if similar else f"read `{self.field}` before the `{step.step}`"

    def related(self) -> tuple[Related, ...]:
        step = self.dropped_by
        return (Related(step.place, f"`{self.field}` is dropped here"),) if step.place else ()


@diagnostic("field-of-a-value", "a field read from something that has no fields")
class FieldOfValue(Diagnostic):
    """A path goes on below a number, text, boolean or date."""

    field: str
    holder: str
    of: Type

    def message(self) -> str:
        return f"`{self.holder}` is {_article(render_type(self.of))}: it has no field `{self.field}`"

    def notes(self) -> tuple[str, ...]:
        if "." in f"{self.holder}.{self.field}":
            return ("a dot in a field name means a nested field; write `\\\\.` for a name that contains a dot",)
        return ()


def missing_field(
    place: Place,
    name: str,
    record: Record,
    *,
    dataset: str | None = None,
    site: str | None = None,
    replaceable: bool = True,
    harmless: bool = False,
) -> Diagnostic | None:
    """The finding for a field that a closed record does not have; None when sampled data may hold it after all."""
    if _may_hold(record, name):
        return None
    common: dict[str, object] = {"place": place, "field": name, "record": record, "dataset": dataset, "site": site}
    common |= {"replaceable": replaceable, "harmless": harmless}
    dropped = _dropping_step(record, name)
    if dropped is not None and closest_is_typo(name, record, dropped):
        dropped = None
    if dropped is not None:
        return DroppedField(**common, dropped_by=dropped)  # type: ignore[arg-type]
    return UnknownField(**common)  # type: ignore[arg-type]


def _may_hold(record: Record, name: str) -> bool:
    """Whether the source, of which only a part was read, may have the field; a step that drops fields would not hand it on."""
    for step in _steps(record):
        if step.may_hold is not None and step.may_hold(name):
            return True
        if step.before is None or not step.before.fields.keys() <= record.fields.keys():
            return False
        record = step.before
    return False


def closest_is_typo(name: str, record: Record, dropped: Lineage) -> bool:
    """A name that differs only in case from a field that is there was meant to be that field, whatever was dropped."""
    return dropped.step not in ("aggregate", "project", "pivot") and any(f.casefold() == name.casefold() for f in record.fields)


def _steps(record: Record) -> Iterator[Lineage]:
    step = record.lineage
    while step is not None:
        yield step
        step = step.before.lineage if step.before is not None else None


def _dropping_step(record: Record, name: str) -> Lineage | None:
    """The latest step whose input still had the field."""
    return next((step for step in _steps(record) if step.before is not None and name in step.before.fields), None)


def _default_names(step: Lineage) -> str:
    return f"`{step.step}` without `as` writes {listed(step.added)}"


def _article(noun: str) -> str:
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"
