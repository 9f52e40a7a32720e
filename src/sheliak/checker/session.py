"""What is gathered while one spec is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from sheliak.diagnostics.fields import DroppedField, UnknownField
from sheliak.diagnostics.registry import Diagnostic, Severity
from sheliak.loading import DataFolders
from sheliak.source.declared import dataclass, field
from sheliak.source.place import Place
from sheliak.source.tree import Node
from sheliak.types.operations import join
from sheliak.types.shapes import UNKNOWN, Lineage, Record, Type, Unknown, Unseen


class Gathered:
    """Takes findings: one cause, one diagnostic. What repeats an earlier finding becomes a further place of it."""

    def __init__(self, *, strict: bool = False) -> None:
        self.strict = strict
        self.diagnostics: list[Diagnostic] = []
        self.repeats: dict[int, list[Place]] = {}
        """Index of a diagnostic -> the other places with the same cause."""
        self.requirements: dict[Unseen, Type] = {}
        self._seen: dict[object, int] = {}

    def report(self, finding: Diagnostic) -> None:
        key = _cause(finding)
        first = self._seen.setdefault(key, len(self.diagnostics))
        if first == len(self.diagnostics):
            self.diagnostics.append(finding)
            return
        known = self.diagnostics[first]
        if known.severity is not Severity.ERROR and finding.severity is Severity.ERROR:
            self.diagnostics[first], finding = finding, known
        if self.diagnostics[first].place != finding.place:
            self.repeats.setdefault(first, []).append(finding.place)

    def require(self, unseen: Unseen, demanded: Type) -> None:
        before = self.requirements.get(unseen)
        if before is None or isinstance(before, Unknown):
            self.requirements[unseen] = demanded
        elif not isinstance(demanded, Unknown):
            self.requirements[unseen] = join((before, demanded))


def _cause(finding: Diagnostic) -> object:
    """Readers of a field that one source never had, or that one step dropped, share a cause; anything else is its own."""
    if isinstance(finding, DroppedField):
        return (finding.field, id(finding.dropped_by))
    if isinstance(finding, UnknownField):
        return (finding.field, id(_origin(finding.record)))
    return (finding.code, finding.place, finding.message())


def _origin(record: Record) -> Record | Lineage:
    """The first step that a record comes from."""
    origin: Record | Lineage = record
    while (step := record.lineage) is not None:
        origin = step
        if step.before is None:
            break
        record = step.before
    return origin


class Silent(Gathered):
    """Forgets findings: for types that are asked for before their own check."""

    def report(self, finding: Diagnostic) -> None:
        return

    def require(self, unseen: Unseen, demanded: Type) -> None:
        return


@dataclass(slots=True)
class Stage:
    """The shape of a dataset after one of its steps."""

    dataset: str
    place: Place
    step: str
    record: Record


@dataclass(slots=True)
class Session:
    """One spec under check."""

    folders: DataFolders
    schemas: Mapping[str, Path | Record] = field(default_factory=dict)
    strict: bool = False
    findings: Gathered = field(default_factory=Gathered)
    silent: Silent = field(default_factory=Silent)
    deferred: list[Callable[[], None]] = field(default_factory=list)
    """Checks that need every mark of the spec: event handlers."""
    mark_names: set[str] = field(default_factory=set)
    mark_datums: dict[str, Type] = field(default_factory=dict)
    """The datum of the items of each named mark."""
    pushed: set[str] = field(default_factory=set)
    """Signals that an inner scope writes to."""
    stages: list[Stage] = field(default_factory=list)
    notes: list[tuple[Place, str]] = field(default_factory=list)
    dataset: str | None = None
    """The dataset whose transforms are under check."""
    scopes_entered: int = 0
    signals_waiting: int = 0
    """Signals whose types wait for each other's."""
    scale_uses: list[tuple[str, str, Place]] = field(default_factory=list)
    """Dataset, scale and place, for every scale that a dataset's transforms use."""

    def report(self, finding: Diagnostic) -> None:
        self.findings.report(finding)

    def remember_datum(self, name: str, datum: Type) -> None:
        """Marks of one name in several groups share it: a handler may meet any of them."""
        before = self.mark_datums.get(name)
        self.mark_datums[name] = datum if before is None else join((before, datum))


def names_in_scope(node: Node) -> dict[str, Node]:
    """The datasets and marks that a scope defines, in order, with the nodes that define them."""
    found: dict[str, Node] = {}
    for section in ("data", "marks"):
        listed = node.get(section)
        for element in listed.elements() if listed else ():
            name = element.get("name")
            if name is not None and name.text is not None:
                found.setdefault(name.text, element)
    return found


__all__ = ["UNKNOWN", "Gathered", "Session", "Silent", "Stage", "names_in_scope"]
