"""Groups that are remembered: what changes of rows do to them, told without a look at the other rows.

What the rows that change contribute (the columns that make a group, the operands of its summaries) is computed on Spark; the groups they
belong to are looked up, brought up to date and written again; what the plan makes of these groups is computed on Spark as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any

from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.live.accumulators import (
    PLACE,
    Accumulator,
    Exhausted,
    accumulator,
    accumulator_of,
    add_sum,
    drop_place,
    is_ordered,
    is_plain_sum,
    is_true,
    leave_places,
    many,
    merged,
    sums_of,
    taken_away,
)
from sheliak.engines.spark.live.exact import ExactSum
from sheliak.engines.spark.live.forms import ByGroup
from sheliak.engines.spark.live.restricted import PlacedRows, Restricted
from sheliak.engines.spark.live.segments import Version, first_segment
from sheliak.engines.spark.live.source_table import SourceTable
from sheliak.engines.spark.live.traces import Id, key_text
from sheliak.engines.spark.summaries import POSITION
from sheliak.plan.column_types import Plain
from sheliak.plan.operators import Output, Project, Scan, Source

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

_KEY = "t"


@dataclass(slots=True)
class GroupState:
    """A group: the columns that make it, how many rows it has, and what its summaries remember."""

    keys: list[Any]
    count: int = 0
    summaries: list[Accumulator] = field(default_factory=list)

    def packed(self) -> str:
        return json.dumps([self.keys, self.count, [one.packed() for one in self.summaries]])


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """What the rows below a group give to it, as columns."""

    form: ByGroup
    plan: Project
    keys: tuple[str, ...]
    operands: tuple[tuple[str, ...], ...]
    functions: tuple[str, ...]

    def finished(self, frame: DataFrame) -> DataFrame:
        """With the text of the key, which is the group's trace."""
        keys = [_unsigned(F.col(name), key.value.of) for name, key in zip(self.keys, self.form.group.keys, strict=True)]
        text = F.to_json(F.struct(*(key.alias(f"k{index}") for index, key in enumerate(keys))), {"ignoreNullFields": "false"})
        return frame.select("*", (text if keys else F.lit("{}")).alias(_KEY))

    def empty(self) -> GroupState:
        return GroupState([None] * len(self.keys), 0, [accumulator(function) for function in self.functions])

    def unpacked(self, text: str) -> GroupState:
        keys, count, packed = json.loads(text)
        made = [accumulator_of(function, one) for function, one in zip(self.functions, packed, strict=True)]
        return GroupState(keys, count, made)


def _unsigned(key: Any, of: object) -> Any:
    """Spark takes 0 and -0 for one key, but writes them as two."""
    return key + F.lit(0.0) if isinstance(of, Plain) and of.kind in ("number", "date") else key


def contributions_of(form: ByGroup, column: Callable[[], int]) -> Contributions:
    """The plan of what rows contribute to a group."""
    outputs: list[Output] = []

    def added(value: Any) -> str:
        outputs.append(Output("", column(), value))
        return column_name(outputs[-1].column)

    keys = tuple([added(key.value) for key in form.group.keys])
    summaries = [made.summary for made in form.group.summaries]
    operands = tuple([tuple([added(operand) for operand in summary.operands]) for summary in summaries])
    plan = Project(form.group.upstream, tuple(outputs))
    # The place of its first row orders a group among the others.
    return Contributions(form, plan, keys, (*operands, ()), (*(summary.function for summary in summaries), PLACE))


# Tables of groups


def table_of_groups(name: str, states: dict[str, GroupState]) -> SourceTable:
    """A table of groups by the texts of their keys."""
    table = SourceTable(name, (first_segment([]),), 0, 0, kind="groups")
    versions = [Version(text, 0, {"s": state.packed()}) for text, state in states.items() if state.count]
    return table.with_versions(versions, len(versions), 0) if versions else table


def looked_up(
    table: SourceTable, texts: Sequence[str], of: Contributions, known: Mapping[str, GroupState]
) -> dict[str, GroupState]:
    """The groups with these keys, in their order; those that are not there are empty. Some are known without looking."""
    left = [text for text in texts if text not in known]
    found = dict(known)
    for text, version in zip(left, table.versions(left) if left else (), strict=True):
        row = version.row if version is not None else None
        found[text] = of.empty() if row is None else of.unpacked(str(row["s"]))
    return {text: found[text] for text in texts}


