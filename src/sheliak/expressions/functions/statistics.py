"""Probability distributions."""

from __future__ import annotations

from sheliak.expressions.functions.results import number_of_numbers
from sheliak.expressions.functions.signature import signature

_DISTRIBUTIONS = ("Normal", "LogNormal", "Uniform")

FUNCTIONS = (
    *(
        signature(f"{what}{distribution}", "value:number p0?:number p1?:number", number_of_numbers)
        for what in ("cumulative", "density", "quantile")
        for distribution in _DISTRIBUTIONS
    ),
    *(
        signature(f"sample{distribution}", "p0?:number p1?:number", number_of_numbers, "random")
        for distribution in _DISTRIBUTIONS
    ),
)
