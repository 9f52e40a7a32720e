"""nest: makes a tree by grouping the rows by one key after another."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, FieldRef, Transform, Value, param, transform
from sheliak.transforms._hierarchy import INNER_NODE
from sheliak.types.operations import join_records
from sheliak.types.shapes import Record


@transform("nest", generates=True)
class Nest(Transform):
    """The rows are the leaves; with `generate` the inner nodes become rows too."""

    keys: tuple[FieldRef, ...] = param("field", array=True)
    generate: Value = param("boolean")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tNest: T ⊢ pᵢ : Tᵢ gives T, or T ⊔ {key?: string, values: [unknown]} with `generate`.

        Beyond the paper: `key` is text whatever the field was; the root has `values` only; without `generate` a later
        `treelinks` finds no links.
        """
        return join_records(datum, INNER_NODE) if self.generate else datum
