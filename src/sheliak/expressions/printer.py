"""Tree -> expression text, with no more brackets than the tree needs.

Reading the text again gives an equal tree. Literals are written as they were.
"""

from __future__ import annotations

from typing import Final

from sheliak.expressions.nodes import (
    ArrayLiteral,
    Binary,
    Call,
    Conditional,
    Expression,
    Identifier,
    Literal,
    Logical,
    Member,
    ObjectLiteral,
    Property,
    Regex,
    Unary,
)
from sheliak.expressions.parser import PRECEDENCE

_CONDITIONAL: Final = 0
_PREFIX: Final = 20
_PRIMARY: Final = 21


def print_expression(tree: Expression) -> str:
    """The tree as text."""
    match tree:
        case Literal():
            return tree.raw
        case Regex(pattern, flags):
            return f"/{pattern}/{flags}"
        case Identifier(name):
            return name
        case Member(object, property, computed):
            return (
                f"{_owner(object)}[{print_expression(property)}]"
                if computed
                else f"{_owner(object)}.{print_expression(property)}"
            )
        case Unary(operator, operand):
            text = _at_least(_PREFIX, operand)
            return f"{operator} {text}" if text[0] == operator and operator in "+-" else operator + text
        case Binary(operator, left, right) | Logical(operator, left, right):
            level = PRECEDENCE[operator]
            return f"{_at_least(level, left)} {operator} {_at_least(level + 1, right)}"
        case Conditional(test, consequent, alternate):
            return f"{_at_least(_CONDITIONAL + 1, test)} ? {print_expression(consequent)} : {print_expression(alternate)}"
        case Call(callee, arguments):
            return f"{_at_least(_PRIMARY, callee)}({', '.join([print_expression(argument) for argument in arguments])})"
        case ArrayLiteral():
            return _array_text(tree)
        case ObjectLiteral(properties):
            return "{" + ", ".join([_entry_text(entry) for entry in properties]) + "}"


def quoted(text: str) -> str:
    """A literal that stands for the text, in single quotes; for building a `Literal`."""
    return "'" + "".join([_ESCAPED.get(letter, letter) for letter in text]) + "'"


_ESCAPED = {"'": "\\'", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def _level(node: Expression) -> int:
    match node:
        case Conditional():
            return _CONDITIONAL
        case Binary(operator) | Logical(operator):
            return PRECEDENCE[operator]
        case Unary():
            return _PREFIX
        case _:
            return _PRIMARY


def _at_least(level: int, node: Expression) -> str:
    """The node's text, in brackets if it binds more loosely than its place demands."""
    text = print_expression(node)
    return text if _level(node) >= level else f"({text})"


def _owner(object: Expression) -> str:
    text = _at_least(_PRIMARY, object)
    return f"({text})" if text.isdigit() else text  # in `1.x` the dot would belong to the number


def _array_text(array: ArrayLiteral) -> str:
    items = [print_expression(element) for element in array.elements]
    for index in array.holes:
        items.insert(index, "")
    # A comma after the last element means nothing, so a hole in the last place needs one more.
    return f"[{', '.join(items)}{',' if items and not items[-1] else ''}]"


def _entry_text(entry: Property) -> str:
    return f"{print_expression(entry.key)}: {print_expression(entry.value)}"
