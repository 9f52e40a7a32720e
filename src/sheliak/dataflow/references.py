"""What the parts of a spec refer to: the signals, datasets, scales and projections that expressions and parameters name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sheliak.expressions.functions import CONSTANTS, FUNCTIONS
from sheliak.expressions.legality import illegal_parts
from sheliak.expressions.nodes import Call, Expression, Identifier, Literal, children
from sheliak.expressions.parser import ExpressionSyntaxError, parse_expression
from sheliak.source.tree import Node
from sheliak.transforms._contract import Param, Transform

LOCAL_NAMES = frozenset({"datum", "event", "item"})
"""Names that an expression has without any signal."""
ANY_SCALE = "*"
"""Stands for all scales: the expression computes which one it reads."""


class UnreadableExpression(Exception):
    """Vega refuses the spec because of an expression's text."""


@dataclass(frozen=True, slots=True)
class Reads:
    """The names in one expression."""

    signals: tuple[str, ...]
    datasets: tuple[str, ...]
    """Read by `data` and its kin; one that is not declared yet counts as absent."""
    indexed: tuple[str, ...]
    """Read by `indata`, which insists on a declared dataset."""
    scales: tuple[str, ...]
    """Scales and projections."""
    written: tuple[str, ...] = ()
    """Datasets that `modify` and `setdata` change; the expression does not wait for them."""


@lru_cache(maxsize=1 << 12)
def reads_of(text: str) -> Reads:
    """The names that an expression's text reads; raises UnreadableExpression."""
    try:
        tree = parse_expression(text)
    except ExpressionSyntaxError as error:
        raise UnreadableExpression(f"Expression parse error: {text} ({error})") from error
    for part in illegal_parts(tree):
        raise UnreadableExpression(f"{part.message}: {text}")
    found: dict[str, dict[str, None]] = {kind: {} for kind in ("signal", "dataset", "indexed", "scale", "written")}
    for node in _nodes(tree):
        for kind, name in _names(node):
            found[kind][name] = None
    return Reads(*map(tuple, found.values()))


def _nodes(tree: Expression) -> Iterator[Expression]:
    """Every part that is evaluated: names after a dot and the names of functions are not."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(node.arguments if isinstance(node, Call) else children(node))


def _names(node: Expression) -> Iterator[tuple[str, str]]:
    if isinstance(node, Identifier):
        if node.name not in LOCAL_NAMES and node.name not in CONSTANTS:
            yield "signal", node.name
    elif isinstance(node, Call):
        yield from _names_of_call(node)


def _names_of_call(call: Call) -> Iterator[tuple[str, str]]:
    """Only a name written as a literal is looked up when the spec is read; a computed scale may be any."""
    signature = FUNCTIONS.get(call.name or "")
    if signature is None:
        raise UnreadableExpression(f"Unrecognized function: {call.name}")
    if not signature.parameters or not call.arguments:
        return
    first, kind = call.arguments[0], signature.parameters[0].kind
    literal = first.value if isinstance(first, Literal) and isinstance(first.value, str) else None
    if kind == "dataset" and literal is not None:
        yield "written" if signature.purity == "effect" else "indexed" if call.name == "indata" else "dataset", literal
    elif kind in ("scale", "projection"):
        yield "scale", literal if literal is not None else ANY_SCALE


@dataclass(frozen=True, slots=True)
class Reference:
    """One name or expression that a parameter holds."""

    kind: str
    """`signal` (the text of a signal object, which is read when everything is declared), `expression` (read at once),
    `dataset` or `projection`."""
    text: str


def references_of_transform(cls: type[Transform], node: Node) -> Iterator[Reference]:
    """The references in a transform's parameters, in Vega's order of parameters; what is no parameter is not looked at."""
    for param in cls.params:
        given = node.get(param.name)
        if given is not None:
            yield from _references_of_param(param, given)


def _references_of_param(param: Param, given: Node) -> Iterator[Reference]:
    if param.kind == "param":
        for element in given.elements() if param.array else (given,):
            key = element.get(param.key)
            variant = param.variants.get(key.text or "") if key is not None else None
            if variant is not None:
                yield from references_of_transform(variant, element)
    elif param.kind in ("data", "projection"):
        for element in given.elements() if given.is_array else (given,):
            if element.text is not None:
                yield Reference("dataset" if param.kind == "data" else "projection", element.text)
    elif param.kind == "expr" and given.text is not None:
        yield Reference("expression", given.text)
    else:
        yield from references_below(given.value)


def references_below(value: object) -> Iterator[Reference]:
    """The `{signal}` and `{expr}` objects anywhere in a value, in the order of the text."""
    pending = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, list):
            pending += reversed(current)
        elif isinstance(current, dict):
            signal, expression = current.get("signal"), current.get("expr")
            if isinstance(signal, str) and signal:
                yield Reference("signal", signal)
            elif isinstance(expression, str) and expression:
                yield Reference("expression", expression)
            else:
                pending += reversed(list(current.values()))
