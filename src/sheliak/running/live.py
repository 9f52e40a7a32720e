"""What `sheliak.open` gives back: a spec whose datasets follow changes, on Spark."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeAlias

from sheliak.changes.change import Add, Change, Changeset, Rejected, Remove, Update
from sheliak.changes.lines import Line, line_of_object, read_pulses
from sheliak.expressions.values import Json, Row
from sheliak.running.opening import Ready, RunOptions, SpecFile, ready, told_failures
from sheliak.running.plain_rows import plain
from sheliak.running.result import value_of, values_of
from sheliak.running.uncollected import uncollected

if TYPE_CHECKING:
    import pyarrow as pa

    from sheliak.engines.spark.live.step import LiveSpark
    from sheliak.engines.spark.live.store import Store
    from sheliak.engines.spark.passed_on import SparkSession

Changes: TypeAlias = "str | Iterable[Mapping[str, object] | tuple[str, Change]]"
"""Lines of JSON, the same as dicts, or pairs of a dataset's name and a change."""


_TIDYING = 32
"""After so many steps files that are not needed any more are removed."""


class LiveDatasets(Mapping[str, "pa.Table"]):
    """The datasets that an engine runs, as Arrow tables of the rows that they have now."""

    def __init__(self, live: Live) -> None:
        self._live = live

    def __getitem__(self, name: str) -> pa.Table:
        from sheliak.running.arrow_tables import table_of

        if name not in self._live.names:
            raise KeyError(name)
        return table_of(self._live.rows(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._live.names)

    def __len__(self) -> int:
        return len(self._live.names)

    def __repr__(self) -> str:
        return f"<datasets {', '.join(self)}>"


class Live:
    """A spec whose datasets follow changes. Close it, or use it in a `with` block: what it keeps is then removed.

        with sheliak.open("chart.vg.json", data={"flights": frame}) as live:
            told = live.apply([{"data": "flights", "id": 7, "update": {"carrier": "AA", "delay": 12}}])
            told["by_carrier"]                 # Add, Update and Remove, at most one for a row
            live.datasets["by_carrier"]        # a pyarrow table

    The rows that a dataset starts with have the ids 1, 2, 3, ...
    """

    def __init__(self, live: LiveSpark, store: Store, given: Ready, folder: Callable[[], None], surrounded: Surrounded) -> None:
        self._live = live
        self._store = store
        self._given = given
        self._remove = folder
        self._surrounded = surrounded
        self.datasets: Mapping[str, pa.Table] = LiveDatasets(self)

    @classmethod
    def opened(cls, spec: SpecFile, options: RunOptions, start: Callable[[], SparkSession], *, is_borrowed: bool) -> Live:
        """Checks and starts a spec, on a session that is borrowed or our own. Raises RunFailure."""
        from sheliak.engines.spark.live.step import open_live
        from sheliak.engines.spark.live.store import open_store
        from sheliak.engines.spark.session import quiet, surrounding

        surrounded = surrounding(start, is_borrowed=is_borrowed)
        with quiet():
            given = ready(spec, options, start)
        folder = tempfile.TemporaryDirectory(prefix="sheliak-live-")
        # What a process keeps for itself need not outlive the machine.
        store = open_store(Path(folder.name), "live", durable=False)
        try:
            with told_failures(), surrounded():
                live = open_live(given.root, given.surroundings, given.frames, start(), store)
        except BaseException:
            store.close()
            folder.cleanup()
            given.close()
            raise
        return cls(live, store, given, folder.cleanup, surrounded)

    @property
    def names(self) -> list[str]:
        """The datasets that an engine runs."""
        return [name for name in self._live.datasets if self._live.reason(name) is None]

    @property
    def inputs(self) -> list[str]:
        """The datasets that changes may go to."""
        return self._live.inputs

    @property
    def signals(self) -> dict[str, Json]:
        """The values that the signals of the top level have, as far as they could be computed."""
        with self._running():
            return {name: plain(value) for name, value in self._live.signals.items()}

    def reason(self, name: str) -> str | None:
        """Why the rows of a dataset are the renderer's; None where they are not."""
        return self._live.reason(name)

    def rows(self, name: str) -> list[Row]:
        """The rows of a dataset as JavaScript's values."""
        with self._running():
            return self._live.rows(name)

    def apply(self, changes: Changes) -> dict[str, Changeset]:
        """One pulse: what it does to each dataset that changes. Raises Rejected for a pulse that cannot be; then nothing has changed."""
        with uncollected():
            lines = pulse_of(changes)
            with self._running():
                stepped = self._live.step([lines], self._next_batch())
                self._tidy()
        if stepped.rejected:
            raise Rejected(stepped.rejected[0][1])
        return dict(stepped.changes)

    def update(self, signals: Mapping[str, object]) -> dict[str, Changeset]:
        """Signals get values, and keep them; what that does to each dataset that changes. Raises RunFailure and Rejected."""
        with self._running():
            stepped = self._live.update(values_of(signals), self._next_batch())
            self._tidy()
        return dict(stepped.changes)

    def _tidy(self) -> None:
        """Removes what no version needs any more, now and then: to look for it takes time."""
        if (self._store.batch or 0) % _TIDYING == 0:
            self._store.clean(1)

    def _next_batch(self) -> int:
        return (-1 if self._store.batch is None else self._store.batch) + 1

    def close(self) -> None:
        """Ends it, and removes what it kept."""
        self._live.close()
        self._store.close()
        self._remove()
        self._given.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ended: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<sheliak.Live: {', '.join(self._live.datasets) or 'no datasets'}>"

    @contextmanager
    def _running(self) -> Iterator[None]:
        with told_failures(), self._surrounded():
            yield


Surrounded: TypeAlias = "Callable[[], AbstractContextManager[None]]"


def pulse_of(changes: Changes) -> Sequence[Line]:
    """Changes as the lines of one pulse. Raises MalformedChange, and TypeError for what is no change."""
    if isinstance(changes, str):
        return [line for pulse in read_pulses(changes) for line in pulse]
    return [
        line_of_object(change, number, value_of) if type(change) is dict else _line(number, change)
        for number, change in enumerate(changes, start=1)
    ]


def _line(number: int, given: Mapping[str, object] | tuple[str, Change]) -> Line:
    match given:
        case Mapping():
            return line_of_object(given, number, value_of)
        case (str(dataset), Add(trace, row)):
            return Line(number, dataset, "add", trace, row)
        case (str(dataset), Update(trace, _, new)):
            return Line(number, dataset, "update", trace, new)
        case (str(dataset), Remove(trace)):
            return Line(number, dataset, "remove", trace, None)
        case _:
            raise TypeError(f"a change is a dict, or a dataset's name and a change, not {type(given).__name__}")
