"""T-eArithNum, T-eAddStrL and T-eAddStrR grown to all operators, with JavaScript's conversions.

Every function says the type of the result, after it has told of operands that JavaScript cannot use. Text whose content nobody has
seen is never complained about; after a finding the result is unknown.
"""

from __future__ import annotations

from itertools import product

from sheliak.diagnostics import expressions as findings
from sheliak.diagnostics.parameters import NumericTextOrder
from sheliak.expressions import strict
from sheliak.expressions.derivation import REPORTED, Derivation, spoken
from sheliak.expressions.narrowing import path_of
from sheliak.expressions.nodes import Binary, Expression, Literal, Member, Unary, static_name
from sheliak.expressions.numerals import number_text
from sheliak.types import shapes
from sheliak.types.operations import all_texts, is_text, join, may_be_number, options_of, reads_as_number, without_missing
from sheliak.types.shapes import (
    BOOLEAN,
    DATE,
    DATE_TEXT,
    NULL,
    NUMBER,
    NUMERIC_TEXT,
    STRING,
    TEXTS,
    UNDEFINED,
    UNKNOWN,
    WORDS,
    Array,
    Record,
    Type,
    Unknown,
)

ARITHMETIC = frozenset({"-", "*", "/", "%", "|", "&", "^", "<<", ">>", ">>>"})
ORDER = frozenset({"<", ">", "<=", ">="})
EQUALITY = frozenset({"==", "===", "!=", "!=="})
# More folded names than this are not followed one by one.
_MOST_TEXTS = 64
# Every letter that some text that reads as a number has in it, in decimal, hexadecimal or as Infinity.
_NUMERIC_LETTERS = frozenset("0123456789+-.eExXoObBaAcCdDfFInity \t\n\r\f\v\u00a0\ufeff")


def type_of_unary(deriving: Derivation, e: Unary, of: Type) -> Type:
    """`!e` is a boolean; `-e` and `~e` are arithmetic; `+e` is the conversion to a number that a user asks for."""
    if e.operator == "!":
        return BOOLEAN
    if e.operator == "+":
        converted(deriving, e.operand, of, "+")
    elif not _usable(deriving, e.operand, of, e.operator):
        return REPORTED
    return NUMBER


def type_of_binary(deriving: Derivation, e: Binary, left: Type, right: Type) -> Type:
    """The result of a binary operator over the types of its operands."""
    operator = e.operator
    if operator == "+":
        return _type_of_sum(deriving, e, left, right)
    if operator in ARITHMETIC:
        # Both are looked at, so that each operand is told of.
        usable = (_usable(deriving, e.left, left, operator), _usable(deriving, e.right, right, operator))
        return NUMBER if all(usable) else REPORTED
    if operator in ORDER:
        _compare_order(deriving, e, left, right)
    elif operator in EQUALITY:
        _compare_equality(deriving, e, left, right)
    return BOOLEAN


# Arithmetic


def _usable(deriving: Derivation, node: Expression, of: Type, operator: str) -> bool:
    """T-eArithNum: the operand is a number, or something that JavaScript turns into one."""
    if of is NUMBER:
        return True
    if isinstance(of, Unknown):
        deriving.demand(of, NUMBER)
    if deriving.strict:
        return strict.takes_number(deriving, node, of, f"`{operator}`")
    present = without_missing(of)
    if present in (NULL, UNDEFINED) or may_be_number(present):
        _warn_of_null(deriving, node, of, operator)
        return True
    finding = findings.TextInArithmetic if is_text(present) else findings.ObjectInArithmetic
    deriving.report(finding(place=deriving.place_of(node), operator=operator, operand=spoken(node), of=present))
    return False


def _warn_of_null(deriving: Derivation, node: Expression, of: Type, operator: str) -> None:
    """A field that a lookup added is null where nothing was found."""
    path = path_of(node) if isinstance(of, shapes.Union) and NULL in of.options else None
    if path is None or len(path) != 2:
        return
    holder = deriving.scope.variable(path[0])
    step = holder.lineage if isinstance(holder, Record) else None
    while step is not None and path[1] not in step.added:
        step = step.before.lineage if step.before is not None else None
    if step is not None and step.step == "lookup":
        place, operand = deriving.place_of(node), spoken(node)
        deriving.report(findings.NullAsZero(place=place, operator=operator, operand=operand, of=of, lookup=step.place))


