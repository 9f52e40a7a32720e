"""`sheliak init`: what it writes, what it leaves alone, and what the action and the hooks of this repository run."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from front_ends.commands import CLEAN, MISSING_FIELD, write

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "sheliak"]


def sheliak(folder: Path, *words: str, answers: str = "") -> subprocess.CompletedProcess[str]:
    around = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(
        [*COMMAND, *words], cwd=folder, input=answers, capture_output=True, text=True, timeout=60, check=False, env=around
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "charts").mkdir()
    write(tmp_path / "charts", good_vg_json=CLEAN, bad_vg_json=MISSING_FIELD)
    return tmp_path


def settings(folder: Path) -> dict[str, object]:
    table: dict[str, object] = tomllib.loads((folder / "pyproject.toml").read_text())["tool"]["sheliak"]
    return table


def test_everything_is_written_without_asking(repository: Path) -> None:
    ended = sheliak(repository, "init", "--yes")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("2 specs found: charts/bad.vg.json, charts/good.vg.json\n")
    assert settings(repository) == {"include": ["charts"]}
    hook = (repository / ".pre-commit-config.yaml").read_text()
    assert hook.startswith("repos:\n  - repo: local\n    hooks:\n      - id: sheliak\n")
    workflow = (repository / ".github" / "workflows" / "sheliak.yml").read_text()
    assert "      - run: sheliak check --output-format github\n" in workflow
    assert sheliak(repository, "check").returncode == 1


def test_a_second_time_nothing_is_changed(repository: Path) -> None:
    sheliak(repository, "init", "--yes")
    before = {path: path.read_bytes() for path in repository.rglob("*") if path.is_file()}
    ended = sheliak(repository, "init", "--yes")
    assert ended.stdout.count("left as it is") == 3
    assert {path: path.read_bytes() for path in repository.rglob("*") if path.is_file()} == before


def test_each_file_is_asked_for(repository: Path) -> None:
    ended = sheliak(repository, "init", answers="y\nn\n\n")
    assert ended.returncode == 0
    assert "write pyproject.toml [Y/n]" in ended.stdout
    assert ".pre-commit-config.yaml: not written" in ended.stdout
    assert (repository / "pyproject.toml").exists()
    assert not (repository / ".pre-commit-config.yaml").exists()
    assert (repository / ".github" / "workflows" / "sheliak.yml").exists()


def test_where_nobody_answers_nothing_is_written(repository: Path) -> None:
    ended = sheliak(repository, "init")
    assert (ended.returncode, ended.stderr) == (2, "error: nobody answers; --yes writes without asking\n")
    assert sorted(path.name for path in repository.iterdir()) == ["charts"]


def test_what_is_in_the_files_stays(repository: Path) -> None:
    project = '[project]\nname = "charts"\n\n[tool.other]\nx = 1\n'
    hooks = "# ours\nrepos:\n- repo: https://example.org/hooks\n  rev: v1\n  hooks:\n  - id: tidy\n\nci:\n  skip: [tidy]\n"
    (repository / "pyproject.toml").write_text(project)
    (repository / ".pre-commit-config.yaml").write_text(hooks)
    sheliak(repository, "init", "--yes", "--no-workflow")
    assert (repository / "pyproject.toml").read_text() == f'{project}\n[tool.sheliak]\ninclude = ["charts"]\n'
    made = (repository / ".pre-commit-config.yaml").read_text()
    assert made.startswith(
        "# ours\nrepos:\n- repo: https://example.org/hooks\n  rev: v1\n  hooks:\n  - id: tidy\n- repo: local\n"
    )
    assert made.endswith("    require_serial: true\n\nci:\n  skip: [tidy]\n")
    assert not (repository / ".github").exists()


def test_a_list_that_is_written_in_another_way_is_not_touched(repository: Path) -> None:
    (repository / ".pre-commit-config.yaml").write_text("repos: []\n")
    ended = sheliak(repository, "init", "--yes")
    assert (
        ".pre-commit-config.yaml: left as it is, its list of hooks is written in another way; this is what to add" in ended.stdout
    )
    assert "  | - repo: local\n" in ended.stdout
    assert (repository / ".pre-commit-config.yaml").read_text() == "repos: []\n"


def test_data_files_that_lie_elsewhere(repository: Path) -> None:
    (repository / "data").mkdir()
    write(repository / "data", cars_json="[]")
    spec = {"data": [{"name": "cars", "url": "data/cars.json"}, {"name": "far", "url": "https://example.org/x.json"}]}
    write(repository / "charts", cars_vg_json=json.dumps(spec))
    sheliak(repository, "init", "--yes")
    assert settings(repository) == {"include": ["charts"], "data-dir": ["."]}


def test_an_old_repository(repository: Path) -> None:
    ended = sheliak(repository, "init", "--yes", "--baseline")
    assert "1 finding written to sheliak-baseline.json\n" in ended.stdout
    assert settings(repository)["baseline"] == "sheliak-baseline.json"
    assert sheliak(repository, "check").returncode == 0
    write(repository / "charts", new_vg_json=MISSING_FIELD)
    assert sheliak(repository, "check").returncode == 1
    before = (repository / "sheliak-baseline.json").read_bytes()
    assert "sheliak-baseline.json: left as it is" in sheliak(repository, "init", "--yes", "--baseline").stdout
    assert (repository / "sheliak-baseline.json").read_bytes() == before


def test_a_folder_without_specs(tmp_path: Path) -> None:
    ended = sheliak(tmp_path, "init", "--yes", "--no-hook", "--no-workflow")
    assert ended.stdout.startswith("there are no specs here yet")
    assert settings(tmp_path) == {"include": ["."]}


# Hooks and action of this repository


def test_hooks_run_commands_that_exist() -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text()
    assert re.findall(r"^- id: (.*)$", hooks, re.MULTILINE) == ["sheliak-check", "sheliak-fix", "sheliak-check-all"]
    assert set(re.findall(r"^  entry: (.*)$", hooks, re.MULTILINE)) == {"sheliak check", "sheliak check --fix"}
    pattern = re.findall(r"^  files: (.*)$", hooks, re.MULTILINE)[0]
    assert [bool(re.search(pattern, name)) for name in ("a.vg.json", "b/c.vl.json", "data.json")] == [True, True, False]


def act(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The script of action.yml, with a `sheliak` on the path that is this one."""
    tools = folder / "tools"
    tools.mkdir()
    for name, command in {
        "sheliak": f'exec "{sys.executable}" -m sheliak "$@"',
        "python": f'exec "{sys.executable}" "$@"',
    }.items():
        (tools / name).write_text(f"#!/bin/sh\n{command}\n")
        (tools / name).chmod(0o755)
    around = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", **inputs}
    script = ["bash", str(ROOT / "scripts" / "action.sh")]
    return subprocess.run(script, cwd=folder, capture_output=True, text=True, timeout=60, check=False, env=around)


def test_the_action_marks_lines_and_hands_findings_on(repository: Path) -> None:
    output, sarif = repository / "output.txt", repository / "found.sarif"
    ended = act(repository, PATHS="charts/*.json", ARGUMENTS="--strict", GITHUB_OUTPUT=str(output), SARIF_FILE=str(sarif))
    assert ended.returncode == 1
    assert ended.stdout.startswith("::error file=charts/bad.vg.json,line=")
    _, findings, _ = output.read_text().split("\n", 2)
    assert json.loads(findings)[0]["code"] == "unknown-field"
    assert json.loads(sarif.read_text())["runs"][0]["results"][0]["ruleId"] == "unknown-field"


def test_the_action_without_findings(repository: Path) -> None:
    ended = act(repository, PATHS="charts/good.vg.json")
    assert (ended.returncode, ended.stdout) == (0, "")


def test_inputs_of_the_action_are_no_part_of_its_script() -> None:
    action = (ROOT / "action.yml").read_text()
    steps = re.findall(r"^ +run: (.*)$", action, re.MULTILINE)
    assert len(steps) == 2
    assert [step for step in steps if "${{" in step] == []
