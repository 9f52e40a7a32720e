"""The rows of several plans, out of Spark in as few jobs as possible."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.results import rows_of_plan
from sheliak.expressions.values import Row
from sheliak.plan.operators import Plan


def fetch(plans: Mapping[str, Plan], lower: Lower, *, limit: int | None = None) -> dict[str, list[Row]]:
    """The rows of every plan, in their order; with a limit at most one row more than it of each, so that more can be seen.

    A plan that stands under several names is run once.
    """
    most = None if limit is None else limit + 1
    found: dict[int, list[Row]] = {}
    for plan in plans.values():
        if id(plan) not in found:
            found[id(plan)] = rows_of_plan(plan, lower, limit=most)
    return {name: found[id(plan)] for name, plan in plans.items()}