@dataclass(frozen=True, slots=True)
class GroupStep:
    """What a step does to groups: their table from now on, those that changed, and the rows of these before and after."""

    table: SourceTable
    states: Mapping[str, GroupState]
    before: dict[Id, dict[str, Any]]
    after: dict[Id, dict[str, Any]]


def stepped(
    of: Contributions,
    table: SourceTable,
    changed: pa.Table,
    rebuilt: Callable[[], dict[str, GroupState]],
    known: Mapping[str, GroupState],
) -> GroupStep:
    """The groups after changes: rows at odd places come, those at even places go. Groups that are known are changed."""
    texts = list(dict.fromkeys(changed.column(_KEY).to_pylist()))
    states = looked_up(table, texts, of, known)
    before = _records(of, states)
    _leave_first(of, changed, states)
    try:
        after = _records(of, states)
    except Exhausted:
        everything = rebuilt()
        states = {text: everything.get(text, of.empty()) for text in texts}
        after = _records(of, states)
        return GroupStep(table_of_groups(table.name, everything), states, before, after)
    count = table.count + len(after) - len(before)
    versions = [Version(text, 0, {"s": state.packed()} if state.count else None) for text, state in states.items()]
    return GroupStep(table.with_versions(versions, count, 0) if versions else table, states, before, after)


def _leave_first(of: Contributions, changed: pa.Table, states: dict[str, GroupState]) -> None:
    """Rows go before others come: a group that is left by all rows is a new one for the next."""
    import pyarrow.compute as pc

    side = pc.bit_wise_and(changed.column(POSITION), 1)
    for number, weight in ((0, -1), (1, 1)):
        part = changed.filter(pc.equal(side, number))
        halved = pc.shift_right(part.column(POSITION), 1)
        take(of, part.set_column(part.column_names.index(POSITION), POSITION, halved), states, weight)


def _records(of: Contributions, states: Mapping[str, GroupState]) -> dict[Id, dict[str, Any]]:
    """The rows of groups by their traces. Raises Exhausted."""
    made = {f"group({key_text(text)})": _record(of, state) for text, state in states.items()}
    return {trace: record for trace, record in made.items() if record is not None}


def _record(of: Contributions, state: GroupState) -> dict[str, Any] | None:
    """The row of a group as the plan above has it; None for a group that is not there."""
    group = of.form.group
    if not state.count and not (group.always and not group.keys):
        return None
    *summaries, place = state.summaries
    if state.count:
        place.value()  # as long as it is known
    made = {column_name(key.column): value for key, value in zip(group.keys, state.keys, strict=True)}
    return made | {column_name(made.column): one.value() for made, one in zip(group.summaries, summaries, strict=True)}


def scan_of_groups(of: Contributions) -> Scan:
    """Where the plan above reads groups that are at hand."""
    return Scan(Source("groups"), of.form.group.schema)


def placed_groups(step: GroupStep) -> tuple[PlacedRows, list[Id]]:
    """The groups before (at even places) and after (at odd ones), and their traces."""
    traces = list(dict.fromkeys([*step.before, *step.after]))
    numbers = {trace: number for number, trace in enumerate(traces)}
    records = [*step.before.values(), *step.after.values()]
    columns = {name: [record[name] for record in records] for name in (records[0] if records else ())}
    places = [2 * numbers[trace] for trace in step.before] + [2 * numbers[trace] + 1 for trace in step.after]
    return PlacedRows(columns, places), traces


def all_placed(of: Contributions, table: SourceTable) -> tuple[PlacedRows, dict[int, Id]]:
    """All groups at the places of their first rows, and their traces by these."""
    states = {str(one.id): of.unpacked(str(one.row["s"])) for one in table.newest() if one.row is not None}
    if not states and of.form.group.always and not of.keys:
        states["{}"] = of.empty()
    records = list(_records(of, states).items())
    places = [state.summaries[-1].value() or 0 for state in states.values()]
    columns = {name: [record[name] for _, record in records] for name in (records[0][1] if records else ())}
    return PlacedRows(columns, places), {place: trace for (trace, _), place in zip(records, places, strict=True)}


# Groups of all rows


def states_of_table(of: Contributions, table: pa.Table) -> dict[str, GroupState]:
    """The groups of rows that are at hand."""
    states = _Growing(of)
    take(of, table, states)
    return dict(states)


class _Growing(dict[str, GroupState]):
    def __init__(self, of: Contributions) -> None:
        super().__init__()
        self.of = of

    def __missing__(self, text: str) -> GroupState:
        self[text] = self.of.empty()
        return self[text]


