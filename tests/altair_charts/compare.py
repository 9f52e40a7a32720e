"""Draws every chart of the gallery twice, by Altair alone and with its data computed on Spark, and compares the pictures.

    python -m altair_charts.compare [--only NAME] [--zone America/New_York] [--vega-home DIR]

The pictures are drawn by the Vega of vl-convert, or by the one of npm in node with `--vega-home`. The exit code is 1 if one differs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import altair as alt
from pyspark.sql import SparkSession

import sheliak
from altair_charts.gallery import GALLERY
from altair_charts.pictures import LAST_DIGIT, picture_changed, vega_alone
from reference.oracle import NOW
from scenes.pictures import Painter, difference
from sheliak.engines.spark.session import end_session, local_session


def computed(chart: alt.TopLevelMixin, session: SparkSession, zone: str | None) -> dict[str, object]:
    with sheliak.run(chart, spark=session, timezone=zone) as result:
        return result.spec


def changed_in_node(chart: alt.TopLevelMixin, spec: dict[str, object], painter: Painter) -> str | None:
    one, other = painter.draw(vega_alone(chart)), painter.draw(spec)
    if "svg" not in one or "svg" not in other:
        return f"Vega cannot draw it: {one.get('error') or other.get('error')}"
    return difference(str(one["svg"]), str(other["svg"]), slack=LAST_DIGIT)


def compare(names: list[str], session: SparkSession, zone: str | None, painter: Painter | None) -> int:
    """How many pictures differ; each is told."""
    differing = 0
    for name in names:
        chart = GALLERY[name]()
        spec = computed(chart, session, zone)
        found = picture_changed(chart, spec, zone) if painter is None else changed_in_node(chart, spec, painter)
        differing += found is not None
        print(f"{name}: {found or 'same'}", flush=True)
    return differing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=GALLERY)
    parser.add_argument("--zone")
    parser.add_argument("--vega-home", type=Path)
    given = parser.parse_args()
    session = local_session("altair", shuffle_partitions=1)
    names = [given.only] if given.only else list(GALLERY)
    try:
        if given.vega_home is None:
            differing = compare(names, session, given.zone, None)
        else:
            with Painter(given.vega_home, Path(), NOW) as painter:
                differing = compare(names, session, given.zone, painter)
    finally:
        end_session(session)
    print(f"{len(names)} charts, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
