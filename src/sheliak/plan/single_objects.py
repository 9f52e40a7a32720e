"""Where an object stands in one place alone: in one field of one row, so that it is told from all others even after it was copied.

Rows that leave Spark are copies, and so is all that they hold. An object that Vega has in several rows, or fields, would be several objects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import assert_never

from sheliak.expressions.values import Date, Row
from sheliak.plan.column_types import has_identity
from sheliak.plan.expressions import Constant, PlanExpression, Read, parts_of
from sheliak.plan.operators import (
    Cross,
    Fresh,
    Generate,
    Group,
    Join,
    Keep,
    PerGroup,
    Plan,
    Project,
    Sample,
    Scan,
    Sort,
    Unfold,
    Union,
    Window,
)


def are_single(plan: Plan) -> bool:
    """No date, list or object of a plan's rows stands in two places; False where that is not known."""
    if not any(has_identity(field.of) for field in plan.schema.fields):
        return True
    match plan:
        case Scan(source):
            return source.rows is None or _are_single_rows(source.rows)
        case Keep(upstream) | Sort(upstream) | Fresh(upstream) | Sample(upstream):
            return are_single(upstream)
        case Project(upstream, outputs):
            return are_single(upstream) and _are_moved([output.value for output in outputs])
        case Unfold(upstream, element=element):
            others = [field for field in plan.schema.fields if field.column != element.column]
            return are_single(upstream) and not any(has_identity(field.of) for field in others)
        case Group(upstream):
            # A least and a greatest may be one date; of a single one, no two groups have the same.
            return are_single(upstream) and sum(has_identity(field.of) for field in plan.schema.fields) == 1
        case Window(upstream) | PerGroup(upstream) | Join(upstream):
            known = {field.column for field in upstream.schema.fields}
            added = [field for field in plan.schema.fields if field.column not in known]
            return are_single(upstream) and not any(has_identity(field.of) for field in added)
        case Union(parts):
            return all(are_single(upstream) and _are_moved(values) for upstream, values in parts)
        case Cross():
            return False
        case Generate():
            return True
        case _:
            assert_never(plan)


def _are_moved(values: Iterable[PlanExpression]) -> bool:
    """Each object goes to one place at most, and none is the same for all rows."""
    given = [value for value in values if has_identity(value.of)]
    taken = Counter(
        part.column for value in given for part in parts_of(value) if isinstance(part, Read) and has_identity(part.of)
    )
    shared = any(isinstance(part, Constant) and has_identity(part.of) for value in given for part in parts_of(value))
    return not shared and all(times == 1 for times in taken.values())


def _are_single_rows(rows: Iterable[Row]) -> bool:
    held = [id(value) for row in rows for value in row.values() if isinstance(value, dict | list | Date)]
    return len(set(held)) == len(held)
