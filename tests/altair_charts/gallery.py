"""Charts of every mark and family of encodings that Altair has, over small frames of pandas."""

from __future__ import annotations

from collections.abc import Callable

import altair as alt
import numpy as np
import pandas as pd

Made = Callable[[], alt.TopLevelMixin]
GALLERY: dict[str, Made] = {}


def chart(make: Made) -> Made:
    GALLERY[make.__name__] = make
    return make


def _cars() -> pd.DataFrame:
    random = np.random.default_rng(7)
    rows = 60
    power = random.integers(46, 230, rows)
    frame = pd.DataFrame(
        {
            "Name": [f"car {number:02}" for number in range(rows)],
            "Horsepower": power.astype(float),
            "Miles": np.round(48 - power / 6 + random.normal(0, 3, rows), 1),
            "Cylinders": random.choice([3, 4, 5, 6, 8], rows),
            "Origin": random.choice(["Europe", "Japan", "USA"], rows),
            "Year": pd.to_datetime("1970-01-01") + pd.to_timedelta(random.integers(0, 4500, rows), unit="D"),
            "Diesel": random.random(rows) < 0.3,
        }
    )
    frame.loc[[3, 17], "Horsepower"] = None
    frame.loc[5, "Origin"] = None
    return frame


def _stocks() -> pd.DataFrame:
    dates = pd.date_range("2004-01-01", periods=36, freq="MS")
    steps = {"AAPL": 1.5, "IBM": 0.2, "MSFT": -0.3}
    wave = np.round(np.sin(np.arange(36) / 4) * 6, 2)
    frames = [
        pd.DataFrame({"symbol": name, "date": dates, "price": 30 + np.arange(36) * step + wave}) for name, step in steps.items()
    ]
    return pd.concat(frames, ignore_index=True)


CARS, STOCKS = _cars(), _stocks()
BARLEY = pd.DataFrame(
    {
        "site": ["Crookston", "Duluth", "Morris"] * 4,
        "variety": ["Glabron", "Manchuria", "Svansota", "Velvet"] * 3,
        "year": [1931, 1932] * 6,
        "yield": [29.1, 31.4, 40.9, 25.7, 33.0, 28.3, 44.2, 30.8, 22.4, 36.6, 27.7, 41.1],
    }
)
PIE = pd.DataFrame({"category": list("abcdef"), "value": [4, 6, 10, 3, 7, 8]})
CITIES = pd.DataFrame(
    {"city": ["Ghent", "Oslo", "Porto"], "lat": [51.05, 59.91, 41.15], "lon": [3.72, 10.75, -8.61], "people": [262, 709, 231]}
)
WIND = pd.DataFrame({"x": [1, 2, 3, 1, 2, 3], "y": [1, 1, 1, 2, 2, 2], "dir": [0, 60, 120, 180, 240, 300], "speed": range(6)})


# Marks


@chart
def arc() -> alt.TopLevelMixin:
    return alt.Chart(PIE).mark_arc(innerRadius=20).encode(theta="value", color="category:N")


@chart
def arc_radial() -> alt.TopLevelMixin:
    base = alt.Chart(PIE).encode(
        alt.Theta("value:Q").stack(True), alt.Radius("value").scale(type="sqrt", zero=True, rangeMin=20), color="category:N"
    )
    return base.mark_arc(innerRadius=20, stroke="#fff") + base.mark_text(radiusOffset=10).encode(text="value:Q")


@chart
def area_stacked() -> alt.TopLevelMixin:
    return alt.Chart(STOCKS).mark_area().encode(x="date", y="price", color="symbol")


@chart
def area_normalized() -> alt.TopLevelMixin:
    return alt.Chart(STOCKS).mark_area().encode(x="date:T", y=alt.Y("price:Q").stack("normalize"), color="symbol:N")


@chart
def area_streamgraph() -> alt.TopLevelMixin:
    y = alt.Y("sum(price):Q").stack("center").axis(None)
    return alt.Chart(STOCKS).mark_area().encode(alt.X("yearmonth(date):T").axis(format="%Y"), y, alt.Color("symbol:N"))


