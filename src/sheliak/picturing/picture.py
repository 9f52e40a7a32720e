"""What is in a picture of a spec's dataflow, before anybody decides where it stands or how it looks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from sheliak.source.declared import dataclass

Kind: TypeAlias = Literal["source", "dataset", "signal", "drawing"]
Role: TypeAlias = Literal["rows", "reads", "signal"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding of the check, at the part of the picture that it belongs to."""

    severity: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Step:
    """One transform of a dataset."""

    type: str
    text: str
    """What it does, in a line that may be long."""
    on_spark: bool
    pointer: str
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a dataset; `is_made` by the dataset's own transforms."""

    name: str
    type: str
    is_made: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """A box.

    source   rows as they are given, before the transforms of the dataset that they are given to
    dataset  its rows after its transforms
    signal   signals that the same transforms use
    drawing  the marks and scales of one group that read the same dataset
    """

    id: str
    kind: Kind
    name: str
    pointer: str
    """Where it is defined in the spec; for Vega-Lite, in the Vega that is made of it."""
    frame: str = ""
    """The frame that it stands in; empty for the picture itself."""
    detail: str = ""
    """Where rows come from."""
    fields: tuple[Field, ...] = ()
    is_open: bool = False
    """There may be fields that nobody has looked at."""
    keeps_fields: bool = False
    """The fields are those of the dataset that it takes its rows from."""
    steps: tuple[Step, ...] = ()
    """The transforms on the way from its upstream to it."""
    marks: tuple[str, ...] = ()
    scales: tuple[tuple[str, str], ...] = ()
    """Names of scales, each with its type and fields."""
    signals: tuple[tuple[str, str], ...] = ()
    """Names of signals, each with how it gets its values."""
    on_spark: bool = False
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow. `rows` go through the transforms of the target; `reads` and `signal` are what transforms use beside their rows."""

    source: str
    target: str
    role: Role


@dataclass(frozen=True, slots=True)
class Frame:
    """A group that has datasets or several drawings of its own."""

    id: str
    parent: str
    title: str
    pointer: str
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that is drawn, in the order of the spec."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    frames: tuple[Frame, ...]
    problems: tuple[Problem, ...] = ()
    """Findings about parts of the spec that are not in the picture."""

    def placed_problems(self) -> Iterator[tuple[str, Problem]]:
        """The findings that a frame, a box or a transform shows, each with the name of what shows it."""
        for frame in self.frames:
            yield from ((frame.title, problem) for problem in frame.problems)
        for node in self.nodes:
            yield from ((node.name, problem) for problem in node.problems)
            yield from ((node.name, problem) for step in node.steps for problem in step.problems)


def is_wrong(problems: tuple[Problem, ...]) -> bool:
    """There is an error among them."""
    return any(problem.severity == "error" for problem in problems)
