"""One derivation of T ⊢ e : T': the scope it happens in, what is known of values, and how findings are told."""

from __future__ import annotations

from typing import Final

from sheliak.diagnostics.registry import Diagnostic
from sheliak.expressions.narrowing import NO_FACTS, Facts
from sheliak.expressions.nodes import Call, Expression, Literal, children
from sheliak.expressions.printer import print_expression
from sheliak.expressions.scope import ExpressionScope
from sheliak.source.place import Place
from sheliak.types.shapes import Type, Unknown, Unseen

REPORTED: Final = Unknown()
"""The type after a finding: unknown, and known by identity, so that strict typing does not tell of it twice."""

_LONGEST = 60


class Derivation:
    """The state of typing one expression."""

    __slots__ = ("facts", "findings", "scope", "strict", "whole")

    def __init__(self, scope: ExpressionScope, whole: Expression) -> None:
        self.scope = scope
        self.whole = whole
        self.strict = scope.strict
        self.facts: Facts = NO_FACTS
        self.findings = 0

    def report(self, finding: Diagnostic) -> None:
        self.findings += 1
        self.scope.report(finding)

    def require(self, unseen: Unseen, demanded: Type) -> None:
        self.scope.require(unseen, demanded)

    def demand(self, of: Unknown, demanded: Type) -> None:
        """A value of unseen data is used as this type."""
        if of.origin is not None:
            self.scope.require(of.origin, demanded)

    def place_of(self, node: Expression) -> Place:
        return self.scope.place(node.start, node.end)

    def name_place(self, node: Expression) -> tuple[Place, bool]:
        """The place of a name that is written out, and whether it is exactly the name: what stands between the quotes."""
        if isinstance(node, Literal) and isinstance(node.value, str) and node.end - node.start == len(node.value) + 2:
            return self.scope.place(node.start + 1, node.end - 1), True
        return self.place_of(node), False


def is_tested(whole: Expression, part: Expression) -> bool:
    """The expression asks somewhere whether the part is valid or defined: its author expects that it may be missing."""
    todo: list[Expression] = [whole]
    while todo:
        node = todo.pop()
        if isinstance(node, Call) and node.name in ("isValid", "isDefined") and part in node.arguments:
            return True
        todo.extend(children(node))
    return False


def spoken(node: Expression) -> str:
    """A part of an expression as a sentence can name it: its text, cut where it is long."""
    text = print_expression(node)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
