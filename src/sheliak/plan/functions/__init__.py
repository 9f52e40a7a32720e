"""Vega's functions over columns, by group; what does not depend on the row never gets here, it is a constant of the plan."""

from __future__ import annotations

from sheliak.expressions.functions import FUNCTIONS
from sheliak.plan.functions import arrays, dates, distributions, domains, easing, kinds, mathematics, regexps, texts, time_formats
from sheliak.plan.scope import ColumnFunction
from sheliak.plan.unplannable import Unplannable

COLUMN_FUNCTIONS: dict[str, ColumnFunction] = {
    **mathematics.FUNCTIONS,
    **kinds.FUNCTIONS,
    **texts.FUNCTIONS,
    **regexps.FUNCTIONS,
    **dates.FUNCTIONS,
    **arrays.FUNCTIONS,
    **easing.FUNCTIONS,
    **distributions.FUNCTIONS,
    **domains.FUNCTIONS,
    **time_formats.FUNCTIONS,
}
_POINTER = "follows the pointer, and is not computed for every row"
_COLOR = "makes a colour, an object with functions of its own that no column holds"
WITHOUT_COLUMN: dict[str, str] = {
    "atob": "stops the run at text that is not base64",
    "contrast": "reads colours that only the row names",
    "format": "writes numbers as a locale does, digit by digit",
    "hcl": _COLOR,
    "hsl": _COLOR,
    "isTuple": "asks whether Vega made an object into a row",
    "lab": _COLOR,
    "lassoAppend": _POINTER,
    "lassoPath": _POINTER,
    "luminance": "reads colours that only the row names",
    "pathShape": "draws",
    "pinchAngle": _POINTER,
    "pinchDistance": _POINTER,
    "regexp": "makes a regular expression, which no column holds",
    "rgb": _COLOR,
    "timeParse": "reads text by a pattern, letter by letter",
    "timeSequence": "makes a list of dates whose length only the row knows",
    "timeUnitSpecifier": "makes a pattern of units that only the row names",
    "utcParse": "reads text by a pattern, letter by letter",
    "utcSequence": "makes a list of dates whose length only the row knows",
    "vlSelectionTuples": _POINTER,
}
"""The functions of the row's values that have no column, and why; of constants they are constants."""


def column_function(name: str) -> ColumnFunction:
    """The function of a name over columns. Raises Unplannable with the reason why it has none."""
    function = COLUMN_FUNCTIONS.get(name)
    if function is not None:
        return function
    signature = FUNCTIONS.get(name)
    if signature is None:
        raise Unplannable(f"the function `{name}` does not exist")
    if signature.purity == "random":
        raise Unplannable(f"`{name}` gives random numbers in the order of the rows")
    if signature.purity in ("view", "event", "effect", "environment"):
        raise Unplannable(f"`{name}` asks the running chart for every row")
    reason = WITHOUT_COLUMN.get(name, "has no exact column form")
    raise Unplannable(f"`{name}` {reason}")
