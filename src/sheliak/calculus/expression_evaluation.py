"""§5.2: e ⇓ v, and what counts as true."""

from __future__ import annotations

import math
from typing import assert_never

from sheliak.calculus.builtin_functions import BUILTINS
from sheliak.calculus.changes import Record, Value
from sheliak.calculus.number_text import number_text
from sheliak.calculus.syntax import Arith, ArithOperator, Arr, Bool, Builtin, Datum, Expr, Field, Num, Obj, Str
from sheliak.calculus.type_syntax import Primitive, Type


class NotEvaluated(Exception):
    """The expression has no value: a field that is not there, or operands that no typing rule allows."""


def evaluate(e: Expr, v: Record) -> Value:
    """e[datum/v] ⇓ v', or NotEvaluated. Substitution is by environment: v is what `datum` stands for."""
    match e:
        case Datum():
            return v
        case Field():
            return _field(evaluate(e.path, v), e.name)
        case Num() | Str() | Bool():
            return e.value
        case Arith():
            return _combined(e.operator, evaluate(e.left, v), evaluate(e.right, v))
        case Arr(items):
            return tuple([evaluate(item, v) for item in items])
        case Obj(fields):
            return {f: evaluate(value, v) for f, value in fields}
        case Builtin(name, arguments):
            return _called(name, [evaluate(argument, v) for argument in arguments])
        case _:
            assert_never(e)


def _field(v: Value, f: str) -> Value:
    if isinstance(v, dict) and f in v:
        found: Value = v[f]
        return found
    raise NotEvaluated


def _combined(op: ArithOperator, x: Value, y: Value) -> Value:
    if isinstance(x, float) and isinstance(y, float):
        match op:
            case "+":
                return x + y
            case "-":
                return x - y
            case "×":
                return x * y
            case "/":
                return x / y if y else _divided_by_zero(x, y)
    if op == "+" and (isinstance(x, str) or isinstance(y, str)):
        return _text(x) + _text(y)
    raise NotEvaluated


def _divided_by_zero(x: float, zero: float) -> float:
    return math.copysign(math.inf, x) * math.copysign(1, zero) if x and not math.isnan(x) else math.nan


def _text(v: Value) -> str:
    match v:
        case str():
            return v
        case bool():
            return "true" if v else "false"
        case float():
            return number_text(v)
        case _:
            raise NotEvaluated


_CLASSES: dict[Type, type] = {Primitive.BOOLEAN: bool, Primitive.NUMBER: float, Primitive.STRING: str}


def _called(name: str, values: list[Value]) -> Value:
    signature = BUILTINS.get(name)
    if signature is None or [_CLASSES[T] for T in signature.arguments] != list(map(type, values)):
        raise NotEvaluated
    return signature.compute(*values)


def truthy(v: Value) -> bool:
    """JavaScript's: all but false, 0, −0, NaN and "". Erratum E9: "non-zero numbers" would let NaN pass."""
    if isinstance(v, dict | tuple):
        return True
    return bool(v) and not (isinstance(v, float) and math.isnan(v))
