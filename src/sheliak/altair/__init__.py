"""Charts of Altair: checked when they are displayed, their data computed on Spark.

    import altair as alt
    import sheliak

    sheliak.altair.enable()                        # or enable(spark)
    trips = sheliak.data(spark.table("trips"))     # what Altair accepts for a frame of Spark
    alt.Chart(trips).mark_bar().encode(alt.X("distance", bin=True), y="count()")

The notebook shows the chart that Altair alone would show; a mistake is told in its place, in the words of the chart's code.
`sheliak.check(chart)` and `sheliak.run(chart)` take the same charts without a notebook.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from sheliak.engines.spark.passed_on import SparkSession

__all__ = ["disable", "enable"]


def enable(
    spark: SparkSession | None = None,
    *,
    row_limit: int | None = None,
    timezone: str | None = None,
    data_dir: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
) -> None:
    """From now on, charts of Altair are checked when they are displayed, and frames under them are computed on Spark.

    `spark` is the session for pandas, polars and Arrow; without one, that of the chart's own frame of Spark, else the one that
    runs already, else one on this machine, started when it is first needed. `row_limit` is the most rows of a dataset that go to
    the notebook, `timezone` the zone of those who look at the chart, `data_dir` a folder whose files charts may name.
    """
    from sheliak.altair.display import Showing, install
    from sheliak.altair.recognise import require_altair

    require_altair()
    folders = () if data_dir is None else (data_dir,) if not isinstance(data_dir, list | tuple) else tuple(data_dir)
    install(Showing(spark, row_limit, timezone, folders))


def disable() -> None:
    """From now on, charts are displayed as Altair does by itself."""
    from sheliak.altair.display import uninstall

    uninstall()
