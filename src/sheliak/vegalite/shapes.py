"""Shapes and requirements of a Vega-Lite spec: those of the compiled Vega, under the author's names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from sheliak.checker.session import Stage
from sheliak.source.place import Place
from sheliak.types.shapes import Type, Unseen


class Places(Protocol):
    """Knows the author's place and name for what stands in the compiled Vega."""

    def place_of(self, place: Place) -> Place: ...

    def name_of(self, dataset: str) -> str: ...


def stages_of(places: Places, stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
    """The shapes of the datasets of the compiled Vega."""
    return tuple(Stage(places.name_of(stage.dataset), places.place_of(stage.place), stage.step, stage.record) for stage in stages)


def requirements_of(places: Places, requirements: Mapping[Unseen, Type]) -> dict[Unseen, Type]:
    """What the spec demands of data that nobody has seen."""
    return {Unseen(places.name_of(unseen.dataset), unseen.path): of for unseen, of in requirements.items()}
