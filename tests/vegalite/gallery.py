"""Valid Vega-Lite specs of many kinds: single views, and what their channels and transforms can do.

Every name that a spec reads exists, so the check of each is silent; the names are also what the tests misspell.
"""

from __future__ import annotations

from vegalite.tables import CARS, CITIES, COUNTRIES, STOCKS, SURVEY, WEATHER, Json, count, n, o, q, t, unit

MARKS: dict[str, Json] = {
    "bar": unit(CARS, "bar", {"x": n("name"), "y": q("horsepower")}),
    "bar of means": unit(CARS, "bar", {"x": q("horsepower", aggregate="mean"), "y": n("origin")}),
    "histogram": unit(CARS, "bar", {"x": q("horsepower", bin=True), "y": count()}),
    "histogram with bins given": unit(CARS, "bar", {"x": q("mpg", bin={"maxbins": 20}), "y": count(), "color": n("origin")}),
    "stacked bars": unit(
        STOCKS, "bar", {"x": t("day", timeUnit="month"), "y": q("volume", aggregate="sum"), "color": n("symbol")}
    ),
    "normalised bars": unit(
        STOCKS,
        "bar",
        {"x": o("day", timeUnit="yearmonth"), "y": q("volume", aggregate="sum", stack="normalize"), "color": n("symbol")},
    ),
    "grouped bars": unit(STOCKS, "bar", {"x": n("symbol"), "xOffset": n("day"), "y": q("price"), "color": n("day")}),
    "sorted bars": unit(
        CARS,
        "bar",
        {"x": q("mpg", aggregate="mean"), "y": n("origin", sort={"field": "weight", "op": "max", "order": "descending"})},
    ),
    "bars sorted by a channel": unit(CARS, "bar", {"x": q("mpg", aggregate="sum"), "y": n("origin", sort="-x")}),
    "scatter plot": unit(
        CARS, "point", {"x": q("horsepower"), "y": q("mpg"), "color": n("origin"), "shape": n("origin"), "size": q("weight")}
    ),
    "tooltip": unit(
        CARS,
        {"type": "circle", "tooltip": {"content": "data"}},
        {"x": q("horsepower"), "y": q("mpg"), "tooltip": [n("name"), t("built")]},
    ),
    "line": unit(STOCKS, "line", {"x": t("day"), "y": q("price"), "color": n("symbol")}),
    "line of means": unit(
        STOCKS,
        {"type": "line", "point": True},
        {"x": t("day", timeUnit="year"), "y": q("price", aggregate="mean"), "strokeDash": n("symbol")},
    ),
    "area": unit(STOCKS, "area", {"x": t("day", timeUnit="yearmonth"), "y": q("volume", aggregate="sum"), "color": n("symbol")}),
    "stream graph": unit(
        STOCKS, "area", {"x": t("day"), "y": q("volume", aggregate="sum", stack="center"), "color": n("symbol")}
    ),
    "trail": unit(STOCKS, "trail", {"x": t("day"), "y": q("price"), "size": q("volume"), "color": n("symbol")}),
    "tick": unit(CARS, "tick", {"x": q("horsepower"), "y": o("cylinders")}),
    "heat map": unit(
        WEATHER,
        "rect",
        {"x": o("day", timeUnit="date", title="day"), "y": o("day", timeUnit="month"), "color": q("high", aggregate="max")},
    ),
    "ranged bars": unit(WEATHER, "bar", {"x": t("day"), "y": q("low"), "y2": {"field": "high"}}),
    "ranged rules": unit(WEATHER, "rule", {"x": q("low"), "x2": {"field": "high"}, "y": n("place"), "strokeWidth": q("wind")}),
    "text": unit(CARS, {"type": "text", "dx": 3}, {"x": q("mpg"), "y": q("weight"), "text": n("name"), "angle": q("horsepower")}),
    "pie": unit(CARS, {"type": "arc", "innerRadius": 10}, {"theta": q("weight", aggregate="sum"), "color": n("origin")}),
    "radial": unit(
        CARS, "arc", {"theta": q("mpg", stack=True), "radius": q("weight", scale={"type": "sqrt"}), "color": n("name")}
    ),
    "box plot": unit(CARS, {"type": "boxplot", "extent": "min-max"}, {"x": n("origin"), "y": q("weight")}),
    "box plot with outliers": unit(CARS, "boxplot", {"x": q("mpg"), "y": n("origin"), "color": n("origin")}),
    "error bar": unit(CARS, {"type": "errorbar", "extent": "stdev"}, {"x": q("mpg"), "y": n("origin")}),
    "error band": unit(STOCKS, {"type": "errorband", "extent": "ci"}, {"x": t("day", timeUnit="year"), "y": q("price")}),
    "image": unit(
        {"values": [{"x": 1, "y": 2, "img": "data/ffox.png"}]},
        {"type": "image", "width": 20},
        {"x": q("x"), "y": q("y"), "url": n("img")},
    ),
    "points on a map": unit(
        CITIES,
        "circle",
        {
            "longitude": {"field": "lon", "type": "quantitative"},
            "latitude": {"field": "lat", "type": "quantitative"},
            "size": q("people"),
        },
        projection={"type": "mercator"},
    ),
    "graticule": {
        "data": {"graticule": {"step": [15, 15]}},
        "mark": {"type": "geoshape", "filled": False},
        "projection": {"type": "equalEarth"},
    },
    "nested fields": unit(SURVEY, "bar", {"x": q("answers.yes"), "y": n("question"), "color": q("answers['no']")}),
    "log scale": unit(CARS, "point", {"x": q("weight", scale={"type": "log"}), "y": q("mpg", scale={"zero": False})}),
    "link and order": unit(
        STOCKS, "line", {"x": q("price"), "y": q("volume"), "order": t("day"), "detail": [n("symbol")], "href": n("symbol")}
    ),
    "row and column": unit(
        CARS,
        "bar",
        {
            "x": q("horsepower", bin={"maxbins": 5}),
            "y": count(),
            "row": n("origin", header={"title": None}),
            "column": o("cylinders", sort="descending"),
        },
    ),
    "wrapped facet": unit(
        STOCKS, "line", {"x": t("day"), "y": q("price"), "facet": n("symbol", columns=2, sort={"field": "volume", "op": "mean"})}
    ),
    "best of a group": unit(CARS, "bar", {"x": q("mpg", aggregate={"argmax": "weight"}), "y": n("origin")}),
    "condition on a test": unit(
        CARS,
        "point",
        {
            "x": q("mpg"),
            "y": q("weight"),
            "color": {"condition": {"test": "datum.horsepower > 80 && datum['cylinders'] < 8", "value": "red"}, "value": "grey"},
            "opacity": {"condition": {"test": {"field": "origin", "oneOf": ["USA"]}, "value": 1}, "value": 0.3},
        },
    ),
    "labels by expression": unit(
        CARS,
        "bar",
        {"x": n("origin", axis={"labelExpr": "upper(datum.label)"}), "y": q("mpg", aggregate="median", axis={"format": ".1f"})},
    ),
    "imputed encoding": unit(
        STOCKS, "line", {"x": o("day"), "y": q("price", impute={"value": 0, "method": "value"}), "color": n("symbol")}
    ),
    "date domain": unit(
        STOCKS,
        "line",
        {
            "x": t("day", scale={"domain": [{"year": 2000, "month": 1}, {"year": 2000, "month": 3}]}),
            "y": q("price"),
            "color": n("symbol"),
        },
    ),
}

