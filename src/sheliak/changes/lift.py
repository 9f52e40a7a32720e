"""A meaning on rows becomes one on changes.

A form says how much of a transform's work a change can touch: one row, the rows with one key, or all. In each form the plain meaning
runs again over what is touched, and nothing else; the rest is remembered. So the rows after any changes are those that the meaning
gives for the rows upstream, in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from sheliak.changes.change import Group, Piece, Trace, origins_of
from sheliak.changes.table import Table
from sheliak.expressions.values import EvaluationError, Row, to_boolean

Results: TypeAlias = "list[tuple[int | None, Row]]"
"""Rows, and for each the place of the row that it still is; None for a new row."""
Meaning: TypeAlias = "Callable[[Sequence[Row], Sequence[int] | None], Results]"
"""⟦t⟧: the rows after some rows. The numbers say in which order they were taken in; None if in the order given."""
KeyOf: TypeAlias = "Callable[[Row], Hashable]"
Traces: TypeAlias = "dict[Trace, None]"
"""A set that keeps its order."""
Naming: TypeAlias = "Callable[[Table, list[Row]], list[Trace]]"
"""The traces of the new rows that were made of a table, in their order."""


class RowFailure(Exception):
    """The meaning has no answer for this row (None: for no row in particular)."""

    def __init__(self, trace: Trace | None, reason: str) -> None:
        super().__init__(reason)
        self.trace = trace


# Forms


@dataclass(frozen=True, slots=True)
class PerRow:
    """What comes of a row depends on it alone. The row goes on or is dropped (`kept`), or others are made of it."""

    transform: str
    kept: bool = True
    one: bool = True
    """Exactly one row comes of each, which has its trace; otherwise they are numbered pieces of it."""
    remembers: str | None = None
    """The field that a row keeps through its updates: what was drawn for it once."""


@dataclass(frozen=True, slots=True)
class PerKey:
    """What comes of a row depends on the rows with its key. They go on (`kept`), or rows are made of the group, one or several."""

    transform: str
    key: KeyOf
    kept: bool = True
    one: bool = True


@dataclass(frozen=True, slots=True)
class Whole:
    """What comes of a row may depend on all."""

    naming: Naming


Form: TypeAlias = PerRow | PerKey | Whole


# What is remembered


@dataclass(frozen=True, slots=True)
class Part:
    """A group: its rows, in their order and in that of their arrival, and what came of them."""

    members: list[Trace]
    arrival: list[Trace] | None
    outputs: list[tuple[Trace, Row]]


@dataclass(slots=True)
class Lifted:
    """A transform's table, and what the next changes need to know."""

    table: Table
    candidates: Traces | None = None
    """The rows that can differ from those before; None for all."""
    outputs: dict[Trace, list[tuple[Trace, Row]]] = field(default_factory=dict)
    """By row, what came of each upstream row."""
    keys: dict[Trace, Hashable] = field(default_factory=dict)
    groups: dict[Hashable, Part] = field(default_factory=dict)

    def origins(self, trace: Trace, upstream: Table) -> list[Trace]:
        """The upstream rows that a row comes from: itself, those its trace names, the members of its group, or all."""
        if trace in upstream.rows:
            return [trace]
        named = [origin for origin in origins_of(trace) if origin in upstream.rows]
        if named:
            return named
        part = self.groups.get(trace.key) if isinstance(trace, Group) else None
        return list(upstream.order if part is None else part.members)


def lifted(form: Form, before: Lifted | None, upstream: Table, touched: Traces | None, meaning: Meaning) -> Lifted:
    """⟦t⟧ on changes: `touched` are the upstream rows that were added, updated or removed; None if anything may have changed."""
    known = None if touched is None else before
    if known is None and not upstream.order:
        meaning([], None)  # parameters that cannot be are told even where there are no rows
    match form:
        case PerRow():
            return _by_row(form, before, known, upstream, touched or {}, meaning)
        case PerKey():
            return _by_key(form, known, upstream, touched or {}, meaning)
        case Whole(naming):
            return _as_a_whole(naming, upstream, meaning)
        case _:
            assert_never(form)


