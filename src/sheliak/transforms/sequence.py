"""sequence: adds one row for each number of a range."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, Name, Transform, Value, param, transform, with_names
from sheliak.transforms._generators import beside
from sheliak.types.shapes import EMPTY_RECORD, NUMBER, Array, Record, Type


@transform("sequence", generates=True)
class Sequence(Transform):
    """From `start` to before `stop`; a `step` of 0 counts as 1."""

    start: Value = param("number", required=True)
    stop: Value = param("number", required=True)
    step: Value = param("number", default=1)
    into: Name = param("string", vega_name="as", default="data")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tSequence: T gives T ⊔ {f: number}.

        Beyond the paper: the default name is `data`; rows that the dataset already has stay, without the new field. A
        dataset with no source of its own is taken to have none.
        """
        return beside(self._generated(), datum, checking)

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(self._generated())

    def _generated(self) -> Record:
        return with_names(EMPTY_RECORD, [(self.into, NUMBER)])
