"""Fig. 5 grown to Vega's whole expression language: Γ, T ⊢ e : T'.

Γ is the scope of the expression: `datum` and the other variables, signals, datasets, scales, projections and marks.
"""

from __future__ import annotations

from typing import assert_never

from sheliak.diagnostics.expressions import OUT_OF_SCOPE, ExpressionSyntax, IllegalName
from sheliak.diagnostics.names import UnknownSignal
from sheliak.expressions import strict
from sheliak.expressions.calls import type_of_call
from sheliak.expressions.derivation import REPORTED, Derivation, is_tested, spoken
from sheliak.expressions.field_paths import Reading, type_of_field
from sheliak.expressions.functions import CONSTANTS, FUNCTIONS
from sheliak.expressions.legality import ILLEGAL_KEYS, problems_of
from sheliak.expressions.narrowing import facts_of, narrowed, path_of
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
    Regex,
    Unary,
    static_name,
)
from sheliak.expressions.operators import type_of_binary, type_of_unary
from sheliak.expressions.scope import ExpressionScope
from sheliak.types import shapes
from sheliak.types.operations import Presence, all_texts, field_of, join, options_of, widened
from sheliak.types.shapes import (
    BOOLEAN,
    DATE,
    NULL,
    NUMBER,
    STRING,
    TEXTS,
    UNDEFINED,
    UNKNOWN,
    Array,
    Record,
    Type,
    Unknown,
    Unseen,
)

# More texts than this are text: nobody checks so many names, and joining them costs the square of their number.
_MOST_LITERALS = 32


def type_of_expression(expression: Expression, scope: ExpressionScope) -> Type:
    """Γ, T ⊢ e : T', reporting to the scope what is wrong; a part that has no type is unknown."""
    return _type_of(expression, Derivation(scope, expression))


def _type_of(e: Expression, deriving: Derivation) -> Type:
    """The rules of Fig. 5 in its order; where Vega has more than the paper, the rule's name stands without "T-e".

    A literal text has its own type, so that it can be a field's or a dataset's name. `x && y` and `x || y` yield one of their
    operands, and a conditional one of its branches: the join of both. A test narrows the types of what it looks at.
    """
    match e:
        case Literal():  # T-eBool, T-eNum, T-eStr; null
            return _type_of_literal(e, deriving)
        case Regex():  # regular expressions are values of no type we tell apart
            return UNKNOWN if _is_legal(e, deriving) else REPORTED
        case Identifier():  # T-eDatum; constants, signals and the other variables
            of = _type_of_variable(e, deriving)
            return _narrowed(e, of, deriving) if deriving.facts else of
        case Member():  # T-eField
            of = _type_of_member(e, deriving)
            return _narrowed(e, of, deriving) if deriving.facts else of
        case Binary(_, left, right):  # T-eArithNum, T-eAddStrL, T-eAddStrR; comparisons
            return type_of_binary(deriving, e, _type_of(left, deriving), _type_of(right, deriving))
        case Unary(_, operand):  # signs, ~ and !
            return type_of_unary(deriving, e, _type_of(operand, deriving))
        case Logical():  # && and ||
            return _type_of_logical(e, deriving)
        case Conditional():  # ?:
            return _type_of_choice(e, deriving)
        case ArrayLiteral():  # T-eArr
            return _type_of_array(e, deriving)
        case ObjectLiteral():  # T-eObj
            return _type_of_object(e, deriving)
        case Call(Identifier("if"), (_, _, _)):  # `if` is a conditional
            return _type_of_choice(e, deriving)
        case Call(callee, arguments):  # T-eBuiltin
            if isinstance(callee, Member):
                _look_at_holder(callee.object, deriving)
            return type_of_call(deriving, e, tuple([_type_of(argument, deriving) for argument in arguments]))
        case _:
            assert_never(e)


def _is_legal(e: Expression, deriving: Derivation) -> bool:
    """What the parser takes and JavaScript then refuses."""
    before = deriving.findings
    for part in problems_of(e):
        deriving.report(ExpressionSyntax(place=deriving.scope.place(part.start, part.end), problem=part.message))
    return deriving.findings == before


