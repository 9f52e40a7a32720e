"""What a notebook shows of a chart: the picture it would show without us, or what is wrong.

Altair asks a renderer to show the spec of a chart. Ours stands before that, where the chart itself is known: its shorthands are
there to be quoted, and a chart that Altair cannot convert, because a column is misspelt, never gets to a renderer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sheliak.altair.charts import AltairChart, Converted, converted
from sheliak.altair.checking import report_on, require_sound, run_converted, session_of, with_times
from sheliak.altair.references import guard_transformers
from sheliak.altair.shown import Bundle, bundle_of_failure, bundle_of_outcome, bundle_of_vega
from sheliak.altair.waiting import waiting
from sheliak.engines.failures import RowLimit, RunFailure
from sheliak.loading import DataFolders
from sheliak.project.front_end import NotChecked
from sheliak.project.outcome import Outcome
from sheliak.project.selection import Selection
from sheliak.running.opening import RunOptions, SessionOptions, SpecErrors, own_session

if TYPE_CHECKING:
    from sheliak.engines.spark.passed_on import SparkSession

Method: TypeAlias = "Callable[..., Bundle | None]"
_METHOD = "_repr_mimebundle_"


@dataclass(frozen=True)
class Showing:
    """How charts are shown: where they run, for whose clock, from which files, and how many rows may come."""

    spark: SparkSession | None = None
    row_limit: int | None = None
    timezone: str | None = None
    data_dirs: tuple[str | PathLike[str], ...] = ()

    def session(self) -> SparkSession:
        """The session that was given, else the one that runs already, else our own."""
        return self.spark or running_session() or own_session(SessionOptions())


def running_session() -> SparkSession | None:
    """The session that this process has, if it has one."""
    from sheliak.engines.spark.session import active_session

    return active_session()


_installed: list[tuple[Showing, Method]] = []
"""How charts are shown now, and what showed them before."""


def install(showing: Showing) -> None:
    """Shows every chart of Altair this way."""
    import altair as alt

    uninstall()
    before: Method = getattr(alt.TopLevelMixin, _METHOD)
    _installed.append((showing, before))

    def shown(chart: AltairChart, *given: object, **named: object) -> Bundle | None:
        return bundle_of(chart, showing, lambda: before(chart, *given, **named))

    setattr(alt.TopLevelMixin, _METHOD, shown)
    guard_transformers()


def uninstall() -> None:
    """Shows charts as Altair does."""
    import altair as alt

    while _installed:
        _, before = _installed.pop()
        setattr(alt.TopLevelMixin, _METHOD, before)


def current() -> Showing:
    """How charts are shown now; without `enable`, how they would be run."""
    return _installed[-1][0] if _installed else Showing()


def bundle_of(chart: AltairChart, showing: Showing, by_altair: Callable[[], Bundle | None]) -> Bundle | None:
    """What is shown of a chart; what Altair shows of one that it refuses, or that has no frame to compute anything of."""
    try:
        made = with_times(converted(chart, showing.session))
    except RunFailure as failure:
        return bundle_of_failure(failure)
    except Exception:  # noqa: BLE001 - the chart has no spec; Altair shows why
        return by_altair()
    try:
        return _checked_and_run(made, showing) if made.data else _checked(made, showing, by_altair)
    except SpecErrors as errors:
        return bundle_of_outcome(errors.outcome)
    except NotChecked as problem:
        return bundle_of_failure(RunFailure(str(problem)))
    except RunFailure as failure:
        return bundle_of_failure(in_words_of_notebooks(failure))
    except ValueError:
        if made.refusal is None:
            raise
        return by_altair()


def _checked(made: Converted, showing: Showing, by_altair: Callable[[], Bundle | None]) -> Bundle | None:
    report = report_on(made, DataFolders(Path(), *map(Path, showing.data_dirs)), {}, strict=False)
    require_sound(report, made, Selection())
    _tell_warnings(Outcome(report, Selection().told(report)))
    return by_altair()


def _checked_and_run(made: Converted, showing: Showing) -> Bundle:
    folders = tuple(map(Path, showing.data_dirs))
    report = report_on(made, DataFolders(Path(), *folders), {}, strict=False)
    require_sound(report, made, Selection())
    own = showing.spark or session_of(made)
    with waiting("Sheliak: Spark is starting" if own is None and running_session() is None else "Sheliak: computing on Spark"):
        session = own or showing.session()
        options = RunOptions(data_dirs=folders, timezone=showing.timezone, row_limit=showing.row_limit)
        with run_converted(made, options, lambda: session, is_borrowed=True) as result:
            spec = result.spec
    _tell_warnings(Outcome(report, Selection().told(report)))
    return bundle_of_vega(spec)


def _tell_warnings(outcome: Outcome) -> None:
    """The chart is shown; what may be wrong with it stands before it."""
    from sheliak.rendering.full_text import render_outcome

    for line in render_outcome(outcome):
        print(line, file=sys.stderr)


def in_words_of_notebooks(failure: RunFailure) -> RunFailure:
    """A failure that names a dataset of the compiled Vega and an option of the command line, told to the author of a chart."""
    if not isinstance(failure, RowLimit):
        return failure
    advice = "aggregate, bin, sample or filter in the chart, or raise the limit with sheliak.altair.enable(row_limit=...)"
    return RunFailure(f"the chart has more than {failure.limit:,} rows to draw", help=advice)
