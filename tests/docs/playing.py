"""Pages whose commands are run: a page that is played is the page itself.

In the fences of a page stand

    console                  commands after `$ `, each followed by what it prints on both channels
    pycon                    Python after `>>> ` and `... `, each statement followed by what it prints
    any, with a title        a file of that name, which is there from then on

Everything on a page happens in order, in one folder that also has the repository's `examples` and made-up flights, and in one Python. A command of ours is
run through its entry point in this process, so that it finds the Spark that runs already; all others go to a shell, ours among them
where they are joined with others. The pictures that a page saves are those of docs/pictures.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

from docs.flights import write_flights
from front_ends.commands import run_here

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"

_FENCE = re.compile(r'^```(\w+)(?: title="([^"\n]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_SHELL = re.compile(r"[|<>&;*?$`]")
_ON_SPARK = re.compile(
    r"^(>>> .*\bspark\b|>>> sheliak\.(data|run|plan|open|stream)\b|\$ sheliak (run|plan|stream) )", re.MULTILINE
)
_PROMPTS = {"console": ("$ ", "> "), "pycon": (">>> ", "... ")}


def pages() -> list[Path]:
    """The pages that show commands."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in found if any(kind in _PROMPTS for kind, _, _ in _FENCE.findall(page.read_text(encoding="utf-8")))]


def needs_spark(page: Path) -> bool:
    return any(_ON_SPARK.search(body) for kind, _, body in _FENCE.findall(page.read_text(encoding="utf-8")) if kind in _PROMPTS)


def played(text: str, folder: Path) -> str:
    """The page with what its commands print now."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    if "flights.parquet" in text:
        write_flights(folder / "flights.parquet")
    return Player(folder).page(text)


def saved_pictures(folder: Path) -> Iterator[Path]:
    """The pictures that a page has left."""
    yield from sorted(folder.glob("*.svg"))


class Player:
    """A folder and a Python that the blocks of a page share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, object] = {"__name__": "__main__"}

    def page(self, text: str) -> str:
        return _FENCE.sub(self._fence, text)

    def _fence(self, fence: re.Match[str]) -> str:
        kind, title, body = fence.groups()
        if title is not None:
            (self.folder / title).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / title).write_text(body, encoding="utf-8")
        if kind not in _PROMPTS:
            return fence[0]
        return f"```{kind}\n{''.join(self._answered(kind, body))}```"

    def _answered(self, kind: str, body: str) -> Iterator[str]:
        first, more = _PROMPTS[kind]
        for entry in entries(body, first, more):
            yield entry
            source = "".join(line[len(first) :] for line in entry.splitlines(keepends=True))
            yield ended(self.python(source) if kind == "pycon" else self.command(source.rstrip("\n")))

    def command(self, line: str) -> str:
        """What a command prints."""
        if line.startswith("sheliak ") and not _SHELL.search(line):
            ran = run_here(self.folder, *shlex.split(line)[1:])
            return ran.out + ran.err
        around = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
        }
        return subprocess.run(
            ["sh", "-c", line],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
            check=False,
            env=around,
        ).stdout

    def python(self, source: str) -> str:
        """What a statement prints, or how it fails."""
        printed = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed):
            try:
                exec(compile(source, "<page>", "single"), self.names)  # noqa: S102
            except Exception as problem:  # noqa: BLE001
                print("Traceback (most recent call last):", "  ...", sep="\n")
                print(*traceback.format_exception_only(problem), sep="", end="")
        return printed.getvalue()


def entries(body: str, first: str, more: str) -> Iterator[str]:
    """What is typed in a block, with its prompts: a line, and those that go on with it."""
    lines = body.splitlines(keepends=True)
    assert lines[0].startswith(first), f"a block starts with {first!r}: {lines[0]!r}"
    typed = ""
    for line in lines:
        if typed and line.startswith(more):
            typed += line
            continue
        if typed:
            yield typed
        typed = line if line.startswith(first) else ""
    if typed:
        yield typed


def ended(text: str) -> str:
    """Without blank lines at the end, and with the end of a line."""
    stripped = text.rstrip("\n")
    return f"{stripped}\n" if stripped else ""
