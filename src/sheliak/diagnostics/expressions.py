"""Findings about expressions: text that does not parse, calls that cannot be made, operands that JavaScript cannot use."""

from __future__ import annotations

from dataclasses import dataclass

from sheliak.diagnostics.registry import Diagnostic, diagnostic


@dataclass(frozen=True, slots=True, kw_only=True)
class _Syntax(Diagnostic):
    problem: str
    """What is wrong, as one sentence without its full stop."""

    def message(self) -> str:
        return self.problem


@diagnostic("expression-syntax", "an expression that Vega cannot read")
@dataclass(frozen=True, slots=True, kw_only=True)
class ExpressionSyntax(_Syntax):
    """The text of an expression does not follow Vega's grammar."""


@diagnostic("selector-syntax", "an event selector that Vega cannot read")
@dataclass(frozen=True, slots=True, kw_only=True)
class SelectorSyntax(_Syntax):
    """The text of an event selector does not follow Vega's grammar."""
