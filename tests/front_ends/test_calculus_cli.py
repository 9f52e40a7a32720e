"""`sheliak calculus` through its command."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from click.testing import CliRunner, Result

from sheliak.cli.root import sheliak as command

Write: TypeAlias = Callable[[str, str | bytes], str]  # a name and a text; gives the path

EXAMPLES = Path(__file__).parents[2] / "examples"
BOOKS = str(EXAMPLES / "books.uvega")
CHANGES = str(EXAMPLES / "books-changes.jsonl")
INPUT = "input(a, {x: number})\n"
ADD = '{"data": "a", "id": 1, "add": {"x": 1}}\n'


def sheliak(*words: str, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(command, ["calculus", *words], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, text: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
        return str(path)

    return write


class TestCheck:
    def test_the_running_example(self) -> None:
        result = sheliak("check", BOOKS)
        assert result.exit_code == 0
        assert result.stderr == ""
        assert result.stdout.splitlines() == [
            "books: {classification: string, words: number, language: string}",
            "aggs: {classification: string, avg_words: number, book_count: number}",
            "hundreds: {classification: string, avg_words: number, book_count: number, avg_hundreds: number}",
            "english: {classification: string, avg_words: number, book_count: number}",
            "common: {classification: string, avg_words: number, book_count: number, avg_hundreds: number}",
        ]

    def test_avgwords(self) -> None:
        file = str(EXAMPLES / "books-avgwords.uvega")
        result = sheliak("check", file)
        assert result.exit_code == 1
        assert result.stderr == (
            f"error[unknown-field] {file}:4:36\n"
            "  no derivation by T-eField: there is no field `avgwords`; the fields are `classification`, `avg_words`, `book_count`\n"
            "    4 | data(aggs, hundreds, formula(round(datum.avgwords / 100), avg_hundreds))\n"
            "      |                                    ^^^^^^^^^^^^^^\n"
            "  help: a field with a similar name exists: `avg_words`\n"
        )
        assert [line.split(":")[0] for line in result.stdout.splitlines()] == ["books", "aggs"]

    def test_language(self) -> None:
        result = sheliak("check", str(EXAMPLES / "books-language.uvega"))
        assert result.exit_code == 1
        assert "error[dropped-field]" in result.stderr
        assert "there is no field `language`" in result.stderr
        assert re.search(r"3 \| data\(books, aggs, agg.*\n.*\^ `language` is dropped here", result.stderr)
        assert "help: `agg` keeps its keys and outputs only; add datum.language to its keys, or use it before" in result.stderr

    def test_json(self) -> None:
        file = str(EXAMPLES / "books-language.uvega")
        result = sheliak("check", file, "--output-format", "json")
        assert result.exit_code == 1
        report = json.loads(result.stdout)
        assert [dataset["name"] for dataset in report["datasets"]] == ["books", "aggs"]
        (diagnostic,) = report["diagnostics"]
        assert diagnostic["file"] == file
        assert [diagnostic[key] for key in ("line", "column", "end_line", "end_column")] == [4, 37, 4, 51]
        assert (diagnostic["code"], diagnostic["severity"], diagnostic["rule"]) == ("dropped-field", "error", "T-eField")
        assert diagnostic["related"][0]["line"] == 3

    def test_json_of_a_clean_program(self) -> None:
        result = sheliak("check", BOOKS, "--output-format", "json")
        assert result.exit_code == 0
        assert json.loads(result.stdout)["diagnostics"] == []

    def test_all_findings_one_per_definition(self, write: Write) -> None:
        file = write(
            "f.uvega", INPUT + "data(a, b, filter(datum.p))\ndata(b, c, filter(datum.q))\ndata(z, d)\ndata(a, e, filter('' - 1))"
        )
        result = sheliak("check", file)
        assert re.findall(r"error\[([\w-]+)] .*?:(\d+):(\d+)", result.stderr) == [
            ("unknown-field", "2", "19"),
            ("unknown-dataset", "4", "6"),
            ("wrong-operands", "5", "19"),
        ]

    def test_standard_input(self) -> None:
        result = sheliak("check", "-", stdin=INPUT + "data(b, c)")
        assert result.exit_code == 1
        assert "error[unknown-dataset] <stdin>:2:6" in result.stderr

    def test_the_place_in_a_long_line_with_tabs(self, write: Write) -> None:
        file = write("f.uvega", INPUT + "data(a, b,\tfilter(" + "1 + " * 60 + "datum.zz" + " + 1" * 60 + "))")
        result = sheliak("check", file)
        quoted, underline = result.stderr.splitlines()[2:4]
        assert quoted[underline.index("^") : underline.rindex("^") + 1] == "datum.zz"
        assert len(quoted) < 130

    def test_help_shows_examples(self) -> None:
        for words in (["--help"], ["check", "--help"], ["run", "--help"]):
            result = sheliak(*words)
            assert result.exit_code == 0
            assert "books" in result.stdout


class TestRun:
    def test_the_running_example(self) -> None:
        result = sheliak("run", BOOKS, "--changes", CHANGES, "--output-format", "json")
        assert result.exit_code == 0
        datasets = json.loads(result.stdout)["datasets"]
        assert datasets["hundreds"] == [
            {
                "trace": 'avg_hundreds(agg("French poetry"))',
                "fields": {"classification": "French poetry", "avg_words": 11000, "book_count": 2, "avg_hundreds": 110},
            },
            {
                "trace": 'avg_hundreds(agg("English drama"))',
                "fields": {"classification": "English drama", "avg_words": 31040, "book_count": 1, "avg_hundreds": 310},
            },
        ]
        assert [v["trace"] for v in datasets["books"]] == [2, 3, 4]
        assert [v["fields"]["classification"] for v in datasets["english"]] == ["English drama"]
        assert [v["fields"]["classification"] for v in datasets["common"]] == ["French poetry"]

    def test_text(self) -> None:
        result = sheliak("run", BOOKS, "--changes", CHANGES)
        assert result.exit_code == 0
        assert (
            '  agg("English drama")  {classification: "English drama", avg_words: 31040, book_count: 1}'
            in result.stdout.splitlines()
        )

    def test_an_empty_dataset_is_shown_as_such(self, write: Write) -> None:
        result = sheliak("run", BOOKS, "--changes", write("c.jsonl", ""))
        assert result.stdout.count("  no tuples\n") == 5

    def test_steps(self, write: Write) -> None:
        file = write("f.uvega", INPUT + "data(a, s, agg(sum datum.x as total))\ndata(s, f, filter(datum.total))")
        result = sheliak(
            "run",
            file,
            "--steps",
            "--changes",
            write("c.jsonl", ADD + '{"commit": true}\n{"data": "a", "id": 1, "remove": true}'),
        )
        assert result.stdout.splitlines()[:22] == [
            "pulse 1",
            "  input a",
            "    takes  add 1 {x: 1}",
            "    sends  add 1 {x: 1}",
            "  1 agg(sum datum.x as total)",
            "    takes  add 1 {x: 1}",
            "    sends  add agg() {total: 1}",
            "    state  agg() {total: 1}, 1 member",
            "  2 filter(datum.total)",
            "    takes  add agg() {total: 1}",
            "    sends  add agg() {total: 1}",
            "pulse 2",
            "  input a",
            "    takes  remove 1 {x: 1}",
            "    sends  remove 1 {x: 1}",
            "  1 agg(sum datum.x as total)",
            "    takes  remove 1 {x: 1}",
            "    sends  remove agg() {total: 1}",
            "    state  empty",
            "  2 filter(datum.total)",
            "    takes  remove agg() {total: 1}",
            "    sends  remove agg() {total: 1}",
        ]

    def test_steps_in_json(self, write: Write) -> None:
        file = write("f.uvega", INPUT + "data(a, p, cross(l, r), filter(datum.l.x - 1))")
        changes = write("c.jsonl", ADD + '{"data": "a", "id": 1, "update": {"x": {"$num": "NaN"}}}')
        result = sheliak("run", file, "--changes", changes, "--steps", "--output-format", "json")
        steps = json.loads(result.stdout)["steps"]
        assert [step["vertex"]["label"] for step in steps] == ["a", "a", 1, 1, 2, 2]
        nan = {"$num": "NaN"}
        assert steps[3] == {
            "pulse": 1,
            "vertex": {"label": 1, "transform": "cross(l, r)"},
            "takes": {"update": {"trace": 1, "fields": {"x": 1}}, "to": {"trace": 1, "fields": {"x": nan}}},
            "sends": [
                {
                    "update": {"trace": "(1, 1)", "fields": {"l": {"x": 1}, "r": {"x": 1}}},
                    "to": {"trace": "(1, 1)", "fields": {"l": {"x": nan}, "r": {"x": nan}}},
                }
            ],
            "state": [{"trace": 1, "fields": {"x": nan}}],
        }

    def test_several_inputs(self, write: Write) -> None:
        file = write("f.uvega", INPUT + "input(b, {})\ndata(b, c)")
        result = sheliak("run", file, "--changes", "-", stdin=ADD + '{"data": "b", "id": 1, "add": {}}')
        assert result.exit_code == 0
        assert result.stdout == "a: {x: number}\n  1  {x: 1}\nb: {}\n  1  {}\nc: {}\n  1  {}\n"

    def test_an_ill_typed_program_is_refused(self) -> None:
        result = sheliak("run", str(EXAMPLES / "books-avgwords.uvega"), "--changes", CHANGES)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert "`avgwords`" in result.stderr

    def test_unchecked_shows_the_error_arise(self) -> None:
        result = sheliak("run", str(EXAMPLES / "books-avgwords.uvega"), "--changes", CHANGES, "--unchecked", "--steps")
        assert result.exit_code == 1
        assert "    sends  error\n" in result.stdout
        assert result.stderr.startswith('error: add agg("English prose")')

    def test_unchecked_tuples(self, write: Write) -> None:
        file = write("f.uvega", INPUT + "data(a, b, filter(datum.x))")
        result = sheliak("run", file, "--unchecked", "--changes", "-", "--output-format", "json", stdin=ADD.replace("x", "y"))
        assert result.exit_code == 1
        assert [error["sends"] for error in json.loads(result.stdout)["errors"]] == [[{"error": True}]]

    def test_unchecked_needs_a_graph_all_the_same(self, write: Write) -> None:
        result = sheliak("run", write("f.uvega", INPUT + "data(z, b)"), "--unchecked", "--changes", CHANGES)
        assert result.exit_code == 1
        assert "error[unknown-dataset]" in result.stderr

    def test_the_limit(self, write: Write) -> None:
        file = write("f.uvega", INPUT + "data(a, b, cross(l, r), cross(l, r))")
        lines = "".join(f'{{"data": "a", "id": {i}, "add": {{"x": 1}}}}\n' for i in range(40))
        result = sheliak("run", file, "--limit", "5000", "--changes", "-", stdin=lines)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert "error[too-much]" in result.stderr
        assert f"{file}:2:" in result.stderr
        assert "more than 5000 changes" in result.stderr

    def test_a_tuple_that_doubles_forever(self, write: Write) -> None:
        file = write("f.uvega", INPUT + "data(a, b" + ", cross(l, r)" * 60 + ")")
        assert sheliak("check", file).exit_code == 0
        result = sheliak("run", file, "--changes", "-", stdin=ADD)
        assert result.exit_code == 1
        assert f"a tuple of `b` has {2**60} values" in result.stderr

    def test_a_tuple_that_goes_through_very_many_transforms(self, write: Write) -> None:
        file = write("f.uvega", INPUT + "data(a, b" + ", formula(datum.x, x)" * 3000 + ")")
        result = sheliak("run", file, "--changes", "-", stdin=ADD + ADD.replace("add", "update"))
        assert result.exit_code == 1
        assert result.stdout == ""
        assert "error[too-much]" in result.stderr

    def test_a_type_that_is_nested_ever_deeper(self, write: Write) -> None:
        file = write("f.uvega", INPUT + "data(a, b" + ", formula([datum.x], x)" * 3000 + ")")
        result = sheliak("check", file)
        assert result.exit_code == 1
        assert "error[too-deep]" in result.stderr
        assert "nested more than 150 deep" in result.stderr
        assert sheliak("run", file, "--unchecked", "--changes", "-", stdin=ADD).exit_code == 1

    def test_many_changes_in_one_pulse(self, write: Write) -> None:
        file = write("f.uvega", INPUT + "data(a, b, agg(sum datum.x as s))")
        lines = "".join(f'{{"data": "a", "id": {i}, "add": {{"x": 1}}}}\n' for i in range(5000))
        result = sheliak("run", file, "--changes", "-", stdin=lines)
        assert result.stdout.endswith("b: {s: number}\n  agg()  {s: 5000}\n")


class TestBadInput:
    """One clear message with file, line and column; exit 1 for findings, 2 for what cannot be read; nothing half-done."""

    @pytest.mark.parametrize(
        "text, place",
        [
            pytest.param(INPUT + "data(a, b, filter(1 +))", "2:22", id="syntax"),
            pytest.param("", "1:1", id="empty"),
            pytest.param(
                INPUT + "data(a, b, filter(" + "(" * 10_000 + "1" + ")" * 10_000 + "))", "2:170", id="10 000 parentheses"
            ),
            pytest.param(INPUT + "data(a, b, filter(1" + " + 1" * 10_000 + "))", "2:621", id="10 000 operators"),
            pytest.param("input(a, " + "{a: " * 10_000 + "number" + "}" * 10_000 + ")", "1:610", id="10 000 records"),
            pytest.param("input(a, {x: number})\n'open", "2:1", id="open string"),
        ],
    )
    def test_programs(self, write: Write, text: str, place: str) -> None:
        file = write("f.uvega", text)
        for words in (["check", file], ["run", file, "--changes", CHANGES]):
            result = sheliak(*words)
            assert result.exit_code == 2
            assert result.stdout == ""
            assert result.stderr.startswith(f"error[syntax] {file}:{place}\n")
            assert result.stderr.count("error[") == 1

    @pytest.mark.parametrize(
        "line, exit_code, place",
        [
            pytest.param('{"data": "a", "id": 1, "add": {"x": 2}}', 1, "2:21", id="add of one that is there"),
            pytest.param('{"data": "a", "id": 2, "update": {"x": 2}}', 1, "2:21", id="update of none"),
            pytest.param('{"data": "a", "id": 2, "remove": true}', 1, "2:21", id="remove of none"),
            pytest.param('{"data": "b", "id": 2, "remove": true}', 1, "2:10", id="computed dataset"),
            pytest.param('{"data": "q", "id": 2, "remove": true}', 1, "2:10", id="unknown dataset"),
            pytest.param('{"data": "a", "id": 2, "add": {"x": "2"}}', 1, "2:37", id="wrong type"),
            pytest.param('{"data": "a", "id": 2, "add": {"x": 2}', 2, "2:39", id="open object"),
            pytest.param('{"data": "a", "id": 2, "add": ' + "[" * 10_000, 2, "2:181", id="10 000 arrays"),
            pytest.param("hello", 2, "2:1", id="no JSON"),
        ],
    )
    def test_changes(self, write: Write, line: str, exit_code: int, place: str) -> None:
        changes = write("c.jsonl", ADD + line + "\n" + ADD)
        program = write("f.uvega", INPUT + "data(a, b, filter(1))")
        result = sheliak("run", program, "--changes", changes, "--steps")
        assert result.exit_code == exit_code
        assert result.stdout == ""
        assert re.match(rf"error\[[\w-]+] {re.escape(changes)}:{place}\n", result.stderr)
        assert result.stderr.count("error[") == 1
        as_json = sheliak("run", program, "--changes", changes, "--output-format", "json")
        assert as_json.exit_code == exit_code
        (diagnostic,) = json.loads(as_json.stdout)["diagnostics"]
        assert f"{diagnostic['line']}:{diagnostic['column']}" == place

    @pytest.mark.parametrize("content", [b"input(a, {})\n\xff", None], ids=["not UTF-8", "absent"])
    def test_unreadable_files(self, write: Write, tmp_path: Path, content: bytes | None) -> None:
        file = write("f.uvega", content) if content is not None else str(tmp_path / "absent.uvega")
        done = subprocess.run(
            [sys.executable, "-m", "sheliak", "calculus", "check", file], capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 2
        assert done.stdout == ""
        assert file in done.stderr
        assert "Traceback" not in done.stderr

    def test_a_folder_is_no_file(self, tmp_path: Path) -> None:
        assert "irectory" in sheliak("check", str(tmp_path)).stderr

    def test_control_characters_do_not_reach_the_terminal(self, write: Write) -> None:
        result = sheliak("check", write("f.uvega", INPUT + "data(a, b, filter(datum['\\u001b[31m'] + \"\x1b[2J\"))"))
        assert result.exit_code == 1
        assert "\x1b" not in result.stderr

    def test_lone_surrogates_are_shown_escaped(self, write: Write) -> None:
        program = write("f.uvega", "input(a, {x: string})\n")
        changes = write("c.jsonl", '{"data": "a", "id": 1, "add": {"x": "\\ud800"}}')
        done = subprocess.run(
            [sys.executable, "-m", "sheliak", "calculus", "run", program, "--changes", changes],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0
        assert done.stdout == 'a: {x: string}\n  1  {x: "\\u{d800}"}\n'
