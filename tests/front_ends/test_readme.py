"""What the README shows of a terminal is what a terminal shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def shown(command: str) -> list[tuple[str, str]]:
    """What follows a command of the given name in the README: its arguments and the lines it prints, blank ones among them."""
    return re.findall(rf"^    \$ {command} (.+)\n((?:    .+\n|\n(?=    (?!\$)))+)", README, re.MULTILINE)


def without_indent(text: str) -> str:
    return re.sub(r"^    ", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize(("arguments", "output"), shown("sheliak"))
def test_a_command_prints_what_the_readme_shows(arguments: str, output: str) -> None:
    command = [sys.executable, "-m", "sheliak", *arguments.split()]
    ended = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=60)
    assert without_indent(output) in (ended.stdout, ended.stderr)


def test_the_readme_shows_a_message_and_the_two_commands_of_the_set_up() -> None:
    assert shown("sheliak")
    assert re.findall(r"^    (make \w+)", README, re.MULTILINE) == ["make demo", "make test"]
