"""Charts drawn as Altair alone would draw them, and as they are drawn after Spark has computed their data."""

from __future__ import annotations

import altair as alt
import vl_convert

from scenes.pictures import difference
from sheliak.running.pictures import picture_of

VEGA_LITE = ".".join(alt.VEGALITE_VERSION.split(".")[:2])
LAST_DIGIT = 0.0015
"""Pictures hold three digits; a mean that was summed in another order may be rounded to its neighbour."""


def vega_alone(chart: alt.TopLevelMixin) -> dict[str, object]:
    """The Vega of a chart that nobody but Altair has touched, all its rows in it."""
    with alt.data_transformers.disable_max_rows():
        made: dict[str, object] = vl_convert.vegalite_to_vega(chart.to_dict(), vl_version=VEGA_LITE)
    return made


def picture_changed(chart: alt.TopLevelMixin, spec: dict[str, object], zone: str | None = None) -> str | None:
    """Where the picture of a Vega spec differs from that of a chart; None where they are the same.

    Vega draws in the zone of its process, so that it gets one of its own for every zone.
    """
    before = vega_alone(chart)
    if zone is None:
        return difference(vl_convert.vega_to_svg(before), vl_convert.vega_to_svg(spec), slack=LAST_DIGIT)
    one, other = (picture_of(made, "svg", timezone=zone).decode("utf-8") for made in (before, spec))
    return difference(one, other, slack=LAST_DIGIT)
