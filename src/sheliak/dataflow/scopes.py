"""The four name tables of a Vega scope, and how they are searched outward.

Signals, scales and projections are hoisted: the whole scope sees them. Datasets and named marks (one table) are visible
only after their definition. A group mark opens an inner scope whose tables are searched first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from sheliak.source.declared import dataclass, field
from sheliak.source.tree import Node
from sheliak.types.shapes import EMPTY_RECORD, UNKNOWN, Record, Type

V = TypeVar("V")


@dataclass(slots=True)
class Dataset:
    """A dataset, a named mark or a facet: what reading it gives."""

    name: str
    node: Node
    record: Record
    aggregated: Record | None = None
    """The record of its last aggregate, which a facet joins on."""
    sources: tuple[str, ...] = ()
    """The datasets whose rows it is made from."""


@dataclass(slots=True)
class Signal:
    """A signal: declared, published by a transform, or built in. Its type is found when first asked for."""

    name: str
    node: Node | None = None
    scope: Scope | None = None
    of: Type | None = None
    inferring: bool = False
    reads: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Scale:
    """A scale and its type's name (None when a signal decides it)."""

    name: str
    node: Node
    type: str | None
    datasets: set[str] = field(default_factory=set)
    """The datasets that its domain and range are computed from."""


@dataclass(slots=True)
class Scope:
    """One level of names: the spec itself, or one group mark."""

    outer: Scope | None = None
    datasets: dict[str, Dataset] = field(default_factory=dict)
    later: dict[str, Node] = field(default_factory=dict)
    """Datasets and marks of this scope that are still to be defined."""
    signals: dict[str, Signal] = field(default_factory=dict)
    unpublished: dict[str, Signal] = field(default_factory=dict)
    """Signals of transforms that have not been read yet: visible to `{signal}` objects only."""
    scales: dict[str, Scale] = field(default_factory=dict)
    projections: dict[str, Node] = field(default_factory=dict)
    group_datum: Type = EMPTY_RECORD
    group_item: Type = UNKNOWN

    def chain(self) -> Iterator[Scope]:
        """This scope, then the ones around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def dataset(self, name: str) -> Dataset | None:
        return next((scope.datasets[name] for scope in self.chain() if name in scope.datasets), None)

    def signal(self, name: str, *, unpublished: bool = False) -> Signal | None:
        for scope in self.chain():
            found = scope.signals.get(name)
            if found is None and (unpublished or scope is not self):
                found = scope.unpublished.get(name)
            if found is not None:
                return found
        return None

    def scale(self, name: str) -> Scale | None:
        return next((scope.scales[name] for scope in self.chain() if name in scope.scales), None)

    def projection(self, name: str) -> Node | None:
        return next((scope.projections[name] for scope in self.chain() if name in scope.projections), None)

    def defined_later(self, name: str) -> Node | None:
        """The definition of a dataset or mark that comes only after this point."""
        return next((scope.later[name] for scope in self.chain() if name in scope.later), None)

    def dataset_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for scope in self.chain() for name in scope.datasets))

    def signal_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for scope in self.chain() for name in scope.signals))

    def scale_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for scope in self.chain() for name in scope.scales))

    def projection_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for scope in self.chain() for name in scope.projections))

    def enclosing(self, level: int) -> Scope:
        """The scope whose group encloses this one `level` steps out (1 is the group around the mark)."""
        scopes = list(self.chain())
        return scopes[min(max(level, 1), len(scopes)) - 1]
