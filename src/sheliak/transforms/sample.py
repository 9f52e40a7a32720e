"""sample: keeps a random choice of the rows."""

from __future__ import annotations

from sheliak.diagnostics.parameters import MissingParameter
from sheliak.transforms._contract import Checking, Transform, Value, param, transform
from sheliak.types.shapes import Array, Record, Type


@transform("sample")
class Sample(Transform):
    """At most `size` rows."""

    size: Value = param("number")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tSample: T gives T.

        Beyond the paper: the default that Vega declares for `size` is never applied; without it no row is kept.
        """
        if not self.given("size"):
            why = "the default of 1000 is never applied: without `size` no row is kept"
            checking.report(MissingParameter(place=self.place(), name="size", owner=self.owner, instead=why))
        return datum

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(datum)
