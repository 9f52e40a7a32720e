"""What an expression can name where it stands, and whom its typing tells of mistakes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from sheliak.diagnostics.findings import Findings
from sheliak.source.place import Place
from sheliak.types.shapes import Record, Type


class ExpressionScope(Findings, Protocol):
    """The surroundings of one expression; the checker has one for every place where an expression can stand."""

    def variable(self, name: str) -> Type | None:
        """The type of `datum`, `event`, `item`, `parent` or a signal; None where there is no such name."""

    def variable_names(self) -> Iterable[str]: ...

    def reads_signal(self, name: str) -> None:
        """Told of every signal that is read."""

    def option_place(self, name: str, text: str) -> Place | None:
        """Where a signal that is bound to options lists this text as one of them."""

    def dataset(self, name: str) -> Record | None:
        """The datum of a dataset; None where there is no such dataset."""

    def dataset_names(self) -> Iterable[str]: ...

    def defined_later(self, name: str) -> bool:
        """A dataset that cannot be read here is defined further on."""

    def has_scale(self, name: str) -> bool: ...

    def scale_names(self) -> Iterable[str]: ...

    def has_projection(self, name: str) -> bool: ...

    def projection_names(self) -> Iterable[str]: ...

    def scale_names_anywhere(self) -> Iterable[str]:
        """The scales and projections of the whole spec, those inside groups too."""

    def has_mark(self, name: str) -> bool: ...

    def mark_names(self) -> Iterable[str]: ...

    def place(self, start: int, end: int) -> Place:
        """The place of a stretch of this expression's text."""
