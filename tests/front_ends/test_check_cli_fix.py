"""`--fix` and `--diff`: only safe repairs, and nothing else in the file changes."""

import os
import stat
from pathlib import Path

import pytest

from front_ends.commands import CLEAN, MISSING_FIELD, OTHER_CASE, run_apart, run_here, write

FIXED = OTHER_CASE.replace("datum.Words ", "datum.words ")


def test_another_letter_case_is_repaired(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=OTHER_CASE)
    ended = run_apart(folder, "check", "--fix")
    assert (ended.code, ended.out) == (0, "1 file checked, no findings\n")
    assert ended.err == "1 finding was repaired in 1 file\n"
    assert (folder / "chart.vg.json").read_text(encoding="utf-8") == FIXED
    assert os.listdir(folder) == ["chart.vg.json"]


def test_what_needs_a_decision_is_left_and_told(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=MISSING_FIELD)
    ended = run_here(folder, "check", "--fix")
    assert (ended.code, "error[unknown-field]" in ended.out) == (1, True)
    assert ended.err == "no finding has a repair that is safe to make\n"
    assert (folder / "chart.vg.json").read_text(encoding="utf-8") == MISSING_FIELD


def test_diff_shows_and_changes_nothing(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=OTHER_CASE, clean_vg_json=CLEAN)
    for arguments in (["--diff"], ["--fix", "--diff"]):
        ended = run_here(folder, "check", *arguments)
        assert ended.code == 1
        assert ended.err == "1 finding would be repaired in 1 file\n"
        changed = [line for line in ended.out.splitlines() if line[:1] in "+-"]
        assert changed == [
            "--- chart.vg.json",
            "+++ chart.vg.json",
            '-      "transform": [{"type": "formula", "expr": "datum.Words / 100", "as": "pages"}]',
            '+      "transform": [{"type": "formula", "expr": "datum.words / 100", "as": "pages"}]',
        ]
    assert (folder / "chart.vg.json").read_text(encoding="utf-8") == OTHER_CASE


def test_diff_of_standard_input(tmp_path: Path) -> None:
    ended = run_here(tmp_path, "check", "--diff", "-", stdin=OTHER_CASE.encode())
    assert (ended.code, ended.out.startswith("--- <stdin>\n+++ <stdin>\n")) == (1, True)


def test_every_place_of_one_mistake_is_repaired(tmp_path: Path) -> None:
    many = OTHER_CASE.replace("datum.Words / 100", "datum.Words / (datum.Words + 1) + datum['Words']")
    folder = write(tmp_path, chart_vg_json=many)
    assert run_here(folder, "check", "--fix").code == 0
    assert (folder / "chart.vg.json").read_text(encoding="utf-8") == many.replace("Words", "words")


def test_names_keep_their_quotes(tmp_path: Path) -> None:
    spec = '{"data": [{"name": "Books", "values": [{"a": 1}]}],\n "marks": [{"type": "symbol", "from": {"data": "books"}}]}'
    folder = write(tmp_path, chart_vg_json=spec)
    assert run_here(folder, "check", "--fix").code == 0
    assert (folder / "chart.vg.json").read_text(encoding="utf-8") == spec.replace('"books"', '"Books"')


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-16-le with mark", "utf-16-be with mark", "utf-32-be with mark"],
)
def test_bytes_around_the_repair_stay_as_they_are(encoding: str, tmp_path: Path) -> None:
    name, _, mark = encoding.partition(" with ")
    text = OTHER_CASE.replace("Tide", "Größe 日本").replace("\n", "\r\n")
    before = (("\ufeff" if mark else "") + text).encode(name)
    path = tmp_path / "chart.vg.json"
    path.write_bytes(before)
    assert run_here(tmp_path, "check", "--fix", "chart.vg.json").code == 0
    after = (("\ufeff" if mark else "") + text.replace("datum.Words", "datum.words")).encode(name)
    assert path.read_bytes() == after


def test_comments_trailing_commas_and_a_missing_last_line_break_stay(tmp_path: Path) -> None:
    text = OTHER_CASE.replace('"data": [\n', '"data": [ // what is read\n').rstrip("\n").replace("\n  ]\n}", ",\n  ],\n}")
    folder = write(tmp_path, chart_vg_json=text)
    assert run_here(folder, "check", "--fix").code == 0
    assert (folder / "chart.vg.json").read_text(encoding="utf-8") == text.replace("datum.Words", "datum.words")


def test_the_mode_of_the_file_stays(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=OTHER_CASE)
    (folder / "chart.vg.json").chmod(0o640)
    run_here(folder, "check", "--fix")
    assert stat.S_IMODE((folder / "chart.vg.json").stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    write(tmp_path / "real", chart_vg_json=OTHER_CASE)
    (tmp_path / "link.vg.json").symlink_to("real/chart.vg.json")
    assert run_here(tmp_path, "check", "--fix", "link.vg.json").code == 0
    assert (tmp_path / "link.vg.json").is_symlink()
    assert (tmp_path / "real" / "chart.vg.json").read_text(encoding="utf-8") == FIXED


def test_a_folder_that_cannot_be_written_to_exits_with_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    folder = write(tmp_path, chart_vg_json=OTHER_CASE)
    monkeypatch.setattr("tempfile.mkstemp", refuse)
    ended = run_here(folder, "check", "--fix")
    assert (ended.code, "error[unknown-field]" in ended.out) == (2, True)
    assert "error: 'chart.vg.json' cannot be written: permission denied\n" in ended.err
    assert (folder / "chart.vg.json").read_text(encoding="utf-8") == OTHER_CASE


def test_what_is_left_out_is_not_repaired(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=OTHER_CASE)
    assert run_here(folder, "check", "--fix", "--ignore", "unknown-field").code == 0
    assert (folder / "chart.vg.json").read_text(encoding="utf-8") == OTHER_CASE


def test_bytes_that_cannot_be_read_are_not_rewritten(tmp_path: Path) -> None:
    content = OTHER_CASE.encode().replace(b"Tide", b"T\xefde")
    (tmp_path / "chart.vg.json").write_bytes(content)
    assert run_here(tmp_path, "check", "--fix").code == 1
    assert (tmp_path / "chart.vg.json").read_bytes() == content
