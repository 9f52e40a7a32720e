"""A notebook, executed for real: a kernel of its own, a Spark of its own."""

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

SOURCE = Path(__file__).resolve().parents[2] / "src"

CELLS = {
    "enable": """
import altair as alt
import pandas as pd
import sheliak

sheliak.altair.enable()
frame = pd.DataFrame({"town": ["Ghent", "Oslo", "Ghent"], "km": [3, 5, 4], "day": pd.date_range("2026-01-01", periods=3)})
""",
    "pandas": """alt.Chart(frame).mark_bar().encode(x="town", y="mean(km)")""",
    "spark": """
from pyspark.sql import SparkSession

spark = SparkSession.getActiveSession()
numbers = sheliak.data(spark.range(300_000).selectExpr("id % 7 AS seven", "id % 1000 AS thousand"))
alt.renderers.enable("mimetype")
alt.Chart(numbers).mark_bar().encode(alt.X("thousand", bin=True), y="count()", color="seven:N")
""",
    "mistake": """alt.Chart(frame).mark_line().encode(x="Day", y="km")""",
    "report": """sheliak.check(alt.Chart(frame).mark_line().encode(x="day", y="kn:Q"))""",
    "rows": """alt.Chart(numbers).mark_point().encode(x="thousand", y="seven")""",
    "disable": """
sheliak.altair.disable()
alt.renderers.enable("default")
alt.Chart(frame).mark_bar().encode(x="town", y="mean(km)")
""",
}


@pytest.fixture(scope="module")
def outputs() -> dict[str, list[dict[str, object]]]:
    """What each cell shows, without the line that tells of a wait and is empty afterwards."""
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source.strip()) for source in CELLS.values()]
    around = {**os.environ, "PYTHONPATH": str(SOURCE)}
    NotebookClient(notebook, timeout=240, kernel_name="python3").execute(env=around)
    shown = {name: [dict(output) for output in cell.outputs] for name, cell in zip(CELLS, notebook.cells, strict=True)}
    return {name: [output for output in made if output["output_type"] != "display_data"] for name, made in shown.items()}


def only(outputs: list[dict[str, object]]) -> dict[str, object]:
    (output,) = outputs
    assert output["output_type"] == "execute_result"
    data = output["data"]
    assert isinstance(data, dict)
    return data


def test_every_cell_shows_one_thing_and_no_noise(outputs: dict[str, list[dict[str, object]]]) -> None:
    assert {name: len(made) for name, made in outputs.items()} == {"enable": 0, **dict.fromkeys(list(CELLS)[1:], 1)}


def test_a_chart_of_pandas_is_a_page_with_computed_rows(outputs: dict[str, list[dict[str, object]]]) -> None:
    page = str(only(outputs["pandas"])["text/html"])
    assert '"mode": "vega"' in page
    assert '"mean_km":3.5' in page


def test_a_chart_of_spark_is_small(outputs: dict[str, list[dict[str, object]]]) -> None:
    spec = only(outputs["spark"])["application/vnd.vega.v6+json"]
    assert isinstance(spec, dict)
    assert len(json.dumps(spec)) < 30_000
    counts = [row["__count"] for dataset in spec["data"] for row in dataset.get("values", ()) if "__count" in row]
    assert sum(counts) == 300_000


def test_a_mistake_is_told(outputs: dict[str, list[dict[str, object]]]) -> None:
    assert str(only(outputs["mistake"])["text/plain"]) == (
        "error[unknown-field]: dataset `data` has no field `Day`\n"
        " --> <Chart>:4:12\n"
        "  |\n"
        "4 |         x='Day',\n"
        "  |            ^^^\n"
        "  = note: the fields here are `town`, `km`, `day`\n"
        "  = help: field names are case sensitive: the field is called `day`\n"
    )
    assert "kn" in str(only(outputs["report"])["text/html"])


def test_too_many_rows_are_told(outputs: dict[str, list[dict[str, object]]]) -> None:
    assert "the chart has more than 100,000 rows to draw" in str(only(outputs["rows"])["text/plain"])


def test_afterwards_altair_shows_its_own(outputs: dict[str, list[dict[str, object]]]) -> None:
    assert '"mode": "vega-lite"' in str(only(outputs["disable"])["text/html"])
