"""Each rewrite on plans of transforms: the plan before, and the plan after."""

from itertools import count

from plan.planned import Flights, lines
from sheliak.plan.coercion import FALSE, filled
from sheliak.plan.column_types import BOOLEAN, NEVER, NULL, Plain, missing_of
from sheliak.plan.expressions import Apply, Read, constant, parts_of
from sheliak.plan.known_texts import KnownTexts, Texts
from sheliak.plan.operators import Group, Plan
from sheliak.plan.render import expression_text, plan_text
from sheliak.plan.rewrite import rewritten
from sheliak.plan.rewrite.fused_projections import fused_projections
from sheliak.plan.rewrite.groupings import groupings_of
from sheliak.plan.rewrite.kept_stops import kept_stops
from sheliak.plan.rewrite.own_keys import own_keys
from sheliak.plan.rewrite.plain_tests import plain_tests
from sheliak.plan.rewrite.pruned_columns import in_reading_order, pruned_columns
from sheliak.plan.rewrite.pushed_filters import pushed_filters
from sheliak.plan.rewrite.separate_keys import Folding
from sheliak.plan.rewrite.shared_cells import scan_of_cells, shared_cells
from sheliak.plan.rewrite.sizes import count_of

SCAN = "scan flights: delay=c0, distance=c1, carrier=c2, origin=c3, date=c4"
LATE: dict[str, object] = {"type": "filter", "expr": "datum.distance > 500 && datum.delay > 0"}
DOUBLED: dict[str, object] = {"type": "formula", "expr": "datum.distance * 2", "as": "twice"}
ONE_MORE: dict[str, object] = {"type": "formula", "expr": "datum.twice + 1", "as": "more"}
BINS: dict[str, object] = {"type": "bin", "field": "delay", "extent": [0, 100], "step": 5, "interval": False}


def counted(*keys: str) -> dict[str, object]:
    return {"type": "aggregate", "groupby": list(keys), "ops": ["count"], "fields": [None], "as": ["n"]}


def averaged(*keys: str) -> dict[str, object]:
    return {"type": "aggregate", "groupby": list(keys), "ops": ["mean"], "fields": ["delay"], "as": ["mean"]}


def filtered(expression: str) -> dict[str, object]:
    return {"type": "filter", "expr": expression}


def test_both_sides_of_and_are_tests_of_columns_as_they_are() -> None:
    before = Flights().plan(LATE)
    assert plan_text(before).splitlines()[0] == (
        "keep (number.less(500, c1) ? number.less(0, fill(c0, 0)) : number.less(500, c1))"
    )
    (after,) = plain_tests([before])
    assert plan_text(after).splitlines() == ["keep and(number.less(500, c1), number.less(0, c0))", f"  {SCAN}"]


def test_a_missing_value_that_counts_as_zero_stays_where_zero_passes_the_test() -> None:
    before = Flights().plan(filtered("datum.delay < 10"))
    (after,) = plain_tests([before])
    assert plan_text(after).splitlines()[0] == "keep number.less(fill(c0, 0), 10)"


def test_behind_a_comparison_a_number_need_not_be_told_from_nan() -> None:
    (after,) = rewritten([Flights().plan(LATE, averaged("carrier"))])
    assert "mean(known(c0))" in plan_text(after)
    (unfiltered,) = rewritten([Flights().plan(averaged("carrier"))])
    assert "mean(number.valid(c0))" in plan_text(unfiltered)
    (other,) = rewritten([Flights().plan(filtered("datum.distance > 500"), averaged("carrier"))])
    assert "mean(number.valid(c0))" in plan_text(other)


def test_bins_and_parts_of_dates_are_grouped_by_whole_numbers() -> None:
    (after,) = rewritten([Flights().plan(BINS, counted("bin0"))])
    project, group, _ = plan_text(after).splitlines()
    assert "whole.value(c" in project and ", 5.0, 0.0)" in project
    assert "whole.bin(fill(c0, 0), 0.0, 100.0, 5.0)" in group
    hours: dict[str, object] = {"type": "formula", "expr": "utchours(datum.date)", "as": "hour"}
    (after,) = rewritten([Flights().plan(hours, counted("hour"))])
    assert "whole.part(date.number(c4), calendar.hours)" in plan_text(after)
    (plain,) = rewritten([Flights().plan(DOUBLED, counted("twice"))])
    assert "whole." not in plan_text(plain)


