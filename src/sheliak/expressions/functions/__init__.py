"""The functions and constants of Vega's expression language, one module per group of functions."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.expressions.functions import (
    array,
    color,
    data,
    datetime,
    ease,
    event,
    format,
    math,
    scale,
    statistics,
    text,
    types,
)
from sheliak.expressions.functions.math import CONSTANTS
from sheliak.expressions.functions.signature import Parameter, Signature

_GROUPS = (types, math, statistics, datetime, array, text, format, color, event, data, scale, ease)

FUNCTIONS: Mapping[str, Signature] = {signature.name: signature for group in _GROUPS for signature in group.FUNCTIONS}

__all__ = ["CONSTANTS", "FUNCTIONS", "Parameter", "Signature"]
