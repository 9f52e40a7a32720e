"""One mistake, one finding: places that share it, and what merely follows from it."""

import pytest

from vegalite.reading import check, found
from vegalite.tables import CARS, STOCKS, Json, n, q, t, unit

pytest.importorskip("vl_convert")


def places(spec: object) -> list[list[str]]:
    """For every finding, its pointer and those of the same mistake elsewhere."""
    return [[finding.pointer, *(related.location.pointer for related in finding.related)] for finding in check(spec).diagnostics]


def test_a_field_misspelt_in_several_places_is_told_of_once() -> None:
    encoding = {"x": n("orign"), "y": q("mpg"), "color": n("orign"), "tooltip": [n("orign")]}
    assert places(unit(CARS, "bar", encoding, {"filter": "datum.orign != ''"})) == [
        ["/transform/0/filter", "/encoding/x/field", "/encoding/color/field", "/encoding/tooltip/0/field"]
    ]


def test_one_name_missing_in_two_tables_is_two_mistakes() -> None:
    spec = {"hconcat": [unit(CARS, "point", {"x": q("size")}), unit(STOCKS, "point", {"x": q("size")})]}
    assert places(spec) == [["/hconcat/0/encoding/x/field"], ["/hconcat/1/encoding/x/field"]]


def test_only_the_view_whose_data_lacks_the_field_is_told_of() -> None:
    spec = {"vconcat": [unit(CARS, "point", {"x": q("price")}), unit(STOCKS, "point", {"x": q("price")})]}
    assert places(spec) == [["/vconcat/0/encoding/x/field"]]


def test_only_the_use_after_the_aggregate_is_told_of() -> None:
    means = {"aggregate": [{"op": "mean", "field": "mpg", "as": "usual"}], "groupby": ["origin"]}
    spec = unit(
        CARS, "bar", {"x": n("origin"), "y": q("usual"), "color": n("cylinders")}, {"filter": "datum.cylinders > 3"}, means
    )
    assert [entry[:2] for entry in found(spec)] == [("dropped-field", "/encoding/color/field")]


def test_a_field_that_a_misspelt_group_drops_is_not_told_of() -> None:
    means = {"aggregate": [{"op": "mean", "field": "mpg", "as": "usual"}], "groupby": ["orgin"]}
    assert places(unit(CARS, "bar", {"x": n("origin"), "y": q("usual")}, means)) == [["/transform/0/groupby/0"]]


def test_two_misspelt_fields_are_two_mistakes() -> None:
    assert places(unit(CARS, "point", {"x": q("mgp"), "y": q("wieght")})) == [["/encoding/x/field"], ["/encoding/y/field"]]


def test_a_parameter_misspelt_twice_is_told_of_once() -> None:
    encoding: Json = {
        "x": q("mpg"),
        "color": {"condition": {"param": "brsh", "value": "red"}, "value": "grey"},
        "size": {"condition": {"param": "brsh", "value": 9}, "value": 3},
    }
    spec = unit(CARS, "point", encoding, params=[{"name": "brush", "select": "interval"}])
    assert places(spec) == [["/encoding/color/condition/param", "/encoding/size/condition/param"]]


def test_equal_expressions_over_different_rows() -> None:
    """The same text in two views: only the one whose rows lack the field is at fault."""
    spec = {
        "hconcat": [
            unit(CARS, "point", {"x": q("mpg")}, {"filter": "datum.price > 1"}),
            unit(STOCKS, "line", {"x": t("day"), "y": q("price")}, {"filter": "datum.price > 1"}),
        ]
    }
    assert places(spec) == [["/hconcat/0/transform/0/filter"]]
