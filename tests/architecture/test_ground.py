"""What a newcomer and a CI rely on: two commands in the README, the same tests everywhere, every target described."""

import os
import re

from architecture.tree import ROOT
from sheliak.cli.root import COMMANDS, is_present


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def targets() -> set[str]:
    """The targets that `make help` lists."""
    return set(re.findall(r"^([a-z]+):.*## ", read("Makefile"), re.MULTILINE))


def test_the_readme_shows_two_commands_to_set_up() -> None:
    assert re.findall(r"^    (make .*?)(?:  +#.*)?$", read("README.md"), re.MULTILINE) == ["make demo", "make test"]


def test_ci_runs_the_tests_of_the_readme() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert "make test" in read(".ci/run")


def test_every_target_is_described_to_contributors() -> None:
    described = set(re.findall(r"^\| `make ([a-z]+)`", read("CONTRIBUTING.md"), re.MULTILINE))
    assert described == targets() - {"help"}


def test_every_command_of_ours_stands_in_the_change_log() -> None:
    commands = [name for name in COMMANDS if is_present(name)]
    assert [name for name in commands if f"`sheliak {name}" not in read("CHANGELOG.md")] == []
