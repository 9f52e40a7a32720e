"""A chart's plan for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sheliak.rendering.paint import Paint, plain
from sheliak.rendering.visible import visible

if TYPE_CHECKING:
    from sheliak.engines.protocol import TransformRun
    from sheliak.engines.spark.chart_report import DatasetReport, RunReport, SentRows, SourceReport

_ROLES = {"spark": "good", "driver": "warning", "renderer": "hint"}
_MOST_NAMES = 12


class Plan:
    """What runs where, and why. `str` and a notebook show it; `to_dict` is for programs."""

    def __init__(self, report: RunReport) -> None:
        self.report = report

    def __str__(self) -> str:
        return "\n".join(lines_of(self.report))

    def __repr__(self) -> str:
        return f"<sheliak.Plan of {len(self.report.datasets)} datasets, {self.report.scans} scans>"

    def _repr_pretty_(self, printer: object, cycle: bool) -> None:
        write = getattr(printer, "text", None)
        if write is not None:
            write(str(self))

    def to_dict(self) -> dict[str, object]:
        """The plan as JSON."""
        return as_object(self.report)


def lines_of(report: RunReport, paint: Paint = plain) -> Iterator[str]:
    """The datasets, the sources, the signals."""
    for dataset in report.datasets:
        yield from _dataset(dataset, paint)
    if not report.datasets:
        yield "the spec has no datasets"
    if report.sources:
        yield paint("title", "sources")
        yield from (_source(source, paint) for source in report.sources)
    yield from _signals(report, paint)


def _dataset(dataset: DatasetReport, paint: Paint) -> Iterator[str]:
    run = dataset.run
    yield paint("title", visible(run.name)) + "  " + paint(_ROLES[run.engine], run.engine) + _because(run.reason, paint)
    width = max((len(step.type) for step in run.transforms), default=0)
    for step in run.transforms:
        yield "  " + _transform(step, width, paint)
    yield "  " + _reach(dataset, paint)


def _transform(step: TransformRun, width: int, paint: Paint) -> str:
    return f"{step.type:{width}}  " + paint(_ROLES[step.engine], step.engine) + _because(step.reason, paint)


def _because(reason: str | None, paint: Paint) -> str:
    return paint("faint", f": {visible(reason)}") if reason else ""


def _reach(dataset: DatasetReport, paint: Paint) -> str:
    if dataset.sent is not None:
        return "→ renderer: " + _sent(dataset.sent)
    if dataset.in_spec:
        return "→ renderer: as the spec has it"
    return paint("faint", "nothing of it reaches the renderer")


def _sent(sent: SentRows) -> str:
    count = f"{sent.rows:,} " if sent.rows is not None and sent.what == "rows" else ""
    left = f", which runs {', '.join(sent.left)}" if sent.left else ""
    return f"{count}{sent.what} of {_names(sent.fields)}{left}" if sent.fields else f"{count}{sent.what}{left}"


def _names(names: tuple[str, ...]) -> str:
    shown = ", ".join(visible(name) for name in names[:_MOST_NAMES])
    return f"{shown} and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else shown


def _source(source: SourceReport, paint: Paint) -> str:
    where = "in memory" if source.in_memory else _times(source.scans)
    part = f"{len(source.columns)} of {source.all_columns} columns"
    names = f": {_names(source.columns)}" if source.columns else ""
    return f"  {visible(source.name)}  {where}, {part}" + paint("faint", names)


def _times(scans: int) -> str:
    return "1 scan" if scans == 1 else f"{scans} scans"


def _signals(report: RunReport, paint: Paint) -> Iterator[str]:
    fixed = {name: datasets for name, datasets in report.interactive.items() if datasets}
    kept = [name for name in report.interactive if name not in fixed]
    if fixed:
        yield paint("title", "signals at their initial value")
        yield from (f"  {visible(name)}  in {', '.join(map(visible, datasets))}" for name, datasets in fixed.items())
    if kept:
        yield paint("title", "signals that stay interactive")
        yield f"  {', '.join(map(visible, kept))}"


def as_object(report: RunReport) -> dict[str, object]:
    """The plan as JSON."""
    return {
        "datasets": [_dataset_object(dataset) for dataset in report.datasets],
        "sources": [
            {
                "dataset": source.name,
                "columns": list(source.columns),
                "columnsInAll": source.all_columns,
                "scans": source.scans,
                "inMemory": source.in_memory,
            }
            for source in report.sources
        ],
        "scans": report.scans,
        "signals": [
            {"signal": name, "interactive": not datasets, "fixedIn": list(datasets)}
            for name, datasets in report.interactive.items()
        ],
    }


def _dataset_object(dataset: DatasetReport) -> dict[str, object]:
    run, sent = dataset.run, dataset.sent
    return {
        "dataset": run.name,
        "engine": run.engine,
        "reason": run.reason,
        "transforms": [{"type": step.type, "engine": step.engine, "reason": step.reason} for step in run.transforms],
        "renderer": None
        if sent is None
        else {"what": sent.what, "fields": list(sent.fields), "transforms": list(sent.left), "rows": sent.rows},
    }
