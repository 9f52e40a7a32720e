"""A chart as a picture, drawn by Vega in a process of its own that has a time limit and no network."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping

from sheliak.engines.failures import RunFailure

PICTURES = ("svg", "png", "pdf")
TIME_LIMIT = 120.0
_REFUSED = re.compile(r"External data url not allowed: (\S+)")
_HEADLINE = re.compile(r"(?:Vega to SVG conversion failed:\s*)?(?:Error: )?(.*)", re.DOTALL)


def can_draw() -> bool:
    """The package that draws is installed."""
    return importlib.util.find_spec("vl_convert") is not None


def picture_of(
    spec: Mapping[str, object],
    kind: str,
    hosts: Iterable[str] = (),
    timezone: str | None = None,
    *,
    seconds: float = TIME_LIMIT,
) -> bytes:
    """The picture of a spec in a time zone; what is left to load may come from these hosts only. Raises RunFailure."""
    if not can_draw():
        raise RunFailure("pictures are drawn by a package that is not installed: pip install 'sheliak[charts]'")
    command = [sys.executable, "-m", "sheliak.running.draw", kind, *hosts]
    # A lone surrogate, which has no bytes, is drawn as a question mark.
    text = json.dumps(spec, ensure_ascii=False).encode("utf-8", "replace")
    around = {**os.environ, "TZ": timezone} if timezone is not None else None
    try:
        ended = subprocess.run(command, input=text, capture_output=True, timeout=seconds, check=False, env=around)
    except subprocess.TimeoutExpired as problem:
        raise RunFailure(f"Vega did not draw the chart within {seconds:.0f} seconds") from problem
    if ended.returncode != 0:
        raise _failure(ended.stderr.decode("utf-8", "replace"))
    return ended.stdout


def _failure(said: str) -> RunFailure:
    refused = _REFUSED.search(said)
    if refused:
        return RunFailure(
            f"the chart still loads {refused[1]} when it is drawn, and a picture may not",
            help="allow the host with --allow-host, or give the data with --data or --data-dir",
            details=said,
        )
    lines = [line for line in said.strip().splitlines() if line.strip()]
    text = next((line for line in lines if "conversion failed" not in line), "it ended without a word")
    headline = _HEADLINE.match(text)
    return RunFailure(f"Vega cannot draw the chart: {headline[1] if headline else text}", details=said)
