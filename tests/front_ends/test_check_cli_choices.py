"""What `sheliak check` tells: options, settings of the project, and what a spec asks to leave out."""

from pathlib import Path

import pytest

from front_ends.commands import CLEAN, MISSING_FIELD, WARNING, run_here, write


def codes_told(folder: Path, *arguments: str) -> list[str]:
    """Severity and code of each finding."""
    ended = run_here(folder, "check", "-q", "--output-format", "concise", *arguments)
    assert ended.code in (0, 1), ended.err
    return [line.split(": ", 1)[1].split(" ")[0] for line in ended.out.splitlines()]


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A folder with an error and a warning."""
    return write(tmp_path, a_vg_json=MISSING_FIELD, b_vg_json=WARNING)


def settings(folder: Path, text: str) -> Path:
    (folder / "pyproject.toml").write_text(f"[project]\nname = 'x'\n\n[tool.sheliak]\n{text}\n", encoding="utf-8")
    return folder


# Options


def test_everything_is_told_unless_something_is_selected(two: Path) -> None:
    assert codes_told(two) == ["error[unknown-field]", "warning[unknown-parameter]"]
    assert codes_told(two, "--select", "unknown-field") == ["error[unknown-field]"]
    assert codes_told(two, "--ignore", "unknown-field") == ["warning[unknown-parameter]"]


def test_codes_can_be_listed_and_can_hold_stars(two: Path) -> None:
    assert codes_told(two, "--select", "unknown-field,unknown-parameter") == codes_told(two, "--select", "unknown-*")
    assert codes_told(two, "--ignore", "*-field", "--ignore", "*-parameter") == []


# Settings


def test_settings_choose_what_is_told(two: Path) -> None:
    settings(two, 'ignore = ["unknown-parameter"]\nseverity = {unknown-field = "warning"}')
    assert codes_told(two) == ["warning[unknown-field]"]
    assert codes_told(two, "--isolated") == ["error[unknown-field]", "warning[unknown-parameter]"]


def test_a_severity_changes_the_exit_code(two: Path) -> None:
    assert run_here(settings(two, 'severity = {unknown-field = "hint"}'), "check").code == 0
    assert run_here(settings(two, 'severity = {"unknown-*" = "error"}\nselect = ["unknown-parameter"]'), "check").code == 1


def test_some_files_can_have_findings_of_their_own(two: Path) -> None:
    settings(two, 'per-file-ignores = {"b.*" = ["unknown-*"]}')
    assert codes_told(two) == ["error[unknown-field]"]
    (two / "drafts" / "old").mkdir(parents=True)
    (two / "drafts" / "old" / "c.vg.json").write_text(MISSING_FIELD, encoding="utf-8")
    settings(two, 'per-file-ignores = {"drafts/*" = ["unknown-field"]}')
    assert codes_told(two, "drafts") == []


def test_settings_choose_the_files_the_format_and_the_data(tmp_path: Path) -> None:
    for name in ("charts/a.vg.json", "charts/old/b.vg.json", "c.vg.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(MISSING_FIELD, encoding="utf-8")
    settings(tmp_path, 'include = ["charts"]\nexclude = ["charts/old"]\noutput-format = "concise"')
    ended = run_here(tmp_path, "check", "-q")
    assert ended.out == "charts/a.vg.json:7:56: error[unknown-field] the datum has no field `word`\n"
    assert "charts/old/b.vg.json" in run_here(tmp_path, "check", "charts/old/b.vg.json").out


def test_settings_of_a_folder_above_count_with_their_own_paths(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "books.json").write_text('[{"words": 1}]', encoding="utf-8")
    (tmp_path / "deep" / "er").mkdir(parents=True)
    spec = '{"data": [{"name": "b", "url": "books.json", "transform": [{"type": "filter", "expr": "datum.word"}]}]}'
    (tmp_path / "deep" / "er" / "a.vg.json").write_text(spec, encoding="utf-8")
    settings(tmp_path, 'data-dir = ["data"]')
    # A test that the field is there is likely meant so; what matters here is that the data were seen.
    assert len(codes_told(tmp_path / "deep" / "er")) == 1
    assert codes_told(tmp_path / "deep" / "er", "--isolated") == []


def test_a_pyproject_without_settings_of_ours_is_passed_over(two: Path) -> None:
    (two / "pyproject.toml").write_text('[project]\nname = "sheliak-charts"\n', encoding="utf-8")
    assert len(codes_told(two)) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "there is no setting 'selct'; a similar one exists: select"),
        ('select = ["unknown-feild"]', "no finding has the code 'unknown-feild'; a similar code exists: unknown-field"),
        ("strict = 1", "strict must be true or false"),
        ("ignore = [1]", "ignore must be a list of texts"),
        ('severity = {unknown-field = "fatal"}', "the severity of unknown-field must be error, warning, hint, not 'fatal'"),
        ('severity = "error"', "severity must be a table"),
        ('output-format = "xml"', "output-format must be one of full, concise"),
        ("baseline = 3", "baseline must be a text"),
        ("strict = ", "pyproject.toml is not TOML: "),
    ],
)
def test_settings_that_cannot_be_used_exit_with_2(text: str, message: str, tmp_path: Path) -> None:
    ended = run_here(settings(write(tmp_path, a_vg_json=CLEAN), text), "check")
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err and "pyproject.toml" in ended.err


# Suppression in the spec


def test_usermeta_of_the_spec_holds_for_all_of_it(tmp_path: Path) -> None:
    asked = MISSING_FIELD.replace('"data": [\n', '"usermeta": {"sheliak": {"ignore": ["unknown-field"]}},\n  "data": [\n')
    assert codes_told(write(tmp_path, a_vg_json=asked)) == []
    other = asked.replace('["unknown-field"]', '["unknown-dataset"]')
    assert codes_told(write(tmp_path, a_vg_json=other)) == ["error[unknown-field]"]


TWO_DATASETS = """\
{
  "data": [
    {"name": "a", "values": [{"x": 1}], "transform": [{"type": "extent", "field": "y"}]%s},
    {"name": "b", "values": [{"x": 1}], "transform": [{"type": "extent", "field": "y"}]}
  ]
}
"""


def test_usermeta_of_an_object_holds_for_what_is_inside(tmp_path: Path) -> None:
    assert len(codes_told(write(tmp_path, a_vg_json=TWO_DATASETS % ""))) == 2
    asked = TWO_DATASETS % ', "usermeta": {"sheliak": {"ignore": "unknown-*"}}'
    assert codes_told(write(tmp_path, a_vg_json=asked)) == ["error[unknown-field]"]


def test_asking_in_a_transform_is_no_unknown_parameter(tmp_path: Path) -> None:
    asked = TWO_DATASETS.replace('"field": "y"}]%s', '"field": "y", "usermeta": {"sheliak": {"ignore": ["unknown-field"]}}}]')
    assert codes_told(write(tmp_path, a_vg_json=asked)) == ["error[unknown-field]"]


@pytest.mark.parametrize(
    "strange", ["3", "null", "[]", '{"sheliak": []}', '{"sheliak": {"ignore": {"a": 1}}}', '{"sheliak": {"ignore": [3]}}']
)
def test_a_usermeta_of_another_kind_asks_nothing(strange: str, tmp_path: Path) -> None:
    assert len(codes_told(write(tmp_path, a_vg_json=TWO_DATASETS % f', "usermeta": {strange}'))) == 2


LINE = '      "transform": [{"type": "formula"'


@pytest.mark.parametrize(
    ("comment", "left_out"),
    [
        ("// sheliak: ignore unknown-field", True),
        ("//sheliak:ignore unknown-field", True),
        ("/* sheliak: ignore unknown-field */", True),
        ("// sheliak: ignore unknown-dataset, unknown-field -- comes later", True),
        ("// sheliak: ignore", True),
        ("// sheliak: ignore unknown-*", True),
        ("// sheliak: ignore unknown-field\n      // and this says why", True),
        ("// sheliak: ignore unknown-dataset", False),
        ("// sheliak: ignored unknown-field", False),
        ("// please sheliak: ignore unknown-field", False),
    ],
)
def test_a_comment_above_a_line_holds_for_the_line(comment: str, left_out: bool, tmp_path: Path) -> None:
    spec = MISSING_FIELD.replace(LINE, f"      {comment}\n{LINE}")
    assert codes_told(write(tmp_path, a_vg_json=spec)) == ([] if left_out else ["error[unknown-field]"])


def test_a_comment_behind_a_line_holds_for_the_line_only(tmp_path: Path) -> None:
    lines = MISSING_FIELD.splitlines(keepends=True)
    for number, line in enumerate(lines):
        spec = "".join([*lines[:number], f"{line.rstrip()} // sheliak: ignore unknown-field\n", *lines[number + 1 :]])
        assert (codes_told(write(tmp_path, a_vg_json=spec)) == []) == (number == 6)


def test_a_comment_can_hold_for_the_whole_file(tmp_path: Path) -> None:
    spec = f"{MISSING_FIELD}// sheliak: ignore-file unknown-field\n"
    assert codes_told(write(tmp_path, a_vg_json=spec)) == []


def test_text_in_a_string_is_no_comment(tmp_path: Path) -> None:
    spec = MISSING_FIELD.replace("Tide Tables", "// sheliak: ignore-file").replace('"data": [\n', '"data": [ // x\n')
    assert codes_told(write(tmp_path, a_vg_json=spec)) == ["error[unknown-field]"]


def test_a_comment_in_broken_json_can_hold_for_what_is_broken(tmp_path: Path) -> None:
    assert codes_told(write(tmp_path, a_vg_json='{"width": 1,\n// sheliak: ignore invalid-json\n"height"}')) == []
