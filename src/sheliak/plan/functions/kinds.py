"""What kind of value something is, and the conversions that a user asks for."""

from __future__ import annotations

from sheliak.plan.choice import choose
from sheliak.plan.coercion import (
    FALSE,
    NOTHING,
    and_,
    is_exactly,
    is_missing,
    known,
    not_,
    number_of,
    or_,
    text_of,
    truth_of,
    written_as,
)
from sheliak.plan.column_types import (
    BOOLEAN,
    NULL,
    OPAQUE,
    UNDEFINED,
    Kind,
    List,
    Mixed,
    Nothing,
    Opaque,
    Plain,
    Record,
)
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.iso_dates import instant_of_text
from sheliak.plan.scope import ColumnFunction, Scope

_WRITTEN: dict[Kind, str] = {
    "boolean": "^(true|false)$",
    "number": r"^(-?[0-9]|\{.\$num.:)",
    "text": '^"',
    "date": r"^\{.\$date.:",
}
"""How the JSON text of an opaque value of a kind begins."""
_TAGS: dict[Kind, int] = {"boolean": 2, "number": 3, "text": 4, "date": 5}


def is_kind(e: PlanExpression, kind: Kind) -> PlanExpression:
    """The value is of a primitive kind, or a date."""
    match e.of:
        case Plain(own):
            return not_(is_missing(e)) if own == kind else FALSE
        case Mixed(kinds):
            return Apply("mixed.tag", (e,), BOOLEAN, (_TAGS[kind],)) if kind in kinds else FALSE
        case Opaque():
            return written_as(e, _WRITTEN[kind])
        case _:
            return FALSE


def plain_part(e: PlanExpression, kind: Kind) -> PlanExpression:
    """The values of one kind among mixed ones; undefined where the value is of another."""
    return Apply(f"mixed.{kind}_part", (e,), Plain(kind, UNDEFINED))


def is_empty(e: PlanExpression) -> PlanExpression:
    """null, undefined or ''."""
    return or_(is_missing(e), is_blank(e))


def is_blank(e: PlanExpression) -> PlanExpression:
    """''."""
    match e.of:
        case Plain("text"):
            return Apply("text.equal", (e, constant("")), BOOLEAN)
        case Mixed(kinds) if "text" in kinds:
            return Apply("text.equal", (plain_part(e, "text"), constant("")), BOOLEAN)
        case Opaque():
            return written_as(e, '^""$')
        case _:
            return FALSE


def is_nan_value(e: PlanExpression) -> PlanExpression:
    """A number that is NaN, never missing."""
    match e.of:
        case Plain("number"):
            return Apply("number.is_nan", (e,), BOOLEAN)
        case Mixed(kinds) if "number" in kinds:
            return Apply("number.is_nan", (plain_part(e, "number"),), BOOLEAN)
        case Opaque():
            return written_as(e, r'^\{.\$num.: "NaN"\}$')
        case _:
            return FALSE


def _is_valid(e: PlanExpression) -> PlanExpression:
    return and_(not_(is_missing(e)), not_(is_nan_value(e)))


def _is_object(e: PlanExpression) -> PlanExpression:
    """Dates, arrays and records are objects."""
    match e.of:
        case Record() | List():
            return not_(is_missing(e))
        case Opaque():
            return written_as(e, r"^(\[|\{(?!.\$(num|undefined).:))")
        case _:
            return is_kind(e, "date")


def _is_array(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    e = operands[0]
    if isinstance(e.of, Opaque):
        return written_as(e, r"^\[")
    return not_(is_missing(e)) if isinstance(e.of, List) else FALSE


def _kind(kind: Kind) -> ColumnFunction:
    return lambda operands, scope: is_kind(operands[0], kind)


def _to_number(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    return choose(is_empty(operands[0]), NOTHING[NULL], number_of(operands[0]))


def _to_string(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    return choose(is_empty(operands[0]), NOTHING[NULL], text_of(operands[0], scope.zone))


def _to_boolean(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    e = operands[0]
    return choose(is_empty(e), NOTHING[NULL], and_(truth_of(e), not_(_says_no(e))))


def _says_no(e: PlanExpression) -> PlanExpression:
    """The texts 'false' and '0'."""
    match e.of:
        case Plain("text"):
            text = e
        case Mixed(kinds) if "text" in kinds:
            text = plain_part(e, "text")
        case Opaque():
            return written_as(e, '^"(false|0)"$')
        case _:
            return FALSE
    return Apply("text.among", (text, constant("false"), constant("0")), BOOLEAN)


def _to_date(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    """Dates and numbers stay as they are, everything else is parsed as text: to milliseconds."""
    e = operands[0]
    if isinstance(e.of, Nothing):
        return NOTHING[NULL]
    if isinstance(e.of, Plain) and e.of.kind in ("date", "number"):
        return choose(is_missing(e), NOTHING[NULL], known(e))
    return choose(is_empty(e), NOTHING[NULL], instant_of_text(e, scope))


FUNCTIONS: dict[str, ColumnFunction] = {
    "isArray": _is_array,
    "isBoolean": _kind("boolean"),
    "isDate": _kind("date"),
    "isNumber": _kind("number"),
    "isString": _kind("text"),
    "isDefined": lambda operands, scope: not_(is_exactly(operands[0], UNDEFINED)),
    "isValid": lambda operands, scope: _is_valid(operands[0]),
    "isObject": lambda operands, scope: _is_object(operands[0]),
    "isRegExp": lambda operands, scope: written_as(operands[0], r"^\{.\$regexp.:") if operands[0].of == OPAQUE else FALSE,
    "toNumber": _to_number,
    "toString": _to_string,
    "toBoolean": _to_boolean,
    "toDate": _to_date,
}
