"""Datasets whose rows the renderer writes into, although no transform of their own does.

Links of a force simulation get their nodes, wherever the simulation stands. A selection store gets what Vega compiled of its
fields when a mark tests it. `crossfilter` numbers the very rows that it is given, which other datasets may share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sheliak.dataflow.graph import Vertex
from sheliak.dataflow.references import UnreadableExpression, reads_of
from sheliak.engines.reference.run import Run
from sheliak.expressions.values import Row
from sheliak.source.tree import Node

_TEST = re.compile(r"""\bvlSelectionTest\(\s*(["'])(.*?)\1""")
_DRAWN = ("marks", "axes", "legends", "title")


def rewritten_datasets(run: Run) -> dict[str, str]:
    """The datasets that were run, but do not stay as they are; and why."""
    found = {name: "a force simulation writes into its rows" for name in _links(run.graph.definitions.root.value)}
    tested = {name for part in _DRAWN for name in _tested(run.graph.definitions.root.get(part))}
    stores = {name for name in tested if any("fields" in row for row in run.rows.get(Vertex("dataset", name), []))}
    found |= dict.fromkeys(stores, "marks that test the selection write into its rows")
    numbered = {id(row) for row in _numbered_rows(run)}
    if numbered:
        for vertex, rows in run.rows.items():
            if vertex.kind == "dataset" and any(id(row) in numbered for row in rows):
                found[vertex.name] = "`crossfilter` writes into its rows"
    return found


def changed_by_groups(root: Node) -> dict[str, str]:
    """The datasets that signals inside groups change as soon as a chart is drawn."""
    marks = root.get("marks")
    signals = (signal for owner in _objects(marks.value if marks is not None else None) for signal in _list(owner.get("signals")))
    texts = (signal.get(part) for signal in signals if isinstance(signal, dict) for part in ("init", "update"))
    return {name: "a signal of a group changes it" for text in texts if isinstance(text, str) for name in written_by(text)}


def written_by(text: str) -> tuple[str, ...]:
    """The datasets that an expression changes."""
    try:
        return reads_of(text).written
    except UnreadableExpression:
        return ()


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _links(spec: object) -> Iterator[str]:
    """The datasets that force simulations take as links, anywhere in a spec."""
    for value in _objects(spec):
        forces = value.get("forces") if value.get("type") == "force" else None
        for force in _list(forces):
            links = force.get("links") if isinstance(force, dict) else None
            if isinstance(links, str):
                yield links


def _objects(value: object) -> Iterator[dict[str, object]]:
    pending = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, dict):
            yield current
            pending += current.values()
        elif isinstance(current, list):
            pending += current


def _tested(part: Node | None) -> Iterator[str]:
    """The selection stores that expressions of a part of the spec test."""
    if part is None:
        return
    texts = (text for owner in _objects([part.value]) for text in owner.values() if isinstance(text, str))
    for text in texts:
        yield from (name for _, name in _TEST.findall(text))


def _numbered_rows(run: Run) -> Iterator[Row]:
    for definition in run.graph.definitions.datasets:
        for index, step in enumerate(definition.transforms):
            upstream = run.graph.needs[Vertex("transform", definition.name, index)][:1]
            if step.type == "crossfilter" and upstream:
                yield from run.rows.get(upstream[0], [])
