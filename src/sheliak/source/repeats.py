"""Repetitions of groups in regular expressions that never go back."""

from __future__ import annotations

import sys

_IS_RIGHT = sys.version_info >= (3, 11, 5)
"""Before, Python matches possessive repetitions of groups wrongly; atomic groups say the same, and take a little longer."""


def any_number(inner: str) -> str:
    """`inner` as often as it is there, perhaps never."""
    return f"(?:{inner})*+" if _IS_RIGHT else f"(?>(?:{inner})*)"


def some(inner: str) -> str:
    """`inner` as often as it is there, once at least."""
    return f"(?:{inner})++" if _IS_RIGHT else f"(?>(?:{inner})+)"
