"""project: keeps the named fields, under other names if `as` says so."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, name_at, param, renamings, transform, with_names
from sheliak.types.shapes import EMPTY_RECORD, Record


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
