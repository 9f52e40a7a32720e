"""identifier: numbers the rows as they arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, Name, Transform, param, transform, with_names
from sheliak.types.operations import join
from sheliak.types.shapes import NUMBER, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("identifier", writes=True)
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

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦identifier⟧: the next number for each row that has nothing truthy there already."""
        from sheliak.expressions.values import UNDEFINED, to_boolean, to_text
        from sheliak.transforms._running import ingested

        rows, name = ingested(rows), to_text(self.parameters().value("as"))
        for row in rows:
            if not to_boolean(row.get(name, UNDEFINED)):
                row[name] = running.next_identifier()
        running.publish(running.last_identifier())
        return rows

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.expressions.values import to_text
        from sheliak.transforms._plans.numbering import numbered

        return numbered(upstream, to_text(self.parameters().value("as")), planning)
