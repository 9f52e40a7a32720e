"""The base of findings, under the name that says what a subclass is."""

from sheliak.diagnostics.registry import Diagnostic as Finding

__all__ = ["Finding"]
