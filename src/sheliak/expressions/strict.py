"""The paper's discipline (Fig. 5 as it stands): no unknown, nothing missing, no conversion.

Every function says whether the rule applies, after it has told why not. A value that was told of before is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sheliak.diagnostics.expressions import StrictCoercion, StrictMixedArray, StrictPossiblyMissing, StrictUnknown
from sheliak.expressions.derivation import REPORTED, Derivation, spoken
from sheliak.expressions.nodes import ArrayLiteral, Binary, Expression
from sheliak.types.operations import join, options_of, widened
from sheliak.types.shapes import BOOLEAN, DATE, NULL, NUMBER, STRING, TEXTS, UNDEFINED, Array, Record, Type, Unknown

Test = Callable[[Type], bool]


def is_number(option: Type) -> bool:
    return option == NUMBER


def is_text(option: Type) -> bool:
    return option in TEXTS


def _is_plain(option: Type) -> bool:
    return option == NUMBER or option == BOOLEAN or option in TEXTS


def takes_number(deriving: Derivation, node: Expression, of: Type, owner: str) -> bool:
    """T-eArithNum: an operand is a number."""
    return takes(deriving, node, of, owner, "a number", is_number)


def takes_sum(deriving: Derivation, e: Binary, left: Type, right: Type) -> bool:
    """T-eArithNum, T-eAddStrL, T-eAddStrR: two numbers, or text on one side and text, a number or a boolean on the other."""
    if _all(left, is_text) or _all(right, is_text):
        wanted, test = "text, numbers and booleans beside text", _is_plain
    else:
        wanted, test = "two numbers, or text", is_number
    return takes(deriving, e.left, left, "`+`", wanted, test) and takes(deriving, e.right, right, "`+`", wanted, test)


def takes_order(deriving: Derivation, e: Binary, left: Type, right: Type) -> bool:
    """Beyond the paper: `<` compares two numbers, two dates or two texts."""
    for test in (is_number, is_text, _is_date):
        if _all(left, test) and not isinstance(left, Unknown):
            return takes(deriving, e.right, right, f"`{e.operator}`", "two values of one kind", test)
    return takes(deriving, e.left, left, f"`{e.operator}`", "two numbers, two dates or two texts", is_number)


def _is_date(option: Type) -> bool:
    return option == DATE


def takes_elements(deriving: Derivation, e: ArrayLiteral, elements: Sequence[Type]) -> bool:
    """T-eArr: all elements have one type."""
    seen = [plain(of) for of in elements if of is not REPORTED]
    if all(of == seen[0] for of in seen):
        return True
    deriving.report(StrictMixedArray(place=deriving.place_of(e), of=join(seen)))
    return False


def plain(of: Type) -> Type:
    """A type without what is known of its content, as the paper's types are."""
    of = widened(of)
    if of in TEXTS:
        return STRING
    if isinstance(of, Array):
        return Array(plain(of.element))
    if isinstance(of, Record):
        return Record({name: plain(member) for name, member in of.fields.items()}, of.optional, of.open)
    return of


def takes_known(deriving: Derivation, node: Expression, of: Type) -> bool:
    """The value is known and not missing."""
    if of is REPORTED:
        return True
    if isinstance(of, Unknown):
        deriving.report(StrictUnknown(place=deriving.place_of(node), operand=spoken(node)))
        return False
    if any(option in (NULL, UNDEFINED) for option in options_of(of)):
        deriving.report(StrictPossiblyMissing(place=deriving.place_of(node), operand=spoken(node)))
        return False
    return True


def takes(deriving: Derivation, node: Expression, of: Type, owner: str, wanted: str, test: Test) -> bool:
    """The value is known, not missing, and of the wanted type in every alternative."""
    if not takes_known(deriving, node, of):
        return False
    if of is REPORTED or _all(of, test):
        return True
    place = deriving.place_of(node)
    deriving.report(StrictCoercion(place=place, owner=owner, operand=spoken(node), of=of, wanted=wanted))
    return False


def _all(of: Type, test: Test) -> bool:
    return all(map(test, options_of(widened(of))))
