"""What a test says about the values it looks at: after `isArray(datum.x)`, `datum.x` is an array.

A fact is a path and a test it has passed or failed. Where no alternative of a type is left, the code never runs and the
type is unknown, so that no rule complains about it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

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


def _is_null(option: Type) -> bool:
    return option == NULL


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
    found: dict[Path, tuple[tuple[Test, bool], ...]] | None = None
    pending = [(test, outcome)]
    while pending:
        test, outcome = pending.pop()
        match test:
            case Unary("!", operand):
                pending.append((operand, not outcome))
            case Logical(operator, left, right) if (operator == "&&") == outcome:
                pending += ((left, outcome), (right, outcome))
            case _ if (fact := _fact(test, outcome)) is not None and (path := path_of(fact[0])) is not None:
                found = dict(known) if found is None else found
                before = found.get(path, ())
                found[path] = before if fact[1:] in before else (*before, fact[1:])
    return known if found is None else found


def _fact(test: Expression, outcome: bool) -> tuple[Expression, Test, bool] | None:
    """The value that one test looks at, the test of its type, and how that came out."""
    match test:
        case Call(Identifier(name), (argument, *_)) if name in _TESTS and (outcome or name not in _ONE_SIDED):
            return argument, _TESTS[name], outcome
        case Binary("!=" | "==" as operator, value, Literal(None)) if (operator == "!=") == outcome:
            return value, _is_present, True
        case Binary("!==" | "===" as operator, value, Literal(None)) if (operator == "!==") == outcome:
            return value, _is_null, False
        case Identifier() | Member() if outcome:
            return test, _is_present, True
        case _:
            return None


def narrowed(of: Type, tests: tuple[tuple[Test, bool], ...]) -> Type:
    """The alternatives of a type that come through the tests as they came out."""
    if isinstance(of, Unknown):
        return of
    options = options_of(of)
    left = [option for option in options if all(test(option) == outcome for test, outcome in tests)]
    if len(left) == len(options):
        return of
    return join(left) if left else UNKNOWN
