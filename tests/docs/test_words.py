"""Commands, options and extras that pages mention in passing exist."""

import re
import tomllib
from pathlib import Path

import click
import pytest

from docs.playing import ROOT
from sheliak.cli.root import COMMANDS, sheliak
from sheliak.expressions.functions import FUNCTIONS
from sheliak.transforms import NAMES

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MENTION = re.compile(r"(?:`|^    |^\$ )sheliak ([a-z]\w*)([^`\n]*)", re.MULTILINE)


def options_of(name: str) -> set[str]:
    """The options of a command, and of its own commands."""
    command = sheliak.get_command(click.Context(sheliak, **sheliak.context_settings), name)
    assert command is not None, name
    inner = list(command.commands.values()) if isinstance(command, click.Group) else []
    return {"-h", "--help"} | {option for each in (command, *inner) for parameter in each.params for option in parameter.opts}


def mentions() -> list[tuple[str, str, str]]:
    return [
        (page.relative_to(ROOT).as_posix(), *found)
        for page in PAGES
        for found in MENTION.findall(page.read_text(encoding="utf-8"))
    ]


def test_commands_and_options_exist() -> None:
    wrong = []
    for page, command, rest in mentions():
        if command not in COMMANDS:
            wrong.append(f"{page}: sheliak {command}")
            continue
        # What follows a pipe or a remark is not ours.
        given = re.findall(r"(?<=\s)--[a-z][\w-]*", re.split(r" [|#] ", rest)[0])
        wrong += [f"{page}: sheliak {command} {option}" for option in given if option not in options_of(command)]
    assert wrong == []


def test_enough_is_mentioned_for_this_to_mean_something() -> None:
    assert len(mentions()) > 100


@pytest.mark.parametrize("page", PAGES, ids=lambda page: Path(page).stem)
def test_extras_exist(page: Path) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = {name for group in re.findall(r"sheliak\[([\w,]+)\]", page.read_text(encoding="utf-8")) for name in group.split(",")}
    assert named <= set(extras)


def test_numbers_that_are_told_are_true() -> None:
    told = "".join(page.read_text(encoding="utf-8") for page in PAGES if page.parent != ROOT / "docs" or page.stem == "index")
    assert set(re.findall(r"(\d+) transforms", told)) == {str(len(NAMES))}
    assert set(re.findall(r"(\d+) functions", told)) == {str(len(FUNCTIONS))}
    errata = re.findall(r"^## E\d+:", (ROOT / "docs" / "errata.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert re.findall(r"there are (\d+) more", told) == [str(len(errata) - 1)]
