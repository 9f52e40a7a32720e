"""Valid Vega-Lite specs of several views, and specs with parameters.

Every name that a spec reads exists, so the check of each is silent; the names are also what the tests misspell.
"""

from __future__ import annotations

from vegalite.tables import CARS, STOCKS, WEATHER, Json, count, n, o, q, t, unit

_REPEATED = {"repeat": "repeat"}

COMPOSED: dict[str, Json] = {
    "layers": {
        "data": STOCKS,
        "encoding": {"x": t("day")},
        "layer": [
            {"mark": "line", "encoding": {"y": q("price"), "color": n("symbol")}},
            {"mark": {"type": "rule", "color": "red"}, "encoding": {"y": q("volume", aggregate="mean"), "x": {"value": 0}}},
        ],
    },
    "layers with their own data": {
        "layer": [
            unit(CARS, "point", {"x": q("mpg"), "y": q("weight")}),
            unit({"values": [{"limit": 20, "label": "thirsty"}]}, "rule", {"x": q("limit")}),
            unit({"values": [{"limit": 20, "label": "thirsty"}]}, "text", {"x": q("limit"), "text": n("label")}),
        ]
    },
    "layers with transforms": {
        "data": CARS,
        "layer": [
            unit(None, "point", {"x": q("weight"), "y": q("mpg")}),
            unit(None, "line", {"x": q("weight"), "y": q("mpg")}, {"regression": "mpg", "on": "weight"}),
            unit(
                None,
                {"type": "text", "x": "width"},
                {"text": n("share", format=".2f")},
                {"regression": "horsepower", "on": "cylinders", "params": True},
                {"calculate": "datum.rSquared", "as": "share"},
            ),
        ],
    },
    "side by side": {
        "data": CARS,
        "hconcat": [
            unit(None, "bar", {"x": n("origin"), "y": count()}),
            unit(None, "point", {"x": q("mpg"), "y": q("weight")}, {"filter": "datum.cylinders > 3"}),
        ],
    },
    "one above another": {
        "vconcat": [
            unit(STOCKS, "line", {"x": t("day"), "y": q("price"), "color": n("symbol")}),
            unit(WEATHER, "bar", {"x": t("day"), "y": q("rain"), "color": n("sky")}),
        ]
    },
    "concat of layers": {
        "data": WEATHER,
        "concat": [
            {
                "layer": [
                    {"mark": "area", "encoding": {"x": t("day"), "y": q("low"), "y2": {"field": "high"}}},
                    {"mark": "line", "encoding": {"x": t("day"), "y": q("wind")}},
                ],
                "resolve": {"scale": {"y": "independent"}},
            },
            unit(None, "bar", {"x": n("sky"), "y": count()}),
        ],
        "columns": 1,
    },
    "facet": {
        "data": WEATHER,
        "facet": {"row": n("place"), "column": n("sky")},
        "spec": {"mark": "point", "encoding": {"x": t("day"), "y": q("high")}},
        "resolve": {"scale": {"y": "independent"}},
    },
    "facet of layers": {
        "data": STOCKS,
        "facet": n("symbol"),
        "columns": 2,
        "spec": {
            "layer": [
                {"mark": "line", "encoding": {"x": t("day"), "y": q("price")}},
                {"mark": "rule", "encoding": {"y": q("volume", aggregate="max")}},
            ]
        },
    },
    "repeat": {
        "data": CARS,
        "repeat": ["mpg", "weight", "horsepower"],
        "spec": {"mark": "bar", "encoding": {"x": {"field": _REPEATED, "bin": True}, "y": count(), "color": n("origin")}},
    },
    "scatter matrix": {
        "data": CARS,
        "repeat": {"row": ["mpg", "weight"], "column": ["weight", "horsepower"]},
        "spec": {
            "mark": "point",
            "encoding": {
                "x": {"field": {"repeat": "column"}, "type": "quantitative"},
                "y": {"field": {"repeat": "row"}, "type": "quantitative"},
                "color": n("origin"),
            },
        },
    },
    "repeated layers": {
        "data": WEATHER,
        "repeat": {"layer": ["high", "low"]},
        "spec": {
            "mark": "line",
            "encoding": {
                "x": t("day", timeUnit="month"),
                "y": {"aggregate": "mean", "field": {"repeat": "layer"}, "type": "quantitative"},
                "color": {"datum": {"repeat": "layer"}, "type": "nominal"},
            },
        },
    },
}

