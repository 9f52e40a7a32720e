"""A spec that follows changes: what is recomputed, what identifies rows, and what is refused."""

from __future__ import annotations

import json

import pytest

from sheliak.changes.change import Add, Rejected, Remove, Update, counts_of, trace_text
from sheliak.changes.lines import read_pulses
from sheliak.dataflow.graph import Vertex
from sheliak.engines.failures import RunFailure
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.reference.live import Live, open_live
from sheliak.engines.reference.live_run import VertexStep
from sheliak.transforms.aggregate import Aggregate

ROWS = [{"g": "x", "n": 1}, {"g": "y", "n": 2}, {"g": "x", "n": 3}]
SUMS = {"type": "aggregate", "groupby": ["g"], "ops": ["sum"], "fields": ["n"], "as": ["s"]}


def opened(*data: dict[str, object], **spec: object) -> Live:
    return open_live({**spec, "data": [*data]}, now=0.0)


def table(*transforms: dict[str, object], values: object = ROWS, name: str = "t") -> dict[str, object]:
    return {"name": name, "values": values, "transform": [*transforms]}


def pulse(live: Live, *lines: str) -> list[VertexStep]:
    return live.apply_lines(read_pulses("\n".join(lines))[0])


def add(id: int, **row: object) -> str:
    return json.dumps({"data": "t", "id": id, "add": row})


def update(id: int, **row: object) -> str:
    return json.dumps({"data": "t", "id": id, "update": row})


def remove(id: int) -> str:
    return json.dumps({"data": "t", "id": id, "remove": True})


def sent(steps: list[VertexStep], vertex: Vertex) -> list[tuple[str, str]]:
    """Kind and trace of the changes that a vertex sent."""
    (step,) = [step for step in steps if step.vertex == vertex]
    return [(type(change).__name__, trace_text(change.trace)) for change in step.sent]


FIRST = Vertex("transform", "t", 0)


# Identity


def test_rows_of_the_spec_have_the_ids_one_two_three() -> None:
    live = opened(table())
    assert [trace_text(trace) for trace in live.table("t").order] == ["1", "2", "3"]


def test_a_group_is_identified_by_its_key() -> None:
    """Erratum E5: the row that founded group x moves to y, and x lives on under its name."""
    live = opened(table(SUMS))
    steps = pulse(live, update(1, g="y", n=1))
    assert sorted(sent(steps, FIRST)) == [("Update", 'aggregate("x")'), ("Update", 'aggregate("y")')]
    assert {row["g"]: row["s"] for row in live.rows("t")} == {"x": 3.0, "y": 3.0}


def test_a_pair_is_identified_by_its_members() -> None:
    live = opened(table({"type": "cross"}, values=[{"n": 1}, {"n": 2}]))
    assert [trace_text(trace) for trace in live.table("t").order] == ["(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)"]
    steps = pulse(live, update(2, n=5))
    assert sent(steps, FIRST) == [("Update", "(1, 2)"), ("Update", "(2, 1)"), ("Update", "(2, 2)")]
    assert sent(pulse(live, remove(1)), FIRST) == [("Remove", "(1, 1)"), ("Remove", "(1, 2)"), ("Remove", "(2, 1)")]


def test_the_rows_of_fold_are_identified_by_their_row_and_a_number() -> None:
    live = opened(table({"type": "fold", "fields": ["g", "n"]}, values=ROWS[:2]))
    assert sent(pulse(live, update(2, g="y", n=9)), FIRST) == [("Update", "fold(2, 0)"), ("Update", "fold(2, 1)")]
    assert sent(pulse(live, remove(1)), FIRST) == [("Remove", "fold(1, 0)"), ("Remove", "fold(1, 1)")]