def converted(deriving: Derivation, node: Expression, of: Type, operator: str) -> None:
    """Unary `+` and `toNumber`: conversions that are asked for; only text seen not to be numeric is told of."""
    if isinstance(of, Unknown):
        deriving.demand(of, NUMBER)
        return
    present = without_missing(of)
    if is_text(present) and not may_be_number(present):
        place = deriving.place_of(node)
        deriving.report(findings.WordsToNumber(place=place, operator=operator, operand=spoken(node), of=present))


# Sums


def _type_of_sum(deriving: Derivation, e: Binary, left: Type, right: Type) -> Type:
    """`+` adds when neither side is text, a date, an object or an array; else it joins both as text."""
    if left is NUMBER and right is NUMBER:  # T-eArithNum
        return NUMBER
    folded = _folded(e, left, right)
    if folded is not None:
        return folded
    if deriving.strict and not strict.takes_sum(deriving, e, left, right):
        return REPORTED
    _warn_of_sum(deriving, e, left, right)
    if _joins(left) or _joins(right):  # T-eAddStrL, T-eAddStrR
        return WORDS if _keeps_words(left) or _keeps_words(right) else STRING
    if _adds(left) and _adds(right):
        _warn_of_null(deriving, e.left, left, "+")
        _warn_of_null(deriving, e.right, right, "+")
        return NUMBER
    if left is REPORTED or right is REPORTED:
        return REPORTED
    return UNKNOWN if _has_unknown(left) or _has_unknown(right) else join((NUMBER, STRING))


def _folded(e: Binary, left: Type, right: Type) -> Type | None:
    """`'a' + 'b'`: the texts are known, so names made of them can be checked."""
    lefts, rights = _texts(e.left, left), _texts(e.right, right)
    if not lefts or not rights or len(lefts) * len(rights) > _MOST_TEXTS:
        return None
    return join(shapes.Literal(one + other) for one, other in product(lefts, rights))


def _texts(node: Expression, of: Type) -> tuple[str, ...] | None:
    if isinstance(node, Literal) and isinstance(node.value, float):
        return (number_text(node.value),)
    return all_texts(of)


def _joins(of: Type) -> bool:
    """Every alternative makes `+` write text."""
    return all(
        isinstance(option, Record | Array)
        or option in TEXTS
        or option == DATE
        or (isinstance(option, shapes.Literal) and isinstance(option.value, str))
        for option in options_of(of)
    )


def _keeps_words(of: Type) -> bool:
    """Text that makes every text it is part of read as no number, such as `'https://'`."""
    if of is WORDS:
        return True
    texts = all_texts(of)
    return bool(texts) and not any(_NUMERIC_LETTERS.issuperset(text) for text in texts or ())


def _adds(of: Type) -> bool:
    """No alternative makes `+` write text."""
    return all(
        option in (NUMBER, BOOLEAN, NULL, UNDEFINED) or (isinstance(option, shapes.Literal) and not isinstance(option.value, str))
        for option in options_of(of)
    )


def _has_unknown(of: Type) -> bool:
    return any(isinstance(option, Unknown) for option in options_of(of))


def _warn_of_sum(deriving: Derivation, e: Binary, left: Type, right: Type) -> None:
    """A sum that was meant to add: a number with numeric text of the data, or with a date."""
    for node, of, other in ((e.left, left, right), (e.right, right, left)):
        present = without_missing(of)
        finding = _SUMS.get(present) if isinstance(present, shapes.Scalar) else None
        if finding is not None and without_missing(other) is NUMBER:
            place = deriving.place_of(node)
            deriving.report(finding(place=place, operator="+", operand=spoken(node), of=present))


_SUMS: dict[Type, type[findings.NumericTextConcatenation | findings.DatePlusNumber]] = {
    NUMERIC_TEXT: findings.NumericTextConcatenation,
    DATE: findings.DatePlusNumber,
}


# Comparisons


def check_range(deriving: Derivation, node: Expression, of: Type, bounds: Expression, bound: Type) -> None:
    """`inrange` compares as `<` does."""
    _demand_of_other(deriving, of, bound)
    if _never_numeric(without_missing(of)) and _numeric(without_missing(bound)):
        _report_comparison(deriving, "inrange", node, without_missing(of), bounds)


