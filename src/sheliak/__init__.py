"""Sheliak: finds the mistakes of a Vega chart before it is drawn, and runs its data pipeline on Spark.

    import sheliak

    report = sheliak.check("chart.vg.json")      # or the spec as a dict, its JSON text, an Altair chart
    report.ok                                    # no errors
    for finding in report.diagnostics: ...
    print(report)                                # as `sheliak check` shows it; in a notebook, HTML
    sheliak.shapes("chart.vg.json")["totals"]    # the fields of a dataset
    print(sheliak.explain("unknown-field"))

Importing this module imports nothing else of Sheliak: each function loads what it needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from sheliak.api import Chart, Report, Schema
    from sheliak.explaining.shapes import DatasetShape

__version__ = "0.1.0"
__all__ = ["__version__", "check", "explain", "shapes"]


def check(
    spec: Mapping[str, object] | str | PathLike[str] | Chart,
    *,
    schemas: Mapping[str, Schema] | None = None,
    data_dir: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    strict: bool = False,
) -> Report:
    """Finds the mistakes of a spec: a dict, JSON text, the path of a file, or a chart with `to_dict`, such as Altair's.

    `schemas` gives the columns of datasets that are not at hand: a file, a JSON Schema, or a pyarrow schema. `data_dir` names
    folders whose files the spec may use. Raises OSError when a file cannot be read, ValueError for a schema that cannot be used.
    """
    from sheliak.api import check_spec

    return check_spec(spec, schemas or {}, data_dir, strict)


def shapes(
    spec: Mapping[str, object] | str | PathLike[str] | Chart,
    *,
    schemas: Mapping[str, Schema] | None = None,
    data_dir: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
) -> Mapping[str, DatasetShape]:
    """The shape of every dataset of a spec, by its name: its fields, and what each of its steps adds and drops."""
    return check(spec, schemas=schemas, data_dir=data_dir).shapes


def explain(code: str) -> str:
    """What a finding means, as Markdown; ValueError when no finding has this code."""
    from sheliak.diagnostics.catalogue import all_codes, page
    from sheliak.diagnostics.suggest import closest

    if code not in all_codes():
        similar = closest(code, all_codes())
        raise ValueError(f"no finding has the code {code!r}" + (f"; a similar code exists: {similar}" if similar else ""))
    return page(code)