def test_filters_formulas_and_projections_keep_the_identity() -> None:
    steps = ({"type": "filter", "expr": "datum.n > 1"}, {"type": "formula", "expr": "datum.n", "as": "m"}, {"type": "project"})
    live = opened(table(*steps))
    assert [trace_text(trace) for trace in live.table("t").order] == ["2", "3"]
    assert sent(pulse(live, update(1, g="x", n=7)), Vertex("transform", "t", 2)) == [("Add", "1")]
    assert [row["m"] for row in live.rows("t")] == [7.0, 2.0, 3.0]


def test_rows_of_several_upstream_datasets_do_not_meet() -> None:
    live = opened(table(), {"name": "u", "source": "t"}, {"name": "both", "source": ["t", "u"], "transform": [SUMS]})
    assert [(row["g"], row["s"]) for row in live.rows("both")] == [("x", 8.0), ("y", 4.0)]
    pulse(live, remove(3))
    assert [(row["g"], row["s"]) for row in live.rows("both")] == [("x", 2.0), ("y", 4.0)]


def test_an_identifier_is_kept_through_updates() -> None:
    """As Vega does; a run from scratch would count anew."""
    live = opened(table({"type": "identifier", "as": "id"}))
    pulse(live, update(2, g="z", n=9), remove(1), add(4, g="x", n=4))
    assert [(row["g"], row["id"]) for row in live.rows("t")] == [("z", 2.0), ("x", 3.0), ("x", 4.0)]


# What is sent


def test_an_update_that_changes_nothing_is_not_sent() -> None:
    live = opened(table(SUMS))
    steps = pulse(live, update(1, g="x", n=1))
    assert [step.sent for step in steps if step.vertex == Vertex("source", "t")] == [()]


def test_changes_of_one_pulse_are_net() -> None:
    live = opened(table(SUMS))
    steps = pulse(live, add(4, g="z", n=1), update(4, g="z", n=2), remove(1), add(1, g="x", n=10), add(5, g="w", n=1), remove(5))
    assert sorted(sent(steps, Vertex("source", "t"))) == [("Add", "4"), ("Update", "1")]
    assert {row["g"]: row["s"] for row in live.rows("t")} == {"x": 13.0, "y": 2.0, "z": 2.0}


def test_a_pulse_has_the_effect_of_its_changes_one_by_one() -> None:
    lines = [add(4, g="z", n=1), update(2, g="x", n=5), remove(3), update(4, g="y", n=8)]
    together, apart = opened(table(SUMS)), opened(table(SUMS))
    pulse(together, *lines)
    for line in lines:
        pulse(apart, line)
    assert together.rows("t") == apart.rows("t")


def test_only_touched_groups_are_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    live = opened(table(SUMS, values=[{"g": index % 10, "n": index} for index in range(100)]))
    meaning, sizes = Aggregate.rows, []

    def counted(self, rows, running):  # type: ignore[no-untyped-def]
        sizes.append(len(rows))
        return meaning(self, rows, running)

    monkeypatch.setattr(Aggregate, "rows", counted)
    pulse(live, update(1, g=0, n=7), add(200, g=3, n=1))
    assert sizes == [10, 11]


# What else a vertex needs


def test_a_lookup_follows_the_table_it_looks_up_in() -> None:
    lookup = {"type": "lookup", "from": "names", "key": "k", "fields": ["g"], "values": ["name"], "default": "?"}
    live = opened(table(values=[{"k": "x", "name": "Ada"}], name="names"), table(lookup))
    assert [row["name"] for row in live.rows("t")] == ["Ada", "?", "Ada"]
    steps = pulse(live, json.dumps({"data": "names", "id": 1, "update": {"k": "y", "name": "Bo"}}))
    (step,) = [step for step in steps if step.vertex == FIRST]
    assert [row["name"] for row in live.rows("t")] == ["?", "Bo", "?"]
    assert (step.received, step.because, counts_of(step.sent).update) == ((), ("names",), 3)


def test_an_extent_that_changes_moves_the_bins_of_all_rows() -> None:
    extent, bins = {"type": "extent", "field": "n", "signal": "e"}, {"type": "bin", "field": "n", "extent": {"signal": "e"}}
    live = opened(table(extent, bins))
    pulse(live, add(4, g="x", n=400))
    assert live.signals["e"] == [1.0, 400.0]
    assert [row["bin1"] for row in live.rows("t")] == [20.0, 20.0, 20.0, 400.0]


