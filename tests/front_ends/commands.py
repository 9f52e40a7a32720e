"""Commands run as a user runs them: in this process where that is the same, else in one of their own."""

import contextlib
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from sheliak.cli import main

SCRIPT = str(Path(sys.executable).with_name("sheliak"))


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


def run_here(folder: Path, *arguments: str, stdin: bytes = b"") -> Ended:
    """The command in a folder, through its entry point, without the start of a process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        patch.object(sys, "stdin", given),
        patch.dict(os.environ, {"NO_COLOR": "", "FORCE_COLOR": ""}),
    ):
        code = main(arguments)
    return Ended(code, _written(out), _written(err))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")


def run_apart(folder: Path, *arguments: str, stdin: bytes = b"", timeout: float = 60, **environment: str) -> Ended:
    """The command in a process of its own."""
    environment = {**os.environ, "NO_COLOR": "", "FORCE_COLOR": "", **environment}
    command = [SCRIPT, *arguments]
    ended = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, timeout=timeout, check=False, env=environment)
    return Ended(ended.returncode, ended.stdout.decode("utf-8"), ended.stderr.decode("utf-8"))


def write(folder: Path, **texts: str) -> Path:
    """Files in a folder: `chart_vg_json="..."` becomes chart.vg.json."""
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


CLEAN = """\
{
  "$schema": "https://vega.github.io/schema/vega/v6.json",
  "data": [{"name": "books", "values": [{"words": 12100}]}]
}
"""

MISSING_FIELD = """\
{
  "$schema": "https://vega.github.io/schema/vega/v6.json",
  "data": [
    {
      "name": "books",
      "values": [{"title": "Tide Tables", "words": 12100}],
      "transform": [{"type": "formula", "expr": "datum.word / 100", "as": "pages"}]
    }
  ]
}
"""

OTHER_CASE = MISSING_FIELD.replace("datum.word ", "datum.Words ")

WARNING = """\
{
  "$schema": "https://vega.github.io/schema/vega/v6.json",
  "data": [
    {
      "name": "books",
      "values": [{"kind": "novel"}],
      "transform": [{"type": "aggregate", "groupBy": ["kind"]}]
    }
  ]
}
"""
