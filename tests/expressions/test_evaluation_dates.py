"""Dates: instants and calendars, time zones, reading and writing, intervals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expressions.evaluating import value_of
from sheliak.expressions.date_parsing import parse_date
from sheliak.expressions.intervals import INTERVALS
from sheliak.expressions.time_formats import formatted_time
from sheliak.expressions.time_parsing import parsed_time
from sheliak.expressions.values import UNDEFINED, Date, to_number
from sheliak.expressions.zones import DAY, Zone, calendar_of, days_to, milliseconds_of, zone_of
from sheliak.expressions.zones import UTC as UTC_ZONE

NEW_YORK = zone_of("America/New_York")
ZONES = st.sampled_from(["UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"]).map(zone_of)
INSTANTS = st.integers(-(10**13), 10**13).map(float)


@given(st.integers(-(10**8), 10**8))
def test_days_and_dates_are_inverse(days: int) -> None:
    at = calendar_of(days * DAY)
    assert days_to(at.year, at.month, at.day) == days
    assert at.weekday == (days + 4) % 7


@given(st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)))
def test_the_calendar_is_that_of_python_where_python_has_one(moment: datetime) -> None:
    ms = (moment - datetime(1970, 1, 1)) // timedelta(milliseconds=1)
    at = calendar_of(ms)
    assert (at.year, at.month + 1, at.day, at.hours, at.minutes, at.seconds) == moment.timetuple()[:6]


@given(INSTANTS, ZONES)
def test_local_time_leads_back_to_the_instant_or_to_its_twin(ms: float, zone: Zone) -> None:
    again = zone.instant(float(zone.local(int(ms))))
    assert again == ms or zone.local(int(again)) == zone.local(int(ms)), "an hour that occurs twice has two instants"


def test_a_local_time_that_is_left_out_is_reckoned_as_before_the_change() -> None:
    half_past_two = milliseconds_of((2020, 2, 8, 2, 30, 0, 0))
    assert NEW_YORK.calendar(NEW_YORK.instant(half_past_two)).hours == 3


def test_years_beyond_those_of_python_have_summer_time_too() -> None:
    assert value_of("timezoneoffset(utc(20020, 0, 1))", "America/New_York") == 300.0
    assert value_of("timezoneoffset(utc(20020, 6, 1))", "America/New_York") == 240.0
    assert value_of("timezoneoffset(-1e14)", "America/New_York") == 296.0, "local mean time, in whole minutes"


def test_an_unknown_zone_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="Mars/Olympus"):
        zone_of("Mars/Olympus")


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("2020-01-01", 1577836800000.0),
        ("2020", 1577836800000.0),
        ("2020-01-01T00:00", 1577854800000.0),
        ("2020-01-01T00:00Z", 1577836800000.0),
        ("2020-02-31", 1583107200000.0),
        ("Jan 1, 2020", 1577854800000.0),
        ("1/1/2020 12:00 am GMT", 1577836800000.0),
        ("Sector 7", 993960000000.0),
        ("2020-01-01T24:00:00Z", 1577923200000.0),
    ],
)
def test_text_is_read_as_a_date_in_local_time_but_for_the_plain_form(text: str, ms: float) -> None:
    assert parse_date(text, NEW_YORK) == ms


@pytest.mark.parametrize("text", ["", "x", "2020-13-01", "2020-01-01T25:00", "31/12/2020", "12:00", "2020-01-01 foo", "1 2 3 4"])
def test_what_is_no_date(text: str) -> None:
    assert isnan(parse_date(text, UTC_ZONE))


@given(INSTANTS, ZONES, st.sampled_from(["%Y-%m-%dT%H:%M:%S.%L %Z", "%d %B %Y %I:%M:%S.%f %p %Z", "%Q"]))
def test_a_written_date_is_read_again(ms: float, zone: Zone, pattern: str) -> None:
    if ms >= 0:  # a timestamp is not read with its sign
        assert parsed_time(formatted_time(ms, pattern, zone), pattern, zone) == ms


@given(INSTANTS, ZONES, st.sampled_from(sorted(INTERVALS)))
def test_the_start_of_an_interval_is_at_most_the_instant_and_its_own_start(ms: float, zone: Zone, unit: str) -> None:
    start = INTERVALS[unit].floor(ms, zone)
    assert start <= ms
    assert INTERVALS[unit].floor(start, zone) == start
    assert INTERVALS[unit].ceil(ms, zone) >= ms


@given(st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1)))
def test_iso_weeks_are_those_of_python(moment: datetime) -> None:
    ms = moment.replace(tzinfo=UTC).timestamp() * 1000 // 1
    year, week, weekday = moment.isocalendar()
    assert formatted_time(ms, "%G %-V %u", UTC_ZONE) == f"{year} {week} {weekday}"
    assert value_of("[utcisoweek(datum), utcdayofyear(datum)]", datum=ms) == [float(week), float(moment.timetuple().tm_yday)]


def test_a_day_has_23_or_25_hours_when_the_clocks_change() -> None:
    days = value_of("timeSequence('day', datetime(2020, 2, 7), datetime(2020, 2, 10))", "America/New_York")
    assert isinstance(days, list)
    starts = [to_number(day) for day in days]
    assert [(b - a) / 3_600_000 for a, b in pairwise(starts)] == [24.0, 23.0]


def test_date_parts_take_anything() -> None:
    assert value_of("[year(null), year('2020'), year(2020), month(datum)]", datum=Date(0.0)) == [1970.0, 2020.0, 1970.0, 0.0]
    assert isnan(to_number(value_of("year(datum)", datum=UNDEFINED)))


def test_datetime_and_utc_take_two_digits_for_the_1900s() -> None:
    assert value_of("[year(datetime(20, 0)), utcyear(utc(99))]") == [1920.0, 1999.0]


def test_a_time_format_does_not_parse_text() -> None:
    assert value_of("timeFormat('2020-01-01', '%Y')") == "0NaN"
    assert value_of("timeFormat(null, '%Y')") == "null"


def test_without_a_pattern_the_date_decides() -> None:
    starts = [(2020, 0, 1), (2020, 1, 1), (2020, 1, 2), (2020, 1, 9), (2020, 1, 2, 5), (2020, 1, 2, 5, 7)]
    texts = [value_of(f"timeFormat(datetime({', '.join(map(str, parts))}))") for parts in starts]
    assert texts == ["2020", "February", "Feb 02", "Feb 09", "05 AM", "05:07"]


def test_names_of_months_and_weekdays_go_round() -> None:
    assert value_of(
        "[monthFormat(0), monthAbbrevFormat(13), dayFormat(0), dayAbbrevFormat(-1), monthFormat('1'), dayFormat(0.5)]"
    ) == [*("January", "Feb", "Sunday", "Sat", "", "")]