def test_signals_that_read_data_and_what_reads_them() -> None:
    signals = [{"name": "size", "update": "length(data('t'))"}]
    live = opened(
        table(), {"name": "u", "source": "t", "transform": [{"type": "filter", "expr": "datum.n < size"}]}, signals=signals
    )
    assert len(live.rows("u")) == 2
    steps = pulse(live, add(4, g="x", n=9))
    assert len(live.rows("u")) == 3
    assert [step.because for step in steps if step.vertex == Vertex("transform", "u", 0)] == [("signal size",)]


def test_scales_whose_domain_is_data() -> None:
    scales = [{"name": "x", "type": "linear", "domain": {"data": "t", "field": "n"}, "range": [0, 100], "zero": False}]
    formula = {"type": "formula", "expr": "scale('x', datum.n)", "as": "px"}
    live = opened(table(), {"name": "u", "source": "t", "transform": [formula]}, scales=scales)
    assert [row["px"] for row in live.rows("u")] == [0.0, 50.0, 100.0]
    pulse(live, add(4, g="x", n=5))
    assert [row["px"] for row in live.rows("u")] == [0.0, 25.0, 50.0, 100.0]


def test_a_signal_with_init_keeps_its_first_value() -> None:
    live = opened(table(), signals=[{"name": "size", "init": "length(data('t'))"}])
    pulse(live, add(4, g="x", n=9))
    assert live.signals["size"] == 3.0


def test_signals_that_get_values() -> None:
    """As a run with these values; they stay."""
    spec = {
        "signals": [{"name": "low", "value": 1}, {"name": "twice", "update": "low * 2"}],
        "data": [table({"type": "filter", "expr": "datum.n > low"}, {"type": "formula", "expr": "twice", "as": "w"})],
    }
    live = open_live(spec, now=0.0)
    steps = live.update({"low": 2.0})
    assert live.rows("t") == run_reference(spec, now=0.0, signals={"low": 2.0}).rows["t"]
    assert [step.because for step in steps] == [("signal low",), ("signal twice",)]
    pulse(live, add(4, g="x", n=9))
    assert [(row["n"], row["w"]) for row in live.rows("t")] == [(3.0, 4.0), (9.0, 4.0)]
    assert live.update({"low": 2.0}) == []
    with pytest.raises(RunFailure, match="the spec has no signal `lwo`"):
        live.update({"lwo": 1.0})


def test_a_file_that_is_not_at_hand_leaves_a_dataset_that_changes_can_fill() -> None:
    live = opened({"name": "t", "url": "https://example.org/t.json", "transform": [SUMS]})
    assert live.warnings == ["`t` starts without rows: `https://example.org/t.json` is not at hand"]
    pulse(live, add(1, g="x", n=9))
    assert live.rows("t") == [{"g": "x", "s": 9.0}]


def test_triggers_take_effect_before_the_first_pulse() -> None:
    live = opened({**table(values=[{"a": 1}]), "on": [{"trigger": "v", "insert": "{a: v}"}]}, signals=[{"name": "v", "value": 5}])
    assert [row["a"] for row in live.rows("t")] == [1.0, 5.0]


# What is refused


