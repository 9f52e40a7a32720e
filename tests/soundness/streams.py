"""Random well-formed streams of changes, and other streams that must have the same result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from sheliak.calculus.changes import Add, Change, DataTuple, Record, Remove, Trace, Update
from sheliak.calculus.type_syntax import RecordType
from soundness.choices import Choices
from soundness.specs import Bounds, Typed
from soundness.types_and_values import record, record_type

Event: TypeAlias = tuple[str, Change]  # an input and a change to it
Stream: TypeAlias = tuple[Event, ...]
Tuples: TypeAlias = dict[Trace, DataTuple]

TRACES: Final[tuple[Trace, ...]] = (0, 1, "a", 2, "1", 3, 0.5, 4, "", 5)


def stream(choices: Choices, typed: Typed, bounds: Bounds) -> Stream:
    """Adds of tuples that are not there, updates and removes of tuples that are; traces come again after a remove."""
    longest = bounds.changes if typed.crosses < 2 else 4
    writers = [Writer(choices, source, T, 2 + longest // 2, bounds.as_printed) for source, T in typed.inputs.items()]
    return tuple([choices.pick(writers).event() for _ in choices.turns(range(1, longest + 1))])


class Writer:
    """Writes the changes of one input. Tuples are mixed from few, so that groups meet and values come back."""

    def __init__(self, choices: Choices, source: str, T: RecordType, traces: int, as_printed: frozenset[str]) -> None:
        self.choices = choices
        self.source = source
        self.records = [record(choices, T) for _ in range(3)]
        self.may_move = "E18" in as_printed
        if "E24" in as_printed:
            self.records[-1] = record(choices, record_type(choices, len(T.fields)))
        self.free = list(TRACES[:traces])
        self.present: list[DataTuple] = []

    def event(self) -> Event:
        kind = self.choices.below(10)
        if self.free and (kind < 5 or not self.present):
            return self.source, self._add()
        return self.source, self._update() if kind < 8 else self._remove()

    def _add(self) -> Change:
        trace = self.free.pop(-1 if self.choices.below(3) == 2 else 0)
        v = DataTuple(self._record(), trace)
        self.present.append(v)
        return Add(v)

    def _update(self) -> Change:
        i = self.choices.below(len(self.present))
        v = self.present[i]
        trace = self.choices.pick(self.free) if self.may_move and self.free and self.choices.below(2) else v.trace
        v_new = DataTuple(self._changed(v.fields), trace)
        if trace == v.trace:
            self.present[i] = v_new
        else:  # it is kept under the trace it had, so that no later change can name it
            del self.present[i]
        return Update(v, v_new)

    def _remove(self) -> Change:
        v = self.present.pop(self.choices.below(len(self.present)))
        self.free.append(v.trace)
        return Remove(v)

    def _record(self) -> Record:
        if self.choices.below(2) == 0:
            return self.choices.pick(self.records)
        return self._changed(self.choices.pick(self.records))

    def _changed(self, fields: Record) -> Record:
        """One field, or all, of another record; it may be the same again."""
        other = self.choices.pick(self.records)
        if not other or self.choices.below(2) == 0:
            return other
        f = self.choices.pick(list(other))
        return {**fields, f: other[f]}


def survivors(inputs: Mapping[str, RecordType], events: Stream) -> dict[str, Tuples]:
    """The tuples that each input has after the stream."""
    present: dict[str, Tuples] = {source: {} for source in inputs}
    for source, u in events:
        match u:
            case Add(v) | Update(_, v):
                present[source][v.trace] = v
            case Remove(v):
                del present[source][v.trace]
    return present


def pulses(choices: Choices, events: Stream) -> list[Stream]:
    """The same changes, cut into pulses."""
    cut: list[list[Event]] = [[]]
    for event in events:
        if choices.below(6) == 5:
            cut.append([])
        cut[-1].append(event)
    return [tuple(pulse) for pulse in cut]


def reordered(choices: Choices, events: Stream) -> Stream:
    """The same changes in another order. Changes are independent if they are of different inputs or of tuples with different
    traces; those of one tuple keep their order."""
    queues: dict[tuple[str, Trace], list[Event]] = {}
    for event in events:
        queues.setdefault((event[0], trace_of(event[1])), []).append(event)
    waiting = [queue[::-1] for queue in queues.values()]
    result: list[Event] = []
    while waiting:
        i = choices.below(len(waiting))
        result.append(waiting[i].pop())
        if not waiting[i]:
            del waiting[i]
    return tuple(result)


def merged(events: Stream) -> Stream:
    """One change for each tuple: what all of its changes amount to, at the place of the last."""
    first: dict[tuple[str, Trace], DataTuple | None] = {}
    last: dict[tuple[str, Trace], DataTuple | None] = {}
    for source, u in events:
        key = source, trace_of(u)
        first.setdefault(key, None if isinstance(u, Add) else _old(u))
        last.pop(key, None)
        last[key] = None if isinstance(u, Remove) else _new(u)
    net = [(source, _difference(first[source, trace], v)) for (source, trace), v in last.items()]
    return tuple([(source, u) for source, u in net if u is not None])


def _difference(old: DataTuple | None, new: DataTuple | None) -> Change | None:
    if old is None:
        return None if new is None else Add(new)
    return Remove(old) if new is None else Update(old, new)


def _old(u: Change) -> DataTuple:
    assert isinstance(u, Update | Remove)
    return u.old if isinstance(u, Update) else u.tuple


def _new(u: Change) -> DataTuple:
    assert isinstance(u, Update | Add)
    return u.new if isinstance(u, Update) else u.tuple


def trace_of(u: Change) -> Trace:
    match u:
        case Add(v) | Remove(v) | Update(v, _):
            return v.trace
        case _:
            raise AssertionError("an input has no error")
