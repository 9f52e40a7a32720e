"""Which findings of a spec are behind a message of Vega.

A message about the extent of a field is walked back: from the scales that read the field to the step that wrote it, to the
fields which that step read, and to every step that its rows passed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sheliak.checker.report import Finding, Report
from sheliak.checker.session import Stage
from sheliak.diagnostics.registry import Severity
from sheliak.explaining.vega_messages import Recognised
from sheliak.source.tree import Node
from sheliak.types.shapes import Record

_FIELD_OF_DATUM = re.compile(r"""\bdatum\.([\w$]+)|\bdatum\[\s*(["'])(.+?)\2\s*\]""")


class Cause(NamedTuple):
    """Findings that explain a message, and how they do: empty where the connection is plain."""

    findings: tuple[Finding, ...]
    connection: str = ""
    certain: bool = True


def find_cause(recognised: Recognised | None, report: Report) -> Cause:
    """The findings behind a message; without a connection, everything that is wrong with the spec."""
    found = report.diagnostics
    cause = _cause(recognised, report) if recognised is not None else None
    if cause is not None:
        return cause
    errors = tuple(finding for finding in found if finding.severity is Severity.ERROR)
    return Cause(errors or found, "", certain=False)


def _cause(recognised: Recognised, report: Report) -> Cause | None:
    fitting = [finding for finding in report.diagnostics if finding.code in recognised.message.codes]
    if recognised.name is not None:
        naming = tuple(finding for finding in fitting if _speaks_of(finding, report, recognised.name))
        if naming:
            return Cause(naming)
        if recognised.is_about_extent:
            return _cause_of_extent(recognised.name, report)
    return Cause(tuple(fitting)) if fitting else None


def _speaks_of(finding: Finding, report: Report, name: str) -> bool:
    """The message names it, or it is the text at fault."""
    span = finding.location.span
    return f"`{name}`" in finding.message or report.source.text[span.start : span.end].strip("\"'") == name


def _cause_of_extent(field: str, report: Report) -> Cause | None:
    """What is wrong with the steps that wrote the field; else with any step that the rows of a reader passed."""
    tracing = _Tracing(report)
    written = tracing.findings_at(tracing.writers(field))
    if written:
        return Cause(written, f"`{field}` is computed from what is wrong here.")
    passed = tracing.findings_at(tracing.steps_before_readers(field))
    if passed:
        return Cause(passed, f"The rows whose `{field}` is read pass the place that is wrong here.")
    return None


class _Tracing:
    """The steps of the datasets of a spec, and who reads what."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._root: Node = report.checked.document.root
        self._stages: tuple[Stage, ...] = report.checked.stages

    def findings_at(self, pointers: Iterable[str]) -> tuple[Finding, ...]:
        """The findings inside the values at some pointers."""
        places = set(pointers)
        return tuple(finding for finding in self._report.diagnostics if any(_is_inside(finding.pointer, at) for at in places))

    def writers(self, field: str) -> Iterator[str]:
        """The steps that wrote the field, the fields that those read, and so on."""
        seen: set[str] = set()
        waiting = [field]
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for stage in self._stages:
                if stage.step != "source" and _wrote(stage.record, name):
                    yield stage.place.pointer
                    waiting.extend(self._fields_read(stage))

    def _fields_read(self, stage: Stage) -> Iterator[str]:
        before = stage.record.lineage.before if stage.record.lineage is not None else None
        node = self._root.descend(*stage.place.path)
        for text in _texts(node.value if node is not None else None):
            if before is not None and text in before.fields:
                yield text
            for found in _FIELD_OF_DATUM.finditer(text):
                yield found[1] or found[3]

    def steps_before_readers(self, field: str) -> Iterator[str]:
        """Every step of the datasets whose field a scale or an extent reads."""
        for dataset in self._datasets_read(field):
            for stage in self._stages:
                if stage.dataset == dataset:
                    yield from _steps(stage.record)
                    if stage.step != "source":
                        yield stage.place.pointer

    def _datasets_read(self, field: str) -> set[str]:
        datasets = {stage.dataset for stage in self._stages if _reads(self._root.descend(*stage.place.path), field)}
        for value in _objects(self._root.value):
            if isinstance(value.get("data"), str) and field in (value.get("field"), *_listed(value.get("fields"))):
                datasets.add(str(value["data"]))
        return datasets


def _wrote(record: Record, name: str) -> bool:
    return record.lineage is not None and name in record.lineage.added


def _reads(node: Node | None, field: str) -> bool:
    return node is not None and isinstance(node.value, dict) and node.value.get("field") == field


def _steps(record: Record) -> Iterator[str]:
    """The places of the steps that made a record."""
    step = record.lineage
    while step is not None:
        # The place of a source is the whole dataset, or its values: everything inside would count.
        if step.place is not None and "transform" in step.place.path:
            yield step.place.pointer
        step = step.before.lineage if step.before is not None else None


def _is_inside(pointer: str, outer: str) -> bool:
    return pointer == outer or pointer.startswith(f"{outer}/")


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _objects(value: object) -> Iterator[dict[str, object]]:
    """Every object of a spec; the rows of the data are not looked at."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield value
            waiting.extend(member for key, member in value.items() if key != "values")
        elif isinstance(value, list):
            waiting.extend(value)


def _texts(value: object) -> Iterator[str]:
    """Every text inside a value."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
