"""The pages of this folder: a data definition, the files it names, and what the loader says of it.

vega          a data definition as JSON, without its name
file NAME     a file beside the spec
record        the record of a row, as Sheliak prints it
rows          the rows that Vega makes of it: each must be a value of the record
diagnostics   the findings, one per line: severity[code] pointer: message, and below it `help: ...` if there is help;
              without this fence there must be none
"""

from __future__ import annotations

import json
from pathlib import Path

from literate import Case, expect
from sheliak.diagnostics.registry import Diagnostic
from sheliak.loading import DataFolders, Loaded, read_format, shape_of_url, shape_of_values
from sheliak.source.tree import Node
from sheliak.types.operations import options_of, text_type
from sheliak.types.render import render_record
from sheliak.types.shapes import (
    BOOLEAN,
    DATE,
    NULL,
    NUMBER,
    STRING,
    TEXTS,
    UNDEFINED,
    WORDS,
    Array,
    Record,
    Scalar,
    Type,
    Unknown,
)


def load(definition: object, folders: DataFolders | None = None) -> tuple[Loaded, list[Diagnostic]]:
    """The source of the only dataset of a spec, and all findings about it."""
    node = Node({"data": [definition]}).descend("data", 0)
    assert node is not None
    problems: list[Diagnostic] = []
    format = read_format(node.get("format"), problems.append)
    values, url = node.get("values"), node.get("url")
    if values is not None:
        loaded = shape_of_values(values, format, "table")
    else:
        assert url is not None
        loaded = shape_of_url(url, format, "table", folders or DataFolders(None))
    return loaded, [*problems, *loaded.problems]


def check_page_case(case: Case, folder: Path) -> None:
    """Writes the files of a case into the folder, and compares what it expects."""
    for fence in case.fences:
        if fence.kind == "file":
            path = folder / fence.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fence.text + "\n", encoding="utf-8")
    loaded, problems = load(json.loads(case.text("vega") or ""), DataFolders(folder))
    expect("diagnostics", "\n".join(line for problem in problems for line in told(problem)), case.text("diagnostics") or "")
    if (record := case.text("record")) is not None:
        expect("record", render_record(loaded.record, 100), " ".join(record.split()))
    for row in json.loads(case.text("rows") or "[]"):
        assert inhabits(row, loaded.record), f"{row} is no {render_record(loaded.record, 100)}"


def told(problem: Diagnostic) -> list[str]:
    pointer = problem.place.pointer.removeprefix("/data/0")
    line = f"{problem.severity.value}[{problem.code}] {pointer}: {problem.message()}"
    return [line, f"help: {problem.help()}"] if problem.help() else [line]


def inhabits(value: object, of: Type) -> bool:
    """v : T, by the letter; {"$date": ms} stands for a Date, {"$num": text} for a number that JSON lacks. Parsing `date`
    gives milliseconds, which the type calls a date."""
    return any(_inhabits_option(value, option) for option in options_of(of))


def _inhabits_option(value: object, of: Type) -> bool:
    match of:
        case Unknown():
            return True
        case Record():
            return isinstance(value, dict) and _inhabits_fields(value, of)
        case Array(element):
            return isinstance(value, list) and all(inhabits(member, element) for member in value)
        case Scalar():
            return _is_scalar(value, of)
        case _:
            raise AssertionError(of)


def _inhabits_fields(row: dict[str, object], record: Record) -> bool:
    present = all(name in row or name in record.optional for name in record.fields)
    known = record.open or row.keys() <= record.fields.keys()
    return present and known and all(inhabits(row[name], of) for name, of in record.fields.items() if name in row)


def _is_scalar(value: object, of: Scalar) -> bool:
    match value:
        case None:
            return of == NULL
        case bool():
            return of == BOOLEAN
        case {"$undefined": _}:
            return of == UNDEFINED
        case {"$date": _}:
            return of == DATE
        case int() | float() | {"$num": _}:
            return of in (NUMBER, DATE)
        case str():
            # Where some texts are words all are called so, and blank text decides nothing.
            return of in (STRING, WORDS, text_type(value)) or (of in TEXTS and not value.strip())
        case _:
            return False