def _type_of_literal(e: Literal, deriving: Derivation) -> Type:
    value = e.value
    if "\\" in e.raw and not _is_legal(e, deriving):
        return REPORTED
    if isinstance(value, str):
        return shapes.Literal(value)
    if value is None:
        return NULL
    return BOOLEAN if isinstance(value, bool) else NUMBER


# Names


def _type_of_variable(e: Identifier, deriving: Derivation) -> Type:
    """A constant, else `datum`, `event`, `item`, else a signal."""
    name = e.name
    if name in CONSTANTS:
        return NUMBER
    of = deriving.scope.variable(name) if name != "_" else None
    if of is None:
        _report_variable(e, deriving)
        return REPORTED
    if name not in OUT_OF_SCOPE:
        deriving.scope.reads_signal(name)
    return of


def _report_variable(e: Identifier, deriving: Derivation) -> None:
    place, scope = deriving.place_of(e), deriving.scope
    if e.name == "_":
        deriving.report(IllegalName(place=place, name="_"))
    elif e.name in OUT_OF_SCOPE:
        deriving.report(OUT_OF_SCOPE[e.name](place=place, variable=e.name))
    else:
        datum = scope.variable("datum")
        is_field = isinstance(datum, Record) and e.name in datum.fields
        deriving.report(
            UnknownSignal(
                place=place,
                name=e.name,
                known=tuple(scope.variable_names()),
                field_of="datum" if is_field else None,
                is_function=e.name in FUNCTIONS,
            )
        )


def _look_at_holder(e: Expression, deriving: Derivation) -> None:
    """The call of a method is wrong in any case, and its holder may be too; but `Math.floor(1)` is one mistake."""
    if not isinstance(e, Identifier) or deriving.scope.variable(e.name) is not None:
        _type_of(e, deriving)


def _narrowed(e: Identifier | Member, of: Type, deriving: Derivation) -> Type:
    path = path_of(e)
    tests = deriving.facts.get(path) if path is not None else None
    return narrowed(of, tests) if tests else of


# Fields


def _type_of_member(e: Member, deriving: Derivation) -> Type:
    """T-eField: T ⊢ p : {…, f: T', …} gives T ⊢ p.f : T'; `p[e]` when the texts that e may be are known."""
    holder = _type_of(e.object, deriving)
    if isinstance(e.object, Literal) and not _is_legal(e, deriving):
        return REPORTED
    name = static_name(e)
    if name is not None:
        return _type_of_name(e, holder, name, deriving)
    index = _type_of(e.property, deriving)
    texts = all_texts(index)
    if texts is not None:
        return join([_type_of_name(e, holder, text, deriving) for text in texts])
    return _type_of_element(holder)


def _type_of_name(e: Member, holder: Type, name: str, deriving: Derivation) -> Type:
    """The field of a record; what is not a plain record, or lacks the field, is left to the general rule."""
    if isinstance(holder, Record):
        of, presence = field_of(holder, name)
        if presence is Presence.PRESENT:
            return of
        if presence is Presence.MAYBE and not deriving.strict:
            return of
        if presence is Presence.UNSEEN and not deriving.strict:
            if isinstance(of, Unknown) and of.origin is not None:
                deriving.require(of.origin, UNKNOWN)
            return of
    if isinstance(holder, Unknown):
        return _type_below_unknown(e, holder, name, deriving)
    if all(option in (NULL, UNDEFINED) for option in options_of(holder)):
        return UNKNOWN  # the code around it may see to it that this never runs
    if deriving.strict and not strict.takes_known(deriving, e.object, holder):
        return REPORTED
    return _type_of_field(e, holder, name, deriving)


def _type_below_unknown(e: Member, holder: Unknown, name: str, deriving: Derivation) -> Type:
    if deriving.strict and not strict.takes_known(deriving, e.object, holder):
        return REPORTED
    if holder.origin is None:
        return holder
    below = Unseen(holder.origin.dataset, (*holder.origin.path, name))
    deriving.require(below, UNKNOWN)
    return Unknown(below)


def _type_of_field(e: Member, holder: Type, name: str, deriving: Derivation) -> Type:
    before = deriving.findings
    place, exact = deriving.name_place(e.property)
    if e.computed and isinstance(e.property, Identifier):
        # The mistake is the option that names no field, not the place that reads it.
        place = deriving.scope.option_place(e.property.name, name) or place
    tested = is_tested(deriving.whole, e)
    reading = Reading(deriving, place, site=f"`{spoken(e)}`", replaceable=exact or not e.computed, harmless=tested)
    of = type_of_field(holder, name, spoken(e.object), reading)
    if deriving.findings > before:
        return REPORTED
    if deriving.strict and not strict.takes_known(deriving, e, of):
        return REPORTED
    return of


