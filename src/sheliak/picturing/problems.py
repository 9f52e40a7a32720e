"""Which part of a picture a finding belongs to: the smallest that its place in the spec lies in."""

from __future__ import annotations

from sheliak.picturing.picture import Frame, Node, Picture, Problem, Step
from sheliak.picturing.scopes import elements
from sheliak.picturing.subject import Path
from sheliak.source.declared import replace
from sheliak.source.tree import Node as SpecNode

Owner = tuple[str, int]
"""The id of a box or a frame; for a transform the id of its dataset and its number, else -1."""


class Owners:
    """Path of a part of the spec -> what shows it."""

    def __init__(self) -> None:
        self._owners: dict[Path, Owner] = {}

    def own(self, path: Path, id: str, *, unless_owned: bool = False) -> None:
        if not unless_owned or path not in self._owners:
            self._owners[path] = (id, -1)

    def own_dataset(self, definition: SpecNode, dataset: str, first: str) -> None:
        """A dataset, its transforms one by one, and what says where its rows come from."""
        self._owners[definition.path] = (dataset, -1)
        for part in ("values", "url", "format"):
            self._owners[(*definition.path, part)] = (first, -1)
        for number, transform in enumerate(elements(definition.get("transform"))):
            self._owners[transform.path] = (dataset, number)

    def attached(self, picture: Picture, problems: tuple[tuple[Path | None, Problem], ...]) -> Picture:
        """The picture with its findings; what belongs to nothing in it belongs to the whole."""
        present = {node.id for node in picture.nodes} | {frame.id for frame in picture.frames}
        found: dict[Owner | None, list[Problem]] = {}
        for path, problem in problems:
            found.setdefault(self._owner(path, present), []).append(problem)
        return replace(
            picture,
            nodes=tuple(_with_problems(node, found) for node in picture.nodes),
            frames=tuple(_framed(frame, found) for frame in picture.frames),
            problems=tuple(found.get(None, ())),
        )

    def _owner(self, path: Path | None, present: set[str]) -> Owner | None:
        for length in range(len(path), -1, -1) if path is not None else ():
            owner = self._owners.get(path[:length]) if path is not None else None
            if owner is not None and owner[0] in present:
                return owner
        return None


def _with_problems(node: Node, found: dict[Owner | None, list[Problem]]) -> Node:
    steps = tuple(_step(step, tuple(found.get((node.id, number), ()))) for number, step in enumerate(node.steps))
    return replace(node, steps=steps, problems=tuple(found.get((node.id, -1), ())))


def _step(step: Step, problems: tuple[Problem, ...]) -> Step:
    return replace(step, problems=problems) if problems else step


def _framed(frame: Frame, found: dict[Owner | None, list[Problem]]) -> Frame:
    problems = found.get((frame.id, -1))
    return replace(frame, problems=tuple(problems)) if problems else frame
