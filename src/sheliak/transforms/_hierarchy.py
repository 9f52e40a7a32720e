"""Trees: which steps carry one, what a hierarchy node is, and the rule that the four tree layouts share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from sheliak.diagnostics.fields import UnknownNodeField
from sheliak.diagnostics.parameters import TransformNotAllowed
from sheliak.transforms._contract import Checking, FieldRef, Name, SortKey, Transform, all_names, with_names
from sheliak.types.operations import join_records, opened
from sheliak.types.shapes import NUMBER, OPEN_RECORD, STRING, UNKNOWN, Array, Lineage, Record, Type

_SOURCES = ("stratify", "nest")
_LAYOUTS = ("pack", "partition", "tree", "treemap")
_NEW_ROWS = frozenset(
    [
        "aggregate",
        "contour",
        "countpattern",
        "cross",
        "density",
        "flatten",
        "fold",
        "isocontour",
        "kde",
        "kde2d",
        "loess",
        "pivot",
        "project",
        "quantile",
        "regression",
        "sample",
        "treelinks",
    ]
)
"""The transforms whose output no longer knows the tree; all others hand it on."""

INNER_NODE = Record({"key": STRING, "values": Array(UNKNOWN)}, optional=frozenset({"key"}))
"""A node that `nest` makes for the rows of one key; the root has no key."""


def tree_source(steps: Iterable[str]) -> str | None:
    """The step whose tree is still there after these steps."""
    source = None
    for step in steps:
        if step in _SOURCES:
            source = step
        elif step in _NEW_ROWS:
            source = None
    return source


def why_no_tree(steps: Iterable[str]) -> str:
    """The reason in a finding: the tree was dropped by a step, or there never was one."""
    known = False
    for step in steps:
        known = known or step in _SOURCES
        if known and step in _NEW_ROWS:
            return f"the `{step}` before it makes new rows, which are not in the tree"
    return "it needs a `stratify` or a `nest` before it in the same list of transforms"


def hierarchy_node(datum: Record, steps: tuple[str, ...]) -> Record:
    """What the `sort` of a layout reads: the row is its `data`; an earlier layout has left its own outputs."""
    source = tree_source(steps)
    fields: dict[str, Type] = {"data": join_records(datum, INNER_NODE) if source == "nest" else datum}
    if source != "nest":
        fields["id"] = STRING
    fields |= {"value": NUMBER, "depth": NUMBER, "height": NUMBER, "parent": OPEN_RECORD, "children": Array(OPEN_RECORD)}
    return Record(fields, open=source is None or any(step in _LAYOUTS for step in steps))


class Layout(Transform):
    """A tree layout: it places every node of the tree and writes the places to the rows."""

    outputs: ClassVar[tuple[str, ...]]
    """The last is the number of children."""
    sort: tuple[SortKey, ...]
    into: tuple[Name | None, ...]

    @classmethod
    def reads(cls, name: str, datum: Type, given: Mapping[str, object], checking: Checking) -> Type:
        """`sort` and `radius` are handed the hierarchy node; an open one here, because `laid_out` has better words for it."""
        if name in ("sort", "radius") and isinstance(datum, Record):
            return opened(hierarchy_node(datum, checking.steps))
        return datum


def laid_out(layout: Layout, datum: Record, checking: Checking, node_fields: tuple[FieldRef, ...] = ()) -> Record:
    """T ∪ {fᵢ: number}; reports a layout without a tree, and node fields that no node has."""
    if tree_source(checking.steps) is None:
        checking.report(TransformNotAllowed(place=layout.place("type"), name=layout.type, reason=why_no_tree(checking.steps)))
    else:
        node = hierarchy_node(datum, checking.steps)
        for ref in (*(key.field for key in layout.sort), *node_fields):
            _check_node_field(ref, node, datum, checking)
    return with_names(datum, [(name, NUMBER) for name in all_names(layout.into, layout.outputs)])


def _check_node_field(ref: FieldRef, node: Record, datum: Record, checking: Checking) -> None:
    """Vega reads undefined from a field that the node does not have, so the order or the radius is lost silently."""
    for path in ref.paths:
        if path and path[0] not in node.fields and not node.open:
            checking.report(
                UnknownNodeField(place=ref.place, field=path[0], record=node, row=datum, replaceable=ref.name == path[0])
            )
            return


def certainly_without_tree(datum: Record, steps: tuple[str, ...]) -> bool:
    """No step of this pipeline or of the datasets it comes from makes a tree, or a step after it has dropped it."""
    if tree_source(steps) is not None:
        return False
    if any(step in _NEW_ROWS for step in steps):
        return True
    step: Lineage | None = datum.lineage
    while step is not None and step.before is not None:
        if step.step in ("source", *_SOURCES):
            return False
        step = step.before.lineage
    return step is not None and step.step in ("values", "url", "schema")
