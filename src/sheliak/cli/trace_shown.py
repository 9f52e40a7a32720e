"""What `sheliak trace` shows: pulses as they happen, or one JSON document at the end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import assert_never

import click

from sheliak.changes.change import Add, Change, Changeset, Counts, Error, Remove, Trace, Update, counts_of, trace_text
from sheliak.changes.lines import Line, id_of
from sheliak.engines.reference.live import Cause, Live
from sheliak.engines.reference.live_run import VertexStep
from sheliak.expressions.values import Json, Row, encode
from sheliak.rendering.visible import visible

SHOWN_ORIGINS = 10


@dataclass(slots=True)
class Told:
    """The report of one run."""

    live: Live
    rows: bool
    remembers: bool
    """What happened to every row is kept, for `--why`."""
    as_text: bool
    pulses: list[Json] = field(default_factory=list)
    count: int = 0
    past: dict[str, dict[Trace, list[str]]] = field(default_factory=dict)
    """By vertex and row: in which pulses it was added, updated, removed."""

    def pulse(self, number: int, steps: Sequence[VertexStep]) -> None:
        """What the vertices did."""
        self.count = number
        shown = [step for step in steps if self._is_shown(step)]
        if self.remembers:
            self._remember(number, steps)
        if not self.as_text:
            self.pulses.append({"pulse": number, "vertices": [_step_object(step, self.rows) for step in shown], "error": None})
            return
        lines = [line for step in shown for line in _step_lines(step, self._width(), rows=self.rows)]
        click.echo("\n".join([title(number), *(lines or ["  nothing changes"])]))

    def _is_shown(self, step: VertexStep) -> bool:
        """Something happened, and it is no dataset that only hands on the rows of one upstream."""
        if not (step.received or step.sent or step.because):
            return False
        definition = self.live.graph.definitions.by_dataset[step.vertex.name]
        hands_on = step.vertex.kind == "source" and len(definition.upstream) == 1 and bool(definition.transforms)
        return not hands_on

    def _width(self) -> int:
        labels = [step.label for step in self.live.steps]
        return max((len(visible(label)) for label in labels), default=0)

    def _remember(self, number: int, steps: Sequence[VertexStep]) -> None:
        for step in steps:
            for change in step.sent:
                word = {Add: "added", Update: "updated", Remove: "removed"}[type(change)]
                when = "at the start" if number == 0 else f"in pulse {number}"
                self.past.setdefault(step.label, {}).setdefault(change.trace, []).append(f"{word} {when}")

    def rejected(self, number: int, pulse: Sequence[Line], error: Error) -> None:
        """A pulse that was not applied."""
        self.count = number
        lines = f"line {pulse[0].number}" if len(pulse) == 1 else f"lines {pulse[0].number} to {pulse[-1].number}"
        of = "" if error.trace is None else f"{trace_text(error.trace)}: "
        if self.as_text:
            click.echo(f"{title(number)}\n  not applied")
        else:
            self.pulses.append({"pulse": number, "vertices": [], "error": _error_object(error)})
        click.echo(f"error: pulse {number} ({lines}) was not applied: {visible(error.vertex)}: {of}{error.reason}", err=True)

    def end(self, why: str | None) -> None:
        """The datasets at the end, and where a row comes from if that was asked."""
        for warning in dict.fromkeys(self.live.warnings):
            click.echo(f"warning: {warning}", err=True)
        found = [] if why is None else self._found(why)
        if self.as_text:
            click.echo("\n".join([*self._ending(), *(line for name, one in found for line in self._why_lines(name, one))]))
            return
        datasets: dict[str, Json] = {name: self._dataset_object(name) for name in self.live.datasets}
        document: dict[str, Json] = {"pulses": self.pulses, "datasets": datasets}
        if why is not None:
            document["why"] = [self._why_object(name, one) for name, one in found]
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))

    def _ending(self) -> Iterator[str]:
        yield "at the end"
        width = max((len(visible(name)) for name in self.live.datasets), default=0)
        for name in self.live.datasets:
            reason, size = self.live.reason(name), len(self.live.table(name).order)
            yield f"  {visible(name):{width}}  {f'left to the renderer: {reason}' if reason else rows_text(size)}"

    def _dataset_object(self, name: str) -> Json:
        return {"rows": len(self.live.table(name).order), "reason": self.live.reason(name)}

    # Where a row comes from

    def _found(self, wanted: str) -> list[tuple[str, Trace]]:
        """The datasets that hold the row, and its trace; those that are sources if no other does."""
        named = [(name, trace) for name in self.live.datasets for trace in self.live.table(name).order if is_named(trace, wanted)]
        if named:
            return named
        gone = [
            f"{label}: {', '.join(events)}"
            for label, traces in self.past.items()
            for trace, events in traces.items()
            if is_named(trace, wanted)
        ]
        if gone:
            raise click.ClickException(f"no dataset has the row {wanted} any more; {'; '.join(gone)}")
        raise click.UsageError(f"no dataset has a row {wanted}; --rows shows the traces that there are")

    def _why_lines(self, dataset: str, trace: Trace) -> Iterator[str]:
        yield f"why {trace_text(trace)} is in {visible(dataset)}"
        for cause in self.live.causes(dataset, trace):
            if self._is_handed_on(cause):
                continue
            yield f"  {visible(cause.label)}{_reads_text(cause)}"
            for origin, row in cause.rows[:SHOWN_ORIGINS]:
                events = self.past.get(cause.label, {}).get(origin, [])
                yield f"    {trace_text(origin)}  {row_text(row)}  {', '.join(events)}"
            if len(cause.rows) > SHOWN_ORIGINS:
                yield f"    and {len(cause.rows) - SHOWN_ORIGINS} more"

    def _is_handed_on(self, cause: Cause) -> bool:
        definition = self.live.graph.definitions.by_dataset.get(cause.label)
        return definition is not None and not cause.is_source and len(definition.upstream) == 1 and bool(definition.transforms)

    def _why_object(self, dataset: str, trace: Trace) -> Json:
        causes: list[Json] = [
            {
                "vertex": cause.label,
                "source": cause.is_source,
                "reads": list(cause.reads),
                "rows": [{**_row_object(one, row), "events": self._events(cause.label, one)} for one, row in cause.rows],
            }
            for cause in self.live.causes(dataset, trace)
        ]
        return {"dataset": dataset, "trace": id_of(trace), "causes": causes}

    def _events(self, label: str, trace: Trace) -> Json:
        return list(self.past.get(label, {}).get(trace, []))


def title(number: int) -> str:
    return "the rows that the spec starts with" if number == 0 else f"pulse {number}"


def is_named(trace: Trace, wanted: str) -> bool:
    """An id may be written without quotes."""
    return trace == wanted or trace_text(trace) == wanted


def rows_text(size: int) -> str:
    return "1 row" if size == 1 else f"{size} rows"


def row_text(row: Row) -> str:
    return visible(json.dumps(encode(row), ensure_ascii=False))


def counts_text(counts: Counts) -> str:
    kinds = (("added", counts.add), ("updated", counts.update), ("removed", counts.remove))
    return ", ".join(f"{number} {kind}" for kind, number in kinds if number) or "nothing"


def _reads_text(cause: Cause) -> str:
    return f", which reads {', '.join(map(visible, cause.reads))}" if cause.reads else ""


# Text


def _step_lines(step: VertexStep, width: int, *, rows: bool) -> Iterator[str]:
    received, sent = counts_text(counts_of(step.received)), counts_text(counts_of(step.sent))
    because = f"  (all rows again: {', '.join(map(visible, step.because))} changed)" if step.because else ""
    yield f"  {visible(step.label):{width}}  receives {received:30}  sends {sent}{because}"
    if rows:
        yield from (f"    receives {change_text(change)}" for change in step.received)
        yield from (f"    sends    {change_text(change)}" for change in step.sent)


def change_text(change: Change) -> str:
    match change:
        case Add(trace, row):
            return f"add {trace_text(trace)}  {row_text(row)}"
        case Update(trace, old, new):
            return f"update {trace_text(trace)}  {row_text(old)} to {row_text(new)}"
        case Remove(trace, row):
            return f"remove {trace_text(trace)}  {row_text(row)}"
        case _:
            assert_never(change)


# JSON


def _step_object(step: VertexStep, rows: bool) -> Json:
    shown: dict[str, Json] = {
        "vertex": step.label,
        "dataset": step.vertex.name,
        "received": _counts_object(step.received),
        "sent": _counts_object(step.sent),
        "because": list(step.because),
        "rows": step.rows,
    }
    if rows:
        shown["takes"] = [_change_object(change) for change in step.received]
        shown["sends"] = [_change_object(change) for change in step.sent]
    return shown


def _counts_object(changes: Changeset) -> Json:
    counts = counts_of(changes)
    return {"add": counts.add, "update": counts.update, "remove": counts.remove}


def _change_object(change: Change) -> Json:
    match change:
        case Add(trace, row):
            return {"add": _row_object(trace, row)}
        case Update(trace, old, new):
            return {"update": _row_object(trace, old), "to": _row_object(trace, new)}
        case Remove(trace, row):
            return {"remove": _row_object(trace, row)}
        case _:
            assert_never(change)


def _row_object(trace: Trace, row: Row) -> dict[str, Json]:
    return {"trace": id_of(trace), "fields": encode(row)}


def _error_object(error: Error) -> Json:
    return {"vertex": error.vertex, "trace": None if error.trace is None else id_of(error.trace), "reason": error.reason}
