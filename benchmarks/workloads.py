"""What is timed: specs over the flights, and beside each the same question as an engineer asks it of Spark and of DuckDB.

A workload has one or more charts. The hand-written sides answer columns whose names are the fields of the spec's dataset, so that
rows can be compared; a time is a number of milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

Json: TypeAlias = "None | bool | float | str | list[Json] | dict[str, Json]"
ByHand: TypeAlias = "Callable[[DataFrame], pa.Table]"
Sql: TypeAlias = Callable[[Callable[[str], list[tuple[float, ...]]]], str]
"""The query over the view `flights`; what it must know first it may ask."""


@dataclass(frozen=True)
class Chart:
    """One dataset over the flights."""

    name: str
    transforms: tuple[Json, ...]
    by_hand: ByHand
    sql: Sql
    keys: tuple[str, ...]
    """The fields by which rows of two sides are matched."""
    columns: tuple[str, str]
    """What the chart shows: only these need to leave the engine, but all must be right."""


def spec_of(charts: tuple[Chart, ...], url: str | None = None) -> dict[str, Json]:
    """A chart of rectangles for each dataset."""
    flights: dict[str, Json] = {"name": "flights"} if url is None else {"name": "flights", "url": url}
    return {
        "$schema": "https://vega.github.io/schema/vega/v6.json",
        "width": 200,
        "height": 100,
        "data": [flights, *({"name": one.name, "source": "flights", "transform": list(one.transforms)} for one in charts)],
        "marks": [_mark(one) for one in charts],
    }


def _mark(chart: Chart) -> Json:
    """Every field is shown, so that no engine may leave one out."""
    shown: Mapping[str, Json] = {"signal": " + '|' + ".join(f"datum[{field!r}]" for field in fields_of(chart))}
    return {"type": "text", "from": {"data": chart.name}, "encode": {"enter": {"text": dict(shown)}}}


def fields_of(chart: Chart) -> tuple[str, ...]:
    return (*chart.keys, *(field for field in chart.columns if field not in chart.keys))


# The eight charts of the dashboard; some of them, and two more, are workloads of their own

_HOURS: Json = {"type": "formula", "expr": "utchours(datum.date)", "as": "hour"}
_COUNT: dict[str, Json] = {"type": "aggregate", "fields": [None], "ops": ["count"], "as": ["count"]}


def _nice_bins(low: float, high: float, maxbins: int) -> tuple[float, float]:
    """A step of 1, 2 or 5 times a power of ten that gives at most so many bins, and the number of the last bin, which holds its end."""
    step = 10.0 ** math.floor(math.log10((high - low) / maxbins))
    step = next(factor * step for factor in (1.0, 2.0, 5.0, 10.0) if (high - low) / (factor * step) <= maxbins)
    return step, float(math.ceil(high / step) - 1)


def _histogram_by_hand(flights: DataFrame) -> pa.Table:
    from pyspark.sql import functions as F

    low, high = flights.agg(F.min("delay"), F.max("delay")).first() or (0.0, 1.0)
    step, last = _nice_bins(low, high, 50)
    start = F.least(F.floor(F.col("delay") / step), F.lit(last)) * step
    start = F.when(F.col("delay").isNotNull(), start)
    return flights.groupBy(start.alias("bin0")).agg(F.count("*").alias("count")).toArrow()


def _histogram_sql(ask: Callable[[str], list[tuple[float, ...]]]) -> str:
    ((low, high),) = ask("select min(delay), max(delay) from flights")
    step, last = _nice_bins(low, high, 50)
    return f"select case when delay is not null then least(floor(delay / {step}), {last}) * {step} end as bin0, count(*) as count from flights group by bin0"


HISTOGRAM = Chart(
    "histogram",
    (
        {"type": "extent", "field": "delay", "signal": "delays"},
        {"type": "bin", "field": "delay", "extent": {"signal": "delays"}, "maxbins": 50},
        {**_COUNT, "groupby": ["bin0"]},
    ),
    _histogram_by_hand,
    _histogram_sql,
    ("bin0",),
    ("bin0", "count"),
)


def _mean_by_hand(flights: DataFrame) -> pa.Table:
    from pyspark.sql import functions as F

    kept = flights.filter((F.col("distance") > 500) & (F.col("delay") > 0))
    return kept.groupBy("carrier").agg(F.avg("delay").alias("mean")).toArrow()


FILTERED_MEAN = Chart(
    "filtered_mean",
    (
        {"type": "filter", "expr": "datum.distance > 500 && datum.delay > 0"},
        {"type": "aggregate", "groupby": ["carrier"], "ops": ["mean"], "fields": ["delay"], "as": ["mean"]},
    ),
    _mean_by_hand,
    lambda ask: "select carrier, avg(delay) as mean from flights where distance > 500 and delay > 0 group by carrier",
    ("carrier",),
    ("carrier", "mean"),
)


def _daily_by_hand(flights: DataFrame) -> pa.Table:
    from pyspark.sql import functions as F

    daily = flights.groupBy(F.to_date("date").alias("day")).agg(F.count("*").alias("count"))
    return daily.select((F.unix_date("day") * 86_400_000.0).alias("unit0"), "count").toArrow()


DAILY = Chart(
    "daily",
    (
        {"type": "timeunit", "field": "date", "units": ["year", "month", "date"], "timezone": "utc"},
        {**_COUNT, "groupby": ["unit0"]},
    ),
    _daily_by_hand,
    lambda ask: "select epoch_ms(date_trunc('day', date)) as unit0, count(*) as count from flights group by unit0",
    ("unit0",),
    ("unit0", "count"),
)


def _top_by_hand(flights: DataFrame) -> pa.Table:
    from pyspark.sql import functions as F

    means = flights.groupBy("origin").agg(F.avg("delay").alias("mean"))
    return means.orderBy(F.desc("mean")).limit(10).toArrow()


TOP_TEN = Chart(
    "top_ten",
    (
        {"type": "aggregate", "groupby": ["origin"], "ops": ["mean"], "fields": ["delay"], "as": ["mean"]},
        {
            "type": "window",
            "sort": {"field": "mean", "order": "descending"},
            "ops": ["row_number"],
            "fields": [None],
            "as": ["rank"],
        },
        {"type": "filter", "expr": "datum.rank <= 10"},
    ),
    _top_by_hand,
    lambda ask: "select origin, avg(delay) as mean from flights group by origin order by mean desc limit 10",
    ("origin",),
    ("origin", "mean"),
)


def _stack_by_hand(flights: DataFrame) -> pa.Table:
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    counts = flights.groupBy(F.hour("date").alias("hour"), "carrier").agg(F.count("*").alias("count"))
    below = Window.partitionBy("hour").orderBy("carrier").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    return counts.withColumn("y1", F.sum("count").over(below)).toArrow()


STACK = Chart(
    "stack",
    (
        _HOURS,
        {**_COUNT, "groupby": ["hour", "carrier"]},
        {"type": "stack", "groupby": ["hour"], "field": "count", "sort": {"field": "carrier"}},
    ),
    _stack_by_hand,
    lambda ask: (
        """select *, sum(count) over (partition by hour order by carrier rows unbounded preceding) as y1
        from (select hour(date) as hour, carrier, count(*) as count from flights group by all)"""
    ),
    ("hour", "carrier"),
    ("count", "y1"),
)


TWO_TEXTS = Chart(
    "two_texts",
    ({**_COUNT, "groupby": ["carrier", "origin"]},),
    lambda flights: flights.groupBy("carrier", "origin").count().toArrow(),
    lambda ask: "select carrier, origin, count(*) as count from flights group by all",
    ("carrier", "origin"),
    ("origin", "count"),
)


def _grouped(
    name: str, key: str, before: tuple[Json, ...], value: Callable[[], object], sql: str, field: str | None = None
) -> Chart:
    """A count, or the mean of a field, for each value of a key."""
    made = "count" if field is None else "mean"

    def by_hand(flights: DataFrame) -> pa.Table:
        from pyspark.sql import functions as F

        summary = F.count("*") if field is None else F.avg(field)
        return flights.groupBy(value().alias(key)).agg(summary.alias(made)).toArrow()  # type: ignore[attr-defined]

    measured: dict[str, Json] = (
        _COUNT if field is None else {"type": "aggregate", "ops": ["mean"], "fields": [field], "as": ["mean"]}
    )
    summary = "count(*)" if field is None else f"avg({field})"
    query = f"select {sql} as {key}, {summary} as {made} from flights group by all"
    return Chart(name, (*before, {**measured, "groupby": [key]}), by_hand, lambda ask: query, (key,), (key, made))


def _spark(text: str) -> Callable[[], object]:
    def value() -> object:
        from pyspark.sql import functions as F

        return F.expr(text)

    return value


def _bins(field: str, extent: tuple[float, float], step: float) -> tuple[Json, ...]:
    return ({"type": "bin", "field": field, "extent": list(extent), "step": step},)


DASHBOARD = (
    HISTOGRAM,
    _grouped(
        "distances",
        "bin0",
        _bins("distance", (0.0, 3000.0), 100.0),
        _spark("floor(distance / 100) * 100"),
        "floor(distance / 100) * 100",
    ),
    _grouped("hours", "hour", (_HOURS,), _spark("hour(date)"), "hour(date)"),
    _grouped(
        "weekdays",
        "day",
        ({"type": "formula", "expr": "utcday(datum.date)", "as": "day"},),
        _spark("dayofweek(date) - 1"),
        "dayofweek(date)",
        "delay",
    ),
    _grouped("carriers", "carrier", (), _spark("carrier"), "carrier", "delay"),
    _grouped("carrier_counts", "carrier", (), _spark("carrier"), "carrier"),
    TOP_TEN,
    DAILY,
)

# Eight charts that are linked: histograms of three columns, and the same within what is brushed in the others

_BRUSHED = {"delay": (10.0, 60.0), "distance": (400.0, 1200.0), "hour": (6.0, 12.0)}
_COLUMNS: dict[str, tuple[str, tuple[Json, ...], str]] = {
    "delay": ("bin0", _bins("delay", (-15.0, 240.0), 5.0), "case when delay is not null then floor(delay / 5) * 5 end"),
    "distance": ("bin0", _bins("distance", (0.0, 3000.0), 100.0), "floor(distance / 100) * 100"),
    "hour": ("hour", (), "hour(date)"),
}


def _linked(name: str, shown: str, brushed: tuple[str, ...], mean: str | None = None) -> Chart:
    """Counts, or means, by one column of the flights that are brushed in some."""
    key, bins, value = _COLUMNS[shown]
    tests = [f"datum.{one} >= {_BRUSHED[one][0]} && datum.{one} < {_BRUSHED[one][1]}" for one in brushed]
    filters: list[Json] = [{"type": "filter", "expr": test} for test in tests]
    plain = _grouped(name, key, (_HOURS, *filters, *bins), _spark(value), value, mean)
    asked = {"hour": "hour(date)"}
    kept = " and ".join(
        f"{asked.get(one, one)} >= {_BRUSHED[one][0]} and {asked.get(one, one)} < {_BRUSHED[one][1]}" for one in brushed
    )
    if not kept:
        return plain
    within: Sql = lambda ask: plain.sql(ask).replace(" from flights ", f" from flights where {kept} ")
    return replace(plain, by_hand=lambda flights: plain.by_hand(flights.filter(kept)), sql=within)


LINKED = (
    _linked("all_delays", "delay", ()),
    _linked("all_distances", "distance", ()),
    _linked("all_hours", "hour", ()),
    _linked("delays_within", "delay", ("distance", "hour")),
    _linked("distances_within", "distance", ("delay", "hour")),
    _linked("hours_within", "hour", ("delay", "distance")),
    _linked("mean_by_distance", "distance", ("delay", "distance", "hour"), "delay"),
    _linked("mean_by_hour", "hour", ("delay", "distance", "hour"), "delay"),
)

WORKLOADS: dict[str, tuple[Chart, ...]] = {
    "histogram": (HISTOGRAM,),
    "filtered mean by group": (FILTERED_MEAN,),
    "daily counts": (DAILY,),
    "top 10 by window": (TOP_TEN,),
    "stack over aggregate": (STACK,),
    "counts by two texts": (TWO_TEXTS,),
    "dashboard of 8 charts": DASHBOARD,
    "8 linked charts": LINKED,
}
