"""A report for a notebook: the full text in colours, with everything that comes from the spec escaped."""

from __future__ import annotations

from sheliak.project.outcome import Outcome
from sheliak.rendering.full_text import render_outcome as render_text
from sheliak.rendering.summary import Tally, summary

# Colours that can be read on light and on dark pages.
_COLOURS = {
    "error": "#d73a49",
    "warning": "#b08800",
    "hint": "#1b7c83",
    "gutter": "#6e7781",
    "secondary": "#0969da",
    "help": "#1a7f37",
    "name": "#1b7c83",
    "good": "#1a7f37",
    "faint": "#6e7781",
}
_BOLD = frozenset({"error", "warning", "hint", "title", "help"})


def render_outcome(outcome: Outcome) -> str:
    """One element that stands on its own: no style sheet, no script."""
    tally = Tally()
    lines = [line for one in tally.counting([outcome]) for line in render_text(one, painted)]
    lines.append(summary(tally, painted, told_all=True, can_fix=False))
    style = "overflow-x: auto; line-height: 1.35; padding: 0.6em 0; margin: 0; background: transparent"
    return f'<pre class="sheliak-report" style="{style}">' + "\n".join(lines) + "</pre>"


def painted(role: str, text: str) -> str:
    """The text escaped, in the look of its role."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    style = (f"color: {_COLOURS[role]};" if role in _COLOURS else "") + ("font-weight: bold" if role in _BOLD else "")
    return f'<span style="{style}">{escaped}</span>' if style else escaped
