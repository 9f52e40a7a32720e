"""The files of the repository, and the syntax trees of its Python modules."""

import ast
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "src" / "sheliak"


@cache
def repository_files() -> tuple[Path, ...]:
    """Every file that is, or is about to be, part of the repository; an unpacked archive has no git to ask."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        found = {ROOT / name for name in listed.split("\0") if name}
    else:
        found = set(walk(ROOT))
    return tuple(sorted(path for path in found if path.is_file() and not path.is_symlink()))


def walk(folder: Path) -> Iterator[Path]:
    for directory, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name == ".ci" or not name.startswith((".", "__pycache__"))]
        yield from (Path(directory, name) for name in files)


def text_files(*folders: str) -> Iterator[tuple[str, str]]:
    """Name and text of the files below some folders, or of all; what is not text is passed over."""
    for path in repository_files():
        name = path.relative_to(ROOT).as_posix()
        if not folders or name.startswith(folders):
            try:
                yield name, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def python_files(*folders: str) -> list[Path]:
    names = tuple(f"{folder}/" for folder in folders)
    return [path for path in repository_files() if path.suffix == ".py" and path.relative_to(ROOT).as_posix().startswith(names)]


def imported_names(path: Path) -> set[str]:
    """The dotted names a module imports, anywhere in it, inside functions included; relative imports are resolved."""
    found: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(filter(None, (package_above(path, node.level), node.module)))
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return found


def package_above(path: Path, level: int) -> str:
    """The package that `level` leading dots of a relative import mean; nothing for an absolute one."""
    if level == 0:
        return ""
    folder = path.parents[level - 1]
    return ".".join(folder.relative_to(ROOT / "src").parts)