# By row


def _by_row(
    form: PerRow, before: Lifted | None, known: Lifted | None, upstream: Table, touched: Traces, meaning: Meaning
) -> Lifted:
    outputs = dict(known.outputs) if known is not None else {}
    past = {trace: None for origin in touched for trace, _ in outputs.pop(origin, ())}
    wanted = upstream.order if known is None else [trace for trace in touched if trace in upstream.rows]
    rows = [_remembering(form, upstream.rows[trace], before, trace) for trace in wanted]
    fresh = _kept_or_not(wanted, rows, meaning) if form.kept else _made_of_each(form, wanted, rows, meaning)
    outputs.update(zip(wanted, fresh, strict=True))
    candidates = None if known is None else past | {trace: None for made in fresh for trace, _ in made}
    found = {trace: row for origin in upstream.order for trace, row in outputs[origin]}
    return Lifted(_in_order(found, upstream, kept=form.kept), candidates, outputs)


def _remembering(form: PerRow, row: Row, before: Lifted | None, trace: Trace) -> Row:
    """The row with what was once drawn for it, unless it brings something of its own."""
    old = before.table.rows.get(trace) if form.remembers is not None and before is not None else None
    if form.remembers is None or old is None or to_boolean(row.get(form.remembers)):
        return row
    return {**row, form.remembers: old[form.remembers]} if form.remembers in old else row


def _kept_or_not(wanted: Sequence[Trace], rows: Sequence[Row], meaning: Meaning) -> list[list[tuple[Trace, Row]]]:
    outputs: list[list[tuple[Trace, Row]]] = [[] for _ in wanted]
    for place, row in _results(wanted, rows, meaning):
        assert place is not None
        outputs[place] = [(wanted[place], row)]
    return outputs


def _results(wanted: Sequence[Trace], rows: Sequence[Row], meaning: Meaning) -> Results:
    """All at once; where that fails, one by one, to find the row that is at fault."""
    try:
        return meaning(rows, None) if rows else []
    except EvaluationError:
        for trace, row in zip(wanted, rows, strict=True):
            _of_one(trace, row, meaning)
        raise


def _of_one(trace: Trace, row: Row, meaning: Meaning) -> Results:
    try:
        return meaning([row], None)
    except EvaluationError as error:
        raise RowFailure(trace, str(error)) from error


def _made_of_each(form: PerRow, wanted: Sequence[Trace], rows: Sequence[Row], meaning: Meaning) -> list[list[tuple[Trace, Row]]]:
    made = [[row for _, row in _of_one(trace, row, meaning)] for trace, row in zip(wanted, rows, strict=True)]
    if form.one:
        return [[(trace, row)] for trace, (row,) in zip(wanted, made, strict=True)]
    return [
        [(Piece(form.transform, trace, index), row) for index, row in enumerate(pieces)]
        for trace, pieces in zip(wanted, made, strict=True)
    ]


def _in_order(found: dict[Trace, Row], upstream: Table, *, kept: bool) -> Table:
    """Rows in the order in which they were found; those that go on were taken in when they were."""
    order = list(found)
    if upstream.is_in_arrival_order or not kept:
        return Table(found, order, order)
    return Table(found, order, [trace for trace in upstream.arrival if trace in found])


# By key


def _by_key(form: PerKey, known: Lifted | None, upstream: Table, touched: Traces, meaning: Meaning) -> Lifted:
    keys = dict(known.keys) if known is not None else {}
    stirred = {keys.pop(trace) for trace in touched if trace in keys}
    for trace in upstream.order if known is None else touched:
        if trace in upstream.rows:
            keys[trace] = _key_of(form.key, trace, upstream.rows[trace])
            stirred.add(keys[trace])
    members = _members(upstream.order, keys)
    arrivals = None if upstream.is_in_arrival_order else _members(upstream.arrival, keys)
    old = known.groups if known is not None else {}
    groups: dict[Hashable, Part] = {}
    candidates = {trace: None for key, part in old.items() if key not in members for trace, _ in part.outputs}
    for key, traces in members.items():
        part, arrival = old.get(key), arrivals[key] if arrivals is not None else None
        if part is None or key in stirred or part.members != traces or part.arrival != arrival:
            candidates |= dict.fromkeys(trace for trace, _ in part.outputs) if part is not None else {}
            part = Part(traces, arrival, _of_group(form, key, traces, arrival, upstream.rows, meaning))
            candidates |= dict.fromkeys(trace for trace, _ in part.outputs)
        groups[key] = part
    return Lifted(_table_of_groups(form, groups, upstream), None if known is None else candidates, {}, keys, groups)


