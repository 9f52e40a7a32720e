"""Probability distributions."""

from __future__ import annotations

from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import NUMBER

_DISTRIBUTIONS = ("Normal", "LogNormal", "Uniform")

FUNCTIONS = (
    *(
        signature(f"{what}{distribution}", "value:number p0?:number p1?:number", NUMBER)
        for what in ("cumulative", "density", "quantile")
        for distribution in _DISTRIBUTIONS
    ),
    *(signature(f"sample{distribution}", "p0?:number p1?:number", NUMBER, "random") for distribution in _DISTRIBUTIONS),
)