TEXTS = Texts(("AA", "B6", "null"), (11, 12, 13), 42)


def known(*columns: int, texts: Texts = TEXTS) -> KnownTexts:
    """Every text of these columns."""
    return lambda column: texts if column in columns else None


def test_texts_that_are_all_known_are_grouped_by_their_codes() -> None:
    (after,) = rewritten([Flights().plan(counted("carrier"))], texts=known(2))
    project, group, _ = plan_text(after).splitlines()
    assert "text.of_code(c" in project
    assert "text.code(c2, 3 texts)" in group
    (unknown,) = rewritten([Flights().plan(counted("carrier"))], texts=known(3))
    assert "text.code" not in plan_text(unknown)


def test_so_are_those_of_a_column_with_gaps_if_what_groups_take_them_for_is_known() -> None:
    (after,) = rewritten([Flights().plan(counted("origin"))], texts=known(3))
    assert "text.of_code(c" in plan_text(after)
    without = Texts(("AA", "B6"), (11, 12), 42)
    (other,) = rewritten([Flights().plan(counted("origin"))], texts=known(3, texts=without))
    assert "text.code" not in plan_text(other)


def keys_of(plan: Plan) -> str:
    """The keys of the group in a plan, whole."""
    (group,) = [below for below in in_reading_order([plan]) if isinstance(below, Group)]
    parts = [part for key in group.keys for part in parts_of(key.value)]
    return " ".join(expression_text(part) for part in parts)


def test_no_row_is_looked_at_for_a_sign_that_no_text_holds() -> None:
    plan = Flights().plan(counted("carrier", "origin"))
    assert "text.contains(c2" in keys_of(plan)
    (after,) = rewritten([plan], texts=known(2, 3))
    assert "text.contains" not in plan_text(after) and "text.units" not in plan_text(after)
    assert plan_text(after).count("text.code(") == 2
    (half,) = rewritten([plan], texts=known(2))
    assert "text.contains(c2" not in keys_of(half) and "text.contains(fill" in keys_of(half)
    signs = Texts(("A|A", "null"), (11, 13), 42)
    (kept,) = rewritten([plan], texts=known(2, 3, texts=signs))
    assert "text.contains(c2" in keys_of(kept)


def test_whether_a_group_shows_null_or_nothing_follows_from_its_key_where_no_text_is_null() -> None:
    plan = Flights().plan(counted("origin"))
    (asked,) = rewritten([plan], texts=known(3))
    assert "first(missing(c3)" in plan_text(asked)
    (told,) = rewritten([plan], texts=known(3, texts=Texts(("AA", "null"), (11, 13), 42, frozenset({"null"}))))
    assert "first(" not in plan_text(told)
    assert 'fill(text.equal(text.of_code(c5, 2 texts), "null"), false) ? null' in plan_text(told)


def test_a_text_may_be_what_stands_for_a_gap() -> None:
    unused = Texts(("AA", "null"), (11, 13), 42, frozenset({"null"}))
    fold = Folding(known(3, texts=unused))
    column = Read(3, Plain("text", NULL))
    equal = [
        Apply("text.equal", (text, constant("null")), BOOLEAN) for text in (column, filled(column, "null"), filled(column, ""))
    ]
    assert [fold(e) is FALSE for e in equal] == [True, False, False]


def test_groups_by_several_texts_have_no_key_that_is_missing_in_most_rows() -> None:
    """Spark's fast table of groups takes no row with a key that is missing."""
    plan = Flights().plan(counted("carrier", "origin"))
    (group,) = [below for below in in_reading_order([plan]) if isinstance(below, Group)]
    assert [missing_of(key.value.of) for key in group.keys] == [NEVER, NEVER]


def test_a_filter_goes_below_a_formula_that_it_does_not_read() -> None:
    (after,) = pushed_filters([Flights().plan(DOUBLED, filtered("datum.carrier == 'AA'"))])
    assert [line.split()[0] for line in plan_text(after).splitlines()] == ["project", "keep", "scan"]


