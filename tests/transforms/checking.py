"""A checker for one pipeline of transforms: it keeps the findings, and knows the datasets, signals and projections of a test."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sheliak.diagnostics.names import UnknownDataset, UnknownProjection
from sheliak.diagnostics.registry import Diagnostic
from sheliak.expressions.field_paths import Reading, type_of_path
from sheliak.source.declared import replace
from sheliak.source.tree import Node
from sheliak.transforms import transform_class
from sheliak.transforms._contract import Rewrite
from sheliak.transforms._elaborate import elaborate
from sheliak.types.operations import join, type_of_value
from sheliak.types.shapes import EMPTY_RECORD, UNKNOWN, Lineage, Record, Type, Unseen

_READ = re.compile(r"\bdatum((?:\.[A-Za-z_$][\w$]*)+)")


@dataclass
class PipelineChecking:
    """The Checking of the transforms. In an expression it only looks at the fields after `datum`."""

    dataset_name: str | None = "table"
    steps: tuple[str, ...] = ()
    strict: bool = False
    datasets: Mapping[str, Record] = field(default_factory=dict)
    signals: Mapping[str, Type] = field(default_factory=dict)
    projections: Sequence[str] = ()
    findings: list[Diagnostic] = field(default_factory=list)
    required: dict[Unseen, Type] = field(default_factory=dict)
    rewritten: list[Rewrite] = field(default_factory=list)

    def report(self, finding: Diagnostic) -> None:
        self.findings.append(finding)

    def require(self, unseen: Unseen, demanded: Type) -> None:
        self.required[unseen] = demanded

    def expression(self, node: Node, datum: Type) -> Type:
        text = node.text or ""
        types = []
        for match in _READ.finditer(text):
            place = node.place.within(*match.span())
            types.append(type_of_path(datum, tuple(match[1][1:].split(".")), Reading(self, place, self.dataset_name)))
        return types[0] if len(types) == 1 and _READ.fullmatch(text) else UNKNOWN

    def signal(self, node: Node, datum: Type | None) -> Type:
        name = node.get("signal")
        return self.signals.get(name.text or "", UNKNOWN) if name is not None else UNKNOWN

    def dataset(self, node: Node) -> Record | None:
        name = node.text or ""
        if name not in self.datasets:
            self.report(UnknownDataset(place=node.place, name=name, known=tuple(self.datasets)))
        return self.datasets.get(name)

    def projection(self, node: Node) -> None:
        name = node.text or ""
        if name not in self.projections:
            self.report(UnknownProjection(place=node.place, name=name, known=tuple(self.projections)))

    def run(self, transforms: Sequence[object], record: Record) -> Record:
        """T₀ ⊢ t₁ : T₁, …: the record after all transforms."""
        made = []
        for node in Node(list(transforms)).elements():
            type_ = node.get("type")
            cls = transform_class(type_.text or "") if type_ is not None else None
            assert cls is not None, node.value
            transform = elaborate(cls, node, record, self)
            output = transform.output_type(record, self) if transform is not None else cls.uncertain_type(record)
            record = replace(output, lineage=Lineage(cls.type, node.place, record, self.dataset_name))
            self.steps = (*self.steps, cls.type)
            made.append(transform)
        self.rewritten += [rewrite for transform in made if transform is not None for rewrite in transform.rewrites(record)]
        return record

    def told(self) -> list[str]:
        """The findings, one line each: the code, the place, the message."""
        return [f"{finding.code} {finding.place.pointer}: {finding.message()}" for finding in self.findings]


def record_of(rows: Sequence[object]) -> Record:
    """The closed record of inline rows."""
    of = join(type_of_value(row) for row in rows) if rows else EMPTY_RECORD
    assert isinstance(of, Record)
    return replace(of, lineage=Lineage("values"))