def _key_of(key: KeyOf, trace: Trace, row: Row) -> Hashable:
    try:
        return key(row)
    except EvaluationError as error:
        raise RowFailure(trace, str(error)) from error


def _members(order: Iterable[Trace], keys: Mapping[Trace, Hashable]) -> dict[Hashable, list[Trace]]:
    members: dict[Hashable, list[Trace]] = {}
    for trace in order:
        members.setdefault(keys[trace], []).append(trace)
    return members


def _of_group(
    form: PerKey, key: Hashable, traces: list[Trace], arrival: list[Trace] | None, rows: Mapping[Trace, Row], meaning: Meaning
) -> list[tuple[Trace, Row]]:
    try:
        results = meaning([rows[trace] for trace in traces], _ages(traces, arrival))
    except EvaluationError as error:
        raise RowFailure(Group(form.transform, key), str(error)) from error
    if form.kept:
        return [(traces[place], row) for place, row in results if place is not None]
    if form.one:
        return [(Group(form.transform, key), row) for _, row in results]
    return [(Group(form.transform, key, index), row) for index, (_, row) in enumerate(results)]


def _ages(order: Sequence[Trace], arrival: Sequence[Trace] | None) -> list[int] | None:
    if arrival is None:
        return None
    ages = {trace: age for age, trace in enumerate(arrival)}
    return [ages[trace] for trace in order]


def _table_of_groups(form: PerKey, groups: Mapping[Hashable, Part], upstream: Table) -> Table:
    found = {trace: row for part in groups.values() for trace, row in part.outputs}
    if form.kept:
        found = {trace: found[trace] for trace in upstream.order}
    return _in_order(found, upstream, kept=form.kept)


# As a whole


def _as_a_whole(naming: Naming, upstream: Table, meaning: Meaning) -> Lifted:
    arrival = None if upstream.is_in_arrival_order else upstream.arrival
    results = meaning(upstream.listed(), _ages(upstream.order, arrival))
    names = iter(naming(upstream, [row for place, row in results if place is None]))
    found: dict[Trace, Row] = {}
    made: list[Trace] = []
    for place, row in results:
        trace = next(names) if place is None else upstream.order[place]
        if trace in found:  # a sample may hold a row twice
            trace = Piece("again", trace, len(found))
        found[trace] = row
        if place is None or trace not in upstream.rows:
            made.append(trace)
    order = list(found)
    is_new = set(made)
    old = [trace for trace in upstream.arrival if trace in found and trace not in is_new]
    arrived = [*old, *made]
    return Lifted(Table(found, order, order if arrived == order else arrived))


# Traces of new rows


def by_number(transform: str) -> Naming:
    """The first, the second, ..."""
    return lambda upstream, made: [Group(transform, (), index) for index in range(len(made))]


def by_key(transform: str, key: KeyOf, *, one: bool = True) -> Naming:
    """By what a new row shows. If it is not the only `one` to show it, the others, or all of them, are numbered."""

    def name(upstream: Table, made: list[Row]) -> list[Trace]:
        times: dict[Hashable, int] = {}
        names: list[Trace] = []
        for row in made:
            shown = key(row)
            number = times[shown] = times.get(shown, -1) + 1
            names.append(Group(transform, shown, None if one and number == 0 else number))
        return names

    return name


def by_group(transform: str, key: KeyOf) -> Naming:
    """By the keys of the upstream rows, one new row for each, in the order in which they are first seen."""

    def name(upstream: Table, made: list[Row]) -> list[Trace]:
        return [Group(transform, found) for found in dict.fromkeys(key(row) for row in upstream.listed())]

    return name
