"""The shapes of datasets: a table of what each step adds, drops and changes, or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sheliak.explaining.shapes import DatasetShape, ShapeStep, field_text
from sheliak.rendering.paint import Paint, plain
from sheliak.rendering.visible import visible, width
from sheliak.types.render import type_as_json

_WIDEST = 32


def render_text(shapes: Iterable[DatasetShape], paint: Paint = plain) -> Iterator[str]:
    """One block per dataset."""
    listed = list(shapes)
    names = [visible(name) for shape in listed for step in shape.steps for name in (*step.added, *step.changed)]
    column = min(max(map(width, names), default=0), _WIDEST)
    for number, shape in enumerate(listed):
        if number:
            yield ""
        yield from _block(shape, column, paint)


def _block(shape: DatasetShape, column: int, paint: Paint) -> Iterator[str]:
    where = f"  in {shape.scope}" if shape.scope else ""
    yield paint("title", visible(shape.name)) + paint("faint", f"  {_position(shape.steps[0])}{where}")
    for number, step in enumerate(shape.steps):
        yield f"  {visible(step.name)}" + (paint("faint", f"  {_position(step)}") if number else "")
        yield from _changes(step, number == 0, column, paint)
    if len(shape.steps) > 1:
        remaining = [visible(name) for name in shape.record.fields] + (["…"] if shape.record.open else [])
        yield f"  = {', '.join(remaining) or 'no fields'}"


def _position(step: ShapeStep) -> str:
    return f"{step.location.line}:{step.location.column}"


def _changes(step: ShapeStep, is_source: bool, column: int, paint: Paint) -> Iterator[str]:
    """What the step does to the shape, one field a line; dropped fields share a line."""
    for name in step.added:
        sign = " " if is_source else paint("good", "+")
        yield f"    {sign} {_field(step, name, column)}"
    for name in step.changed:
        yield f"    {paint('warning', '~')} {_field(step, name, column)}"
    if step.dropped:
        yield f"    {paint('error', '-')} {', '.join(visible(name) for name in step.dropped)}"
    if is_source and step.record.open:
        yield "      " + paint("faint", "… columns that were not looked at")
    elif is_source and not step.record.fields:
        yield "      " + paint("faint", "no fields")


def _field(step: ShapeStep, name: str, column: int) -> str:
    shown = visible(name)
    return f"{shown}{' ' * (column - width(shown))}  {visible(field_text(step.record, name))}"


def as_objects(shapes: Iterable[DatasetShape]) -> list[dict[str, object]]:
    """One object per dataset, its steps in order."""
    return [
        {"dataset": shape.name, "scope": shape.scope, "steps": [_step_object(step) for step in shape.steps]} for shape in shapes
    ]


def _step_object(step: ShapeStep) -> dict[str, object]:
    return {
        "step": step.name,
        "pointer": step.location.pointer,
        "line": step.location.line,
        "column": step.location.column,
        "added": list(step.added),
        "dropped": list(step.dropped),
        "changed": list(step.changed),
        "type": type_as_json(step.record),
    }
