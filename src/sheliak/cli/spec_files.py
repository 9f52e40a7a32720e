"""The file of a spec, and what to say of a path that leads to something else, or to nothing."""

from __future__ import annotations

import os
import sys

import click

from sheliak.source.text import Source, decode_text, read_text

_DATA = (".csv", ".tsv", ".tab", ".dsv", ".parquet", ".pq", ".arrow", ".feather", ".jsonl", ".ndjson", ".xlsx", ".xls")
_PROGRAMS = (".py", ".ipynb")
_PICTURES = (".svg", ".png", ".pdf", ".jpg", ".gif", ".html")


def read_spec_file(name: str) -> Source:
    """The text of a spec; `-` is standard input. Ends the command where there is none."""
    if name == "-":
        return decode_text("<stdin>", sys.stdin.buffer.read())
    other = what_it_is(name)
    if other is not None:
        raise click.ClickException(other)
    try:
        return read_text(name)
    except OSError as problem:
        raise click.ClickException(unreadable(name, problem)) from problem


def unreadable(name: str, problem: OSError) -> str:
    """Why a file cannot be read, and the name that may be meant."""
    if isinstance(problem, FileNotFoundError):
        return f"{name!r} does not exist{similar_path(name)}"
    return f"{name!r} cannot be read: {(problem.strerror or str(problem)).lower()}"


def similar_path(name: str) -> str:
    """A path beside one that leads nowhere, as the end of a sentence."""
    from sheliak.diagnostics.suggest import closest

    folder, wanted = os.path.split(name)
    try:
        found = closest(wanted, sorted(os.listdir(folder or ".")))
    except OSError:
        return f": there is no folder {folder!r}"
    return f"; a similar name exists: {os.path.join(folder, found)}" if found is not None else ""


def what_it_is(name: str) -> str | None:
    """What a file is that was taken for a spec, by its ending; None for what may be one."""
    ending = os.path.splitext(name)[1].lower()
    if ending not in (*_DATA, *_PROGRAMS, *_PICTURES) or not os.path.isfile(name) or _starts_like_a_spec(name):
        return None
    if ending in _DATA:
        stem = os.path.splitext(os.path.basename(name))[0]
        return f'{name!r} holds data, not a spec; a spec reads it with "data": [{{"name": "{stem}", "url": "{name}"}}]'
    if ending in _PROGRAMS:
        return f"{name!r} is a program, not a spec; in it, sheliak.check(chart) checks a chart"
    return f"{name!r} is a picture, not the spec it was drawn from"


def _starts_like_a_spec(name: str) -> bool:
    try:
        with open(name, "rb") as file:
            return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and not name.endswith(
                (".ipynb", "jsonl", "ndjson")
            )
    except OSError:
        return True
