"""Easing: the course of an animation over its time, from 0 to 1."""

from __future__ import annotations

from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import NUMBER

_CURVES = ("Back", "Bounce", "Circle", "Cubic", "Elastic", "Exp", "Poly", "Quad", "Sin")

FUNCTIONS = (
    signature("easeLinear", "t:number", NUMBER),
    *(signature(f"ease{curve}{ends}", "t:number", NUMBER) for curve in _CURVES for ends in ("", "In", "Out", "InOut")),
)
