"""Trees as plain JSON, so that ours and Vega's can be compared, stored and sent between processes."""

from __future__ import annotations

from typing import TypeAlias

from sheliak.expressions.legality import illegal_parts
from sheliak.expressions.lexer import ExpressionSyntaxError
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
from sheliak.expressions.numerals import number_text
from sheliak.expressions.parser import parse_expression
from sheliak.expressions.selectors import EventStream, NestedStream, SelectorSyntaxError, parse_selector

Form: TypeAlias = "None | bool | float | str | list[Form] | dict[str, Form]"


def expression_form(text: str) -> Form:
    """The tree's form; None where the text is no expression."""
    try:
        return form_of(parse_expression(text))
    except ExpressionSyntaxError:
        return None


def form_of(node: Expression | Property) -> Form:
    match node:
        case Literal(value):
            return ["literal", number_text(value) if isinstance(value, float) else value, type(value) is float]
        case Regex(pattern, flags):
            return ["regex", pattern, flags]
        case Identifier(name):
            return ["name", name]
        case Member(object, property, computed):
            return ["member", form_of(object), form_of(property), computed]
        case Unary(operator, operand):
            return ["unary", operator, form_of(operand)]
        case Binary(operator, left, right):
            return ["binary", operator, form_of(left), form_of(right)]
        case Logical(operator, left, right):
            return ["logical", operator, form_of(left), form_of(right)]
        case Conditional(test, consequent, alternate):
            return ["conditional", form_of(test), form_of(consequent), form_of(alternate)]
        case Call(callee, arguments):
            return ["call", form_of(callee), [form_of(argument) for argument in arguments]]
        case ArrayLiteral():
            return ["array", _with_holes(node)]
        case ObjectLiteral(properties):
            return ["object", [form_of(entry) for entry in properties]]
        case Property(key, value):
            return [form_of(key), form_of(value)]


def _with_holes(array: ArrayLiteral) -> list[Form]:
    elements: list[Form] = [form_of(element) for element in array.elements]
    for index in array.holes:
        elements.insert(index, None)
    return elements


def code_form(text: str) -> Form:
    """True where the text is an expression that can be run; None elsewhere."""
    try:
        return None if illegal_parts(parse_expression(text)) else True
    except ExpressionSyntaxError:
        return None


def selector_form(text: str) -> Form:
    """The streams of a selector as Vega writes them; None where the text is no selector."""
    try:
        return [_stream_form(stream) for stream in parse_selector(text)]
    except SelectorSyntaxError:
        return None


def _stream_form(stream: EventStream) -> Form:
    between: dict[str, Form] = {"between": [_stream_form(bound) for bound in stream.between]} if stream.between else {}
    if isinstance(stream, NestedStream):
        return {**between, "stream": _stream_form(stream.stream)}
    optional: dict[str, Form] = {
        "marktype": stream.marktype,
        "markname": stream.markname,
        "filter": [filter.text for filter in stream.filters],
        "throttle": stream.throttle and number_text(stream.throttle),
        "debounce": stream.debounce and number_text(stream.debounce),
        "consume": stream.consume,
    }
    present = {name: value for name, value in optional.items() if value or (name == "markname" and value is not None)}
    return {"source": stream.source, "type": stream.type.text, **present, **between}
