"""stratify: makes a tree of the rows, each of which names its parent."""

from __future__ import annotations

from sheliak.diagnostics.parameters import MissingParent
from sheliak.transforms._contract import Checking, FieldRef, Transform, param, transform
from sheliak.types.columns import distinct_texts
from sheliak.types.shapes import Record

_NO_PARENT = frozenset({"null", "undefined", ""})


@transform("stratify")
class Stratify(Transform):
    """The tree itself is not in the rows: layouts and `treelinks` after it find it."""

    key: FieldRef = param("field", required=True)
    parentKey: FieldRef = param("field", required=True)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tStratify: T ⊢ p : T₁, T ⊢ q : T₂ gives T.

        Beyond the paper: exactly one row must have no parent, and every parent must be a row: Vega aborts the run otherwise.
        """
        self._check_parents(datum, checking)
        return datum

    def _check_parents(self, datum: Record, checking: Checking) -> None:
        """Reports a parent that no row is, where every row is at hand."""
        if not (self.key.is_column and self.parentKey.is_column):
            return
        keys = distinct_texts(datum, self.key.text, all_rows=True)
        parents = distinct_texts(datum, self.parentKey.text, all_rows=True)
        strangers = sorted(parents - keys - _NO_PARENT) if keys is not None and parents is not None else []
        if strangers:
            checking.report(
                MissingParent(place=self.parentKey.place, parent=strangers[0], key=self.key.text, keys=tuple(sorted(keys or ())))
            )