def test_a_filter_stays_above_a_formula_that_it_reads() -> None:
    (after,) = pushed_filters([Flights().plan(DOUBLED, filtered("datum.twice > 3"))])
    assert [line.split()[0] for line in plan_text(after).splitlines()] == ["keep", "project", "scan"]


def test_a_filter_goes_below_a_sort() -> None:
    (after,) = pushed_filters([Flights().plan({"type": "collect", "sort": {"field": "delay"}}, filtered("datum.distance > 3"))])
    assert [line.split()[0] for line in plan_text(after).splitlines()] == ["sort", "keep", "scan"]


def test_a_filter_does_not_pass_a_formula_that_may_stop_the_run() -> None:
    plan = Flights().plan(
        {"type": "formula", "expr": "datum.origin.length", "as": "length"},
        filtered("datum.distance > 3"),
    )
    assert "required(" in plan_text(plan)
    assert plan_text(pushed_filters([plan])[0]) == plan_text(plan)


def test_what_may_stop_the_run_is_computed_though_nothing_reads_it() -> None:
    length: dict[str, object] = {"type": "formula", "expr": "datum.origin.length", "as": "length"}
    (after,) = kept_stops([Flights().plan(length, counted("carrier"))])
    told = [line.strip() for line in plan_text(after).splitlines()]
    assert [line.split()[0] for line in told] == ["project", "group", "project", "keep", "scan"]
    assert told[3].startswith("keep computed(") and "required(c3" in told[3]


def test_what_may_stop_the_run_is_computed_once_where_it_is_read() -> None:
    plan = Flights().plan({"type": "formula", "expr": "datum.origin.length", "as": "length"})
    assert kept_stops([plan]) == [plan]


def test_a_test_that_may_stop_the_run_is_behind_its_guards_and_stays_as_it_is() -> None:
    (after,) = plain_tests([Flights().plan(filtered("datum.distance > 3 && datum.origin.length > 1 && datum.delay > 2"))])
    told = [line.strip() for line in plan_text(after).splitlines()]
    assert [line.split()[0] for line in told] == ["keep", "keep", "scan"]
    assert "required(" in told[0] and "fill(" in told[0]
    assert told[1].startswith("keep number.less") and "required(" not in told[1]


def test_what_may_stop_the_run_is_computed_before_a_group_that_later_filters_pass() -> None:
    summed: dict[str, object] = {"type": "aggregate", "groupby": ["carrier"], "ops": ["max"], "fields": ["origin.length"]}
    (after,) = kept_stops([Flights().plan(summed)])
    assert any(line.strip().startswith("keep computed(") for line in plan_text(after).splitlines())


def test_a_day_is_its_own_key_and_no_first_row_is_looked_for() -> None:
    days: dict[str, object] = {"type": "timeunit", "field": "date", "units": ["year", "month", "date"], "timezone": "utc"}
    before = Flights().plan(days, counted("unit0"))
    assert "first(" in plan_text(before)
    (after,) = own_keys([before])
    assert plan_text(after).splitlines()[:3] == [
        "project unit0=c8, n=c9",
        "  project ·=c7, ·=c8 = c7, ·=c9",
        "    group by (·=c7 = c5): c9 = count()",
    ]


def test_dates_as_they_are_show_the_first_of_a_second() -> None:
    before = Flights().plan(counted("date"))
    assert plan_text(own_keys([before])[0]) == plan_text(before)


def test_the_end_of_a_bin_follows_from_its_start() -> None:
    bins: dict[str, object] = {"type": "bin", "field": "distance", "extent": [0, 100], "step": 5}
    (after,) = rewritten([Flights().plan(bins, counted("bin0", "bin1"))])
    start = "whole.value(c7, 5.0, 0.0)"
    assert plan_text(after).splitlines() == [
        f"project bin0=c10 = known({start}), bin1=c11 = known(number.bin_end({start}, 0.0, 5.0)), n=c9",
        "  group by (·=c7 = whole.bin(c1, 0.0, 100.0, 5.0)): c9 = count()",
        "    scan flights: distance=c1",
    ]


