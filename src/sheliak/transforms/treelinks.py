"""treelinks: one row for each link of a tree, from the parent to the child."""

from __future__ import annotations

from sheliak.diagnostics.parameters import TransformNotAllowed
from sheliak.transforms._contract import Checking, Transform, transform
from sheliak.transforms._hierarchy import certainly_without_tree, why_no_tree
from sheliak.types.shapes import Array, Record, Type


@transform("treelinks", generates=True, keeps_input=False)
class TreeLinks(Transform):
    """`source` and `target` are the rows themselves, with all that a layout has written to them."""

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tTreeLinks: T gives {source: T, target: T}.

        Beyond the paper: the tree may come from the source dataset, as long as no step in between makes new rows.
        """
        if certainly_without_tree(datum, checking.steps):
            reason = why_no_tree(checking.steps)
            checking.report(TransformNotAllowed(place=self.place("type"), name=self.type, reason=reason))
        return _link(datum)

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(_link(datum))


def _link(datum: Record) -> Record:
    return Record({"source": datum, "target": datum})
