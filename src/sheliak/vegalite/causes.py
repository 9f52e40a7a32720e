"""What is wrong with the compiled Vega, gathered by what may be its one cause in the Vega-Lite spec."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.checker.check import Checked, CheckOptions, check_document
from sheliak.diagnostics.fields import DroppedField, UnknownField
from sheliak.diagnostics.loading import ParseOfAbsentColumn
from sheliak.diagnostics.registry import Diagnostic
from sheliak.source.declared import dataclass
from sheliak.source.place import PathKey, Place
from sheliak.source.tree import Node
from sheliak.types.shapes import Lineage, Record
from sheliak.vegalite.compiling import Compiled, CompileFailure, Compiler
from sheliak.vegalite.mentions import Mention, expressions_of, selectors_of

MISSING = "missing-field"
_MARKER = "sheliak marker"
_MOST_TRIALS = 80
"""How many variants of one spec are compiled to tell its places apart: half a second's worth."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Sightings that have this in common are told of as one: the kind of mistake, the name, and whose rows lack it."""

    family: str
    name: str
    root: str


@dataclass(frozen=True, slots=True)
class Sighting:
    """One place of the compiled Vega where a mistake shows, and the parts of the author's expressions it was copied from."""

    diagnostic: Diagnostic
    place: Place
    written: tuple[Mention, ...]


class Sight:
    """Looks at compiled specs with the author's spec in mind."""

    def __init__(self, root: Node, spec: object, compiler: Compiler, options: CheckOptions) -> None:
        self.spec = spec
        """What is compiled: the spec without its rows and without what is known to be wrong."""
        self._compiler = compiler
        self._options = options
        self._expressions = expressions_of(root)
        self._selectors = selectors_of(root)
        self._describes = _describes_itself(root)
        self._trials = 0

    def compiled(self, spec: object) -> Compiled:
        """The Vega of the spec or of a variant of it; raises CompileFailure where Vega-Lite does."""
        return self._compiler.compiled(spec)

    def check(self, spec: object) -> tuple[Compiled, Checked]:
        """Compiles and checks the spec or a variant of it; raises CompileFailure where Vega-Lite does."""
        compiled = self.compiled(spec)
        return compiled, check_document(compiled.document, self._options)

    def try_out(self, spec: object) -> dict[Cause, list[Sighting]] | None:
        """What a variant of the spec would show; None when it cannot be compiled, or enough was tried."""
        self._trials += 1
        if self._trials > _MOST_TRIALS:
            return None
        try:
            return self.causes(*self.check(spec))
        except CompileFailure:
            return None

    def causes(self, compiled: Compiled, checked: Checked) -> dict[Cause, list[Sighting]]:
        """The sightings by cause, in the order of the findings."""
        found: dict[Cause, list[Sighting]] = {}
        for index, diagnostic in enumerate(checked.diagnostics):
            for place in (diagnostic.place, *checked.repeats.get(index, ())):
                if not self._is_made_up(diagnostic, place):
                    cause = _cause(diagnostic, compiled)
                    found.setdefault(cause, []).append(Sighting(diagnostic, place, self._written(compiled, place)))
        return found

    def _is_made_up(self, diagnostic: Diagnostic, place: Place) -> bool:
        """What shows only in a description for screen readers, which Vega-Lite writes by itself.

        For an ordinal time unit it reads the field that the unit was computed from, though the aggregation has dropped it. A field
        that never was is a mistake all the same: `detail` on points is read nowhere else.
        """
        in_description = "encode" in place.path and "description" in place.path
        return in_description and not self._describes and not isinstance(diagnostic, UnknownField)

    def _written(self, compiled: Compiled, place: Place) -> tuple[Mention, ...]:
        """The stretches of the author's own expressions that stand, copied, at a place of the compiled spec."""
        node = compiled.document.root.descend(*place.path)
        text = node.text if node is not None else None
        if text is None or place.start is None:
            return ()
        start, end = place.start, place.start if place.end is None else place.end
        copied = [mention for node in self._expressions if (mention := _copied(node, text, start, end)) is not None]
        longest = max((len(mention.text) for mention in copied), default=0)
        return tuple(mention for mention in copied if len(mention.text) == longest) or self._in_selectors(text, start, end)

    def _in_selectors(self, text: str, start: int, end: int) -> tuple[Mention, ...]:
        """A filter of an event stream is cut out of the selector that the author wrote."""
        found = []
        for node in self._selectors:
            at = (node.text or "").find(f"[{text}]")
            if at >= 0:
                found.append(Mention(node.path, text[start:end], node.text or "", at + 1 + start, at + 1 + end))
        return tuple(found)

    def at_fault(self, cause: Cause, sightings: int, candidates: list[Mention]) -> list[Mention]:
        """Which of several mentions show the mistake, found by changing one after the other.

        A mention is at fault when the mistake shows less without it. Where two mentions show in one and the same place of the
        Vega, none of them is missed; then those are at fault that show the mistake when all others are changed.
        """
        if len(candidates) < 2:
            return candidates
        less = [mention for mention in candidates if self._shows(cause, [mention], sightings) < sightings]
        if less:
            return less
        alone = [mention for mention in candidates if self._shows(cause, [one for one in candidates if one != mention], 0) > 0]
        return alone or candidates

    def _shows(self, cause: Cause, changed: list[Mention], otherwise: int) -> int:
        spec = self.spec
        for mention in changed:
            spec = mention.silenced(spec, _MARKER)
        shown = self.try_out(spec)
        return otherwise if shown is None else len(shown.get(cause, ()))