PARAMETERS: dict[str, Json] = {
    "brush": unit(
        CARS,
        "point",
        {"x": q("mpg"), "y": q("weight"), "color": {"condition": {"param": "brush", **n("origin")}, "value": "grey"}},
        params=[{"name": "brush", "select": "interval"}],
    ),
    "legend": unit(
        STOCKS,
        "line",
        {
            "x": t("day"),
            "y": q("price"),
            "color": n("symbol"),
            "opacity": {"condition": {"param": "picked", "value": 1}, "value": 0.2},
        },
        params=[{"name": "picked", "select": {"type": "point", "fields": ["symbol"]}, "bind": "legend"}],
    ),
    "overview and detail": {
        "data": STOCKS,
        "vconcat": [
            unit(None, "area", {"x": t("day", scale={"domain": {"param": "range"}}), "y": q("price")}),
            unit(
                None,
                "area",
                {"x": t("day"), "y": q("price")},
                params=[{"name": "range", "select": {"type": "interval", "encodings": ["x"]}}],
            ),
        ],
    },
    "crossfilter": {
        "data": CARS,
        "repeat": {"column": ["mpg", "weight"]},
        "spec": {
            "layer": [
                {
                    "params": [{"name": "brush", "select": {"type": "interval", "encodings": ["x"]}}],
                    "mark": "bar",
                    "encoding": {"x": {"field": {"repeat": "column"}, "bin": True}, "y": count()},
                },
                {
                    "transform": [{"filter": {"param": "brush"}}],
                    "mark": {"type": "bar", "color": "gold"},
                    "encoding": {"x": {"field": {"repeat": "column"}, "bin": True}, "y": count()},
                },
            ]
        },
    },
    "sliders": unit(
        CARS,
        {"type": "point", "opacity": {"expr": "strength / 100"}, "size": {"expr": "strength"}},
        {"x": q("mpg"), "y": q("weight")},
        {"filter": "datum.horsepower > least"},
        params=[
            {"name": "strength", "value": 50, "bind": {"input": "range", "min": 1, "max": 100}},
            {"name": "least", "expr": "strength / 2"},
        ],
    ),
    "menu": unit(
        CARS,
        "point",
        {"x": q("mpg"), "y": q("weight"), "opacity": {"condition": {"param": "where", "value": 1}, "value": 0.1}},
        params=[
            {
                "name": "where",
                "select": {"type": "point", "fields": ["origin"]},
                "bind": {"input": "select", "options": ["USA", "Japan"]},
                "value": [{"origin": "Japan"}],
            }
        ],
    ),
    "hover": {
        "data": STOCKS,
        "encoding": {"x": t("day")},
        "layer": [
            {"mark": "line", "encoding": {"y": q("price"), "color": n("symbol")}},
            {
                "params": [
                    {"name": "hover", "select": {"type": "point", "fields": ["day"], "nearest": True, "on": "pointerover"}}
                ],
                "transform": [{"pivot": "symbol", "value": "price", "groupby": ["day"]}],
                "mark": "rule",
                "encoding": {
                    "opacity": {"condition": {"param": "hover", "empty": False, "value": 0.5}, "value": 0},
                    "tooltip": [q("MSFT"), q("IBM")],
                },
            },
        ],
    },
    "zoom": unit(
        CARS,
        "circle",
        {"x": q("mpg"), "y": q("weight"), "size": q("cylinders")},
        params=[{"name": "grid", "select": "interval", "bind": "scales"}],
    ),
    "lookup of a selection": {
        "data": STOCKS,
        "layer": [
            {
                "params": [
                    {"name": "index", "select": {"type": "point", "encodings": ["x"], "on": "pointerover", "nearest": True}}
                ],
                "mark": "point",
                "encoding": {"x": t("day"), "opacity": {"value": 0}},
            },
            {
                "transform": [
                    {"lookup": "symbol", "from": {"param": "index", "key": "symbol"}},
                    {"calculate": "datum.index ? (datum.price - datum.index.price) / datum.index.price : 0", "as": "change"},
                ],
                "mark": "line",
                "encoding": {"x": t("day"), "y": q("change"), "color": n("symbol")},
            },
        ],
    },
    "top by a parameter": unit(
        CARS,
        "bar",
        {"x": q("total"), "y": n("origin", sort={"field": "total", "order": "descending"})},
        {"aggregate": [{"op": "sum", "field": "weight", "as": "total"}], "groupby": ["origin"]},
        {"window": [{"op": "row_number", "as": "place"}], "sort": [{"field": "total", "order": "descending"}]},
        {"filter": "datum.place <= top"},
        params=[{"name": "top", "value": 2}],
    ),
    "axis by a parameter": unit(
        CARS,
        "bar",
        {"x": n("origin", axis={"labelAngle": {"expr": "tilt"}}), "y": q("mpg", aggregate="mean"), "color": o("cylinders")},
        params=[{"name": "tilt", "value": 30}],
    ),
}