TRANSFORMS: dict[str, Json] = {
    "filter by expression": unit(
        CARS, "point", {"x": q("mpg"), "y": q("weight")}, {"filter": "datum.horsepower > 50 && datum.origin !== 'USA'"}
    ),
    "filter by predicates": unit(
        CARS,
        "point",
        {"x": q("mpg"), "y": q("weight")},
        {"filter": {"field": "horsepower", "range": [50, 100]}},
        {"filter": {"and": [{"field": "origin", "equal": "USA"}, {"not": {"field": "cylinders", "lt": 4}}]}},
        {"filter": {"or": ["datum.mpg > 3", {"field": "name", "valid": True}]}},
        {"filter": {"timeUnit": "year", "field": "built", "range": [1960, 1990]}},
    ),
    "calculate": unit(
        CARS,
        "bar",
        {"x": n("name"), "y": q("power per weight")},
        {"calculate": "datum.horsepower / datum['weight']", "as": "ratio"},
        {"calculate": "datum.ratio * 1000", "as": "power per weight"},
    ),
    "aggregate": unit(
        CARS,
        "bar",
        {"x": n("origin"), "y": q("typical"), "color": q("cars")},
        {"aggregate": [{"op": "median", "field": "mpg", "as": "typical"}, {"op": "count", "as": "cars"}], "groupby": ["origin"]},
    ),
    "join and window": unit(
        CARS,
        "bar",
        {"x": n("name"), "y": q("above"), "color": q("place")},
        {"joinaggregate": [{"op": "mean", "field": "mpg", "as": "usual"}], "groupby": ["origin"]},
        {"calculate": "datum.mpg - datum.usual", "as": "above"},
        {
            "window": [{"op": "rank", "as": "place"}, {"op": "sum", "field": "weight", "as": "so far"}],
            "sort": [{"field": "horsepower", "order": "descending"}],
            "groupby": ["cylinders"],
            "frame": [None, 0],
        },
    ),
    "fold": unit(
        WEATHER,
        "line",
        {"x": t("day"), "y": q("degrees"), "color": n("which")},
        {"fold": ["high", "low"], "as": ["which", "degrees"]},
    ),
    "fold without names": unit(WEATHER, "line", {"x": t("day"), "y": q("value"), "color": n("key")}, {"fold": ["rain", "wind"]}),
    "flatten": unit(
        SURVEY,
        "point",
        {"x": n("tag"), "y": q("score"), "color": n("group")},
        {"flatten": ["tags", "scores"], "as": ["tag", "score"]},
    ),
    "bin and time unit": unit(
        CARS,
        "bar",
        {"x": q("lower", bin="binned"), "x2": {"field": "lower_end"}, "y": count(), "color": o("month built")},
        {"bin": True, "field": "mpg", "as": ["lower", "lower_end"]},
        {"timeUnit": "month", "field": "built", "as": "month built"},
    ),
    "density": unit(
        CARS,
        "area",
        {"x": q("value"), "y": q("density"), "color": n("origin")},
        {"density": "weight", "groupby": ["origin"], "bandwidth": 100},
    ),
    "regression": unit(
        CARS,
        "line",
        {"x": q("weight"), "y": q("mpg"), "color": n("origin")},
        {"regression": "mpg", "on": "weight", "groupby": ["origin"]},
    ),
    "loess": unit(
        CARS, "line", {"x": q("weight"), "y": q("smooth")}, {"loess": "mpg", "on": "weight", "as": ["weight", "smooth"]}
    ),
    "quantile": unit(
        CARS, "point", {"x": q("share"), "y": q("reached")}, {"quantile": "mpg", "step": 0.1, "as": ["share", "reached"]}
    ),
    "lookup": unit(
        CITIES,
        "bar",
        {"x": n("label"), "y": q("people"), "color": q("area")},
        {"lookup": "country", "from": {"data": COUNTRIES, "key": "code", "fields": ["label", "area"]}},
    ),
    "lookup of a row": unit(
        CITIES,
        "text",
        {"y": n("city"), "text": n("there.label")},
        {"lookup": "country", "from": {"data": COUNTRIES, "key": "code"}, "as": "there"},
    ),
    "pivot": unit(
        STOCKS,
        "point",
        {"x": q("MSFT"), "y": q("IBM"), "tooltip": [t("day")]},
        {"pivot": "symbol", "value": "price", "groupby": ["day"]},
    ),
    "stack": unit(
        CARS,
        "rect",
        {"x": q("from"), "x2": {"field": "to"}, "y": n("origin"), "color": n("name")},
        {"stack": "weight", "groupby": ["origin"], "as": ["from", "to"], "sort": [{"field": "mpg", "order": "ascending"}]},
    ),
    "impute": unit(
        STOCKS,
        "line",
        {"x": o("day"), "y": q("price"), "color": n("symbol")},
        {"impute": "price", "key": "day", "groupby": ["symbol"], "method": "mean"},
    ),
    "extent": unit(
        CARS,
        "point",
        {"x": q("share"), "y": n("name")},
        {"extent": "mpg", "param": "reach"},
        {"calculate": "(datum.mpg - reach[0]) / (reach[1] - reach[0])", "as": "share"},
    ),
    "sample": unit(CARS, "point", {"x": q("mpg"), "y": q("weight")}, {"sample": 2}),
    "sequence": unit(
        {"sequence": {"start": 0, "stop": 12, "step": 0.1, "as": "x"}},
        "line",
        {"x": q("x"), "y": q("sine")},
        {"calculate": "sin(datum.x)", "as": "sine"},
    ),
    "parsed text": unit(
        {
            "values": "when;much\n2020-01-01;3\n2020-02-01;4",
            "format": {"type": "dsv", "delimiter": ";", "parse": {"much": "number", "when": "date"}},
        },
        "line",
        {"x": t("when"), "y": q("much")},
    ),
}
