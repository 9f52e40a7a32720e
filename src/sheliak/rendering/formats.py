"""The formats for programs, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module

from sheliak.project.outcome import Outcome

MODULES = {"json": "json_array", "sarif": "sarif", "github": "github", "gitlab": "gitlab", "junit": "junit"}


def machine_lines(format: str, outcomes: Iterable[Outcome]) -> Iterator[str]:
    """The lines that the module of a format makes."""
    lines: Iterator[str] = import_module(f"sheliak.rendering.{MODULES[format]}").render(outcomes)
    return lines
