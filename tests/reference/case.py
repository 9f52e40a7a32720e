"""One recorded case: a small spec, and how to run it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """A spec of which Vega's answer is recorded."""

    name: str
    spec: dict[str, object]
    timezone: str = "UTC"
    renderer: tuple[str, ...] = ()
    """Datasets and signals that stay with the renderer, though Vega has a value for them."""


def dataset(name: str, values: object = None, *transforms: object, **more: object) -> dict[str, object]:
    """A data definition; without values it has none."""
    given = {"values": values} if values is not None else {}
    steps = {"transform": list(transforms)} if transforms else {}
    return {"name": name, **given, **steps, **more}


def formula(name: str, expression: str) -> dict[str, object]:
    return {"type": "formula", "as": name, "expr": expression}


def signals(**expressions: str) -> list[dict[str, object]]:
    """Signals that are computed by an expression each."""
    return [{"name": name, "update": expression} for name, expression in expressions.items()]