@chart
def bar_counts() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_bar().encode(x="count()", y="Origin")


@chart
def bar_grouped() -> alt.TopLevelMixin:
    return alt.Chart(BARLEY).mark_bar().encode(x="site:N", xOffset="year:O", y="mean(yield):Q", color="year:O")


@chart
def bar_sorted() -> alt.TopLevelMixin:
    return alt.Chart(BARLEY).mark_bar().encode(x="sum(yield):Q", y=alt.Y("variety:N").sort("-x"))


@chart
def bar_ranged() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_bar().encode(x="min(Miles):Q", x2="max(Miles):Q", y="Cylinders:O")


@chart
def bar_highlighted() -> alt.TopLevelMixin:
    color = alt.when(alt.datum.value > 6).then(alt.value("orange")).otherwise(alt.value("steelblue"))
    return alt.Chart(PIE).mark_bar().encode(x="category", y="value", color=color)


@chart
def histogram() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_bar().encode(alt.X("Horsepower").bin(), y="count()")


@chart
def histogram_stacked() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_bar().encode(alt.X("Miles:Q").bin(maxbins=12), y="count()", color="Origin")


@chart
def boxplot() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_boxplot(extent="min-max").encode(x="Cylinders:O", y="Miles:Q")


@chart
def boxplot_with_outliers() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_boxplot().encode(x="Horsepower:Q", y="Origin:N")


@chart
def circle_sized() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_circle().encode(x="Horsepower", y="Miles", size="Cylinders:Q", color="Origin", tooltip=["Name"])


@chart
def errorband() -> alt.TopLevelMixin:
    return alt.Chart(STOCKS).mark_errorband(extent="stdev").encode(x="yearmonth(date)", y="price")


@chart
def errorbar() -> alt.TopLevelMixin:
    return alt.Chart(BARLEY).mark_errorbar(extent="stderr", ticks=True).encode(x="yield:Q", y="variety:N")


@chart
def geo_points() -> alt.TopLevelMixin:
    chart = alt.Chart(CITIES).mark_circle().encode(longitude="lon:Q", latitude="lat:Q", size="people:Q", tooltip="city")
    return chart.project("mercator").properties(width=200, height=200)


