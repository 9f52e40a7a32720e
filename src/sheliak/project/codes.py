"""Codes as a user writes them: whole, or as a pattern such as `strict-*`."""

from __future__ import annotations

from collections.abc import Iterable


class UnknownCode(Exception):
    """No finding has this code; the text says which similar one exists."""


def matches(code: str, patterns: Iterable[str]) -> bool:
    """The code is among the patterns."""
    return any(_match(code, pattern) for pattern in patterns)


def _match(code: str, pattern: str) -> bool:
    if "*" not in pattern:
        return code == pattern
    from fnmatch import fnmatchcase

    return fnmatchcase(code, pattern)


def require_known(patterns: Iterable[str]) -> None:
    """Raises UnknownCode for a pattern that no code matches: it is misspelt."""
    wanted = list(patterns)
    if not wanted:
        return
    from sheliak.diagnostics.catalogue import all_codes
    from sheliak.diagnostics.suggest import closest

    codes = all_codes()
    for pattern in wanted:
        if not any(_match(code, pattern) for code in codes):
            similar = closest(pattern, codes)
            ending = f"; a similar code exists: {similar}" if similar else "; `sheliak explain` lists the codes"
            raise UnknownCode(f"no finding has the code {pattern!r}{ending}")
