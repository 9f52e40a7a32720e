"""What Vega's parser accepts and its code generator, or JavaScript behind it, rejects whatever the names mean.

Under the flag `u` JavaScript's rules for regular expressions are stricter than those Vega applied; they are not checked here.
Whether a function or a signal exists is a question of names and belongs to the typing rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.expressions.nodes import (
    ArrayLiteral,
    Call,
    Expression,
    Identifier,
    Literal,
    Member,
    Node,
    ObjectLiteral,
    Regex,
    children,
)
from sheliak.source.declared import dataclass

_WORDS = """
    constructor __defineGetter__ __defineSetter__ hasOwnProperty __lookupGetter__ __lookupSetter__ isPrototypeOf
    propertyIsEnumerable toString valueOf toLocaleString __proto__ then
"""
ILLEGAL_KEYS = frozenset(_WORDS.split())


@dataclass(frozen=True, slots=True)
class IllegalPart:
    """A part of an expression that cannot be run, and why."""

    message: str
    start: int
    end: int


def illegal_parts(tree: Expression) -> list[IllegalPart]:
    """Everything in a tree that Vega cannot run, in no particular order."""
    found: list[IllegalPart] = []
    pending = [tree]
    while pending:
        node = pending.pop()
        found.extend(problems_of(node))
        pending.extend(_run_parts(node))
    return found


def _run_parts(node: Expression) -> tuple[Expression, ...]:
    # The callee of a call is looked up among the functions, it is not an identifier that is evaluated.
    return node.arguments if isinstance(node, Call) else children(node)


def problems_of(node: Expression) -> Iterator[IllegalPart]:
    """What is illegal in a node itself, apart from the expressions inside it."""
    match node:
        case Call(callee) if not isinstance(callee, Identifier):
            yield _at(callee, "only functions can be called, by their bare name")
        case Identifier("_"):
            yield _at(node, "`_` is not a legal name")
        case ArrayLiteral(_, holes) if holes:
            yield _at(node, "the array has an empty place between its commas")
        case ObjectLiteral(properties):
            for entry in properties:
                if entry.name in ILLEGAL_KEYS:
                    yield _at(entry.key, f"`{entry.name}` is not a legal key of an object")
                if isinstance(entry.key, Literal):
                    yield from problems_of(entry.key)
        case Member(Literal() as owner, _, False) if owner.raw.isdigit():
            yield _at(node, "a whole number cannot be followed by a dot and a name")
        case Literal() if _is_not_javascript(node):
            yield _at(node, f"`{node.raw}` is not how JavaScript writes it")
        case Regex(_, flags) if len(set(flags)) < len(flags):
            yield _at(node, "a flag of the regular expression is repeated")


def _is_not_javascript(literal: Literal) -> bool:
    """Vega reads `\\x{41}` and `tru\\u0065`, but hands them to JavaScript as they are, which does not."""
    if "\\" not in literal.raw:
        return False
    return not isinstance(literal.value, str) or "\\x{" in literal.raw.replace("\\\\", "")


def _at(node: Node, message: str) -> IllegalPart:
    return IllegalPart(message, node.start, node.end)
