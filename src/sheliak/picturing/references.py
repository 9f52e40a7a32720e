"""What the transforms of a dataset read beside their rows: signals, datasets and scales, by their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from sheliak.dataflow.references import UnreadableExpression, reads_of, references_below, references_of_transform
from sheliak.source.tree import Node
from sheliak.transforms import transform_class

Named: TypeAlias = tuple[Literal["signal", "dataset", "scale"], str]


def named_in_transform(transform: Node) -> Iterator[Named]:
    """The names in the parameters of a transform; nothing where Vega has no such transform."""
    type_ = transform.get("type")
    cls = transform_class(type_.text or "") if type_ is not None else None
    if cls is None:
        return
    for reference in references_of_transform(cls, transform):
        if reference.kind == "dataset":
            yield "dataset", reference.text
        elif reference.kind in ("signal", "expression"):
            yield from named_in_expression(reference.text)


def named_in_value(value: object) -> Iterator[Named]:
    """The names in the signal objects below a value."""
    for reference in references_below(value):
        yield from named_in_expression(reference.text)


def named_in_expression(text: str) -> Iterator[Named]:
    """The names in an expression; nothing where it cannot be read, which the check tells."""
    try:
        reads = reads_of(text)
    except UnreadableExpression:
        return
    yield from (("signal", name) for name in reads.signals)
    yield from (("dataset", name) for name in (*reads.datasets, *reads.indexed))
    yield from (("scale", name) for name in reads.scales)
