"""JSON's numbers as JavaScript reads them."""

CONSTANTS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
"""Numbers that JavaScript can write and JSON cannot."""

_ZEROS = {"0": 0, "-0": -0.0}


def integer(digits: str) -> int | float:
    """An int where a double keeps every digit, else the nearest double: Infinity when it is too large for one."""
    if len(digits) < 16:
        return int(digits) or _ZEROS[digits]
    return float(digits)
