"""Plans over the rows whose keys are touched, as they were and as they are: for windows, medians, curves and other work on groups.

The keys of the rows that change are computed first; then the plan runs over all rows that have one of them, before the step and after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sheliak.engines.spark.arrow_in import frame_of_arrow
from sheliak.engines.spark.expressions import prepared
from sheliak.engines.spark.fetch import collected_together
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.live.forms import ByKey
from sheliak.engines.spark.live.large_sources import scan_like
from sheliak.engines.spark.live.restricted import with_scans
from sheliak.engines.spark.live.source_table import SourceTable
from sheliak.engines.spark.lower import Lower
from sheliak.plan.column_types import Plain
from sheliak.plan.expressions import PlanExpression
from sheliak.plan.operators import Plan, Scan, Source
from sheliak.plan.planning import Planning

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

KEY = "key text"


@dataclass(slots=True)
class KeyedLower(Lower):
    """Lowers a plan over those rows of a plan below that have one of some keys."""

    below: Plan | None = None
    keys: tuple[PlanExpression, ...] = ()
    texts: DataFrame | None = None
    narrowed: dict[tuple[bool, bool], DataFrame] = field(default_factory=dict)

    def frame(self, plan: Plan, *, position: bool = False, arrival: bool = False) -> DataFrame:
        frame = Lower.frame(self, plan, position=position, arrival=arrival)
        if plan is not self.below or self.texts is None:
            return frame
        if (position, arrival) not in self.narrowed:
            keyed = with_key_text(frame, self.keys)
            chosen = keyed.join(F.broadcast(self.texts), KEY, "left_semi")
            self.narrowed[position, arrival] = chosen.select(*frame.columns)
        return self.narrowed[position, arrival]


def with_key_text(frame: DataFrame, keys: Sequence[PlanExpression]) -> DataFrame:
    """The rows with their keys as one text, equal where the keys are."""
    ready, lowering = prepared(frame, keys)
    parts = []
    for index, key in enumerate(keys):
        column = lowering.column(key)
        # Spark takes 0 and -0 for one key, but writes them as two.
        is_number = isinstance(key.of, Plain) and key.of.kind in ("number", "date")
        parts.append((column + F.lit(0.0) if is_number else column).alias(f"k{index}"))
    text = F.to_json(F.struct(*parts), {"ignoreNullFields": "false"})
    return ready.select(*frame.columns, text.alias(KEY))


@dataclass(frozen=True, slots=True)
class Moved:
    """A plan over the sources of one moment."""

    plan: Plan
    below: Plan
    sources: Mapping[str, Source]


def moved(form: ByKey, scans: Mapping[str, Scan], tables: Mapping[str, SourceTable], planning: Planning, lower: Lower) -> Moved:
    """The plan with the rows that the sources have at a moment."""
    other = {id(scan.source): scan_like(scan, tables[name], planning, lower) for name, scan in scans.items()}
    below = with_scans(form.below, other)
    plan = _replaced(form.plan, form.below, below)
    return Moved(plan, below, {name: other[id(scan.source)].source for name, scan in scans.items()})


def _replaced(plan: Plan, old: Plan, new: Plan) -> Plan:
    from sheliak.engines.spark.fetch import Replacing

    return Replacing({id(old): new})(plan)


def tables_of_keys(
    form: ByKey,
    texts: Sequence[str],
    scans: Mapping[str, Scan],
    moments: Sequence[Mapping[str, SourceTable]],
    planning: Planning,
    plain: Lower,
    limit: int,
) -> list[tuple[pa.Table, Moved]]:
    """What the plan makes of the rows with touched keys, at each moment; at most one row more than the limit."""
    import pyarrow as pa

    wanted = frame_of_arrow(plain.session, pa.table({KEY: pa.array(texts, pa.string())}))
    found, frames = [], []
    for tables in moments:
        one = moved(form, scans, tables, planning, plain)
        lower = KeyedLower(plain.session, plain.sources, traced=True, below=one.below, keys=form.keys, texts=wanted)
        found.append(one)
        frames.append(lower.frame(one.plan, position=True).limit(limit + 1))
    return list(zip(collected_together(frames), found, strict=True))
