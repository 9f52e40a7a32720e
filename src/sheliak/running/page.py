"""A chart as one HTML file that needs nothing else: Vega itself, the spec, and a policy that keeps the page from the network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from html import escape

from sheliak.engines.failures import RunFailure
from sheliak.running.plain_rows import json_text

# The interpreter of expressions instead of `Function`: the text of a spec is never run as a program.
_DRAW = """
const spec = JSON.parse(document.getElementById("spec").textContent);
vegaEmbed("#chart", spec, {mode: "vega", ast: true, actions: {export: true, source: false, compiled: false, editor: false}})
  .catch(problem => { document.getElementById("chart").textContent = String(problem); });
"""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
</head>
<body>
<div id="chart"></div>
<script type="application/json" id="spec">{spec}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def page_of(spec: Mapping[str, object], hosts: Iterable[str] = ()) -> str:
    """The page of a spec; what is left to load may come from these hosts only."""
    description = spec.get("description")
    title = description if isinstance(description, str) else "Chart"
    return _PAGE.format(
        policy=escape(_policy(hosts)),
        title=escape(title.encode("utf-8", "replace").decode()),
        spec=inside_script(json_text(spec)),
        script=_script(),
    )


def inside_script(json: str) -> str:
    """JSON that cannot end the element it stands in, nor open a comment there: it has no `<` outside of texts."""
    return json.replace("<", "\\u003c")


def _policy(hosts: Iterable[str]) -> str:
    allowed = " ".join(f"https://{host} http://{host}" for host in hosts)
    loaded = allowed or "'none'"
    return (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; font-src data:; "
        f"img-src data: blob: {allowed}; connect-src {loaded}"
    )


@cache
def _script() -> str:
    """Vega and everything it needs; it takes two seconds to put together, once per process."""
    try:
        import vl_convert
    except ImportError as error:
        raise RunFailure("a page holds Vega itself, which is not installed: pip install 'sheliak[charts]'") from error
    bundle: str = vl_convert.javascript_bundle(_DRAW)
    # In a program the escaped form means the same in texts, which is where these two can stand.
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")
