"""What is wrong with the compiled Vega, gathered by what may be its one cause in the Vega-Lite spec."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from sheliak.checker.check import Checked, CheckOptions, check_document
from sheliak.diagnostics.expressions import WordsToNumber
from sheliak.diagnostics.fields import DroppedField, UnknownField
from sheliak.diagnostics.loading import ParseOfAbsentColumn
from sheliak.diagnostics.registry import Diagnostic
from sheliak.source.declared import dataclass
from sheliak.source.place import PathKey, Place
from sheliak.source.tree import Node
from sheliak.types.shapes import Lineage, Record
from sheliak.vegalite.compiling import Compiled, CompileFailure, Compiler
from sheliak.vegalite.mentions import Mention, expressions_of, selectors_of
from sheliak.vegalite.vega_side import fields_made, has_pivot, is_parsing
from sheliak.vegalite.views import views_of

MISSING = "missing-field"
_MARKER = "sheliak_marker"
_FIELD_OF_DATUM = re.compile(r'datum\[("(?:[^"\\]|\\["\\])*")\]')
_MOST_TRIALS = 60
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
        self._transforms = {key for view in views_of(root) for key in _transform_keys(view.node)}
        self._made: frozenset[str] = frozenset()
        self._pivots = False
        self.trials_left = _MOST_TRIALS

    @property
    def is_other_version(self) -> bool:
        """The spec was compiled by another generation of Vega-Lite than it was written for."""
        return self._compiler.is_other_version

    def compiled(self, spec: object) -> Compiled:
        """The Vega of the spec or of a variant of it; raises CompileFailure where Vega-Lite does."""
        return self._compiler.compiled(spec)

    def compiles(self, spec: object) -> bool:
        try:
            self.compiled(spec)
        except CompileFailure:
            return False
        return True

    def check(self, spec: object) -> tuple[Compiled, Checked]:
        """Compiles and checks the spec or a variant of it; raises CompileFailure where Vega-Lite does."""
        compiled = self.compiled(spec)
        return compiled, check_document(compiled.document, self._options)

    def try_out(self, spec: object) -> dict[Cause, list[Sighting]] | None:
        """What a variant of the spec would show; None when it cannot be compiled, or enough was tried."""
        self.trials_left -= 1
        if self.trials_left < 0:
            return None
        try:
            return self.causes(*self.check(spec))
        except CompileFailure:
            return None

    def look(self) -> tuple[Compiled, Checked, dict[Cause, list[Sighting]]]:
        """Compiles and checks the spec itself; raises CompileFailure where Vega-Lite does."""
        compiled, checked = self.check(self.spec)
        self._made, self._pivots = fields_made(compiled.document.root), has_pivot(compiled.document.root)
        return compiled, checked, self.causes(compiled, checked)

    def causes(self, compiled: Compiled, checked: Checked) -> dict[Cause, list[Sighting]]:
        """The sightings by cause, in the order of the findings."""
        found: dict[Cause, list[Sighting]] = {}
        for index, diagnostic in enumerate(checked.diagnostics):
            cause = _cause(diagnostic, compiled)
            for place in (diagnostic.place, *checked.repeats.get(index, ())):
                sighting = Sighting(diagnostic, place, self.written(compiled, place))
                if not self._is_made_up(sighting) and not self._is_parsed_ahead(cause, sighting, compiled):
                    found.setdefault(cause, []).append(sighting)
        return found

    def _is_made_up(self, sighting: Sighting) -> bool:
        """What shows only in a text for tooltips or screen readers that Vega-Lite writes by itself, and may get wrong.

        For an ordinal time unit it reads the field that the unit was computed from, though the aggregation has dropped it. A field
        that never was is a mistake all the same: `detail` on points is read nowhere else.
        """
        if sighting.written or not self._is_generated_text(sighting.place.path):
            return False
        match sighting.diagnostic:
            case UnknownField(record=record):
                return root_of(record) == "" or first_record(record).open
            case DroppedField(dropped_by=step):
                return step.step not in self._transforms
            case _:
                return True

    def _is_generated_text(self, path: tuple[PathKey, ...]) -> bool:
        return "encode" in path and ("tooltip" in path or ("description" in path and not self._describes))

    def _is_parsed_ahead(self, cause: Cause, sighting: Sighting, compiled: Compiled) -> bool:
        """Vega-Lite parses the field of a facet before the transforms inside the facet have made it."""
        if cause.family != MISSING or sighting.written or cause.name not in self._made:
            return False
        transform = compiled.document.root.descend(*sighting.place.path[:-1])
        return isinstance(sighting.diagnostic, ParseOfAbsentColumn) or (transform is not None and is_parsing(transform))

    def written(self, compiled: Compiled, place: Place) -> tuple[Mention, ...]:
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

    def at_fault(self, cause: Cause, sightings: list[Sighting], candidates: list[Mention]) -> list[Mention]:
        """Which of several mentions show the mistake, found by changing them.

        A mention is at fault when the mistake shows less without it. Where two mentions show in one and the same place of the
        Vega, none of them is missed; then those are at fault that show the mistake when all others are changed.
        """
        if len(candidates) < 2:
            return candidates
        makeable = self._pivots or cause.name in self._made
        if _never_was(sightings) and not makeable and (found := self._all_at_once(cause, candidates)):
            return found
        count = len(sightings)
        less = [mention for mention in candidates if self._shows(cause, [mention], count) < count]
        if less:
            return less
        alone = [mention for mention in candidates if self._shows(cause, [one for one in candidates if one != mention], 0) > 0]
        return alone or candidates

    def _all_at_once(self, cause: Cause, candidates: list[Mention]) -> list[Mention]:
        """One variant for all: a field that nothing makes is missing wherever the same rows miss a name of our own."""
        spec = self.spec
        for number, mention in reversed(list(enumerate(candidates))):
            spec = mention.replaced(spec, f"{_MARKER}{number}")
        shown = self.try_out(spec) or {}
        return [mention for number, mention in enumerate(candidates) if Cause(MISSING, f"{_MARKER}{number}", cause.root) in shown]

    def _shows(self, cause: Cause, changed: list[Mention], otherwise: int) -> int:
        spec = self.spec
        for mention in changed:
            spec = mention.silenced(spec, _MARKER)
        shown = self.try_out(spec)
        return otherwise if shown is None else len(shown.get(cause, ()))


def _never_was(sightings: list[Sighting]) -> bool:
    return any(isinstance(sighting.diagnostic, UnknownField | ParseOfAbsentColumn) for sighting in sightings)


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
        case WordsToNumber(operator="toNumber"):
            return Cause(diagnostic.code, field_in(diagnostic.operand), "")
        case _:
            return Cause(diagnostic.code, named_by(diagnostic), "")


def named_by(diagnostic: Diagnostic) -> str:
    """The name that a finding is about."""
    for attribute in ("field", "column", "name"):
        name = getattr(diagnostic, attribute, None)
        if isinstance(name, str):
            return name
    return diagnostic.message()


def field_in(operand: str) -> str:
    """The field of `datum["field"]`, which is how Vega-Lite reads one; any other operand as it is."""
    found = _FIELD_OF_DATUM.fullmatch(operand)
    return str(json.loads(found[1])) if found else operand


def root_of(record: Record) -> str:
    """The dataset of Vega that the rows of a record come from in the end."""
    return next((step.dataset for step in lineages(record) if step.before is None and step.dataset is not None), "")


def first_record(record: Record) -> Record:
    """The rows before any transform."""
    for step in lineages(record):
        record = step.before if step.before is not None else record
    return record


def lineages(record: Record) -> Iterator[Lineage]:
    """The steps that made a record, the last one first."""
    step = record.lineage
    while step is not None:
        yield step
        step = step.before.lineage if step.before is not None else None


def _dataset_at(compiled: Compiled, path: tuple[PathKey, ...]) -> str:
    node = compiled.document.root.descend(*path[:2], "name")
    return node.text or "" if node is not None else ""


def _transform_keys(view: Node) -> Iterator[str]:
    transforms = view.get("transform")
    for transform in transforms.elements() if transforms is not None else ():
        yield from (key for key, _ in transform.members())


def _describes_itself(node: Node) -> bool:
    """The author wrote a description for screen readers: a channel, or a property of a mark."""
    if node.key in ("encoding", "mark") and node.get("description") is not None:
        return True
    return any(_describes_itself(child) for child in (*node.elements(), *(member for _, member in node.members())))
