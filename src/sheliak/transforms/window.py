"""window: every row gets values computed over the rows around it in a sorted partition."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.diagnostics.parameters import MissingParameter, WrongKind
from sheliak.transforms._contract import Checking, FieldRef, Name, SortKey, Transform, Value, param, transform, with_names
from sheliak.transforms._operations import WINDOW_OPERATIONS
from sheliak.transforms._operations.measures import measures, reads_no_field
from sheliak.types.operations import opened
from sheliak.types.shapes import Record


@transform("window")
class Window(Transform):
    """The order of the dataset itself does not change; `sort` counts only inside the computation."""

    sort: tuple[SortKey, ...] = param("compare", default=())
    groupby: tuple[FieldRef, ...] = param("field", array=True)
    ops: tuple[Name, ...] = param("enum", array=True, options=tuple(WINDOW_OPERATIONS))
    numbers: tuple[Value, ...] = param("number", array=True, nullable=True, vega_name="params")
    aggregate_params: tuple[Value, ...] = param("number", array=True, nullable=True)
    fields: tuple[FieldRef | None, ...] = param("field", array=True, nullable=True)
    into: tuple[Name | None, ...] = param("string", array=True, nullable=True, vega_name="as")
    frame: tuple[Value, ...] = param("number", array=True, nullable=True, default=(None, 0))
    ignore_peers: Value = param("boolean", vega_name="ignorePeers", default=False)

    @classmethod
    def passes_over(cls, name: str, index: int, given: Mapping[str, object]) -> bool:
        return reads_no_field(name, index, given, WINDOW_OPERATIONS)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tWindow: T ⊢ opⱼ(pⱼ) : T'ⱼ gives T ∪ {fⱼ: T'ⱼ}.

        Beyond the paper: `fields` may be shorter than `ops`, for rank and its kin read no field; default names are those of
        `aggregate`; lag, lead and nth_value are null where there is no such row; ntile and nth_value stop the run unless
        their entry in `params` is greater than zero; without `ops` nothing is added.
        """
        for index, op in enumerate(self.ops):
            self._check_parameter(index, op, checking)
        return with_names(datum, measures(self, datum, opened(datum), WINDOW_OPERATIONS, checking))

    def _check_parameter(self, index: int, op: Name, checking: Checking) -> None:
        operation = WINDOW_OPERATIONS.get(op) if isinstance(op, str) else None
        if operation is None or not operation.positive_parameter:
            return
        value = self.numbers[index] if index < len(self.numbers) else None
        if value is None:
            owner = f"`{op}` in {self.owner}"
            checking.report(MissingParameter(place=self.place("ops", index), name="params", owner=owner))
        elif isinstance(value, int | float) and not value > 0:
            owner = f"the entry of `{op}` in `params`"
            found = str(value)
            checking.report(WrongKind(place=self.place("params", index), owner=owner, expected="greater than zero", found=found))
