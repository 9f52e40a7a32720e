"""`sheliak explain`: codes, and messages of Vega traced to their cause."""

from pathlib import Path

import pytest

from diagnostics.explanation_pages import page_of
from front_ends.commands import CLEAN, run_apart, run_here, write
from sheliak.checker.check import CheckOptions
from sheliak.diagnostics.catalogue import all_codes
from sheliak.explaining.causes import Cause, find_cause
from sheliak.explaining.vega_messages import MESSAGES, recognise
from sheliak.loading import DataFolders
from sheliak.project.front_end import check_source
from sheliak.source.text import Source

# What Vega 6.4 says about the first spec of some pages, as it was recorded.
SAID = {
    "conflicting-properties": "Signals can not include both init and update expressions.",
    "cycle": "Cycle detected in dataflow graph.",
    "dataset-used-too-early": 'Undefined data set name: "books"',
    "datum-out-of-scope": "datum is not defined",
    "duplicate-name": 'Duplicate signal name: "size"',
    "event-out-of-scope": "event is not defined",
    "expression-syntax": "Expression parse error: PI * (3 * 3",
    "format-type-missing": "Data ingestion failed books.csv Unexpected token 'i', \"title,words\"... is not valid JSON",
    "illegal-call": "Illegal callee type: MemberExpression",
    "illegal-name": "Illegal identifier: _",
    "incomplete-definition": "Unrecognized scale name: undefined",
    "infinite-value": 'Infinite extent for field "speed": [0.05, Infinity]',
    "invalid-field-path": "Access path missing closing bracket: words[0",
    "invalid-json": "Expected ',' or '}' after property value in JSON at position 19",
    "item-out-of-scope": "item is not defined",
    "literal-needed": "First argument to data functions must be a string literal.",
    "malformed-format": "Data ingestion failed books.csv Illegal format pattern: 0:words",
    "mismatched-lengths": "Unmatched number of fields and aggregate ops.",
    "missing-data-property": "Cannot convert undefined or null to object",
    "missing-delimiter": "Cannot read properties of undefined (reading 'charCodeAt')",
    "missing-parameter": 'Missing required "filter" parameter: "expr"',
    "missing-topojson-feature": "Data ingestion failed land.json Missing TopoJSON feature or mesh parameter.",
    "null-row": "Cannot read properties of null (reading 'Symbol(vega_id)')",
    "parse-of-plain-values": "Cannot create property 'data' on string '1'",
    "selector-syntax": "Unmatched left bracket: click[event.shiftKey",
    "text-in-scale": 'Infinite extent for field "day": [Infinity, -Infinity]',
    "transform-not-allowed": "Mark transforms should not generate new data.",
    "unknown-dataset": 'Undefined data set name: "book"',
    "unknown-format-type": "Data ingestion failed books.xml Unknown data format type: xml",
    "unknown-function": "Unrecognized function: len",
    "unknown-option": "AggregateOps[op] is not a function",
    "unknown-parse-type": "Illegal format pattern: words:quantitative",
    "unknown-projection": 'Unrecognized scale name: "world"',
    "unknown-scale": 'Unrecognized scale name: "x"',
    "unknown-signal": 'Unrecognized signal name: "words"',
    "unknown-topojson-object": "Data ingestion failed land.json Invalid TopoJSON object: countries",
    "unknown-transform": 'Unrecognized transform type: "filtre"',
    "values-not-json": "Expected property name or '}' in JSON at position 1",
    "wrong-arity": "Missing arguments to clamp function.",
    "wrong-kind": "object is not iterable (cannot read property Symbol(Symbol.iterator))",
    "zero-on-log-scale": "Log scale domain includes zero: [0,1200]",
}


def cause(message: str, text: str, folder: Path | None = None) -> Cause:
    report = check_source(Source("chart.vg.json", text), CheckOptions(DataFolders(folder)))
    return find_cause(recognise(message), report)


@pytest.mark.parametrize("code", sorted(SAID))
def test_what_vega_says_leads_to_what_is_wrong(code: str, tmp_path: Path) -> None:
    page = page_of(code)
    page.write_files(tmp_path)
    found = cause(f"WARN {SAID[code]}", page.wrong.text, tmp_path)
    assert ([finding.code for finding in found.findings], found.certain) == ([code], True)


def test_the_codes_of_the_messages_exist() -> None:
    assert {code for message in MESSAGES for code in message.codes} <= set(all_codes())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('Infinite extent for field "a:b": [Infinity, -Infinity]', "a:b"),
        ("WARN Infinite extent for field x: [Infinity, -Infinity]", "x"),
        ("Infinite extent for field x", "x"),
        ("Infinite extent: [Infinity, -Infinity]", None),
        ('Unrecognized signal name: "width2"', "width2"),
        ("Error: Undefined data set name: table", "table"),
        ("TypeError: Cannot read properties of undefined (reading 'x')", "x"),
        ("Cannot read property 'x' of undefined", "x"),
        ("Loading failed data/cars.json", "data/cars.json"),
    ],
)
def test_the_name_in_a_message_is_found(text: str, name: str | None) -> None:
    found = recognise(text)
    assert found is not None and found.name == name


# The extent of a field


