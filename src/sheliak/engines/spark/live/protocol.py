"""What a stream needs of datasets that follow changes, and what they tell it of a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from sheliak.changes.change import Changeset, Error, Trace
from sheliak.changes.lines import Pulse
from sheliak.engines.spark.live.store import Draft
from sheliak.expressions.values import Row

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Stepped:
    """What a batch of pulses did."""

    changes: Mapping[str, Changeset] = field(default_factory=dict)
    """Of each dataset that changed, the net changes over the whole batch: at most one for each row."""
    rejected: tuple[tuple[int, Error], ...] = ()
    """The pulses that cannot be, by their places in the batch; nothing of them was applied."""


BeforeCommit: TypeAlias = "Callable[[Draft, Stepped], None]"


class LiveDatasets(Protocol):
    """The datasets of a spec, kept in a store."""

    @property
    def datasets(self) -> list[str]:
        """The names of the datasets of the top level, in the order of the spec."""

    def reason(self, dataset: str) -> str | None:
        """Why the rows of a dataset are the renderer's."""

    def table(self, dataset: str) -> pa.Table:
        """The current rows in their order, as `sheliak run` writes them. Raises RowLimit for too many."""

    def rows(self, dataset: str) -> Iterator[tuple[Trace, Row]]:
        """The current rows in their order, each with its trace. Raises RowLimit for too many."""

    def step(self, pulses: Sequence[Pulse], batch: int, before_commit: BeforeCommit | None = None) -> Stepped:
        """Applies a batch and commits it, once; `before_commit` may add to the draft. Raises RunFailure: then nothing has changed."""

    def compact(self) -> None:
        """Rewrites what many small batches have left in many small files, as a version of the same batch."""

    def close(self) -> None:
        """Lets go of what is held; the store is closed by whoever opened it."""
