"""Numbers: arithmetic functions and the constants."""

from __future__ import annotations

from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import BOOLEAN, NUMBER

CONSTANTS = {
    "NaN": float("nan"),
    "E": 2.718281828459045,
    "LN2": 0.6931471805599453,
    "LN10": 2.302585092994046,
    "LOG2E": 1.4426950408889634,
    "LOG10E": 0.4342944819032518,
    "PI": 3.141592653589793,
    "SQRT1_2": 0.7071067811865476,
    "SQRT2": 1.4142135623730951,
    "MIN_VALUE": 5e-324,
    "MAX_VALUE": 1.7976931348623157e308,
}
"""The words that stand for a number; they win over signals of the same name."""

_OF_ONE = ("abs", "acos", "asin", "atan", "ceil", "cos", "exp", "floor", "log", "round", "sin", "sqrt", "tan")

FUNCTIONS = (
    *(signature(name, "value:number", NUMBER) for name in _OF_ONE),
    signature("atan2", "a:number b:number", NUMBER),
    signature("clamp", "value:number min:number max:number", NUMBER, strict_arity=True),
    signature("hypot", "values*:number", NUMBER),
    # These two do not coerce: isNaN("x") and isFinite("5") are false.
    signature("isFinite", "value:finite", BOOLEAN),
    signature("isNaN", "value:tested", BOOLEAN),
    signature("max", "values*:number", NUMBER),
    signature("min", "values*:number", NUMBER),
    signature("pow", "a:number b:number", NUMBER),
    signature("random", "", NUMBER, "random"),
)
