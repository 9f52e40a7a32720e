"""A valid Vega-Lite spec is met with silence."""

from pathlib import Path

import pytest

from vegalite.composed import COMPOSED, PARAMETERS
from vegalite.gallery import MARKS, TRANSFORMS
from vegalite.reading import check
from vegalite.tables import CARS, WEATHER, Json, n, o, q, t, unit

pytest.importorskip("vl_convert")

ALL = {**MARKS, **TRANSFORMS, **COMPOSED, **PARAMETERS}


def messages(spec: object, folder: Path | None = None) -> list[str]:
    return [f"{finding.pointer}: {finding.message}" for finding in check(spec, folder).diagnostics]


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_said_about(name: str) -> None:
    assert messages(ALL[name]) == []


@pytest.mark.parametrize("version", ["v4.17.0", "v5", "v5.8.0", "v5.20.1", "v6", "v6.1.0", "v7"])
def test_every_version_of_vega_lite_is_compiled(version: str) -> None:
    schema = f"https://vega.github.io/schema/vega-lite/{version}.json"
    assert messages({"$schema": schema, **MARKS["stacked bars"]}) == []


def test_a_selection_of_version_four_is_known() -> None:
    spec = unit(
        CARS,
        "point",
        {"x": q("mpg"), "y": q("weight"), "color": {"condition": {"selection": "pick", **n("origin")}, "value": "grey"}},
        {"filter": {"selection": "pick"}},
        selection={"pick": {"type": "multi", "fields": ["origin"]}},
    )
    assert messages({"$schema": "https://vega.github.io/schema/vega-lite/v4.json", **spec}) == []


def test_data_that_nobody_has_seen_may_have_any_field() -> None:
    spec = unit({"url": "https://example.org/cars.csv"}, "bar", {"x": q("mpg", aggregate="mean"), "y": n("origin")})
    assert messages(spec) == []


def test_a_file_is_looked_for_beside_the_spec(tmp_path: Path) -> None:
    (tmp_path / "cars.csv").write_text("mpg,origin\n18,USA\n")
    assert messages(unit({"url": "cars.csv"}, "bar", {"x": q("mpg"), "y": n("origin")}), tmp_path) == []


def test_rows_may_be_kept_apart_from_the_views() -> None:
    view = unit({"name": "cars"}, "point", {"x": q("mpg"), "y": q("weight")})
    assert messages({**view, "datasets": {"cars": CARS["values"]}}) == []


def test_a_time_unit_of_ordinal_type_in_a_tooltip() -> None:
    """Vega-Lite 6 reads the field that the unit was computed from, which its own aggregation has dropped."""
    month = o("day", timeUnit="month")
    assert messages(unit(WEATHER, "bar", {"x": month, "y": q("rain", aggregate="sum"), "tooltip": [month]})) == []


def test_a_facet_by_a_field_that_is_made_inside_of_it() -> None:
    """Vega-Lite parses the field before the transforms of the facet's spec have made it."""
    spec: Json = {
        "data": WEATHER,
        "facet": {"row": t("month")},
        "spec": unit(None, "point", {"x": q("high"), "y": q("low")}, {"timeUnit": "month", "field": "day", "as": "month"}),
    }
    assert messages(spec) == []


def test_data_without_rows_and_without_a_place() -> None:
    assert messages({"data": {"name": "later"}, "mark": "bar", "encoding": {"x": q("a"), "y": n("b")}}) == []


def test_a_field_may_be_called_like_a_part_of_vega_lite() -> None:
    picked = {"name": "pick", "select": {"type": "point", "fields": ["filter"]}, "value": [{"filter": "two words"}]}
    assert messages(unit({"values": [{"filter": "two words"}]}, "point", {"x": n("filter")}, params=[picked])) == []
