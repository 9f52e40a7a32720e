"""`sheliak check`: which files it looks at, what it writes, how it exits."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from front_ends.commands import CLEAN, MISSING_FIELD, OTHER_CASE, WARNING, run_apart, run_here, write
from sheliak.vegalite import compiling

FOUND = "chart.vg.json:7:56: error[unknown-field] the datum has no field `word`\n"


def test_a_clean_spec_exits_with_0(tmp_path: Path) -> None:
    ended = run_apart(write(tmp_path, chart_vg_json=CLEAN), "check", "chart.vg.json")
    assert (ended.code, ended.out, ended.err) == (0, "1 file checked, no findings\n", "")


def test_an_error_exits_with_1(tmp_path: Path) -> None:
    ended = run_apart(write(tmp_path, chart_vg_json=MISSING_FIELD), "check", "--output-format", "concise", "chart.vg.json")
    assert (ended.code, ended.out, ended.err) == (1, f"{FOUND}1 error in 1 file\n", "")


def test_a_warning_alone_exits_with_0(tmp_path: Path) -> None:
    ended = run_here(write(tmp_path, chart_vg_json=WARNING), "check", "chart.vg.json")
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "1 warning in 1 file")


def test_a_warning_exits_with_1_if_asked_to(tmp_path: Path) -> None:
    assert run_here(write(tmp_path, chart_vg_json=WARNING), "check", "--error-on-warning", "chart.vg.json").code == 1


def test_exit_zero_exits_with_0_whatever_was_found(tmp_path: Path) -> None:
    ended = run_here(write(tmp_path, chart_vg_json=MISSING_FIELD), "check", "--exit-zero", "chart.vg.json")
    assert (ended.code, "error[unknown-field]" in ended.out) == (0, True)


def test_the_findings_and_nothing_else(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=MISSING_FIELD)
    assert run_here(folder, "check", "--quiet", "--output-format", "concise", "chart.vg.json").out == FOUND
    assert run_here(write(tmp_path, clean_vg_json=CLEAN), "check", "-q", "clean.vg.json").out == ""


# Files, folders, patterns


def names_found(folder: Path, *arguments: str) -> list[str]:
    ended = run_here(folder, "check", "--output-format", "json", *arguments)
    return [finding["file"] for finding in json.loads(ended.out)]


def test_in_a_folder_specs_are_found_by_name_and_by_schema(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    for name in ("a.vg.json", "b.json", "c.txt", "more/d.json"):
        (tmp_path / name).write_text(MISSING_FIELD, encoding="utf-8")
    (tmp_path / "package.json").write_text('{"name": "not-a-spec", "data": {}}', encoding="utf-8")
    (tmp_path / "schema.json").write_text('{"$schema": "https://json-schema.org/draft/2020-12/schema"}', encoding="utf-8")
    assert names_found(tmp_path) == ["a.vg.json", "b.json", "more/d.json"]
    assert names_found(tmp_path, "more", ".") == ["more/d.json", "a.vg.json", "b.json"]


def test_hidden_and_foreign_folders_are_not_searched(tmp_path: Path) -> None:
    for folder in (".cache", "node_modules/charts", "charts"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.vg.json").write_text(MISSING_FIELD, encoding="utf-8")
    assert names_found(tmp_path) == ["charts/a.vg.json"]
    assert names_found(tmp_path, ".cache") == [".cache/a.vg.json"]


def test_a_schema_at_the_end_of_a_large_file_counts(tmp_path: Path) -> None:
    rows = ", ".join(['{"words": 12100}'] * 10_000)
    text = f'{{"data": [{{"name": "books", "values": [{rows}]}}], "$schema": "https://vega.github.io/schema/vega/v6.json"}}'
    assert len(text) > 1 << 17
    ended = run_here(write(tmp_path, chart_json=text), "check")
    assert ended.out == "1 file checked, no findings\n"


def test_a_file_is_shown_as_it_was_named(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=MISSING_FIELD)
    assert names_found(folder, "./chart.vg.json") == ["./chart.vg.json"]
    assert names_found(folder, str(folder / "chart.vg.json")) == [str(folder / "chart.vg.json")]
    assert names_found(folder, "./") == ["./chart.vg.json"]


def test_a_file_that_is_named_is_checked_whatever_it_holds(tmp_path: Path) -> None:
    assert names_found(write(tmp_path, chart_txt=MISSING_FIELD.replace("$schema", "schema")), "chart.txt") == ["chart.txt"]


def test_a_file_that_is_named_twice_is_checked_once(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=MISSING_FIELD)
    assert names_found(folder, "chart.vg.json", "./chart.vg.json", ".") == ["chart.vg.json"]


def test_a_pattern_is_matched_where_the_shell_did_not(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    for name in ("b.json", "a.json", "deep/er/c.json", "[x].json"):
        (tmp_path / name).write_text(MISSING_FIELD, encoding="utf-8")
    assert names_found(tmp_path, "?.json") == ["a.json", "b.json"]
    assert names_found(tmp_path, "**/c.json") == ["deep/er/c.json"]
    assert names_found(tmp_path, "[x].json") == ["[x].json"]


def test_a_path_that_leads_nowhere_exits_with_2_after_the_rest_was_checked(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=MISSING_FIELD)
    ended = run_apart(folder, "check", "absent.vg.json", "chart.vg.json", "--output-format", "concise")
    assert (ended.code, ended.out) == (2, f"{FOUND}1 error in 1 file\n")
    assert ended.err == "error: 'absent.vg.json' does not exist\n"


def test_a_pattern_that_matches_nothing_exits_with_2(tmp_path: Path) -> None:
    ended = run_here(tmp_path, "check", "*.vg.json")
    assert (ended.code, ended.out, ended.err) == (2, "", "error: no file matches '*.vg.json'\n")


def test_a_folder_without_specs_is_told_of(tmp_path: Path) -> None:
    ended = run_here(tmp_path, "check")
    told = (
        "there are no specs here; a folder is searched for *.vg.json, *.vl.json, and every *.json whose $schema is that of Vega\n"
    )
    assert (ended.code, ended.out, ended.err) == (0, "", told)


def test_an_unreadable_file_exits_with_2(tmp_path: Path) -> None:
    (tmp_path / "loop.vg.json").symlink_to("loop.vg.json")
    ended = run_here(tmp_path, "check", "loop.vg.json")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("error: 'loop.vg.json' cannot be read: ")


def test_a_link_to_a_spec_is_followed(tmp_path: Path) -> None:
    write(tmp_path, chart_txt=MISSING_FIELD)
    (tmp_path / "link.vg.json").symlink_to("chart.txt")
    assert names_found(tmp_path) == ["link.vg.json"]


# Texts that are no specs


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"title,words\nTide Tables,12100\n", "invalid-json"),
        (b"", "invalid-json"),
        (b"[" * 10_000 + b"]" * 10_000, "invalid-json"),
        (b'{"a":' * 10_000, "invalid-json"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "invalid-json"),
        (b"[1, 2]", "not-a-spec"),
        (b'{"width": "\xff"}', "invalid-json"),
    ],
    ids=["csv", "empty", "deep", "deep and open", "image", "list", "bytes"],
)
def test_what_is_no_spec_is_a_finding_and_never_a_fault(content: bytes, code: str, tmp_path: Path) -> None:
    (tmp_path / "chart.vg.json").write_bytes(content)
    ended = run_here(tmp_path, "check", "chart.vg.json", "--output-format", "json")
    assert (ended.code, ended.err) == (1, "")
    assert [finding["code"] for finding in json.loads(ended.out)][:1] == [code]
    assert run_here(tmp_path, "check", "chart.vg.json").code == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_the_encodings_of_json_are_read(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "chart.vg.json").write_bytes(MISSING_FIELD.replace("Tide", "Größe 日本").encode(encoding))
    assert run_here(tmp_path, "check", "--output-format", "concise", ".").out == f"{FOUND}1 error in 1 file\n"


def test_lines_end_as_editors_count_them(tmp_path: Path) -> None:
    (tmp_path / "chart.vg.json").write_bytes(MISSING_FIELD.replace("\n", "\r\n").encode())
    assert run_here(tmp_path, "check", "-q", "--output-format", "concise").out == FOUND


# Vega-Lite

LITE = """\
{
  "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
  "data": {"values": [{"words": 12100}]},
  "mark": "point",
  "encoding": {"x": {"field": "word", "type": "quantitative"}}
}
"""


def test_a_vega_lite_spec_is_checked_as_what_it_is(tmp_path: Path) -> None:
    ended = run_here(write(tmp_path, chart_vl_json=LITE), "check", "--output-format", "concise")
    assert (ended.code, ended.out) == (
        1,
        "chart.vl.json:5:31: error[unknown-field] the data has no field `word`\n1 error in 1 file\n",
    )


def test_without_its_compiler_vega_lite_is_not_checked_and_exits_with_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    compiling._vega_lite.cache_clear()
    ended = run_here(write(tmp_path, a_vg_json=CLEAN, b_vl_json=LITE), "check")
    compiling._vega_lite.cache_clear()
    assert (ended.code, ended.out) == (2, "1 file checked, no findings\n")
    assert ended.err.startswith("error: 'b.vl.json' was not checked: ") and "pip install 'sheliak[charts]'" in ended.err


# Standard input


def test_standard_input_is_checked_under_the_name_it_is_given(tmp_path: Path) -> None:
    spec = MISSING_FIELD.encode()
    ended = run_apart(tmp_path, "check", "-", "--output-format", "concise", "-q", stdin=spec)
    assert ended.out == FOUND.replace("chart.vg.json", "<stdin>")
    ended = run_here(tmp_path, "check", "-", "--stdin-filename", "chart.vg.json", "--output-format", "concise", "-q", stdin=spec)
    assert (ended.code, ended.out) == (1, FOUND)


def test_data_files_are_looked_for_beside_the_name_of_standard_input(tmp_path: Path) -> None:
    (tmp_path / "charts").mkdir()
    (tmp_path / "charts" / "books.json").write_text('[{"words": 12100}]', encoding="utf-8")
    spec = b'{"data": [{"name": "b", "url": "books.json", "transform": [{"type": "filter", "expr": "datum.word"}]}]}'
    ended = run_here(tmp_path, "check", "-", "--stdin-filename", "charts/new.vg.json", stdin=spec)
    assert ended.code == 1
    assert run_here(tmp_path, "check", "-", stdin=spec).code == 0


# Data and schemas

URL = '{"data": [{"name": "b", "url": "books.json", "transform": [{"type": "filter", "expr": "datum.word > 1"}]}]}'


def test_a_data_folder_shows_what_the_data_have(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "books.json").write_text('[{"words": 12100}]', encoding="utf-8")
    folder = write(tmp_path, chart_vg_json=URL)
    unseen = run_here(folder, "check")
    assert (unseen.code, unseen.out) == (
        0,
        "1 file checked, no findings; 1 source was looked at in part or not at all (--verbose)\n",
    )
    assert run_here(folder, "check", "--data-dir", "data").code == 1


def test_verbose_names_what_was_not_looked_at(tmp_path: Path) -> None:
    ended = run_here(write(tmp_path, chart_vg_json=URL), "check", "--verbose")
    assert ended.out == "chart.vg.json:1:32: note: `books.json` is not at hand\n1 file checked, no findings\n"


def test_a_schema_states_the_columns_of_unseen_data(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=URL, books_schema_json='{"properties": {"words": {"type": "number"}}}')
    ended = run_here(folder, "check", "chart.vg.json", "--schema", "b=books.schema.json", "--output-format", "concise", "-q")
    assert ended.out == "chart.vg.json:1:94: error[unknown-field] the datum has no field `word`\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--schema", "books.json"], "--schema takes NAME=FILE, not 'books.json'"),
        (["--schema", "b=absent.json"], "the schema `absent.json` cannot be used: "),
        (["--data-dir", "absent"], "the data folder 'absent' is not a folder"),
        (
            ["--select", "unknown-filed"],
            "--select: no finding has the code 'unknown-filed'; a similar code exists: unknown-field",
        ),
        (["--output-format", "xml"], "Invalid value for '--output-format'"),
        (["--baseline", "absent.json"], "the baseline 'absent.json' cannot be read: no such file or directory"),
        (["--write-baseline"], "--write-baseline needs --baseline FILE"),
        (["--fix", "-"], "--fix cannot write to standard input"),
        (["--watch", "-"], "--watch needs files"),
    ],
)
def test_bad_usage_exits_with_2(arguments: list[str], message: str, tmp_path: Path) -> None:
    ended = run_here(write(tmp_path, chart_vg_json=CLEAN), "check", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


# Strict, statistics, several files


def test_strict_applies_the_discipline_of_the_calculus(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=MISSING_FIELD.replace("12100", '"12100"').replace("datum.word ", "datum.words "))
    assert run_here(folder, "check").code == 0
    assert "error[strict-coercion]" in run_here(folder, "check", "--strict").out


def test_statistics_count_the_codes(tmp_path: Path) -> None:
    folder = write(tmp_path, a_vg_json=MISSING_FIELD, b_vg_json=OTHER_CASE, c_vg_json=WARNING, d_vg_json=CLEAN)
    ended = run_here(folder, "check", "--statistics")
    assert ended.out == (
        "2  unknown-field      a field that no row has\n"
        "1  unknown-parameter  a property that is not read\n"
        "2 errors, 1 warning in 4 files; 1 can be repaired by --fix\n"
    )


def test_colours_only_where_they_are_wanted(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=MISSING_FIELD)
    assert "\x1b[" not in run_apart(folder, "check").out
    assert "\x1b[" in run_apart(folder, "check", "--color", "always").out
    assert "\x1b[" in run_apart(folder, "check", FORCE_COLOR="1").out
    assert "\x1b[" not in run_apart(folder, "check", "--no-color", FORCE_COLOR="1").out
    assert "\x1b[" not in run_apart(folder, "check", FORCE_COLOR="1", NO_COLOR="1").out


def test_the_json_of_a_finding_is_a_contract(tmp_path: Path) -> None:
    ended = run_here(write(tmp_path, chart_vg_json=MISSING_FIELD), "check", "chart.vg.json", "--output-format", "json")
    assert json.loads(ended.out) == [
        {
            "file": "chart.vg.json",
            "line": 7,
            "column": 56,
            "end_line": 7,
            "end_column": 60,
            "pointer": "/data/0/transform/0/expr",
            "code": "unknown-field",
            "severity": "error",
            "message": "the datum has no field `word`",
            "notes": ["the fields here are `title`, `words`"],
            "help": "a field with a similar name exists: `words`",
            "related": [],
        }
    ]


def test_json_without_findings_is_an_empty_array(tmp_path: Path) -> None:
    assert run_here(write(tmp_path, chart_vg_json=CLEAN), "check", "--output-format", "json").out == "[]\n"


def test_checking_loads_nothing_heavy(tmp_path: Path) -> None:
    program = "import sys; from sheliak.cli import main; main(['check', 'chart.vg.json']); print(*sys.modules, sep='\\n')"
    folder = write(tmp_path, chart_vg_json=CLEAN)
    ended = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in ended.stdout.splitlines()}
    assert loaded & {"pyspark", "pandas", "pyarrow", "altair", "rich", "vl_convert", "tomllib", "difflib"} == set()
