"""`sheliak shapes` and `sheliak requires`."""

import json
from pathlib import Path

import pytest

from front_ends.commands import CLEAN, run_apart, run_here, write

PIPELINE = """\
{
  "data": [
    {"name": "books", "values": [{"kind": "novel", "words": 9700}, {"kind": "essay", "words": "12", "read": true}]},
    {
      "name": "totals",
      "source": "books",
      "transform": [
        {"type": "formula", "expr": "+datum.words", "as": "words"},
        {"type": "aggregate", "groupby": ["kind"], "ops": ["sum"], "fields": ["words"]}
      ]
    },
    {"name": "later"}
  ],
  "marks": [{"type": "group", "data": [{"name": "inner", "source": "totals"}]}]
}
"""


def test_the_table_shows_what_each_step_adds_drops_and_changes(tmp_path: Path) -> None:
    ended = run_apart(write(tmp_path, chart_vg_json=PIPELINE), "shapes", "chart.vg.json")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "books  3:5\n"
        "  values\n"
        "      kind       string\n"
        "      words      number | string (numeric)\n"
        "      read       boolean (in some rows)\n"
        "\n"
        "totals  4:5\n"
        "  source books\n"
        "      kind       string\n"
        "      words      number | string (numeric)\n"
        "      read       boolean (in some rows)\n"
        "  formula  8:9\n"
        "    ~ words      number\n"
        "  aggregate  9:9\n"
        "    + sum_words  number\n"
        "    - words, read\n"
        "  = kind, sum_words\n"
        "\n"
        "later  12:5\n"
        "  filled at run time\n"
        "      … columns that were not looked at\n"
        "\n"
        "inner  14:40  in /marks/0\n"
        "  source totals\n"
        "      kind       string\n"
        "      sum_words  number\n"
    )


def test_one_dataset(tmp_path: Path) -> None:
    ended = run_here(write(tmp_path, chart_vg_json=PIPELINE), "shapes", "chart.vg.json", "--dataset", "later")
    assert ended.out.splitlines()[0] == "later  12:5"
    ended = run_here(tmp_path, "shapes", "chart.vg.json", "--dataset", "total")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith("the spec has no dataset 'total'; a similar name exists: totals\n")


def test_shapes_as_json(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=PIPELINE)
    (totals,) = json.loads(run_here(folder, "shapes", "chart.vg.json", "--dataset", "totals", "--output-format", "json").out)
    assert [step["step"] for step in totals["steps"]] == ["source books", "formula", "aggregate"]
    last = totals["steps"][-1]
    assert (last["added"], last["dropped"], last["changed"]) == (["sum_words"], ["words", "read"], [])
    assert (last["pointer"], last["line"], last["column"]) == ("/data/1/transform/1", 9, 9)
    assert last["type"] == {
        "fields": {"kind": {"type": "words", "optional": False}, "sum_words": {"type": "number", "optional": False}},
        "open": False,
    }


def test_shapes_from_standard_input(tmp_path: Path) -> None:
    ended = run_here(tmp_path, "shapes", "-", stdin=CLEAN.encode())
    assert ended.out == "books  3:12\n  values\n      words  number\n"


def test_a_spec_without_datasets(tmp_path: Path) -> None:
    assert run_here(tmp_path, "shapes", "-", stdin=b"{}").out == "the spec has no datasets\n"


@pytest.mark.parametrize("command", ["shapes", "requires"])
def test_what_is_no_spec_exits_with_2(command: str, tmp_path: Path) -> None:
    folder = write(tmp_path, broken_json='{"width": }', list_json="[1]")
    for name, message in (
        ("broken.json", "broken.json:1:11: "),
        ("list.json", "list.json:1:1: "),
        ("absent.json", "'absent.json'"),
    ):
        ended = run_here(folder, command, name)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err.startswith(f"error: {message}")


REMOTE = """\
{
  "data": [
    {
      "name": "sales",
      "url": "https://example.com/sales.json",
      "transform": [
        {"type": "filter", "expr": "datum.region == 'north' && datum.place.city"},
        {"type": "aggregate", "groupby": ["year"], "ops": ["sum"], "fields": ["amount"]}
      ]
    }
  ]
}
"""


def test_the_table_shows_what_unseen_data_must_have(tmp_path: Path) -> None:
    ended = run_apart(write(tmp_path, chart_vg_json=REMOTE), "requires", "chart.vg.json")
    assert (ended.code, ended.err) == (0, "")
    head, *columns = ended.out.splitlines()
    assert head == "sales  url https://example.com/sales.json  3:5"
    assert {line.split()[0]: " ".join(line.split()[1:]) for line in columns} == {
        "region": "string",
        "place": "object",
        "place.city": "any type",
        "year": "any type",
        "amount": "number",
    }


def test_nothing_is_required_of_data_that_were_seen(tmp_path: Path) -> None:
    ended = run_here(write(tmp_path, chart_vg_json=CLEAN), "requires", "chart.vg.json")
    assert (ended.code, ended.out) == (0, "nothing: every column that the spec reads was seen\n")


def test_files_can_be_left_out_of_account(tmp_path: Path) -> None:
    (tmp_path / "sales.json").write_text(
        '[{"region": "north", "amount": 3, "year": 1, "place": {"city": "Ghent"}}]', encoding="utf-8"
    )
    folder = write(tmp_path, chart_vg_json=REMOTE.replace("https://example.com/", ""))
    assert "nothing" in run_here(folder, "requires", "chart.vg.json").out
    assert "amount" in run_here(folder, "requires", "chart.vg.json", "--without-data").out


def test_several_specs(tmp_path: Path) -> None:
    folder = write(tmp_path, a_vg_json=REMOTE, b_vg_json=CLEAN)
    ended = run_here(folder, "requires", "a.vg.json", "b.vg.json")
    assert [line for line in ended.out.splitlines() if line.endswith(":")] == ["a.vg.json:", "b.vg.json:"]
    entries = json.loads(run_here(folder, "requires", "a.vg.json", "b.vg.json", "--output-format", "json").out)
    assert [(entry["file"], entry["dataset"], entry["line"]) for entry in entries] == [("a.vg.json", "sales", 3)]


def test_a_required_schema_can_be_given_back_to_the_check(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=REMOTE)
    ended = run_here(folder, "requires", "chart.vg.json", "--output-format", "json-schema", "--dataset", "sales")
    schema = json.loads(ended.out)
    assert schema["items"]["required"][0] == "region"
    assert schema["items"]["properties"]["amount"] == {"type": "number"}
    assert schema["items"]["properties"]["place"]["properties"] == {"city": {}}
    write(folder, sales_json=ended.out)
    assert run_here(folder, "check", "chart.vg.json", "--schema", "sales=sales.json").code == 0
    wrong = REMOTE.replace('"amount"', '"amounts"')
    assert run_here(write(folder, chart_vg_json=wrong), "check", "chart.vg.json", "--schema", "sales=sales.json").code == 1


def test_all_schemas_by_their_dataset(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=REMOTE)
    assert list(json.loads(run_here(folder, "requires", "chart.vg.json", "--output-format", "json-schema").out)) == ["sales"]
    ended = run_here(folder, "requires", "chart.vg.json", "chart.vg.json", "--output-format", "json-schema")
    assert (ended.code, "takes one spec" in ended.err) == (2, True)
