"""What a spec demands of unseen data: a table, or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sheliak.explaining.demands import Demand
from sheliak.rendering.paint import Paint, plain
from sheliak.rendering.visible import visible, width
from sheliak.types.render import render_type, type_as_json
from sheliak.types.shapes import Type, Unknown

_WIDEST = 40


def render_text(demands: Iterable[Demand], paint: Paint = plain) -> Iterator[str]:
    """One block per source."""
    listed = list(demands)
    names = [column_name(path) for demand in listed for path, _ in demand.columns]
    column = min(max(map(width, names), default=0), _WIDEST)
    for number, demand in enumerate(listed):
        if number:
            yield ""
        where = f"  {demand.location.line}:{demand.location.column}" if demand.location is not None else ""
        yield paint("title", visible(demand.dataset)) + paint("faint", f"  {visible(demand.origin)}{where}")
        for path, of in demand.columns:
            shown = column_name(path)
            yield f"  {shown}{' ' * (column - width(shown))}  {visible(_needed(demand, path, of))}"


def _needed(demand: Demand, path: tuple[str, ...], of: Type) -> str:
    if not isinstance(of, Unknown):
        return render_type(of, 6)
    is_holder = any(len(other) > len(path) and other[: len(path)] == path for other, _ in demand.columns)
    return "object" if is_holder else "any type"


def column_name(path: tuple[str, ...]) -> str:
    """A nested column as Vega would name it."""
    return visible(".".join(path))


def as_objects(file: str, demands: Iterable[Demand]) -> Iterator[dict[str, object]]:
    """One object per source."""
    for demand in demands:
        columns = [{"path": list(path), "type": type_as_json(of)} for path, of in demand.columns]
        line = demand.location.line if demand.location is not None else None
        yield {"file": file, "dataset": demand.dataset, "origin": demand.origin, "line": line, "columns": columns}
