"""aggregate: one row per group, with the group's keys and one field for each operation."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, renamings, transform, with_names
from sheliak.transforms._operations import AGGREGATES
from sheliak.transforms._operations.measures import measures, parallel, reads_no_field
from sheliak.types.operations import opened
from sheliak.types.shapes import EMPTY_RECORD, Record


@transform("aggregate", generates=True, keeps_input=False)
class Aggregate(Transform):
    """Rows are grouped by `groupby`; without it all rows are one group."""

    groupby: tuple[FieldRef, ...] = param("field", array=True)
    ops: tuple[Name, ...] = param("enum", array=True, options=tuple(AGGREGATES), default=("count",))
    aggregate_params: tuple[Value, ...] = param("number", array=True, nullable=True)
    fields: tuple[FieldRef | None, ...] = param("field", array=True, nullable=True, default=(None,))
    into: tuple[Name | None, ...] = param("string", array=True, nullable=True, vega_name="as")
    drop: Value = param("boolean", default=True)
    cross: Value = param("boolean", default=False)
    key: FieldRef | None = param("field")

    @classmethod
    def passes_over(cls, name: str, index: int, given: Mapping[str, object]) -> bool:
        return reads_no_field(name, index, given, AGGREGATES)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tAgg: T ⊢ kᵢ : Tᵢ and T ⊢ opⱼ(pⱼ) : T'ⱼ give {kᵢ: Tᵢ, fⱼ: T'ⱼ}.

        Beyond the paper: without `ops` Vega counts; a name missing in `as` becomes `<op>_<field>`, or the operation alone
        where there is no field; a nested key `a.b` becomes the flat field `a.b`; min and max keep the field's type; values,
        argmin and argmax yield whole rows; `ops` and `fields` of different lengths stop the run.
        """
        keys = with_names(EMPTY_RECORD, ((key.name, key.of) for key in self.groupby))
        if not parallel(self, checking):
            return opened(keys)
        return with_names(keys, measures(self, datum, datum, AGGREGATES, checking))

    def renamed(self) -> dict[str, str]:
        return renamings((key, key.name) for key in self.groupby)