def test_the_end_of_a_month_follows_from_its_beginning_behind_a_filter_too() -> None:
    months: dict[str, object] = {"type": "timeunit", "field": "date", "units": ["year", "month"], "timezone": "utc"}
    for steps in ([months], [months, filtered("datum.unit0 > 0")]):
        (after,) = rewritten([Flights().plan(*steps, counted("unit0", "unit1"))])
        (group,) = [line for line in plan_text(after).splitlines() if line.strip().startswith("group by")]
        assert group.count("·=") == 1 and "first(" not in group
        assert "number.add(calendar.month(date.number(" in plan_text(after).splitlines()[0]


def test_live_groups_keep_all_of_their_keys_which_tell_them() -> None:
    bins: dict[str, object] = {"type": "bin", "field": "distance", "extent": [0, 100], "step": 5}
    (after,) = rewritten([Flights().plan(bins, counted("bin0", "bin1"))], with_all_keys=True)
    assert "·=c8 = number.bin_end(" in plan_text(after)


def test_a_key_that_tells_the_zeros_apart_follows_from_nothing() -> None:
    """The texts of 0 and -0 are one, those of 1 / 0 and 1 / -0 are two."""
    for made, keys in (("1 / datum.distance", 2), ("datum.distance + 1", 1)):
        formula: dict[str, object] = {"type": "formula", "expr": made, "as": "made"}
        (after,) = rewritten([Flights().plan(formula, counted("distance", "made"))])
        (group,) = [line for line in plan_text(after).splitlines() if line.strip().startswith("group by")]
        assert group.count("·=") == keys


def test_two_projections_are_one() -> None:
    (after,) = fused_projections([Flights().plan(DOUBLED, ONE_MORE)])
    doubled = "number.multiply(c1, 2)"
    kept = "delay=c0, distance=c1, carrier=c2, origin=c3, date=c4"
    assert plan_text(after).splitlines() == [
        f"project {kept}, twice=c5 = {doubled}, more=c6 = number.add({doubled}, 1)",
        f"  {SCAN}",
    ]


def test_columns_that_nothing_reads_are_not_scanned_nor_computed() -> None:
    (after,) = pruned_columns([Flights().plan(DOUBLED, averaged("carrier"))])
    assert plan_text(after).splitlines() == lines("""
        project carrier=c6, mean=c7
          group by (·=c6 = c2): c7 = mean(number.valid(c0))
            project delay=c0, carrier=c2
              scan flights: delay=c0, carrier=c2
    """)


def test_a_window_whose_columns_nothing_reads_is_left_out() -> None:
    window: dict[str, object] = {"type": "window", "ops": ["row_number"], "fields": [None], "as": ["row"]}
    (after,) = pruned_columns([Flights().plan(window, counted("carrier"))])
    assert "window" not in plan_text(after)


def test_what_plans_share_stays_shared_with_the_columns_of_both() -> None:
    flights = Flights()
    shared = flights.plan(LATE)
    plans = rewritten([_over(flights, shared, counted("carrier")), _over(flights, shared, counted("origin"))])
    scans = {id(_source(plan)) for plan in plans}
    assert len(scans) == 1
    assert "delay=c0, distance=c1, carrier=c2, origin=c3" in plan_text(plans[0])


def test_groupings_over_one_source_are_answered_from_the_same_cells() -> None:
    flights = Flights()
    plans = rewritten(
        [flights.plan(BINS, counted("bin0")), flights.plan(averaged("carrier")), flights.plan(LATE, counted("carrier"))]
    )
    numbers = count(100)
    (cells,) = shared_cells(groupings_of(plans), {2: 15}, lambda: next(numbers))
    made = cells.plan()
    keys_and_summaries = (
        "group by (·=c100 = c2, ·=c101 = and(number.less(500, c1), number.less(0, c0)), "
        "·=c102 = (missing(c0) ? whole.missing() : known(whole.bin(fill(c0, 0), 0.0, 100.0, 5.0)))): "
        "c103 = count(), c105 = sum(number.valid(c0)), c107 = count_true(not(missing(number.valid(c0))))"
    )
    assert plan_text(made).splitlines() == [keys_and_summaries, "  scan flights: delay=c0, distance=c1, carrier=c2"]
    over = scan_of_cells(made, object())
    late, mean, bins = (plan_text(cells.regrouped(one, over)).splitlines()[:-1] for one in cells.groupings)
    assert late == ["group by (·=c11 = c100): c12 = sum(c103)", "  keep c101"]
    assert bins == ["group by (·=c6 = c102): c7 = sum(c103)"]
    assert mean[0] == "project ·=c9, ·=c10 = (number.less(0, c109) ? known(number.divide(known(c108), c109)) : undefined)"


