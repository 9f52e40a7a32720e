"""Text of a spec inside of markup."""

from __future__ import annotations

from html import escape


def escaped(text: str) -> str:
    """Text that can end neither an element nor an attribute. It must be visible already: markup has no form for the rest."""
    return escape(text, quote=True)
