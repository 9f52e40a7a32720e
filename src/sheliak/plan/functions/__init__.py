"""Vega's functions over columns, by group; what does not depend on the row never gets here, it is a constant of the plan."""

from __future__ import annotations

from sheliak.expressions.functions import FUNCTIONS
from sheliak.plan.functions import arrays, dates, easing, kinds, mathematics, regexps, texts
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
}


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
    raise Unplannable(f"`{name}` has no exact column form")
