"""From the causes found in the compiled Vega to the findings that are told: one for each mistake, at its place in the spec."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.diagnostics.fields import DroppedField, UnknownDefaultField
from sheliak.diagnostics.names import UnknownDataset
from sheliak.diagnostics.registry import Diagnostic, Severity
from sheliak.diagnostics.suggest import closest
from sheliak.diagnostics.vegalite import CompiledVegaError, UnknownParam
from sheliak.source.declared import dataclass
from sheliak.source.json_reader import Document
from sheliak.source.place import Place
from sheliak.source.tree import Node
from sheliak.vegalite.blame import part_to_blame
from sheliak.vegalite.causes import MISSING, Cause, Sight, Sighting
from sheliak.vegalite.compiling import Compiled
from sheliak.vegalite.mentions import Mention
from sheliak.vegalite.placing import Placing
from sheliak.vegalite.selections import selected_fields, with_details
from sheliak.vegalite.views import names_around, view_of_names, views_of
from sheliak.vegalite.wording import Wording


@dataclass(frozen=True, slots=True)
class Told:
    """A finding about the spec, the cause behind it, and the mentions that are at fault, in the order of the text."""

    cause: Cause
    finding: Diagnostic
    mentions: tuple[Mention, ...] = ()

    @property
    def repeats(self) -> tuple[Place, ...]:
        return tuple(mention.place for mention in self.mentions[1:])


class Telling:
    """Tells of one spec."""

    def __init__(self, document: Document, root: Node, sight: Sight, compiled: Compiled) -> None:
        self._document = document
        self._root = root
        self._sight = sight
        self._vega = compiled.document.root
        self._views = tuple(views_of(root))
        self._placing = Placing(root, sight, compiled)
        self._wording = Wording(root, compiled)

    def told(self, causes: dict[Cause, list[Sighting]], before: list[Diagnostic]) -> list[Told]:
        """What to tell, after what was found before the spec was compiled."""
        unknown = {f"{finding.name}_store" for finding in before if isinstance(finding, UnknownParam)}
        found = [
            told
            for cause, sightings in causes.items()
            if not _is_store(sightings, unknown) and (told := self._tell(cause, sightings, alone=not before)) is not None
        ]
        found += self._selections(causes)
        known = {finding.place for finding in before}
        return self._without_consequences([told for told in _one_for_each_place(found) if told.finding.place not in known])

    def _tell(self, cause: Cause, sightings: list[Sighting], *, alone: bool) -> Told | None:
        certain = any(sighting.diagnostic.severity is Severity.ERROR for sighting in sightings)
        mentions = self._placing.at_fault(cause, sightings, exactly=not certain)
        if mentions:
            mentions.sort(key=self._position)
            return Told(cause, self._wording.spoken(cause, sightings, mentions[0]), tuple(mentions))
        finding = sightings[0].diagnostic
        copied = self._placing.copied(finding.place)
        if copied is not None:
            return Told(cause, self._wording.moved(finding, copied))
        # What is merely likely to be wrong in Vega that nobody wrote is Vega-Lite's way of doing things. So is what another
        # version of Vega-Lite than the author's makes of a spec; and where words are wrong, it follows from them.
        if not certain or not alone or self._sight.is_other_version:
            return None
        if isinstance(finding, UnknownDefaultField):
            return Told(cause, self._wording.default_field(finding, self.place_of(finding.place)))
        blamed = part_to_blame(self._sight, cause)
        place = Place(blamed) if blamed else self.place_of(finding.place)
        return Told(cause, CompiledVegaError(place=place, found=finding))

    def _position(self, mention: Mention) -> int:
        return self._document.span_of(mention.place).start

    def place_of(self, place: Place) -> Place:
        """Where the author would look for a place of the compiled Vega: what it was copied from, else the view's mark."""
        found = self._placing.origin(place)
        if found is not None:
            return found
        return view_of_names(self._views, names_around(self._vega, place.path)).mark_place

    def name_of(self, dataset: str) -> str:
        """What the author calls a dataset of the compiled Vega."""
        return self._wording.name_of(dataset)

    def _selections(self, causes: dict[Cause, list[Sighting]]) -> Iterator[Told]:
        """Fields that a selection stores: Vega reads them only when somebody clicks, so a channel is made to read them here."""
        selected = list(selected_fields(self._root))
        shown = self._sight.try_out(with_details(self._sight.spec, selected)) if selected else None
        for cause, sightings in (shown or {}).items():
            if cause.family == MISSING and cause not in causes:
                mentions = [one.mention for one in selected if one.mention.name == cause.name]
                if mentions:
                    yield Told(cause, self._wording.spoken(cause, sightings, mentions[0]), tuple(mentions))

    def _without_consequences(self, found: list[Told]) -> list[Told]:
        """Leaves out every missing field that is there as soon as another one is called by its name.

        A transform that groups by `origni` drops `origin`, whoever reads it.
        """
        missing = [told for told in found if told.cause.family == MISSING and told.mentions]
        for told in missing:
            if told in found:
                found = [one for one in found if one is told or one not in missing or not self._follows(one, told)]
        return found

    def _follows(self, one: Told, told: Told) -> bool:
        dropped = isinstance(one.finding, DroppedField) and "transform" in told.mentions[0].path
        if not dropped and closest(told.cause.name, (one.cause.name,)) is None:
            return False
        spec = self._sight.spec
        for mention in told.mentions:
            spec = mention.replaced(spec, one.cause.name)
        shown = self._sight.try_out(spec)
        return shown is not None and one.cause not in shown and told.cause not in shown


def _is_store(sightings: list[Sighting], unknown: set[str]) -> bool:
    """The rows of a selection that does not exist: the unknown parameter is told of already."""
    finding = sightings[0].diagnostic
    return isinstance(finding, UnknownDataset) and finding.name in unknown


def _one_for_each_place(found: list[Told]) -> list[Told]:
    """Where a field is missing, nothing else is told of the same place."""
    kept: dict[Place, Told] = {}
    for told in sorted(found, key=lambda told: told.cause.family != MISSING):
        kept.setdefault(told.finding.place, told)
    return list(kept.values())