def _type_of_element(holder: Type) -> Type:
    """`p[e]` with an index that nobody knows: an element of an array, a letter of a text, any field of a record."""
    found: list[Type] = []
    for option in options_of(holder):
        if isinstance(option, Array):
            found.append(option.element)
        elif option in TEXTS or (isinstance(option, shapes.Literal) and isinstance(option.value, str)):
            found.append(STRING)
        elif option not in (NULL, UNDEFINED):
            return REPORTED if option is REPORTED else UNKNOWN
    return join(found)


# Choices: a chain of them is followed with a loop, so that a long one costs no more than its length.


def _type_of_choice(e: Expression, deriving: Derivation) -> Type:
    """`test ? a : b` and `if(test, a, b)`: the join of the branches, each typed under what the tests say."""
    before = deriving.facts
    branches: list[Type] = []
    while (parts := _choice(e)) is not None:
        test, consequent, e = parts
        _type_of(test, deriving)
        known = deriving.facts
        deriving.facts = facts_of(test, True, known)
        branches.append(_type_of(consequent, deriving))
        deriving.facts = facts_of(test, False, known)
    branches.append(_type_of(e, deriving))
    deriving.facts = before
    return _joined(branches)


def _choice(e: Expression) -> tuple[Expression, Expression, Expression] | None:
    match e:
        case Conditional(test, consequent, alternate) | Call(Identifier("if"), (test, consequent, alternate)):
            return test, consequent, alternate
        case _:
            return None


def _type_of_logical(e: Logical, deriving: Derivation) -> Type:
    """`x && y` yields x when x is falsy, `x || y` yields x when it is truthy; else y."""
    before = deriving.facts
    operator, operands = e.operator, _operands(e)
    yielded: list[Type] = []
    for operand in operands[:-1]:
        yielded += _left_by(operator, _type_of(operand, deriving))
        deriving.facts = facts_of(operand, operator == "&&", deriving.facts)
    yielded.append(_type_of(operands[-1], deriving))
    deriving.facts = before
    return _joined(yielded)


def _operands(e: Logical) -> list[Expression]:
    operator, left = e.operator, e.left
    operands = [e.right]
    while isinstance(left, Logical) and left.operator == operator:
        operands.append(left.right)
        left = left.left
    operands.append(left)
    operands.reverse()
    return operands


def _left_by(operator: str, of: Type) -> list[Type]:
    """The alternatives of an operand that the operator can yield instead of going on."""
    if operator == "&&":
        return [option for option in options_of(of) if not _is_truthy(option)]
    return [option for option in options_of(of) if option not in (NULL, UNDEFINED)]


def _joined(types: list[Type]) -> Type:
    return join(types) if len(types) <= _MOST_LITERALS else join([widened(of) for of in types])


def _is_truthy(option: Type) -> bool:
    """Every value of the type is true: objects, arrays, dates, text that is not empty."""
    if isinstance(option, shapes.Literal):
        return bool(option.value)
    return isinstance(option, Record | Array) or option == DATE


# Arrays and objects


def _type_of_array(e: ArrayLiteral, deriving: Derivation) -> Type:
    """T-eArr, where the elements' types join; the empty array may hold anything."""
    if e.holes and not _is_legal(e, deriving):
        return REPORTED
    elements = [_type_of(element, deriving) for element in e.elements]
    if not elements:
        return Array(UNKNOWN)
    if deriving.strict and not strict.takes_elements(deriving, e, elements):
        return REPORTED
    return Array(_joined(elements))


def _type_of_object(e: ObjectLiteral, deriving: Derivation) -> Type:
    """T-eObj."""
    fields: dict[str, Type] = {}
    for entry in e.properties:
        if entry.name in ILLEGAL_KEYS:
            deriving.report(IllegalName(place=deriving.place_of(entry.key), name=entry.name, is_key=True))
        fields[entry.name] = _type_of(entry.value, deriving)
    return Record(fields)