def _compare_order(deriving: Derivation, e: Binary, left: Type, right: Type) -> None:
    """`<`: two texts compare as text, everything else as numbers."""
    _demand_of_other(deriving, left, right)
    if deriving.strict and not strict.takes_order(deriving, e, left, right):
        return
    one, other = without_missing(left), without_missing(right)
    if one == NUMERIC_TEXT and other == NUMERIC_TEXT:
        place = deriving.place_of(e)
        deriving.report(NumericTextOrder(place=place, field=_field_name(e.left), owner=f"`{e.operator}`"))
        return
    for node, of, against, numeric in ((e.left, one, e.right, other), (e.right, other, e.left, one)):
        if _never_numeric(of) and _numeric(numeric):
            _report_comparison(deriving, e.operator, node, of, against)
            return


def _report_comparison(deriving: Derivation, operator: str, node: Expression, of: Type, against: Expression) -> None:
    place, operand = deriving.place_of(node), spoken(node)
    other = spoken(against)
    deriving.report(findings.TextComparedWithNumber(place=place, operator=operator, operand=operand, of=of, other=other))


def _never_numeric(of: Type) -> bool:
    return of in (WORDS, DATE_TEXT) or (is_text(of) and not may_be_number(of))


def _numeric(of: Type) -> bool:
    return all(
        option in (NUMBER, DATE) or (isinstance(option, shapes.Literal) and isinstance(option.value, float))
        for option in options_of(of)
    )


def _compare_equality(deriving: Derivation, e: Binary, left: Type, right: Type) -> None:
    """`==` and `===` between kinds that are never equal; `!=` of them is only superfluous."""
    _demand_of_other(deriving, left, right)
    if e.operator not in ("==", "==="):
        return
    one, other = without_missing(left), without_missing(right)
    never = _never_identical if e.operator == "===" else _never_equal
    if never(one, other):
        deriving.report(
            findings.NeverEqual(
                place=deriving.place_of(e),
                operator=e.operator,
                operand=spoken(e.left),
                of=one,
                other=spoken(e.right),
                other_type=other,
            )
        )


def _never_identical(one: Type, other: Type) -> bool:
    kinds, other_kinds = _kinds(one), _kinds(other)
    return bool(kinds) and bool(other_kinds) and kinds.isdisjoint(other_kinds)


def _never_equal(one: Type, other: Type) -> bool:
    """A number or a boolean is equal to text only if the text reads as a number."""
    return (_certain_words(one) and _counts(other)) or (_certain_words(other) and _counts(one))


def _counts(of: Type) -> bool:
    kinds = _kinds(of)
    return bool(kinds) and kinds <= {"number", "boolean"}


def _certain_words(of: Type) -> bool:
    """Literal texts none of which reads as a number; a column of words may still hold some that do."""
    texts = all_texts(of)
    return bool(texts) and not any(map(reads_as_number, texts or ()))


def _kinds(of: Type) -> frozenset[str]:
    """What JavaScript's typeof tells apart; empty when it is not known, or the value is missing."""
    kinds: set[str] = set()
    for option in options_of(of):
        if option in TEXTS:
            kinds.add("text")
        elif isinstance(option, shapes.Literal):
            kinds.add({str: "text", bool: "boolean"}.get(type(option.value), "number"))
        elif option in (NUMBER, BOOLEAN, DATE):
            kinds.add(option.name if isinstance(option, shapes.Scalar) else "")
        else:
            return frozenset()
    return frozenset(kinds)


def _demand_of_other(deriving: Derivation, left: Type, right: Type) -> None:
    """An unseen value is compared with a known one: it should be of that kind."""
    for of, other in ((left, right), (right, left)):
        if isinstance(of, Unknown) and of.origin is not None:
            kinds = _kinds(other)
            if len(kinds) == 1:
                deriving.demand(of, _DEMANDS[next(iter(kinds))])


_DEMANDS: dict[str, Type] = {"text": STRING, "number": NUMBER, "boolean": BOOLEAN, "date": DATE}


def _field_name(node: Expression) -> str:
    name = static_name(node) if isinstance(node, Member) else None
    return name or spoken(node)
