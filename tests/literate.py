"""Markdown pages that are documentation and test at once.

A page has one case under each `##` heading. Its fences say what goes in and what is expected:

    vega          a transform, or a list of transforms, as JSON
    input         the rows as a JSON list, or their type as Sheliak prints it; `input name` is another dataset
    signals       a list of Vega signals as JSON
    projections   a list of Vega projections as JSON
    types         the record after the last transform, as Sheliak prints it
    rows          the rows that Vega makes of the input: each must be a value of the record, and the reference must make the same
    error         what Vega logs when it stops, in the reference's words too
    diagnostics   the findings, one per line: severity[code] pointer: message; without this fence there must be none

Pointers start at the `vega` fence. Everything runs through the checker, as a spec of the fences put together; transforms that only
the renderer runs have their rows from Vega alone. `fuzzing.page_rows` writes the rows and errors of the pages anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fuzzing.transforms import encoded, same
from sheliak.checker.check import Checked, CheckOptions, check_document
from sheliak.engines.reference.engine import run_reference
from sheliak.loading import DataFolders
from sheliak.source.declared import replace
from sheliak.source.json_reader import read_document
from sheliak.source.text import Source
from sheliak.types.operations import options_of
from sheliak.types.render import render_record
from sheliak.types.shapes import (
    BOOLEAN,
    DATE,
    NULL,
    NUMBER,
    TEXTS,
    UNDEFINED,
    Array,
    Lineage,
    Literal,
    Record,
    Scalar,
    Type,
    Unknown,
)
from type_reader import read_type

_FENCE = re.compile(r"^```(\w+)[ ]*([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ALL_FIELDS = 1000


@dataclass(frozen=True)
class Fence:
    """One fenced block."""

    kind: str
    name: str
    text: str


@dataclass(frozen=True)
class Case:
    """A heading and the fences below it."""

    page: Path
    title: str
    fences: tuple[Fence, ...]

    def texts(self, kind: str) -> list[str]:
        return [fence.text for fence in self.fences if fence.kind == kind]

    def text(self, kind: str) -> str | None:
        """The one fence of a kind, if there is one."""
        found = self.texts(kind)
        assert len(found) <= 1, f"{self}: more than one `{kind}`"
        return found[0] if found else None

    def __str__(self) -> str:
        return f"{self.page.stem}: {self.title}"


def cases(folder: Path) -> list[Case]:
    """The cases of all pages in a folder."""
    return [case for page in sorted(folder.glob("*.md")) for case in cases_of(page)]


def cases_of(page: Path) -> Iterator[Case]:
    """The cases of one page: what stands under each `##` heading and has a `vega` fence."""
    for section in re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        fences = tuple(Fence(match[1], match[2].strip(), match[3].strip()) for match in _FENCE.finditer(body))
        if any(fence.kind == "vega" for fence in fences):
            yield Case(page, title.strip(), fences)


@dataclass
class Spec:
    """The spec that a case stands for, and the shapes that it gives without rows."""

    data: list[dict[str, object]] = field(default_factory=list)
    signals: list[object] = field(default_factory=list)
    projections: list[object] = field(default_factory=list)
    schemas: dict[str, Record] = field(default_factory=dict)
    transforms: str = ""
    """The pointer of the `vega` fence."""

    def add_input(self, name: str, text: str) -> None:
        """A dataset: its rows or its record."""
        dataset: dict[str, object] = {"name": name}
        if text.startswith("["):
            dataset["values"] = json.loads(text)
        else:
            record = read_type(text)
            assert isinstance(record, Record), text
            self.schemas[name] = replace(record, lineage=Lineage("schema", dataset=name))
        self.data.append(dataset)

    def json(self) -> dict[str, object]:
        return {"signals": self.signals, "projections": self.projections, "data": self.data}


def spec_of(case: Case) -> Spec:
    """The fences put together: other datasets first, the pipeline last."""
    spec = Spec(signals=json.loads(case.text("signals") or "[]"), projections=json.loads(case.text("projections") or "[]"))
    for fence in case.fences:
        if fence.kind == "input" and fence.name:
            spec.add_input(fence.name, fence.text)
    for fence in case.fences:
        if fence.kind == "input" and not fence.name:
            spec.add_input("table", fence.text)
    if not spec.data or spec.data[-1]["name"] != "table":
        spec.data.append({"name": "table"})
    transforms = json.loads(case.text("vega") or "")
    spec.transforms = f"/data/{len(spec.data) - 1}/transform"
    if isinstance(transforms, dict):
        spec.transforms += "/0"
        transforms = [transforms]
    spec.data[-1]["transform"] = transforms
    return spec


def check_case(case: Case) -> None:
    """Checks one case: its findings, the record, and the rows that Vega was seen to make."""
    spec = spec_of(case)
    document = read_document(Source(case.page.name, json.dumps(spec.json())))
    checked = check_document(document, CheckOptions(DataFolders(None), spec.schemas))
    expect("diagnostics", "\n".join(told(checked, spec.transforms)), case.text("diagnostics") or "")
    record = checked.stages[-1].record
    if (types := case.text("types")) is not None:
        expect("types", render_record(record, _ALL_FIELDS), " ".join(types.split()))
    for row in json.loads(case.text("rows") or "[]"):
        assert holds(row, record), f"{row} is no {render_record(record, _ALL_FIELDS)}"
    if (case.text("rows") is not None or case.text("error") is not None) and not spec.schemas:
        check_run(case, spec)


def check_run(case: Case, spec: Spec) -> None:
    """The reference makes the rows that Vega made, or stops as Vega did."""
    result = run_reference(spec.json(), now=0)
    expect("error", "".join(result.errors), case.text("error") or "")
    last = result.datasets[str(spec.data[-1]["name"])]
    if last.rows is not None:
        expected = json.loads(case.text("rows") or "[]")
        found = [encoded(row) for row in last.rows]
        assert same(found, expected), f"rows\nfound:    {json.dumps(found)}\nexpected: {json.dumps(expected)}"
    elif not result.errors:
        assert any(step.reason == f"`{step.type}` runs in the renderer" for step in last.transforms), last.reason


def expect(what: str, found: str, expected: str) -> None:
    """Fails with both texts, so that a page can be mended from the message."""
    assert found == expected, f"{what}\nfound:    {found}\nexpected: {expected}"


def told(checked: Checked, start: str) -> list[str]:
    """The findings as lines; pointers below `start` are written from there."""
    return [
        f"{finding.severity.value}[{finding.code}] {finding.place.pointer.removeprefix(start)}: {finding.message()}"
        for finding in checked.diagnostics
    ]


def holds(value: object, of: Type) -> bool:
    """v : T for a value as the pages write it: {"$date": ms}, {"$num": "NaN"} and {"$undefined": true} stand for themselves."""
    return any(_holds_option(value, option) for option in options_of(of))


def _holds_option(value: object, of: Type) -> bool:
    match of:
        case Unknown():
            return True
        case Record():
            return isinstance(value, dict) and _holds_fields(value, of)
        case Array(element):
            return isinstance(value, list) and all(holds(member, element) for member in value)
        case Literal(literal):
            return value == literal
        case Scalar():
            return of in _kinds(value)
        case _:
            raise AssertionError(of)


def _holds_fields(row: Mapping[str, object], record: Record) -> bool:
    unknown = row.keys() - record.fields.keys()
    return (not unknown or record.open) and all(
        holds(row[name], of) if name in row else name in record.optional for name, of in record.fields.items()
    )


def _kinds(value: object) -> frozenset[Type]:
    """The scalar types that a value may have; Vega's rules promise numbers where a missing input may leave nothing."""
    match value:
        case None:
            return frozenset({NULL, NUMBER, DATE})
        case bool():
            return frozenset({BOOLEAN})
        case int() | float() | {"$num": _}:
            return frozenset({NUMBER})
        case str():
            return frozenset(TEXTS)
        case {"$date": _}:
            return frozenset({DATE})
        case {"$undefined": _}:
            return frozenset({UNDEFINED, NUMBER})
        case _:
            return frozenset()
