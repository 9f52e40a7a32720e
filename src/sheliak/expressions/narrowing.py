"""What a test says about the values it looks at: after `isArray(datum.x)`, `datum.x` is an array.

A fact is a path and a test it has passed or failed. Where no alternative of a type is left, the code never runs and the
type is unknown, so that no rule complains about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sheliak.expressions.nodes import Binary, Call, Expression, Identifier, Literal, Logical, Member, Unary, static_name
from sheliak.types import shapes
from sheliak.types.operations import join, options_of
from sheliak.types.shapes import BOOLEAN, DATE, NULL, NUMBER, TEXTS, UNDEFINED, UNKNOWN, Array, Record, Type, Unknown

Path = tuple[str, ...]
Test = Callable[[Type], bool]
Facts = Mapping[Path, tuple[tuple[Test, bool], ...]]
"""For every path the tests it has been put to, and how they came out."""

NO_FACTS: Facts = {}


def _is_scalar(kind: Type, python: type) -> Test:
    def test(option: Type) -> bool:
        return option == kind or (isinstance(option, shapes.Literal) and type(option.value) is python)

    return test


def _is_text(option: Type) -> bool:
    return option in TEXTS or (isinstance(option, shapes.Literal) and isinstance(option.value, str))


def _is_present(option: Type) -> bool:
    return option not in (NULL, UNDEFINED)


_TESTS: Mapping[str, Test] = {
    "isArray": lambda option: isinstance(option, Array),
    "isBoolean": _is_scalar(BOOLEAN, bool),
    "isDate": lambda option: option == DATE,
    "isDefined": lambda option: option != UNDEFINED,
    "isNumber": _is_scalar(NUMBER, float),
    "isObject": lambda option: isinstance(option, Record | Array) or option == DATE,
    "isString": _is_text,
    "isTuple": lambda option: isinstance(option, Record),
    "isValid": _is_present,
}
# A value that fails one of these may still pass the test of its kind: isValid(NaN) is false.
_ONE_SIDED = frozenset({"isValid", "isTuple"})


def path_of(node: Expression) -> Path | None:
    """The names that lead to a value, if the text alone says so."""
    names: list[str] = []
    while isinstance(node, Member):
        name = static_name(node)
        if name is None:
            return None
        names.append(name)
        node = node.object
    return (node.name, *reversed(names)) if isinstance(node, Identifier) else None


def facts_of(test: Expression, outcome: bool, known: Facts) -> Facts:
    """What is known when a test comes out so, added to what was known before."""
    found = dict(known)
    for path, passed in _facts(test, outcome):
        found[path] = (*found.get(path, ()), passed)
    return found if len(found) > len(known) or found != known else known


def _facts(test: Expression, outcome: bool) -> Iterator[tuple[Path, tuple[Test, bool]]]:
    match test:
        case Unary("!", operand):
            yield from _facts(operand, not outcome)
        case Logical(operator, left, right) if (operator == "&&") == outcome:
            yield from _facts(left, outcome)
            yield from _facts(right, outcome)
        case Call(Identifier(name), (argument, *_)) if name in _TESTS and (outcome or name not in _ONE_SIDED):
            if (path := path_of(argument)) is not None:
                yield path, (_TESTS[name], outcome)
        case Binary("!=" | "!==", tested, Literal(None)) if outcome:
            if (path := path_of(tested)) is not None:
                # `!== null` says nothing about undefined, but code that asks it means both.
                yield path, (_is_present, True)
        case Binary("==" | "===", tested, Literal(None)) if not outcome:
            if (path := path_of(tested)) is not None:
                yield path, (_is_present, True)
        case Identifier() | Member() if outcome:
            if (path := path_of(test)) is not None:
                yield path, (_is_present, True)


def narrowed(of: Type, tests: tuple[tuple[Test, bool], ...]) -> Type:
    """The alternatives of a type that come through the tests as they came out."""
    if isinstance(of, Unknown):
        return of
    options = options_of(of)
    left = [option for option in options if all(test(option) == outcome for test, outcome in tests)]
    if len(left) == len(options):
        return of
    return join(left) if left else UNKNOWN
