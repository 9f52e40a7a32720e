"""dotbin: the positions of dots in a dot plot, near values drawn together."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, with_names
from sheliak.types.shapes import NUMBER, Record, Type


@transform("dotbin")
class DotBin(Transform):
    """Without `step` a bin is a thirtieth of the field's extent."""

    field: FieldRef = param("field", required=True, demands="number")
    groupby: tuple[FieldRef, ...] = param("field", array=True)
    step: Value = param("number")
    smooth: Value = param("boolean", default=False)
    into: Name = param("string", vega_name="as", default="bin")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tDotBin: T ⊢ p : T' and T' is read as a number give T ∪ {f: number}.

        Beyond the paper: the default name is `bin`; null counts as 0.
        """
        return with_names(datum, [(self.into, NUMBER)])

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Record({"start": NUMBER, "stop": NUMBER, "step": NUMBER})
