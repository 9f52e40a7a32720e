"""project: keeps the named fields, under other names if `as` says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, name_at, param, renamings, transform, with_names
from sheliak.types.shapes import EMPTY_RECORD, Record

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("project", generates=True, keeps_input=False)
class Project(Transform):
    """Without `fields` every field is copied."""

    fields: tuple[FieldRef, ...] = param("field", array=True)
    into: tuple[Name | None, ...] = param("string", array=True, nullable=True, vega_name="as")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tProject: T ⊢ pᵢ : Tᵢ gives {fᵢ: Tᵢ}.

        Beyond the paper: a name missing in `as` is the field's own; a nested field `a.b` becomes the flat field `a.b`.
        """
        if not self.given("fields"):
            return datum
        return with_names(EMPTY_RECORD, ((name, field.of) for field, name in self._kept()))

    def _kept(self) -> Iterator[tuple[FieldRef, Name | None]]:
        for index, field in enumerate(self.fields):
            yield field, name_at(self.into, index, field.name)

    def renamed(self) -> dict[str, str]:
        return renamings(self._kept())

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦project⟧: new rows with the named fields; a field that is missing is there, as undefined."""
        from sheliak.transforms._running import getters, ingest, key_name

        if not self.given("fields"):
            return [ingest(row) for row in rows]
        names = self.parameters().names_or([key_name(field) for field in self.fields])
        fields = list(zip(names, getters(self.fields, running), strict=True))
        return [ingest({name: get(row) for name, get in fields}) for row in rows]

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.plan.building import fields_only, fresh
        from sheliak.transforms._planning import read_fields, start
        from sheliak.transforms._running import key_name

        if not self.given("fields"):
            return fresh(upstream)
        names = self.parameters().names_or([key_name(field) for field in self.fields])
        values = read_fields(self.fields, start(upstream, planning))
        return fields_only(fresh(upstream), dict(zip(names, values, strict=True)), planning)
