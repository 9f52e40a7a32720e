"""joinaggregate: every row gets the measures of its group."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, param, transform, with_names
from sheliak.transforms._operations import AGGREGATES
from sheliak.transforms._operations.measures import measures, parallel, reads_no_field
from sheliak.types.operations import opened
from sheliak.types.shapes import Record


@transform("joinaggregate")
class JoinAggregate(Transform):
    """Rows are grouped as by `aggregate`; none is dropped."""

    groupby: tuple[FieldRef, ...] = param("field", array=True)
    # Vega lists `fields` first; whether one of them is read is known once `ops` is.
    ops: tuple[Name, ...] = param("enum", array=True, options=tuple(AGGREGATES), default=("count",))
    fields: tuple[FieldRef | None, ...] = param("field", array=True, nullable=True, default=(None,))
    into: tuple[Name | None, ...] = param("string", array=True, nullable=True, vega_name="as")
    key: FieldRef | None = param("field")

    @classmethod
    def passes_over(cls, name: str, index: int, given: Mapping[str, object]) -> bool:
        return reads_no_field(name, index, given, AGGREGATES)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tJoinAgg: T ⊢ opⱼ(pⱼ) : T'ⱼ gives T ∪ {fⱼ: T'ⱼ}.

        Beyond the paper: names and results are those of `aggregate`; a key that is nested, renamed or computed is written
        too, under its flat name. The rows in values, argmin and argmax are the ones being extended, so they are open.
        """
        keys = with_names(datum, ((key.name, key.of) for key in self.groupby if not key.is_column))
        if not parallel(self, checking):
            return opened(keys)
        return with_names(keys, measures(self, datum, opened(datum), AGGREGATES, checking))
