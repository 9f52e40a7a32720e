"""Shapes and requirements of a Vega-Lite spec, under the author's names and at the author's places."""

from pathlib import Path

import pytest

from sheliak.types.shapes import NUMBER, Unseen
from vegalite.reading import check
from vegalite.tables import n, q, unit

pytest.importorskip("vl_convert")


def test_a_source_is_called_by_its_url(tmp_path: Path) -> None:
    (tmp_path / "cars.csv").write_text("mpg,origin\n18,USA\n")
    report = check(unit({"url": "cars.csv"}, "point", {"x": q("mpg"), "y": n("origin")}, {"filter": "datum.mpg > 3"}), tmp_path)
    source, filtered, *_ = report.checked.stages
    assert (source.dataset, source.place.pointer, list(source.record.fields)) == ("cars.csv", "/data/url", ["mpg", "origin"])
    assert (filtered.step, filtered.place.pointer) == ("filter", "/transform/0/filter")


def test_what_unseen_data_must_have() -> None:
    report = check(unit({"url": "https://example.org/cars.csv"}, "bar", {"x": q("mpg", aggregate="mean"), "y": n("origin")}))
    required = {unseen: of for unseen, of in report.checked.requirements.items() if unseen.path == ("mpg",)}
    assert required == {Unseen("https://example.org/cars.csv", ("mpg",)): NUMBER}
