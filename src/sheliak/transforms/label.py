"""label: moves the items of a text mark to where they overlap nothing."""

from __future__ import annotations

from sheliak.transforms._contract import (
    Checking,
    Computed,
    Name,
    SortKey,
    Transform,
    Value,
    all_names,
    param,
    transform,
    with_names,
)
from sheliak.types.shapes import NUMBER, STRING, Record, Type

_ANCHORS = ("top-left", "left", "bottom-left", "top", "middle", "bottom", "top-right", "right", "bottom-right")
_OUTPUTS: tuple[tuple[str, Type], ...] = (
    ("x", NUMBER),
    ("y", NUMBER),
    ("opacity", NUMBER),
    ("align", STRING),
    ("baseline", STRING),
)


@transform("label", writes=True)
class Label(Transform):
    """`avoidMarks` names marks that the labels must not cover; `sort` says which label is placed first."""

    size: tuple[Value, ...] = param("number", array=True, length=2, required=True)
    sort: tuple[SortKey, ...] = param("compare", default=())
    anchor: tuple[Value, ...] = param("enum", array=True, options=_ANCHORS, enforced=False)
    offset: tuple[Value, ...] = param("number", array=True)
    padding: Value = param("number", nullable=True)
    lineAnchor: Value = param("enum", options=("start", "end"), enforced=False)
    markIndex: Value = param("number")
    avoidBaseMark: Value = param("boolean")
    avoidMarks: tuple[Record | Computed | None, ...] = param("data", array=True)
    method: Value = param("enum", options=("naive", "reduced-search", "floodfill"), enforced=False)
    into: tuple[Name | None, ...] = param("string", array=True, length=5, vega_name="as")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tLabel: T gives T ∪ {x: number, y: number, opacity: number, align: string, baseline: string}.

        Beyond the paper: a label that finds no room has opacity 0 and undefined align and baseline.
        """
        names = all_names(self.into, tuple(name for name, _ in _OUTPUTS))
        return with_names(datum, zip(names, (of for _, of in _OUTPUTS), strict=True))