def test_groupings_with_too_many_cells_are_kept_apart() -> None:
    flights = Flights()
    plans = rewritten([flights.plan(counted("carrier")), flights.plan(counted("origin"))])
    assert not shared_cells(groupings_of(plans), {2: 1000, 3: 1000}, count(100).__next__)


def test_charts_that_brush_each_other_are_answered_from_the_same_cells() -> None:
    """More cells of whole numbers than those of other charts may be: they save a pass. A brush splits bins at its two ends only."""
    flights = Flights()
    hours: dict[str, object] = {"type": "formula", "expr": "utchours(datum.date)", "as": "hour"}
    far: dict[str, object] = {"type": "bin", "field": "distance", "extent": [0, 3000], "step": 50, "interval": False}
    brushes = [filtered(f"datum.{name} >= 10 && datum.{name} < 60") for name in ("delay", "distance", "hour")]
    plans = rewritten(
        [
            flights.plan(hours, brushes[1], brushes[2], BINS, counted("bin0")),
            flights.plan(hours, brushes[0], brushes[2], far, counted("bin0")),
            flights.plan(hours, brushes[0], brushes[1], counted("hour")),
            flights.plan(hours, *brushes, averaged("hour")),
        ]
    )
    (cells,) = shared_cells(groupings_of(plans), {}, count(100).__next__)
    bases = [base.value for base in cells.bases.values()]
    assert len(cells.groupings) == 4 and len(bases) == 6
    assert count_of(bases, {}) == (1 + 25 + 3) * (65 + 3) * (25 + 3)


def test_hours_are_kept_as_whole_numbers_where_a_filter_reads_them_as_they_are() -> None:
    flights = Flights()
    hours: dict[str, object] = {"type": "formula", "expr": "utchours(datum.date)", "as": "hour"}
    plans = rewritten([flights.plan(hours, filtered("datum.hour > 6"), counted("hour")), flights.plan(hours, counted("hour"))])
    (cells,) = shared_cells(groupings_of(plans), {}, count(100).__next__)
    made = cells.plan()
    assert "whole.part(date.number(c4), calendar.hours)" in plan_text(made)
    texts = [plan_text(cells.regrouped(one, scan_of_cells(made, object()))) for one in cells.groupings]
    assert sorted("whole.value(" in text for text in texts) == [False, True]


def test_what_other_cells_are_made_by_is_not_the_same_for_all_rows_of_a_cell() -> None:
    flights = Flights()
    hours: dict[str, object] = {"type": "formula", "expr": "utchours(datum.date)", "as": "hour"}
    late = flights.plan(hours, filtered("datum.hour > 6"), counted("hour"))
    plans = rewritten([late, flights.plan(counted("carrier")), flights.plan(averaged("carrier"))])
    groupings = groupings_of(plans)
    (hour,) = [one.keys[0] for one in groupings if len(one.tests) == 1]
    (cells,) = shared_cells(groupings, {2: 3000}, count(100).__next__)
    assert not cells.fixed().holds(hour)


def test_a_column_of_unknown_size_is_shared_with_the_same_column_only() -> None:
    flights = Flights()
    plans = rewritten([flights.plan(counted("carrier")), flights.plan(counted("origin")), flights.plan(averaged("carrier"))])
    (cells,) = shared_cells(groupings_of(plans), {}, count(100).__next__)
    assert len(cells.groupings) == 2


def test_summaries_that_do_not_add_up_are_no_groupings_of_cells() -> None:
    median: dict[str, object] = {"type": "aggregate", "groupby": ["carrier"], "ops": ["median"], "fields": ["delay"]}
    assert not groupings_of(rewritten([Flights().plan(median)]))


def _over(flights: Flights, plan: Plan, given: dict[str, object]) -> Plan:
    from sheliak.source.tree import Node
    from sheliak.transforms._reading import read_transform

    return read_transform(Node(given)).plan(plan, flights.planning)


def _source(plan: Plan) -> Plan:
    from sheliak.plan.operators import upstreams

    while upstreams(plan):
        plan = upstreams(plan)[0]
    return plan
