"""Findings about the language of a spec: what was not checked, and why."""

from __future__ import annotations

from sheliak.diagnostics.registry import Diagnostic, Severity, diagnostic


@diagnostic("vega-lite-not-checked", "a Vega-Lite spec that was not looked at", Severity.HINT)
class VegaLiteNotChecked(Diagnostic):
    """The spec is Vega-Lite, which is compiled to Vega before it can be checked."""

    def message(self) -> str:
        return "this is a Vega-Lite spec: it was not checked"

    def help(self) -> str | None:
        return "compile it to Vega and check the result: `vl2vg chart.vl.json chart.vg.json`"
