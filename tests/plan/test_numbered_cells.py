"""Keys of which every value is known, and the numbers that combinations of them are written as."""

from itertools import count, product

import pytest

from plan.planned import Flights
from sheliak.plan.known_texts import KnownTexts, Texts, unknown
from sheliak.plan.operators import Group
from sheliak.plan.rewrite import rewritten
from sheliak.plan.rewrite.groupings import groupings_of
from sheliak.plan.rewrite.known_codes import Span, Spans, codes_of
from sheliak.plan.rewrite.numbered_cells import NumberedCells, numbered_cells
from sheliak.plan.rewrite.pruned_columns import in_reading_order
from sheliak.plan.rewrite.whole_keys import CODES

DAY = 86_400_000.0
HASHES = (-7444071767201028348, -8582455328737087284, -6391946315847899181, 5302315316388413301)
TEXTS = Texts(("AA", "B6", "null", ""), HASHES, 42, frozenset({"null", ""}))
BIN: dict[str, object] = {"type": "bin", "field": "distance", "extent": [0, 2000], "step": 100}
DELAYS: dict[str, object] = {"type": "bin", "field": "delay", "extent": [0, 100], "step": 5, "as": ["bin0", "bin1"]}
DATES: dict[str, object] = {"type": "timeunit", "field": "date", "units": ["year", "month", "date"], "timezone": "utc"}


def counted(*keys: str) -> dict[str, object]:
    return {"type": "aggregate", "groupby": list(keys), "ops": ["count"], "fields": [None], "as": ["n"]}


def hours(function: str = "utchours") -> dict[str, object]:
    return {"type": "formula", "expr": f"{function}(datum.date)", "as": "hour"}


def texts(column: int) -> Texts | None:
    """Those of carrier and origin."""
    return TEXTS if column in (2, 3) else None


def days(column: int) -> Span | None:
    """Ten days of dates."""
    return (DAY * 20_000, DAY * 20_009 + 5.0) if column == 4 else None


def codes(*transforms: dict[str, object], spans: Spans = unknown, known: KnownTexts = texts) -> tuple[int, ...] | None:
    """The codes of the one key of a plan."""
    (plan,) = rewritten([Flights().plan(*transforms)], texts=known, spans=spans)
    (grouping,) = groupings_of([plan])
    (key,) = grouping.keys
    return codes_of(key, spans)


def test_every_number_of_a_bin_is_known_and_what_is_in_none() -> None:
    assert codes(BIN, counted("bin0")) == (*sorted(CODES.values()), *range(20))
    assert codes({**BIN, "step": 0.001, "maxbins": 10**9}, counted("bin0")) is None


def test_a_day_is_known_where_the_file_says_between_which_days_it_is() -> None:
    assert codes(DATES, counted("unit0"), spans=days) == (CODES["nan"], *range(20_000, 20_010))
    assert codes(DATES, counted("unit0")) is None
    for end in (float("inf"), 1e300, DAY * 40_000):
        assert codes(DATES, counted("unit0"), spans=lambda column, end=end: (0.0, end)) is None  # type: ignore[misc]


def test_parts_of_days_are_known_anyway_but_for_years() -> None:
    assert codes(hours(), counted("hour")) == (CODES["nan"], *range(25))
    assert codes(hours("utcyear"), counted("hour")) is None


def test_texts_have_their_codes_and_that_of_what_is_missing() -> None:
    assert codes(counted("carrier")) == tuple(sorted((*TEXTS.codes, 42)))


def test_numbers_as_they_are_are_not_known() -> None:
    assert codes(counted("distance"), spans=lambda column: (0.0, 9.0)) is None


def test_what_no_number_of_a_column_meets_is_not_asked() -> None:
    """Two-digit years are none of the twentieth century, where dates are of another."""
    plan = Flights().plan(DATES, counted("unit0"))
    (asked,), (told,) = rewritten([plan]), rewritten([plan], spans=days)
    less = "number.less"
    assert less in str([group.keys for group in in_reading_order([asked]) if isinstance(group, Group)])
    assert less not in str([group.keys for group in in_reading_order([told]) if isinstance(group, Group)])


CHARTS = (
    [DATES, counted("unit0")],
    [hours("utcday"), counted("hour")],
    [hours(), counted("hour")],
    [BIN, counted("bin0")],
    [DELAYS, counted("bin0")],
    [counted("carrier")],
    [counted("origin")],
    [counted("carrier", "origin")],
    [{"type": "filter", "expr": "datum.distance > 500"}, counted("carrier")],
)


def minutes(column: int) -> Span | None:
    """An hour of dates, so far from 1970 that their numbers have many digits."""
    return (DAY * 20_000, DAY * 20_000 + 3_600_000.0) if column == 4 else None


def numbered(most: int, charts: tuple[list[dict[str, object]], ...] = CHARTS, spans: Spans = days) -> list[NumberedCells]:
    flights = Flights()
    plans = rewritten([flights.plan(*chart) for chart in charts], texts=texts, spans=spans)
    numbers = count(1000)
    return numbered_cells(groupings_of(plans), spans, lambda: next(numbers), texts, most)


@pytest.mark.parametrize("most", [30, 60, 300, 5000, 1 << 15])
def test_no_two_combinations_have_one_number(most: int) -> None:
    sets = numbered(most)
    numbers: set[int] = set()
    for one in sets:
        for parts in product(*(digit.parts for digit in one.digits)):
            number = one.mark
            for part in parts:
                number ^= part
            numbers.add(number)
    assert len(numbers) == sum(one.count for one in sets)
    assert all(-(2**63) <= number < 2**63 for number in numbers)
    assert all(one.count <= most for one in sets)


def test_whole_numbers_that_are_large_but_near_each_other_lie_beside_others() -> None:
    times: dict[str, object] = {**DATES, "units": ["year", "month", "date", "hours", "minutes"]}
    (one,) = numbered(5000, ([times, counted("unit0")], [BIN, counted("bin0")]), minutes)
    assert sorted(digit.start for digit in one.digits) == [0, 20_000 * 1440]
    assert len({digit.shift for digit in one.digits}) == 2


def test_fewer_and_larger_sets_hold_the_same_groupings() -> None:
    sizes = {most: [len(one.cells.groupings) for one in numbered(most)] for most in (60, 5000, 1 << 15)}
    assert len(sizes[60]) > len(sizes[5000]) >= len(sizes[1 << 15])
    assert all(sum(each) == len(CHARTS) for each in sizes.values())


def test_a_part_of_a_date_is_no_key_beside_the_date() -> None:
    (one,) = numbered(5000, CHARTS[:2])
    assert len(one.digits) == 1 and len(one.cells.groupings) == 2


def test_more_than_so_many_combinations_are_put_into_smaller_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    (wide, *_) = numbered(1 << 15)
    monkeypatch.setattr("sheliak.plan.rewrite.numbered_cells.MOST_NUMBERS", 400)
    assert wide.count > 400
    sets = numbered(1 << 15)
    assert sum(one.count for one in sets) <= 400
    assert sum(len(one.cells.groupings) for one in sets) == len(CHARTS)


def test_groupings_with_other_keys_or_summaries_are_left_out() -> None:
    median: dict[str, object] = {"type": "aggregate", "groupby": ["carrier"], "ops": ["median"], "fields": ["delay"], "as": ["m"]}
    product_of: dict[str, object] = {**median, "ops": ["product"]}
    sets = numbered(5000, ([counted("distance")], [median], [product_of], [counted("carrier")]))
    assert [len(one.cells.groupings) for one in sets] == [1]
    assert numbered(5000, ([counted("distance")],)) == []