def chart(transform: str, field: str) -> str:
    return (
        f'{{"data": [{{"name": "books", "values": [{{"words": 1, "kind": "a"}}, {{"words": 2, "kind": "b"}}], '
        f'"transform": [{transform}]}}],\n'
        f'"scales": [{{"name": "x", "type": "linear", "domain": {{"data": "books", "field": "{field}"}}}}]}}'
    )


def infinite(field: str) -> str:
    return f'Infinite extent for field "{field}": [Infinity, -Infinity]'


def test_a_field_that_is_missing_itself() -> None:
    found = cause(infinite("word"), chart("", "word"))
    assert [finding.message for finding in found.findings] == ["dataset `books` has no field `word`"]
    assert found.connection == ""


def test_a_field_that_is_computed_from_a_missing_one() -> None:
    found = cause(infinite("pages"), chart('{"type": "formula", "expr": "datum.word / 100", "as": "pages"}', "pages"))
    assert [finding.message for finding in found.findings] == ["the datum has no field `word`"]
    assert found.connection == "`pages` is computed from what is wrong here."


def test_a_field_that_is_computed_from_one_that_is_computed_from_a_missing_one() -> None:
    steps = (
        '{"type": "formula", "expr": "datum.word / 100", "as": "pages"}, '
        '{"type": "stack", "field": "pages", "as": ["low", "high"]}, '
        '{"type": "formula", "expr": "datum[\'high\'] + 1", "as": "top"}'
    )
    found = cause(infinite("top"), chart(steps, "top"))
    assert [finding.message for finding in found.findings] == ["the datum has no field `word`"]


def test_rows_that_a_wrong_filter_dropped() -> None:
    found = cause(infinite("words"), chart('{"type": "filter", "expr": "datum.knd == \'a\'"}', "words"))
    assert [finding.message for finding in found.findings] == ["the datum has no field `knd`"]
    assert found.connection == "The rows whose `words` is read pass the place that is wrong here."


def test_a_mistake_elsewhere_is_shown_as_a_mistake_elsewhere() -> None:
    spec = chart("", "words").replace('"scales"', '"signals": [{"name": "s", "update": "nothing"}],\n"scales"')
    found = cause(infinite("words"), spec)
    assert ([finding.code for finding in found.findings], found.certain) == (["unknown-signal"], False)


def test_a_spec_without_findings_has_no_cause() -> None:
    assert cause(infinite("words"), chart("", "words")) == Cause((), "", certain=False)


def test_a_missing_name_is_told_from_another_missing_name() -> None:
    spec = '{"signals": [{"name": "a", "update": "one"}, {"name": "b", "update": "two"}]}'
    found = cause('Error: Unrecognized signal name: "two"', spec)
    assert [finding.message for finding in found.findings] == ["there is no signal `two`"]


# The command


def test_alone_it_lists_every_code(tmp_path: Path) -> None:
    ended = run_apart(tmp_path, "explain")
    assert (ended.code, ended.err) == (0, "")
    listed = [line.split()[0] for line in ended.out.splitlines() if line.startswith("  ")]
    assert sorted(listed) == sorted(all_codes())


@pytest.mark.parametrize("code", all_codes())
def test_every_code_is_explained(code: str, tmp_path: Path) -> None:
    ended = run_here(tmp_path, "explain", code)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(f"{code}\n\n")
    assert "What Vega does." in ended.out and f'"ignore": ["{code}"]' in ended.out
    assert "```" not in ended.out


def test_an_unknown_code_exits_with_2(tmp_path: Path) -> None:
    ended = run_here(tmp_path, "explain", "unknown-feild")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith("no finding has the code 'unknown-feild'; a similar code exists: unknown-field\n")


def test_a_message_and_a_spec(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=chart('{"type": "formula", "expr": "datum.word / 100", "as": "pages"}', "pages"))
    ended = run_apart(folder, "explain", infinite("pages"), "chart.vg.json")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("Vega looked for the smallest and the largest value of `pages` and found no finite number")
    assert "error[unknown-field]: the datum has no field `word`\n" in ended.out
    assert "= help: a field with a similar name exists: `words`\n" in ended.out


def test_a_message_without_a_spec_says_what_can_be_behind_it(tmp_path: Path) -> None:
    ended = run_here(tmp_path, "explain", 'Unrecognized scale name: "x"')
    assert "  unknown-scale\n  unknown-projection\n" in ended.out
    assert ended.out.endswith("With the spec as a second argument, the cause is looked for in it.\n")


def test_no_cause_and_data_that_were_not_seen(tmp_path: Path) -> None:
    spec = '{"data": [{"name": "b", "url": "https://example.com/b.json"}]}'
    ended = run_here(write(tmp_path, chart_vg_json=spec), "explain", infinite("x"), "chart.vg.json")
    assert "The check of chart.vg.json finds no cause.\n" in ended.out
    assert "1:32: `https://example.com/b.json` is not at hand, so the cause may lie in the data.\n" in ended.out


def test_a_message_that_is_not_known(tmp_path: Path) -> None:
    ended = run_here(write(tmp_path, chart_vg_json=CLEAN), "explain", "It does not work.", "chart.vg.json")
    assert ended.out.startswith("This is not among the messages of Vega known here.\n")


def test_a_spec_that_cannot_be_read_exits_with_2(tmp_path: Path) -> None:
    ended = run_here(tmp_path, "explain", infinite("x"), "absent.vg.json")
    assert (ended.code, ended.err) == (2, "error: 'absent.vg.json' does not exist\n")
