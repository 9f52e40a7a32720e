"""Every expression of the published specs can be typed, and where nothing is known nothing is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from expressions.typing_scope import FakeScope
from sheliak.expressions.parser import ExpressionSyntaxError, parse_expression
from sheliak.expressions.typing_rules import type_of_expression
from sheliak.types.shapes import OPEN_RECORD, UNKNOWN, Record, Type

pytestmark = pytest.mark.needs_shared

# The keys under which a string is an expression; `filter` and `values` hold other things too.
_KEYS = frozenset(
    {"signal", "expr", "update", "test", "init", "filter", "trigger", "insert", "remove", "toggle", "modify", "values"}
)


class UnknownScope(FakeScope):
    """Every name exists, nothing is known of any."""

    def variable(self, name: str) -> Type:
        return UNKNOWN

    def dataset(self, name: str) -> Record:
        return OPEN_RECORD

    def has_scale(self, name: str) -> bool:
        return True

    def has_projection(self, name: str) -> bool:
        return True

    def has_mark(self, name: str) -> bool:
        return True


def expressions_in(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, member in value.items():
            if isinstance(member, str) and key in _KEYS:
                yield member
            else:
                yield from expressions_in(member)
    elif isinstance(value, list):
        for element in value:
            yield from expressions_in(element)


@pytest.fixture(scope="module")
def texts(shared: Path) -> set[str]:
    specs = (json.loads(path.read_text(encoding="utf-8")) for path in sorted((shared / "corpus" / "valid").glob("*.json")))
    return {text for spec in specs for text in expressions_in(spec)}


def test_every_expression_is_typed_without_a_finding(texts: set[str]) -> None:
    read, wrong = 0, []
    for text in sorted(texts):
        try:
            tree = parse_expression(text)
        except ExpressionSyntaxError:
            continue
        scope = UnknownScope()
        type_of_expression(tree, scope)
        read += 1
        wrong += [(text, finding.message()) for finding in scope.findings]
    assert wrong == []
    assert read > 0.99 * len(texts)


def test_strict_typing_ends_with_a_type_too(texts: set[str]) -> None:
    for text in sorted(texts):
        try:
            tree = parse_expression(text)
        except ExpressionSyntaxError:
            continue
        scope = UnknownScope(strict=True)
        type_of_expression(tree, scope)
        assert {finding.code for finding in scope.findings} <= {
            "strict-unknown",
            "strict-coercion",
            "strict-possibly-missing",
            "strict-mixed-array",
        }
