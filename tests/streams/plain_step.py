"""Live datasets whose state is the pulses themselves, sent through the reference engine again at every start: slow, and plainly right."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sheliak.changes.change import Change, Rejected, Trace, net
from sheliak.changes.lines import Line, Pulse, read_pulses
from sheliak.engines.reference.live import Live, open_live
from sheliak.engines.spark.live.protocol import BeforeCommit, Stepped
from sheliak.engines.spark.live.store import Store
from sheliak.expressions.values import Row, encode
from sheliak.running.arrow_tables import table_of

if TYPE_CHECKING:
    import pyarrow as pa


class PlainStep:
    """Satisfies LiveDatasets."""

    def __init__(self, spec: Mapping[str, object], store: Store) -> None:
        self._spec, self._store = spec, store
        self._live = self._rebuilt()
        if store.batch is None:
            store.begin(-1).commit()

    def _rebuilt(self) -> Live:
        live = open_live(self._spec, now=0)
        for file in self._store.table("pulses"):
            for pulse in read_pulses(file.path.read_text(encoding="utf-8")):
                live.apply_lines(pulse)
        return live

    @property
    def datasets(self) -> list[str]:
        return self._live.datasets

    def reason(self, dataset: str) -> str | None:
        return self._live.reason(dataset)

    def table(self, dataset: str) -> pa.Table:
        return table_of(self._live.rows(dataset))

    def rows(self, dataset: str) -> Iterator[tuple[Trace, Row]]:
        table = self._live.table(dataset)
        yield from ((trace, table.rows[trace]) for trace in table.order)

    def step(self, pulses: Sequence[Pulse], batch: int, before_commit: BeforeCommit | None = None) -> Stepped:
        changes: dict[str, list[Change]] = {name: [] for name in self.datasets}
        rejected, texts = [], []
        try:
            for place, pulse in enumerate(pulses):
                try:
                    self._live.apply_lines(pulse)
                except Rejected as problem:
                    rejected.append((place, problem.error))
                    continue
                texts.append(pulse_text(pulse))
                for name, found in changes.items():
                    found += self._live.changes(name)
            stepped = Stepped({name: net(found) for name, found in changes.items() if net(found)}, tuple(rejected))
            draft = self._store.begin(batch)
            path = draft.new_file("pulses", ".jsonl")
            path.write_text("".join(texts), encoding="utf-8")
            draft.append("pulses", [path], "pulses")
            if before_commit is not None:
                before_commit(draft, stepped)
            draft.commit()
        except Exception:
            self._live = self._rebuilt()
            raise
        return stepped

    def compact(self) -> None:
        assert self._store.batch is not None
        draft = self._store.begin(self._store.batch)
        path = draft.new_file("pulses", ".jsonl")
        path.write_bytes(b"".join(file.path.read_bytes() for file in self._store.table("pulses")))
        draft.replace("pulses", [path], "pulses")
        draft.commit()

    def close(self) -> None:
        """Nothing is held."""


def pulse_text(pulse: Pulse) -> str:
    return "".join(line_text(line) + "\n" for line in pulse) + '{"commit": true}\n'


def line_text(line: Line) -> str:
    what = True if line.row is None else encode(line.row)
    return json.dumps({"data": line.dataset, "id": line.id, line.kind: what})


def read_log(folder: Path) -> list[str]:
    """The lines of a change log, in order."""
    return [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]
