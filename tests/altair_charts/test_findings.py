"""What is wrong with a chart is told at a place of its code, in the words of the code."""

import ast
import subprocess
import sys

import altair as alt
import pandas as pd
import pytest

import sheliak
from altair_charts.gallery import CARS, GALLERY, STOCKS


def told(chart: alt.TopLevelMixin) -> str:
    return str(sheliak.check(chart))


def snippets(chart: alt.TopLevelMixin) -> list[str]:
    """Of each finding the part of the code that is underlined."""
    report = sheliak.check(chart)
    return [report.source.text[slice(*_ends(finding.location.span))] for finding in report.diagnostics]


def _ends(span: object) -> tuple[int, int]:
    return span.start, span.end  # type: ignore[attr-defined]


def test_a_misspelt_column() -> None:
    assert told(alt.Chart(STOCKS).mark_line().encode(x="Date:T", y="price:Q")) == (
        "error[unknown-field]: dataset `data` has no field `Date`\n"
        " --> <Chart>:4:12\n"
        "  |\n"
        "4 |         x='Date:T',\n"
        "  |            ^^^^\n"
        "  = note: the fields here are `symbol`, `date`, `price`\n"
        "  = help: field names are case sensitive: the field is called `date`\n"
        "\n"
        "1 error in 1 file"
    )


def test_a_misspelt_column_without_a_type_for_which_altair_shows_a_stack() -> None:
    chart = alt.Chart(STOCKS).mark_line().encode(x="Date", y="mean(prise)")
    with pytest.raises(ValueError, match="Unable to determine data type"):
        chart.to_dict()
    report = sheliak.check(chart)
    assert [(finding.code, finding.pointer) for finding in report.diagnostics] == [
        ("unknown-field", "/encoding/x/field"),
        ("unknown-field", "/encoding/y/field"),
    ]
    assert snippets(chart) == ["Date", "prise"]
    assert "        y='mean(prise)'," in report.source.text


def test_a_column_of_a_transform_without_a_type_is_what_altair_says_it_is() -> None:
    chart = alt.Chart(CARS).transform_calculate(ratio="datum.Miles / 2").mark_bar().encode(x="ratio", y="count()")
    with pytest.raises(ValueError, match="Unable to determine data type"):
        sheliak.check(chart)
    assert sheliak.check(chart.encode(x="ratio:Q")).ok


def test_text_on_a_quantitative_channel() -> None:
    (finding,) = sheliak.check(alt.Chart(CARS).mark_point().encode(x="Origin:Q", y="Miles:Q")).diagnostics
    assert (finding.code, finding.help) == ("text-in-scale", "write `Origin:N` for text")


def test_a_field_that_the_aggregation_leaves_out() -> None:
    color = alt.condition("datum.Name == 'car 01'", alt.value("red"), alt.value("gray"))
    chart = alt.Chart(CARS).mark_bar().encode(x="Origin", y="mean(Miles)", color=color)
    (finding,) = sheliak.check(chart).diagnostics
    assert finding.message == "`Name` is no longer there: the encoding is aggregated"
    assert finding.help == "add `detail='Name'` to the encoding, or aggregate the field too, as in `max(Name)`"
    assert snippets(chart) == ["Name"]


def test_transforms_are_shown_as_calls() -> None:
    chart = (
        alt.Chart(CARS)
        .transform_calculate(ratio="datum.Horsepower / datum.Mile")
        .transform_aggregate(most="max(rato)", groupby=["Orgin"])
        .mark_bar()
        .encode(x="most:Q")
    )
    code = sheliak.check(chart).source.text
    assert ".transform_calculate(ratio='datum.Horsepower / datum.Mile')" in code
    assert ".transform_aggregate(most='max(rato)', groupby=['Orgin'])" in code
    assert snippets(chart) == ["Mile", "rato", "Orgin"]


@pytest.mark.parametrize(
    ("chart", "line"),
    [
        (
            alt.Chart(CARS).mark_bar().encode(x="Miles") + alt.Chart(CARS).mark_rule().encode(x="Mile:Q"),
            "            x='Mile:Q',",
        ),
        (alt.Chart(CARS).mark_bar().encode(x="Mile:Q") | alt.Chart(CARS).mark_bar().encode(x="Miles"), "            x='Mile:Q',"),
        (alt.Chart(CARS).mark_bar().encode(x="Miles").facet("Orgin:N", columns=2), "    .facet('Orgin:N', columns=2)"),
        (alt.Chart(CARS).mark_bar().encode(x="Miles", tooltip=["Name", "Nam:N"]), "tooltip=['Name', 'Nam:N'],"),
        (alt.Chart(CARS).mark_bar().encode(alt.X("Mile:Q", bin=True), y="count()"), "x=alt.X('Mile:Q', bin=True),"),
        (
            alt.Chart(CARS).mark_bar().encode(alt.X(alt.repeat("column"), type="quantitative")).repeat(column=["Mile"]),
            "    .repeat(column=['Mile'])",
        ),
    ],
    ids=["layer", "concat", "facet", "tooltip", "bin", "repeat"],
)
def test_the_line_of_the_code(chart: alt.TopLevelMixin, line: str) -> None:
    report = sheliak.check(chart)
    (finding,) = report.diagnostics
    assert finding.code == "unknown-field"
    assert report.source.line_text(finding.location.line).endswith(line)
    assert finding.edits == ()


def test_names_with_dots_and_quotes() -> None:
    frame = pd.DataFrame({"it's": [1], "a.b": [2]})
    chart = alt.Chart(frame).mark_point().encode(x=alt.X("its:Q"), y=alt.Y("a.b:Q"), color=alt.value("red"))
    assert snippets(chart) == ["its", "a.b"]
    assert "color=alt.value('red')" in sheliak.check(chart).source.text


def test_a_selection_that_does_not_exist() -> None:
    chart = alt.Chart(CARS).mark_point().encode(x="Miles", y="Horsepower").transform_filter({"param": "brush"})
    (finding,) = sheliak.check(chart).diagnostics
    assert (finding.code, snippets(chart)) == ("unknown-param", ["brush"])


def test_without_altair_the_package_says_what_to_install() -> None:
    program = "import sys; sys.modules['altair'] = None; import sheliak; sheliak.altair.enable()"
    found = "import importlib.util as u; u.find_spec = lambda name, of=u.find_spec: None if name == 'altair' else of(name)"
    ended = subprocess.run([sys.executable, "-c", f"{found}; {program}"], capture_output=True, text=True, check=False)
    assert ended.stderr.endswith("ImportError: Altair is not installed: pip install 'sheliak[altair]'\n")


def test_the_code_is_what_one_writes() -> None:
    """It could be run: the names of arguments and the order of calls are Altair's."""
    lines = {
        name: sheliak.check(GALLERY[name]()).source.text
        for name in ("repeated", "transform_lookup", "transform_bin_and_timeunit")
    }
    assert "x=alt.X(alt.repeat('column'), type='quantitative')," in lines["repeated"]
    assert (
        ".transform_lookup('to', from_={'data': {'name': 'data2'}, 'key': 'city', 'fields': ['people']})"
        in lines["transform_lookup"]
    )
    assert ".transform_timeunit(month='month(Year)')" in lines["transform_bin_and_timeunit"]
    assert ".transform_bin(bin=True, field='Miles', as_=['low', 'high'])" in lines["transform_bin_and_timeunit"]


@pytest.mark.parametrize("name", GALLERY)
def test_every_chart_has_code(name: str) -> None:
    text = sheliak.check(GALLERY[name]()).source.text
    assert text.count("(") == text.count(")")
    assert ast.parse(f"(\n{text}\n)")
