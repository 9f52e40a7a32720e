"""The picture as JSON, for programs; docs/graph.md says what its members mean."""

from __future__ import annotations

from sheliak.picturing.picture import Node, Picture, Problem, Step


def as_object(picture: Picture) -> dict[str, object]:
    """The picture with everything in it, nothing shortened."""
    return {
        "title": picture.title,
        "nodes": [_node(node) for node in picture.nodes],
        "edges": [{"source": edge.source, "target": edge.target, "role": edge.role} for edge in picture.edges],
        "groups": [
            {
                "id": frame.id,
                "parent": frame.parent or None,
                "title": frame.title,
                "pointer": frame.pointer,
                "problems": _problems(frame.problems),
            }
            for frame in picture.frames
        ],
        "problems": _problems(picture.problems),
    }


def _node(node: Node) -> dict[str, object]:
    common: dict[str, object] = {
        "id": node.id,
        "kind": node.kind,
        "name": node.name,
        "group": node.frame or None,
        "pointer": node.pointer,
    }
    match node.kind:
        case "signal":
            own: dict[str, object] = {"signals": [{"name": name, "detail": detail} for name, detail in node.signals]}
        case "drawing":
            own = {"marks": list(node.marks), "scales": [{"name": name, "detail": detail} for name, detail in node.scales]}
        case _:
            own = _rows(node)
    return {**common, **own, "problems": _problems(node.problems)}


def _rows(node: Node) -> dict[str, object]:
    return {
        "rows_from": node.detail or None,
        "fields": [{"name": one.name, "type": one.type, "made_here": one.is_made} for one in node.fields],
        "open": node.is_open,
        "runs_on": "spark" if node.on_spark else "renderer",
        "transforms": [_step(step) for step in node.steps],
    }


def _step(step: Step) -> dict[str, object]:
    return {
        "type": step.type,
        "text": step.text,
        "runs_on": "spark" if step.on_spark else "renderer",
        "pointer": step.pointer,
        "problems": _problems(step.problems),
    }


def _problems(problems: tuple[Problem, ...]) -> list[dict[str, str]]:
    return [{"severity": one.severity, "code": one.code, "message": one.message} for one in problems]
