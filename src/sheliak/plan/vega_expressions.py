"""From a spec's expression to the plan's: every operator becomes the operation that the types of its operands call for."""

from __future__ import annotations

from typing import assert_never

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
)
from sheliak.expressions.operators import ARITHMETIC, EQUALITY, ORDER
from sheliak.expressions.parser import parse_expression
from sheliak.expressions.values import RegExp
from sheliak.plan.arithmetic import arithmetic, unary
from sheliak.plan.choice import choose
from sheliak.plan.coercion import converted, truth_of
from sheliak.plan.column_types import OPAQUE, List, Record, unified_all
from sheliak.plan.comparison import comparison
from sheliak.plan.expressions import Apply, Constant, PlanExpression, constant
from sheliak.plan.members import has_member, member_of, named_member
from sheliak.plan.scope import Scope, is_constant
from sheliak.plan.stopping import stops
from sheliak.plan.unplannable import Unplannable


def planned_text(text: str, scope: Scope) -> PlanExpression:
    """The expression that a spec writes as text."""
    return planned(parse_expression(text), scope)


def planned(node: Expression, scope: Scope) -> PlanExpression:
    """T ⊢ e: the plan's expression. Raises Unplannable where the plan cannot say exactly what JavaScript would compute."""
    if is_constant(node) and not isinstance(node, Literal | Regex):
        return scope.folded(node)
    match node:
        case Literal(value):
            return constant(value)
        case Regex(pattern, flags):
            return constant(RegExp(pattern, flags))
        case Identifier(name):
            if name == "datum":
                return scope.datum()
            raise Unplannable(f"`{name}` exists only while a chart is used")
        case Member():
            return _member(node, scope)
        case Unary(operator, operand):
            given = planned(operand, scope)
            return _computed(unary(operator, given), given)
        case Binary(operator, left, right):
            operands = (planned(left, scope), planned(right, scope))
            return _computed(_binary(operator, *operands, scope), *operands)
        case Logical(operator, left, right):
            return _logical(operator, left, right, scope)
        case Conditional(test, consequent, alternate):
            return _conditional(test, consequent, alternate, scope)
        case Call(_, arguments):
            return _call(node.name or "", arguments, scope)
        case ArrayLiteral(elements):
            return list_of([planned(element, scope) for element in elements])
        case ObjectLiteral(properties):
            return record_of({entry.name: planned(entry.value, scope) for entry in properties})
        case _:
            assert_never(node)


def _computed(answer: PlanExpression, *operands: PlanExpression) -> PlanExpression:
    """What an operator answers. Raises Unplannable where types alone say it, and an operand, left out, would have stopped the run."""
    if isinstance(answer, Constant) and any(map(stops, operands)):
        raise Unplannable("what need not be computed may stop the run")
    return answer


def _member(node: Member, scope: Scope) -> PlanExpression:
    if isinstance(node.object, Identifier) and node.object.name == "datum":
        if not node.computed:
            assert isinstance(node.property, Identifier)
            return scope.field(node.property.name)
        return _datum_item(planned(node.property, scope), scope)
    holder = planned(node.object, scope)
    if not node.computed:
        assert isinstance(node.property, Identifier)
        return named_member(holder, node.property.name)
    return member_of(holder, planned(node.property, scope), scope.zone)


def _datum_item(key: PlanExpression, scope: Scope) -> PlanExpression:
    """`datum[key]`: one of the fields."""
    return member_of(scope.datum(), key, scope.zone)


def _binary(operator: str, left: PlanExpression, right: PlanExpression, scope: Scope) -> PlanExpression:
    if operator == "+" or operator in ARITHMETIC:
        return arithmetic(operator, left, right, scope.zone)
    if operator in EQUALITY or operator in ORDER:
        return comparison(operator, left, right, scope.zone)
    if operator == "in":
        return has_member(right, left, scope.zone)
    raise Unplannable(f"the operator `{operator}` has no column form")


def _logical(operator: str, left: Expression, right: Expression, scope: Scope) -> PlanExpression:
    """`&&` and `||` give one of their operands; the right one is looked at only where it can be the answer."""
    first = planned(left, scope)
    test = _computed(truth_of(first), first)
    if isinstance(test, Constant):
        return planned(right, scope) if bool(test.value) == (operator == "&&") else first
    second = planned(right, scope)
    return choose(test, second, first) if operator == "&&" else choose(test, first, second)


def _conditional(test: Expression, consequent: Expression, alternate: Expression, scope: Scope) -> PlanExpression:
    given = planned(test, scope)
    tested = _computed(truth_of(given), given)
    if isinstance(tested, Constant):
        return planned(consequent if tested.value else alternate, scope)
    return choose(tested, planned(consequent, scope), planned(alternate, scope))


def _call(name: str, arguments: tuple[Expression, ...], scope: Scope) -> PlanExpression:
    from sheliak.plan.functions import column_function

    if name == "if" and len(arguments) == 3:
        return _conditional(*arguments, scope)
    operands = [planned(argument, scope) for argument in arguments]
    try:
        made = column_function(name)(operands, scope)
    except IndexError as problem:
        raise Unplannable(f"`{name}` lacks an argument") from problem
    return _computed(made, *operands)


def list_of(elements: list[PlanExpression]) -> PlanExpression:
    """`[a, b]`."""
    of = unified_all(element.of for element in elements)
    if of == OPAQUE:
        raise Unplannable("it makes a list of values of different kinds")
    return Apply("list", tuple(converted(element, of) for element in elements), List(of))


def record_of(members: dict[str, PlanExpression]) -> PlanExpression:
    """`{a: b}`."""
    of = Record(tuple((name, member.of) for name, member in members.items()))
    return Apply("record", tuple(members.values()), of)
