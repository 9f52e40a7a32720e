"""Mime bundles: a chart for the renderer that the author chose in Altair, and what is said in a chart's place."""

from __future__ import annotations

import uuid
from html import escape
from typing import TypeAlias

from sheliak.engines.failures import RunFailure
from sheliak.project.outcome import Outcome
from sheliak.running.pictures import picture_of

Bundle: TypeAlias = "dict[str, object] | tuple[dict[str, object], dict[str, object]]"

_MIME_TYPES = ("application/vnd.vega.v6+json", "application/vnd.vega.v5+json")
_BY_MIME_TYPE = frozenset({"mimetype", "jupyterlab", "nteract"})
_NAME = "<chart, computed by Sheliak on Spark>"


def bundle_of_vega(spec: dict[str, object]) -> Bundle:
    """A Vega spec as the active renderer of Altair would show the chart; as a page where that renderer knows no Vega."""
    import altair as alt

    active, options = alt.renderers.active, dict(alt.renderers.options)
    embedding = options.get("embed_options") or {}
    if active in _BY_MIME_TYPE:
        return dict.fromkeys(_MIME_TYPES, spec) | {"text/plain": _NAME}, dict.fromkeys(_MIME_TYPES, embedding)
    if active == "json":
        return {"application/json": spec, "text/plain": _NAME}
    if active == "svg":
        return {"image/svg+xml": picture_of(spec, "svg").decode("utf-8")}
    if active == "png":
        return {"image/png": picture_of(spec, "png")}
    return {"text/html": page_of(spec, embedding), "text/plain": _NAME}


def page_of(spec: dict[str, object], embedding: dict[str, object]) -> str:
    """The piece of a page that Altair's own renderers write, with Vega in the place of Vega-Lite."""
    import altair as alt
    from altair.utils.html import spec_to_html

    return str(
        spec_to_html(
            spec,
            mode="vega",
            vega_version=alt.VEGA_VERSION,
            vegaembed_version=alt.VEGAEMBED_VERSION,
            vegalite_version=alt.VEGALITE_VERSION,
            embed_options={**embedding, "mode": "vega"},
            output_div=f"altair-viz-{uuid.uuid4().hex}",
            template="universal",
            json_kwds={"separators": (",", ":")},
        )
    )


def bundle_of_outcome(outcome: Outcome) -> Bundle:
    """The findings about a chart, in its place."""
    from sheliak.rendering.full_text import render_outcome as text_of
    from sheliak.rendering.html import render_outcome as page_of_outcome

    return {"text/html": page_of_outcome(outcome), "text/plain": "\n".join(text_of(outcome))}


def bundle_of_failure(failure: RunFailure) -> Bundle:
    """Why there is no chart, in its place."""
    lines = [f"error: {failure}", *([f"help: {failure.help}"] if failure.help else [])]
    first, *rest = (escape(line) for line in lines)
    shown = "\n".join([f'<span style="color: #d73a49; font-weight: bold">{first}</span>', *rest])
    return {
        "text/html": f'<pre class="sheliak-report" style="white-space: pre-wrap">{shown}</pre>',
        "text/plain": "\n".join(lines),
    }
