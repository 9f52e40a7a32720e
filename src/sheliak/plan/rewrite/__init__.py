"""Rewrites of plans: each gives plans with the same rows in the same order, cheaper to run. They are applied in the order of REWRITES."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from sheliak.plan.known_texts import KnownTexts, unknown
from sheliak.plan.operators import Plan
from sheliak.plan.rewrite.following_keys import following_keys
from sheliak.plan.rewrite.fused_groups import fused_groups
from sheliak.plan.rewrite.fused_projections import fused_projections
from sheliak.plan.rewrite.kept_stops import kept_stops
from sheliak.plan.rewrite.known_codes import Spans
from sheliak.plan.rewrite.known_numbers import known_numbers
from sheliak.plan.rewrite.own_keys import own_keys
from sheliak.plan.rewrite.plain_tests import plain_tests
from sheliak.plan.rewrite.pruned_columns import pruned_columns
from sheliak.plan.rewrite.pushed_filters import pushed_filters
from sheliak.plan.rewrite.separate_keys import separate_keys
from sheliak.plan.rewrite.whole_keys import whole_keys

Rewrite: TypeAlias = Callable[[Sequence[Plan]], list[Plan]]

REWRITES: tuple[Rewrite, ...] = (
    kept_stops,
    plain_tests,
    pushed_filters,
    own_keys,
    fused_projections,
    fused_groups,
    known_numbers,
    following_keys,
    whole_keys,
    fused_projections,
    pruned_columns,
)


def rewritten(
    plans: Sequence[Plan], *, with_all_keys: bool = False, texts: KnownTexts = unknown, spans: Spans = unknown
) -> list[Plan]:
    """The plans after all rewrites; what several plans share stays shared.

    `with_all_keys`: groups are told by their keys, none is left out; `texts`: columns of which every text is known; `spans`: those of which
    the least and the greatest number is.
    """
    result = list(plans) if texts is unknown and spans is unknown else separate_keys(plans, texts, spans)
    for rewrite in REWRITES:
        if rewrite is whole_keys:
            result = whole_keys(result, texts)
        elif rewrite is not following_keys or not with_all_keys:
            result = rewrite(result)
    return result