def _copied(node: Node, text: str, start: int, end: int) -> Mention | None:
    """The stretch of an author's expression that stands at a stretch of a compiled one, if the one contains the other."""
    own = node.text or ""
    at = text.find(own) if own else -1
    while at >= 0:
        if at <= start and end <= at + len(own) and _stands_alone(text, at, at + len(own)):
            return Mention(node.path, text[start:end], own, start - at, end - at)
        at = text.find(own, at + 1)
    return None


def _stands_alone(text: str, start: int, end: int) -> bool:
    """The stretch is not a part of a longer name."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (_in_name(before) and _in_name(text[start])) and not (_in_name(after) and _in_name(text[end - 1]))


def _in_name(character: str) -> bool:
    return character.isalnum() or character in ("_", "$", ".")


def _cause(diagnostic: Diagnostic, compiled: Compiled) -> Cause:
    match diagnostic:
        case UnknownField() | DroppedField():
            return Cause(MISSING, diagnostic.field, root_of(diagnostic.record))
        case ParseOfAbsentColumn():
            return Cause(MISSING, diagnostic.column, _dataset_at(compiled, diagnostic.place.path))
        case _:
            return Cause(diagnostic.code, named_by(diagnostic), "")


def named_by(diagnostic: Diagnostic) -> str:
    """The name that a finding is about."""
    for attribute in ("field", "column", "name"):
        name = getattr(diagnostic, attribute, None)
        if isinstance(name, str):
            return name
    return diagnostic.message()


def root_of(record: Record) -> str:
    """The dataset of Vega that the rows of a record come from in the end."""
    return next((step.dataset for step in lineages(record) if step.before is None and step.dataset is not None), "")


def lineages(record: Record) -> Iterator[Lineage]:
    """The steps that made a record, the last one first."""
    step = record.lineage
    while step is not None:
        yield step
        step = step.before.lineage if step.before is not None else None


def _dataset_at(compiled: Compiled, path: tuple[PathKey, ...]) -> str:
    node = compiled.document.root.descend(*path[:2], "name")
    return node.text or "" if node is not None else ""


def _describes_itself(node: Node) -> bool:
    """The author wrote a description for screen readers: a channel, or a property of a mark."""
    if node.key in ("encoding", "mark") and node.get("description") is not None:
        return True
    return any(_describes_itself(child) for child in (*node.elements(), *(member for _, member in node.members())))