def take(of: Contributions, table: pa.Table, states: dict[str, GroupState], weight: int = 1) -> None:
    """Adds what rows contribute, column by column, or takes it away (weight -1)."""
    import numpy as np

    if not table.num_rows:
        return
    coded = table.column(_KEY).combine_chunks().dictionary_encode()
    codes, texts = coded.indices.to_numpy().astype(np.int64), coded.dictionary.to_pylist()
    groups = [states[text] for text in texts]
    _, first = np.unique(codes, return_index=True)
    shown = {name: table.column(name).take(first).to_pylist() for name in dict.fromkeys(of.keys)}
    for code, (state, count) in enumerate(zip(groups, np.bincount(codes, minlength=len(texts)).tolist(), strict=True)):
        if not state.count:
            state.keys = [shown[name][code] for name in of.keys]
        state.count += weight * count
    places = table.column(POSITION).combine_chunks().to_numpy()
    sums: list[tuple[pa.Array, list[ExactSum]]] = []
    for index, (function, names) in enumerate(zip(of.functions, of.operands, strict=True)):
        operands = [table.column(name).combine_chunks() for name in names]
        if is_plain_sum(function):
            (operand,) = operands
            found = next((known for column, known in sums if column.equals(operand)), None)
            if found is None:
                found = sums_of(codes, operand, len(texts))
                sums.append((operand, found))
            for state, sum in zip(groups, found, strict=True):
                add_sum(state.summaries[index], sum, weight)
            continue
        if weight < 0 and is_ordered(function):
            if function == PLACE:
                _take_places_away(groups, codes, places)
            else:
                _take_away(index, groups, codes, operands, places)
            continue
        for state, one in zip(groups, many(function, codes, operands, places, len(texts)), strict=True):
            given = one if weight > 0 else taken_away(one)
            assert given is not None
            state.summaries[index] = merged(state.summaries[index], given)


def _take_places_away(groups: Sequence[GroupState], codes: Any, places: Any) -> None:
    """Rows go that are hardly ever among the first of their group."""
    import numpy as np

    firsts = [leave_places(state.summaries[-1], count) for state, count in zip(groups, np.bincount(codes).tolist(), strict=True)]
    known = np.asarray(firsts, dtype=np.int64)[codes] >= places
    for code, place in zip(codes[known].tolist(), places[known].tolist(), strict=True):
        drop_place(groups[code].summaries[-1], place)


def _take_away(index: int, groups: Sequence[GroupState], codes: Any, operands: Sequence[Any], places: Any) -> None:
    """Rows go one by one, where an order is kept."""
    import numpy as np

    if len(operands) > 1:  # the second says which rows count
        counted = np.flatnonzero(is_true(operands[1]))
        codes, operands, places = codes[counted], [column.take(counted) for column in operands], places[counted]
    rows = zip(*(column.to_pylist() for column in operands), strict=True) if operands else repeat(())
    for code, given, place in zip(codes.tolist(), rows, places.tolist(), strict=bool(operands)):
        groups[code].summaries[index].change(given, place, -1)


def states_of_frame(of: Contributions, frame: DataFrame) -> dict[str, GroupState]:
    """The groups of many rows: each partition makes its own, and they are put together here."""
    bare = replace(of, form=None, plan=None)  # type: ignore[arg-type]

    def parts(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        states = _Growing(bare)
        for batch in batches:
            take(bare, pa.Table.from_batches([batch]), states)
        texts, packed = list(states), [state.packed() for state in states.values()]
        yield pa.record_batch({"t": pa.array(texts, pa.string()), "s": pa.array(packed, pa.string())})

    found: dict[str, GroupState] = {}
    table = frame.mapInArrow(parts, "t string, s string").toArrow()
    for text, packed in zip(table.column("t").to_pylist(), table.column("s").to_pylist(), strict=True):
        state = of.unpacked(packed)
        known = found.get(text)
        found[text] = state if known is None else _together(known, state)
    return found


def _together(one: GroupState, other: GroupState) -> GroupState:
    summaries = [merged(left, right) for left, right in zip(one.summaries, other.summaries, strict=True)]
    return GroupState(one.keys, one.count + other.count, summaries)


def rows_of_groups(restricted: Restricted, step: GroupStep) -> tuple[pa.Table, list[Id]]:
    """What the plan above makes of the groups that changed."""
    given, traces = placed_groups(step)
    return restricted.tables({"groups": given}), traces