@chart
def geoshape() -> alt.TopLevelMixin:
    ring = [[0, 40], [0, 60], [12, 60], [12, 40], [0, 40]]
    land = {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
    ground = alt.Chart(alt.Data(values=[land])).mark_geoshape(fill="lightgray")
    points = alt.Chart(CITIES).mark_point().encode(longitude="lon:Q", latitude="lat:Q")
    return (ground + points).project("equirectangular").properties(width=200, height=200)


@chart
def image() -> alt.TopLevelMixin:
    frame = CITIES.assign(url="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==")
    return alt.Chart(frame).mark_image(width=10, height=10).encode(x="lon", y="lat", url="url")


@chart
def line() -> alt.TopLevelMixin:
    return alt.Chart(STOCKS).mark_line().encode(x="date:T", y="price:Q", color="symbol:N")


@chart
def line_with_points_and_dashes() -> alt.TopLevelMixin:
    return alt.Chart(STOCKS).mark_line(point=True).encode(x="month(date)", y="mean(price)", strokeDash="symbol")


@chart
def line_in_order() -> alt.TopLevelMixin:
    return alt.Chart(CARS.dropna()).mark_line().encode(x="Horsepower", y="Miles", order="Year", detail="Origin")


@chart
def point_shapes() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_point().encode(x="Horsepower:Q", y="Miles:Q", shape="Origin", opacity="Cylinders:Q")


@chart
def point_angles() -> alt.TopLevelMixin:
    angle = alt.Angle("dir:Q").scale(domain=[0, 360], range=[0, 360])
    return alt.Chart(WIND).mark_point(shape="wedge", filled=True).encode(x="x:O", y="y:O", angle=angle, color="speed:Q")


@chart
def rect_heatmap() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_rect().encode(alt.X("Miles").bin(), alt.Y("Horsepower").bin(), color="count()")


@chart
def rect_calendar() -> alt.TopLevelMixin:
    return alt.Chart(STOCKS).mark_rect().encode(x="month(date):O", y="year(date):O", color="max(price):Q")


@chart
def rule_with_line() -> alt.TopLevelMixin:
    base = alt.Chart(STOCKS)
    return base.mark_line().encode(x="date", y="price", color="symbol") + base.mark_rule().encode(y="mean(price)", color="symbol")


@chart
def square() -> alt.TopLevelMixin:
    return alt.Chart(BARLEY).mark_square(size=80).encode(x="variety", y="site", color=alt.Color("yield").scale(scheme="viridis"))


@chart
def text_on_bars() -> alt.TopLevelMixin:
    base = alt.Chart(BARLEY).encode(x="mean(yield):Q", y="site:N")
    return base.mark_bar() + base.mark_text(align="left", dx=2).encode(text=alt.Text("mean(yield):Q").format(".1f"))


@chart
def tick_strips() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_tick().encode(x="Horsepower:Q", y="Cylinders:O")


@chart
def trail() -> alt.TopLevelMixin:
    return alt.Chart(STOCKS).mark_trail().encode(x="date:T", y="price:Q", size="price:Q", color="symbol:N")


# Encodings


@chart
def aggregate_in_a_tooltip() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_bar().encode(x="Origin", y="mean(Miles)", tooltip=["Origin", "count()", "max(Horsepower)"])


@chart
def every_operation() -> alt.TopLevelMixin:
    names = ("sum", "median", "q1", "q3", "stdev", "variance", "distinct", "valid", "missing", "values")
    return alt.Chart(CARS).mark_point().encode(y="Origin:N", tooltip=[f"{name}(Horsepower):Q" for name in names[:-1]])


@chart
def times_as_words() -> alt.TopLevelMixin:
    return alt.Chart(STOCKS.head(6)).mark_bar().encode(x="price", y="date:O")


@chart
def booleans_and_numbers_as_names() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_bar().encode(x="count()", y="Diesel:N", color="Cylinders:N")


@chart
def time_units() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_bar().encode(x="yearquarter(Year):T", y="count():Q", color="day(Year):O")


@chart
def links_and_keys() -> alt.TopLevelMixin:
    frame = CITIES.assign(link=["one", "two", "three"])
    return alt.Chart(frame).mark_bar().encode(x="people", y="city", href="link:N", key="city:N", description="city")


@chart
def errors_given() -> alt.TopLevelMixin:
    frame = CITIES.assign(off=[20, 40, 10])
    return alt.Chart(frame).mark_errorbar().encode(x="people:Q", xError="off:Q", y="city:N")


@chart
def log_scales_and_titles() -> alt.TopLevelMixin:
    x = alt.X("people:Q").scale(type="log").title("people, in thousands")
    return alt.Chart(CITIES, title="cities").mark_point(filled=True).encode(x, y="city").properties(width=150)


@chart
def paths_and_dots_in_names() -> alt.TopLevelMixin:
    frame = pd.DataFrame({"a.b": [1, 2], "c [m]": [3, 4], "d:e": ["u", "v"]})
    return alt.Chart(frame).mark_point().encode(x="a\\.b:Q", y="c \\[m\\]:Q", color=alt.Color("d\\:e", type="nominal"))


# Transforms


@chart
def transforms_in_a_row() -> alt.TopLevelMixin:
    return (
        alt.Chart(CARS)
        .transform_filter("datum.Horsepower > 60")
        .transform_calculate(ratio="datum.Horsepower / datum.Miles")
        .transform_aggregate(mean_ratio="mean(ratio)", n="count()", groupby=["Origin", "Cylinders"])
        .transform_window(rank="rank()", sort=[alt.SortField("mean_ratio", order="descending")], groupby=["Origin"])
        .transform_filter("datum.rank <= 2")
        .mark_bar()
        .encode(x="mean_ratio:Q", y="Origin:N", color="Cylinders:O", tooltip=["n:Q"])
    )


@chart
def transform_bin_and_timeunit() -> alt.TopLevelMixin:
    chart = alt.Chart(CARS).transform_bin(["low", "high"], "Miles").transform_timeunit(month="month(Year)")
    return chart.mark_bar().encode(x="low:Q", x2="high:Q", y="count():Q", color="month:O")


@chart
def transform_density() -> alt.TopLevelMixin:
    chart = alt.Chart(CARS).transform_density("Miles", as_=["Miles", "density"], groupby=["Origin"], extent=[0, 50])
    return chart.mark_area(opacity=0.5).encode(x="Miles:Q", y="density:Q", color="Origin:N")


@chart
def transform_fold() -> alt.TopLevelMixin:
    chart = alt.Chart(CARS).transform_fold(["Horsepower", "Miles"], as_=["what", "value"])
    return chart.mark_tick().encode(x="value:Q", y="what:N")


@chart
def transform_impute() -> alt.TopLevelMixin:
    frame = pd.DataFrame({"k": [1, 2, 3, 1, 3], "c": list("aaabb"), "v": [4.0, 5, 6, 7, 8]})
    chart = alt.Chart(frame).transform_impute(impute="v", key="k", value=0, groupby=["c"])
    return chart.mark_line(point=True).encode(x="k:Q", y="v:Q", color="c:N")


@chart
def transform_joinaggregate() -> alt.TopLevelMixin:
    chart = alt.Chart(PIE).transform_joinaggregate(total="sum(value)").transform_calculate(share="datum.value / datum.total")
    return chart.mark_bar().encode(alt.X("share:Q").axis(format=".0%"), y="category:N")


@chart
def transform_lookup() -> alt.TopLevelMixin:
    people = alt.LookupData(data=CITIES, key="city", fields=["people"])
    visits = pd.DataFrame({"to": ["Oslo", "Ghent", "Oslo", "Rome"], "days": [3, 2, 5, 1]})
    return alt.Chart(visits).transform_lookup("to", from_=people).mark_point().encode(x="days:Q", y="people:Q", color="to:N")


@chart
def transform_pivot() -> alt.TopLevelMixin:
    chart = alt.Chart(BARLEY).transform_pivot("year", value="yield", groupby=["variety"])
    return chart.mark_point().encode(x="1931:Q", y="1932:Q", text="variety:N")


@chart
def transform_quantile() -> alt.TopLevelMixin:
    return alt.Chart(CARS).transform_quantile("Miles", step=0.1, as_=["p", "v"]).mark_line().encode(x="p:Q", y="v:Q")


@chart
def transform_regression_and_loess() -> alt.TopLevelMixin:
    points = alt.Chart(CARS.dropna()).mark_point().encode(x="Horsepower:Q", y="Miles:Q")
    fit = points.transform_regression("Horsepower", "Miles").mark_line()
    return points + fit + points.transform_loess("Horsepower", "Miles", bandwidth=0.6).mark_line(color="red")


@chart
def transform_stack_and_extent() -> alt.TopLevelMixin:
    chart = alt.Chart(PIE).transform_stack(stack="value", as_=["from", "to"], groupby=[], sort=[alt.SortField("category")])
    return chart.transform_extent(extent="value", param="ends").mark_bar().encode(x="from:Q", x2="to:Q", color="category:N")


@chart
def transform_flatten() -> alt.TopLevelMixin:
    frame = pd.DataFrame({"name": ["a", "b"], "marks": [[1, 2, 3], [4, 5]]})
    return alt.Chart(frame).transform_flatten(["marks"]).mark_circle().encode(x="marks:Q", y="name:N")


# Compositions


@chart
def layered_with_shared_data() -> alt.TopLevelMixin:
    base = alt.Chart(STOCKS).encode(x="date:T")
    return alt.layer(base.mark_area(opacity=0.3).encode(y="max(price)"), base.mark_line().encode(y="min(price)"))


@chart
def layered_axes() -> alt.TopLevelMixin:
    base = alt.Chart(STOCKS).encode(x="month(date):T")
    layers = base.mark_bar().encode(y="mean(price)"), base.mark_line(color="red").encode(y="count()")
    return alt.layer(*layers).resolve_scale(y="independent")


@chart
def faceted_by_channel() -> alt.TopLevelMixin:
    return alt.Chart(BARLEY).mark_bar().encode(x="mean(yield):Q", y="variety:N", row="site:N", column="year:O")


@chart
def faceted_and_wrapped() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_point().encode(x="Horsepower:Q", y="Miles:Q").properties(width=90).facet("Origin:N", columns=2)


@chart
def faceted_layers() -> alt.TopLevelMixin:
    base = alt.Chart(STOCKS).encode(x="date:T", y="price:Q")
    return (base.mark_line() + base.mark_point()).properties(width=100).facet(column="symbol:N").resolve_scale(y="independent")


@chart
def repeated() -> alt.TopLevelMixin:
    inner = (
        alt.Chart(CARS)
        .mark_point()
        .encode(alt.X(alt.repeat("column"), type="quantitative"), alt.Y(alt.repeat("row"), type="quantitative"))
    )
    return inner.properties(width=90, height=90).repeat(row=["Horsepower", "Miles"], column=["Miles", "Cylinders"])


@chart
def repeated_layers() -> alt.TopLevelMixin:
    inner = (
        alt.Chart(CARS)
        .mark_line()
        .encode(
            alt.X("Cylinders:O"),
            alt.Y(alt.repeat("layer"), aggregate="mean", type="quantitative"),
            color=alt.datum(alt.repeat("layer")),
        )
    )
    return inner.repeat(layer=["Horsepower", "Miles"])


@chart
def concatenated() -> alt.TopLevelMixin:
    left = alt.Chart(CARS).mark_bar().encode(x="count()", y="Origin")
    right = alt.Chart(STOCKS).mark_line().encode(x="date", y="mean(price)")
    return (left | right) & alt.concat(left, right, columns=1)


# Selections and parameters


@chart
def selection_of_an_interval() -> alt.TopLevelMixin:
    brush = alt.selection_interval(encodings=["x"])
    points = (
        alt.Chart(CARS)
        .mark_point()
        .encode(x="Horsepower", y="Miles", color=alt.when(brush).then("Origin:N").otherwise(alt.value("gray")))
    )
    bars = alt.Chart(CARS).mark_bar().encode(x="count()", y="Origin").transform_filter(brush)
    return points.add_params(brush) & bars


@chart
def selection_of_points() -> alt.TopLevelMixin:
    click = alt.selection_point(fields=["Origin"], value=[{"Origin": "USA"}], bind="legend")
    opacity = alt.when(click).then(alt.value(1)).otherwise(alt.value(0.2))
    return alt.Chart(CARS).mark_circle().encode(x="Horsepower", y="Miles", color="Origin", opacity=opacity).add_params(click)


@chart
def zoomable() -> alt.TopLevelMixin:
    return alt.Chart(CARS).mark_circle().encode(x="Horsepower", y="Miles").interactive()


@chart
def parameter_with_a_slider() -> alt.TopLevelMixin:
    least = alt.param(value=100, bind=alt.binding_range(min=50, max=200))
    chart = alt.Chart(CARS).mark_point().encode(x="Horsepower", y="Miles").add_params(least)
    return chart.transform_filter(alt.datum.Horsepower > least)


@chart
def overview_and_detail() -> alt.TopLevelMixin:
    brush = alt.selection_interval(encodings=["x"])
    base = alt.Chart(STOCKS).mark_area().encode(x="date:T", y="sum(price):Q")
    upper = base.encode(alt.X("date:T").scale(domain=brush))
    return upper & base.properties(height=60).add_params(brush)
