"""Similar names: the likeliest repair of a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate nearest to the name, if it is near: equal but for case or punctuation, or few edits away."""
    best: tuple[int, str] | None = None
    # One letter for another says nothing about a name of one or two letters.
    limit = max(1, len(name) // 3) if len(name) > 2 else 0
    for candidate in candidates:
        if _folded(candidate) == _folded(name):
            return candidate
        distance = _edit_distance(name.casefold(), candidate.casefold(), limit)
        if distance <= limit and (best is None or distance < best[0]):
            best = (distance, candidate)
    return best[1] if best else None


def _folded(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _edit_distance(one: str, other: str, limit: int) -> int:
    """Insertions, deletions, replacements and swaps of neighbours; anything above the limit counts as limit + 1."""
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        current = [i]
        for j, b in enumerate(other, 1):
            cost = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return limit + 1
        before, row = row, current
    return row[-1]


def listed(names: Iterable[str], limit: int = 12) -> str:
    """Names for a sentence: at most `limit`, then how many more."""
    all_names = [f"`{name}`" for name in names]
    shown = ", ".join(all_names[:limit])
    return shown if len(all_names) <= limit else f"{shown} and {len(all_names) - limit} more"
