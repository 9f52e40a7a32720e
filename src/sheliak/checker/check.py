"""check: the text of a spec in, a report out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sheliak.checker.encode import EncodeSite, item_record
from sheliak.checker.expressions import check_signals_below
from sheliak.checker.marks import check_scope, mark_names
from sheliak.checker.session import Gathered, Session, Silent, Stage
from sheliak.checker.signals import BUILT_IN, pushed_names
from sheliak.dataflow.scopes import Dataset, Scope, Signal
from sheliak.diagnostics.registry import Diagnostic
from sheliak.diagnostics.spec import DuplicateKey, InvalidJson, NotASpec
from sheliak.loading import DataFolders
from sheliak.source.declared import dataclass, field
from sheliak.source.json_reader import Document, read_document
from sheliak.source.place import Place
from sheliak.source.text import Source
from sheliak.source.tree import Node
from sheliak.types.shapes import EMPTY_RECORD, OPEN_RECORD, Record, Type, Unseen

_ROOT_SECTIONS = ("width", "height", "padding", "autosize", "background", "config")


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What a check may look at."""

    folders: DataFolders
    schemas: Mapping[str, Path | Record] = field(default_factory=dict)
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Checked:
    """What the check of one spec found: findings in the order of the text, shapes, and demands on unseen data."""

    document: Document
    diagnostics: tuple[Diagnostic, ...]
    repeats: Mapping[int, tuple[Place, ...]]
    """Index of a diagnostic -> further places with the same cause."""
    stages: tuple[Stage, ...] = ()
    requirements: Mapping[Unseen, Type] = field(default_factory=dict)
    notes: tuple[tuple[Place, str], ...] = ()


def check_document(document: Document, options: CheckOptions) -> Checked:
    """Checks one document: its JSON first, then, if it can be read, its meaning."""
    findings = Gathered(strict=options.strict)
    for problem in document.problems:
        cls = DuplicateKey if problem.kind == "duplicate-key" else InvalidJson
        findings.report(cls(place=Place(problem.path), reason=problem.message, span=problem.span, other=problem.related))
    session = Session(options.folders, options.schemas, options.strict, findings, Silent(strict=options.strict))
    root = document.root
    if root.is_object:
        check_root(session, root)
    elif document.readable:
        findings.report(NotASpec(place=root.place, found=root.kind))
    return Checked(
        document,
        tuple(findings.diagnostics),
        {index: tuple(places) for index, places in findings.repeats.items()},
        tuple(session.stages),
        findings.requirements,
        tuple(session.notes),
    )


def check_root(session: Session, root: Node) -> None:
    """Γ ⊢ spec: the top scope, then what had to wait for every mark."""
    encode = root.get("encode")
    scope = Scope(group_item=item_record(EMPTY_RECORD, encode))
    for name, of in BUILT_IN.items():
        scope.signals[name] = Signal(name, of=of)
    scope.datasets["root"] = Dataset("root", root, OPEN_RECORD)
    session.mark_names.update(mark_names(root))
    session.mark_names.add("root")
    session.pushed.update(pushed_names(root))
    check_scope(session, scope, root)
    for name in _ROOT_SECTIONS:
        section = root.get(name)
        if section is not None and isinstance(section.value, dict | list):
            check_signals_below(session, scope, section)
    if encode is not None:
        EncodeSite(session, scope, EMPTY_RECORD, item_record(EMPTY_RECORD, encode), None, "group").check_sets(encode)
    for check in session.deferred:
        check()


def check_text(text: str, name: str = "<text>", *, folders: DataFolders | None = None, strict: bool = False) -> Checked:
    """Checks the text of a spec."""
    return check_document(read_document(Source(name, text)), CheckOptions(folders or DataFolders(None), strict=strict))