@pytest.mark.parametrize(
    ("lines", "vertex", "trace", "reason"),
    [
        ([add(1, g="x")], "t", 1, "add of a row that is there already (line 1)"),
        ([remove(9)], "t", 9, "remove of a row that is not there (line 1)"),
        ([add(9, n=1), update(8, n=1)], "t", 8, "update of a row that is not there (line 2)"),
        ([add(9, n=1), add(9, n=1)], "t", 9, "add of a row that is there already (line 2)"),
        (
            [json.dumps({"data": "sums", "id": 1, "remove": True})],
            "sums",
            1,
            "`sums` is computed from another dataset; changes go to `t`",
        ),
        ([json.dumps({"data": "no", "id": 1, "remove": True})], "no", 1, "`no` is no dataset of the spec; changes go to `t`"),
    ],
)
def test_a_pulse_that_cannot_be_leaves_everything_as_it_was(lines: list[str], vertex: str, trace: object, reason: str) -> None:
    live = opened(table(), {"name": "sums", "source": "t", "transform": [SUMS]})
    before = (live.rows("t"), live.rows("sums"))
    with pytest.raises(Rejected) as caught:
        pulse(live, *lines)
    assert (caught.value.error.vertex, caught.value.error.trace, caught.value.error.reason) == (vertex, trace, reason)
    assert (live.rows("t"), live.rows("sums")) == before
    pulse(live, add(10, g="x", n=1))
    assert len(live.rows("t")) == 4


def test_a_change_with_another_old_row_is_refused() -> None:
    live = opened(table())
    with pytest.raises(Rejected, match="update of a row that has other fields by now"):
        live.apply([("t", Update(1, {"g": "x"}, {"g": "y"}))])
    with pytest.raises(Rejected, match="remove of a row that has other fields by now"):
        live.apply([("t", Remove(1, {"g": "x"}))])
    live.apply([("t", Add("new", {"g": "x", "n": 5.0}))])
    assert len(live.rows("t")) == 4


def test_a_row_that_an_expression_fails_for_is_named() -> None:
    live = opened(table({"type": "formula", "expr": "datum.p.q", "as": "v"}, values=[{"p": {"q": 1}}]))
    with pytest.raises(Rejected) as caught:
        pulse(live, add(2, p={"q": 2}), add(3, n=1))
    assert (caught.value.error.vertex, caught.value.error.trace) == ("t[0] formula", 3)
    assert [row["v"] for row in live.rows("t")] == [1.0]


def test_a_rejected_pulse_takes_no_identifiers() -> None:
    live = opened(
        table({"type": "identifier", "as": "id"}, {"type": "formula", "expr": "datum.p.q", "as": "v"}, values=[{"p": {}}])
    )
    with pytest.raises(Rejected):
        pulse(live, add(2))
    pulse(live, add(3, p={}))
    assert [row["id"] for row in live.rows("t")] == [1.0, 2.0]


def test_a_spec_whose_first_run_fails() -> None:
    with pytest.raises(RunFailure, match=r"t\[0\] formula: 1: Cannot read properties of undefined"):
        opened(table({"type": "formula", "expr": "datum.p.q", "as": "v"}))


def test_transforms_of_the_renderer_are_left_to_it() -> None:
    live = opened(table({"type": "force"}), {"name": "u", "source": "t"})
    pulse(live, add(4, g="x", n=1))
    assert live.reason("u") is not None
    assert live.rows("u") == []


# Where a row comes from


def test_a_groups_row_comes_from_its_members() -> None:
    live = opened(table(), {"name": "sums", "source": "t", "transform": [SUMS, {"type": "filter", "expr": "datum.s > 2"}]})
    (trace,) = [trace for trace in live.table("sums").order]
    causes = live.causes("sums", trace)
    assert [
        (cause.label, [trace_text(one) for one, _ in cause.rows]) for cause in causes if cause.is_source or "[" in cause.label
    ] == [
        ("sums[1] filter", ['aggregate("x")']),
        ("sums[0] aggregate", ['aggregate("x")']),
        ("t", ["1", "3"]),
    ]


def test_pairs_and_branches_come_from_their_members() -> None:
    live = opened(table(values=ROWS[:2]), {"name": "both", "source": ["t", "t"], "transform": [{"type": "cross"}]})
    causes = live.causes("both", live.table("both").order[1])
    assert [trace_text(one) for one, _ in causes[0].rows] == ["(t: 1, t: 2)"]
    assert [trace_text(one) for one, _ in causes[-1].rows] == ["1", "2"]
