"""identifier: numbers the rows as they arrive."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, Name, Transform, param, transform, with_names
from sheliak.types.operations import join
from sheliak.types.shapes import NUMBER, Record, Type


@transform("identifier")
class Identifier(Transform):
    """One counter serves all `identifier` transforms of a chart."""

    into: Name = param("string", vega_name="as", required=True)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tIdentifier: T gives T ∪ {f: number}.

        Beyond the paper: a value that the field already has stays, unless it is 0, "" or missing.
        """
        there = datum.fields.get(self.into) if isinstance(self.into, str) else None
        return with_names(datum, [(self.into, NUMBER if there is None else join((there, NUMBER)))])

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        """The last number given."""
        return NUMBER
