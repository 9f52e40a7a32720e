"""stratify: makes a tree of the rows, each of which names its parent."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, FieldRef, Transform, param, transform
from sheliak.types.shapes import Record


@transform("stratify")
class Stratify(Transform):
    """The tree itself is not in the rows: layouts and `treelinks` after it find it."""

    key: FieldRef = param("field", required=True)
    parentKey: FieldRef = param("field", required=True)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tStratify: T ⊢ p : T₁, T ⊢ q : T₂ gives T.

        Beyond the paper: exactly one row must have no parent, and every parent must be a row: Vega aborts the run otherwise.
        """
        return datum
