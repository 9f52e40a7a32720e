"""Small tables that the specs of these tests draw, and short words for writing a spec."""

from __future__ import annotations

Json = dict[str, object]

CARS: Json = {
    "values": [
        {
            "name": "amc hornet",
            "horsepower": 97,
            "mpg": 18,
            "weight": 2774,
            "cylinders": 6,
            "origin": "USA",
            "built": "1971-01-01",
        },
        {
            "name": "fiat 124b",
            "horsepower": 76,
            "mpg": 30,
            "weight": 2065,
            "cylinders": 4,
            "origin": "Europe",
            "built": "1971-06-01",
        },
        {
            "name": "mazda rx3",
            "horsepower": 90,
            "mpg": 18,
            "weight": 2124,
            "cylinders": 3,
            "origin": "Japan",
            "built": "1973-01-01",
        },
    ]
}
STOCKS: Json = {
    "values": [
        {"symbol": "MSFT", "day": "2000-01-01", "price": 39.81, "volume": 12},
        {"symbol": "MSFT", "day": "2000-02-01", "price": 36.35, "volume": 15},
        {"symbol": "IBM", "day": "2000-01-01", "price": 100.52, "volume": 9},
        {"symbol": "IBM", "day": "2000-02-01", "price": 92.11, "volume": 11},
    ]
}
WEATHER: Json = {
    "values": [
        {"day": "2012-01-01", "high": 12.8, "low": 5.0, "rain": 0.0, "wind": 4.7, "sky": "drizzle", "place": "Seattle"},
        {"day": "2012-01-02", "high": 10.6, "low": 2.8, "rain": 10.9, "wind": 4.5, "sky": "rain", "place": "Seattle"},
        {"day": "2012-01-01", "high": 9.4, "low": 5.6, "rain": 1.3, "wind": 6.1, "sky": "sun", "place": "New York"},
    ]
}
CITIES: Json = {
    "values": [
        {"city": "Kyoto", "lon": 135.77, "lat": 35.01, "people": 1460000, "country": 392},
        {"city": "Bergen", "lon": 5.32, "lat": 60.39, "people": 285900, "country": 578},
    ]
}
COUNTRIES: Json = {"values": [{"code": 392, "label": "Japan", "area": 377975}, {"code": 578, "label": "Norway", "area": 385207}]}
SURVEY: Json = {
    "values": [
        {"question": "Q1", "group": "a", "answers": {"yes": 10, "no": 3}, "tags": ["x", "y"], "scores": [1, 2]},
        {"question": "Q2", "group": "b", "answers": {"yes": 6, "no": 8}, "tags": ["z"], "scores": [3]},
    ]
}


def q(field: str, **more: object) -> Json:
    return {"field": field, "type": "quantitative", **more}


def n(field: str, **more: object) -> Json:
    return {"field": field, "type": "nominal", **more}


def o(field: str, **more: object) -> Json:
    return {"field": field, "type": "ordinal", **more}


def t(field: str, **more: object) -> Json:
    return {"field": field, "type": "temporal", **more}


def count(**more: object) -> Json:
    return {"aggregate": "count", "type": "quantitative", **more}


def unit(data: Json | None, mark: object, encoding: Json, *transforms: Json, **more: object) -> Json:
    """One view: its data, its transforms, its mark and its encoding."""
    spec: Json = {"data": data} if data is not None else {}
    if transforms:
        spec["transform"] = list(transforms)
    return {**spec, "mark": mark, "encoding": encoding, **more}
