"""What a newcomer and a CI rely on: two commands in the README, the same tests everywhere, every target described."""

import os
import re
import sys
import tomllib

import pytest

from architecture.tree import PACKAGE, ROOT, imported_names, python_files
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


BROUGHT_ALONG = {"py4j": "pyspark", "narwhals": "altair", "IPython": ""}
"""Modules of no requirement of ours: another brings them, or they are there wherever they are used (a notebook)."""
PACKAGES = {"vl_convert": "vl-convert-python"}
"""Modules that are called otherwise than what installs them."""


def required(*extras: str) -> set[str]:
    """What an installation with these extras names."""
    project = tomllib.loads(read("pyproject.toml"))["project"]
    listed = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    return {re.split(r"[\[<>=]", line)[0] for line in listed}


def used(*packages: str) -> set[str]:
    """What the modules of some packages of ours import from others, wherever in them."""
    modules = [path for path in python_files("src") if path.relative_to(PACKAGE).parts[0] in packages]
    names = {name.split(".")[0] for path in modules for name in imported_names(path)}
    others = names - set(sys.stdlib_module_names) - {"sheliak"}
    return {PACKAGES.get(name, BROUGHT_ALONG.get(name, name)) for name in others} - {""}


@pytest.mark.parametrize(
    ("packages", "extras"),
    [
        (("cli", "checker", "source", "loading", "rendering", "project"), ()),
        (("engines",), ("spark", "java")),
        (("engines",), ("connect", "java")),
        (("engines", "running", "picturing", "vegalite"), ("spark", "java", "charts")),
        (("altair",), ("altair",)),
    ],
)
def test_whatever_is_imported_is_installed(packages: tuple[str, ...], extras: tuple[str, ...]) -> None:
    assert used(*packages) <= required(*extras)
