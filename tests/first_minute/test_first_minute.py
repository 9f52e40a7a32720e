"""A new user's first minute: every word, every wait."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from first_minute.transcript import PAGE, ROOT, page, printed
from sheliak.cli.root import COMMANDS

SILENCE = 4.0
"""Seconds without a word on the terminal; one is what is promised, the rest is for busy machines."""


def test_every_word_is_as_recorded(tmp_path: Path) -> None:
    assert page(tmp_path) == PAGE.read_text(encoding="utf-8"), "python -m first_minute.transcript --record"


@pytest.mark.parametrize("command", [*COMMANDS, "calculus check", "calculus run"])
def test_the_help_of_a_command(command: str, tmp_path: Path) -> None:
    shown = printed(f"sheliak {command} --help", tmp_path)
    assert "[exit" not in shown
    # A group has commands instead of examples, and none of them is cut short.
    assert f"Examples:\n    sheliak {command}" in shown or ("Commands:\n" in shown and re.search(r"\.\.\.$", shown) is None)
    assert [line for line in shown.splitlines() if len(line) > 120] == []


def test_examples_of_the_overview_are_commands_that_exist(tmp_path: Path) -> None:
    overview = printed("sheliak", tmp_path)
    examples = re.findall(r"^  sheliak (\w+)", overview, re.MULTILINE)
    assert set(examples) == set(COMMANDS)


def test_the_json_of_the_documentation_is_what_is_printed() -> None:
    documented = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    command, shown = re.findall(r"^    \$ (sheliak check .*json)\n\n```json\n(.*?)```", documented, re.MULTILINE | re.DOTALL)[0]
    assert printed(command, ROOT) == f"$ {command}\n{shown}[exit 1]\n"


# Waits


def on_a_terminal(command: list[str], folder: Path) -> tuple[str, float, int]:
    """What a command shows on a terminal, the longest silence before it ends, and its exit code."""
    ours, theirs = pty.openpty()
    around = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=around)
    os.close(theirs)
    shown, longest, last = b"", 0.0, time.monotonic()
    while process.poll() is None or select.select([ours], [], [], 0)[0]:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:
                break
            longest, last = max(longest, time.monotonic() - last), time.monotonic()
    os.close(ours)
    return shown.decode("utf-8", "replace"), max(longest, time.monotonic() - last), process.wait(timeout=30)


def test_spark_is_waited_for_with_words() -> None:
    shown, silence, code = on_a_terminal([sys.executable, "-m", "sheliak", "run", "examples/books.vg.json"], ROOT)
    assert code == 0
    assert "Spark starts, " in shown
    assert "hundreds" in shown
    assert silence < SILENCE


SLOW = """
import time
from sheliak.rendering.waiting import waiting
with waiting("the outer"):
    {outer}
    with waiting("the inner"):
        {inner}
print("done")
"""


def slow(outer: str, inner: str, folder: Path) -> str:
    return on_a_terminal([sys.executable, "-c", SLOW.format(outer=outer, inner=inner)], folder)[0]


def test_a_wait_is_explained_after_a_second_and_the_line_is_taken_away(tmp_path: Path) -> None:
    shown = slow("pass", "time.sleep(2.5)", tmp_path)
    assert "the inner, 1 s" in shown
    assert "the inner, 2 s" in shown
    assert shown.endswith("\r\x1b[Kdone\r\n")


def test_a_moment_is_not_explained(tmp_path: Path) -> None:
    assert slow("time.sleep(0.2)", "pass", tmp_path) == "done\r\n"


def test_without_a_terminal_nothing_is_said_of_waiting(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SLOW.format(outer="time.sleep(1.5)", inner="pass")]
    around = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=30, check=False, env=around)
    assert (ended.stdout, ended.stderr) == ("done\n", "")
