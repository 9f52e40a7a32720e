"""Baselines: what was accepted is not told again, what is new is."""

import json
from pathlib import Path

from front_ends.commands import MISSING_FIELD, WARNING, run_here, write


def accepted(folder: Path) -> Path:
    ended = run_here(folder, "check", "--baseline", "base.json", "--write-baseline")
    assert ended.code == 0, ended.err
    return folder


def check(folder: Path) -> tuple[int, str]:
    ended = run_here(folder, "check", "--baseline", "base.json", "--output-format", "concise")
    return ended.code, ended.out


def test_writing_says_how_much_was_accepted(tmp_path: Path) -> None:
    folder = write(tmp_path, a_vg_json=MISSING_FIELD, b_vg_json=WARNING)
    ended = run_here(folder, "check", "--baseline", "base.json", "--write-baseline")
    assert (ended.code, ended.out, ended.err) == (0, "2 findings written to base.json\n", "")
    assert json.loads((folder / "base.json").read_text(encoding="utf-8"))["findings"][0] == {
        "file": "a.vg.json",
        "code": "unknown-field",
        "place": "/data/*/transform/*/expr",
        "message": "the datum has no field `word`",
        "count": 1,
    }


def test_what_was_accepted_is_not_told(tmp_path: Path) -> None:
    folder = accepted(write(tmp_path, a_vg_json=MISSING_FIELD))
    assert check(folder) == (0, "1 file checked, no findings\n")


def test_moved_lines_and_new_elements_make_nothing_new(tmp_path: Path) -> None:
    folder = accepted(write(tmp_path, a_vg_json=MISSING_FIELD))
    moved = MISSING_FIELD.replace('"data": [\n', '"width": 200,\n\n\n  "data": [\n    {"name": "first", "values": []},\n')
    assert check(write(folder, a_vg_json=moved)) == (0, "1 file checked, no findings\n")


def test_what_is_new_is_told(tmp_path: Path) -> None:
    folder = accepted(write(tmp_path, a_vg_json=MISSING_FIELD))
    code, out = check(write(folder, a_vg_json=MISSING_FIELD.replace("datum.word ", "datum.wort ")))
    assert (code, "`wort`" in out) == (1, True)


def test_one_more_of_the_same_is_new(tmp_path: Path) -> None:
    one = '{"name": "t%d", "values": [{"x": 1}], "transform": [{"type": "extent", "field": "y"}]}'
    spec = '{"data": [%s]}'
    folder = accepted(write(tmp_path, a_vg_json=spec % (one % 1)))
    same = (one % 1).replace('"t1"', '"t1b"')
    code, out = check(write(folder, a_vg_json=spec % f"{one % 1}, {same.replace('t1b', 't1')}"))
    assert (code, out.count("unknown-field")) == (1, 1)


def test_an_accepted_finding_of_another_file_hides_nothing(tmp_path: Path) -> None:
    folder = accepted(write(tmp_path, a_vg_json=MISSING_FIELD))
    assert check(write(folder, b_vg_json=MISSING_FIELD))[0] == 1


def test_files_are_named_from_the_folder_of_the_baseline(tmp_path: Path) -> None:
    (tmp_path / "charts").mkdir()
    accepted(write(tmp_path / "charts", a_vg_json=MISSING_FIELD))
    ended = run_here(tmp_path, "check", "charts", "--baseline", "charts/base.json")
    assert (ended.code, ended.out) == (0, "1 file checked, no findings\n")


def test_the_baseline_can_stand_in_the_settings(tmp_path: Path) -> None:
    folder = accepted(write(tmp_path, a_vg_json=MISSING_FIELD, pyproject_toml='[tool.sheliak]\nbaseline = "base.json"\n'))
    assert run_here(folder, "check").code == 0


def test_a_file_that_is_no_baseline_exits_with_2(tmp_path: Path) -> None:
    for text in ("[]", "{}", '{"findings": [{"file": "a"}]}', "no json", "[" * 100_000):
        folder = write(tmp_path, a_vg_json=MISSING_FIELD, base_json=text)
        ended = run_here(folder, "check", "--baseline", "base.json")
        assert (ended.code, ended.out) == (2, "")
        assert "'base.json' is not a baseline" in ended.err
