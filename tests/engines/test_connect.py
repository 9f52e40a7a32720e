"""Everything works through Spark Connect: a server on this machine, and a client in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.connect_server import missing_packages, serving
from front_ends.commands import Ended, run_apart

pytestmark = pytest.mark.skipif(bool(missing_packages()), reason=f"Spark Connect needs {', '.join(missing_packages())}")
TESTS = Path(__file__).resolve().parent.parent
BOOKS = str(TESTS.parent / "examples" / "books.vg.json")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server")) as started:
        yield started


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("client")


@pytest.fixture(scope="module")
def seen(address: str, folder: Path) -> dict[str, Any]:
    """What the client saw."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (TESTS, TESTS.parent / "src")))}
    command = [sys.executable, "-m", "engines.connect_client", address, str(folder)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1800, check=False)
    assert ended.stderr == ""
    assert ended.returncode == 0
    told: dict[str, Any] = json.loads(ended.stdout)
    return told


def test_transforms_have_the_rows_of_the_reference(seen: dict[str, Any]) -> None:
    assert seen["pages"]["wrong"] == []
    assert seen["pages"]["number"] >= 40
    assert seen["pages"]["engines"]["spark"] > 2 * seen["pages"]["engines"].get("driver", 0)


def test_a_frame_of_the_server_is_a_dataset(seen: dict[str, Any]) -> None:
    totals = {row["g"]: row["sum"] for row in seen["charts"]["totals"]}
    assert totals == {g: float(sum(range(g, 1000, 4))) for g in range(4)}
    assert "rows  1 scan, 2 of 2 columns: v, g" in seen["charts"]["plan"]


def test_a_server_on_this_machine_reads_files(seen: dict[str, Any]) -> None:
    assert seen["files"] == {"wrong": [], "engines": ["spark", "spark", "spark"]}


def test_other_signals_are_computed_anew(seen: dict[str, Any]) -> None:
    assert seen["charts"]["updated"] == [{"g": 3.0, "sum": 999.0}]


def test_many_rows_reach_a_server_that_sees_no_files_of_ours(seen: dict[str, Any]) -> None:
    assert seen["charts"]["many"] == [{"g": 0.0, "sum": 60_000 * 59_999 / 2}]


def test_limits_and_failures_are_told_as_without_a_server(seen: dict[str, Any]) -> None:
    assert seen["charts"]["limit"].startswith("dataset `totals`: it has more than 3 rows")
    assert seen["charts"]["missing"].startswith("dataset `rows`: the table `nowhere` cannot be read: ")


def test_the_chart_is_written(seen: dict[str, Any], folder: Path) -> None:
    small = json.loads((folder / "books.vg.json").read_text())
    assert [row["avg_hundreds"] for row in small["data"][0]["values"]] == [967, 282, 109, 219]


def test_progress_is_told(seen: dict[str, Any]) -> None:
    assert seen["progress"]
    assert all(0 <= done <= total for done, total in seen["progress"])


def test_the_command_through_a_server(address: str, tmp_path: Path) -> None:
    ended = run_apart(tmp_path, "run", BOOKS, "--remote", address, "--dataset", "aggs", timeout=240)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[1].split() == ["novel", "3", "96700"]
    refused = run_apart(tmp_path, "run", BOOKS, "--remote", address, "--dataset", "agg", timeout=240)
    assert refused == Ended(2, "", "error: the spec has no dataset `agg`\nhelp: its datasets: books, aggs, hundreds\n")
