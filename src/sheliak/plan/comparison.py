"""JavaScript's comparisons: `==`, `===`, `<`, `<=`; and whether two expressions are certainly the same value."""

from __future__ import annotations

import json

from sheliak.expressions.values import loose_equal, strict_equal, to_text
from sheliak.expressions.zones import UTC, Zone
from sheliak.plan.coercion import FALSE, and_, is_exactly, is_missing, known, mixed, not_, number_of, or_, text_of
from sheliak.plan.column_types import BOOLEAN, NEVER, List, Mixed, Nothing, Opaque, Plain, Record, missing_of
from sheliak.plan.expressions import Apply, Choose, Constant, PlanExpression, Read, constant
from sheliak.plan.unplannable import ByIdentity, Unplannable


def comparison(operator: str, left: PlanExpression, right: PlanExpression, zone: Zone) -> PlanExpression:
    """`left operator right`."""
    match operator:
        case "==":
            return equal(left, right, zone)
        case "!=":
            return not_(equal(left, right, zone))
        case "===":
            return same(left, right)
        case "!==":
            return not_(same(left, right))
        case "<":
            return less("less", left, right, zone)
        case "<=":
            return less("less_or_equal", left, right, zone)
        case ">":
            return less("less", right, left, zone)
        case _:
            return less("less_or_equal", right, left, zone)


def same(left: PlanExpression, right: PlanExpression) -> PlanExpression:
    """`===`: the same kind and value."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return constant(strict_equal(left.value, right.value))
    for one, gone_side in ((left, right), (right, left)):
        if isinstance(gone_side.of, Nothing):
            return is_exactly(one, gone_side.of.missing) if gone_side.of.missing is not NEVER else FALSE
    for one, constant_side in ((left, right), (right, left)):
        if isinstance(one.of, Opaque) and isinstance(constant_side, Constant) and isinstance(constant_side.value, str | bool):
            return Apply("opaque.is", (one,), BOOLEAN, (json.dumps(constant_side.value),))
    _refuse_opaque(left, right)
    if isinstance(left.of, Mixed) or isinstance(right.of, Mixed):
        return _same_mixed(left, right)
    gone = _both_missing(left, right, strict=True)
    match left.of, right.of:
        case Plain("date"), Plain("date"):
            return or_(gone, _identical(left, right))
        case Plain(kind), Plain(other) if kind == other:
            return or_(gone, Apply(f"{kind}.equal", (left, right), BOOLEAN))
        case (Record(), Record()) | (List(), List()):
            return or_(gone, _identical(left, right))
        case _:
            return gone


def _same_mixed(left: PlanExpression, right: PlanExpression) -> PlanExpression:
    if _may_be(left, "date") and _may_be(right, "date"):
        return _identical(left, right)
    for of in (left.of, right.of):
        if isinstance(of, Record | List):
            if of.missing is not NEVER:
                raise ByIdentity("it compares a list or an object that may be missing")
            return FALSE
    return Apply("mixed.same", (mixed(left), mixed(right)), BOOLEAN)


def equal(left: PlanExpression, right: PlanExpression, zone: Zone) -> PlanExpression:
    """`==`: null and undefined equal each other only; otherwise different kinds are compared as numbers."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return constant(loose_equal(left.value, right.value, zone))
    for one, gone_side in ((left, right), (right, left)):
        if isinstance(gone_side.of, Nothing):
            return is_missing(one) if gone_side.of.missing is not NEVER else FALSE
    _refuse_opaque(left, right)
    if isinstance(left.of, Mixed) or isinstance(right.of, Mixed):
        return _equal_mixed(left, right, zone)
    gone = _both_missing(left, right, strict=False)
    match left.of, right.of:
        case Plain("date"), Plain("date"):
            return or_(gone, _identical(left, right))
        case Plain(kind), Plain(other) if kind == other:
            return or_(gone, Apply(f"{kind}.equal", (left, right), BOOLEAN))
        case Plain("date" | "text"), Plain("date" | "text"):
            return or_(gone, _both_there(left, right, Apply("text.equal", _texts(left, right, zone), BOOLEAN)))
        case (Plain("date"), Plain()) | (Plain(), Plain("date")):
            return gone  # the text of a date reads as no number
        case Plain(), Plain():
            numbers = Apply("number.equal", (number_of(known(left)), number_of(known(right))), BOOLEAN)
            return or_(gone, _both_there(left, right, numbers))
        case (Record(), Record()) | (List(), List()):
            return or_(gone, _identical(left, right))
        case _:
            raise Unplannable("it compares a list or an object with another kind of value")


def _texts(left: PlanExpression, right: PlanExpression, zone: Zone) -> tuple[PlanExpression, PlanExpression]:
    return text_of(known(left), zone), text_of(known(right), zone)


def _equal_mixed(left: PlanExpression, right: PlanExpression, zone: Zone) -> PlanExpression:
    if _may_be(left, "date") or _may_be(right, "date"):
        if _may_be(left, "date") and _may_be(right, "date"):
            return _identical(left, right)
        if zone.rules is not None and (_may_be(left, "text") or _may_be(right, "text")):
            raise Unplannable(f"it compares dates with text in the time zone {zone.name}")
    return Apply("mixed.equal", (mixed(left), mixed(right)), BOOLEAN)


def _may_be(e: PlanExpression, kind: str) -> bool:
    return (isinstance(e.of, Mixed) and kind in e.of.kinds) or (isinstance(e.of, Plain) and e.of.kind == kind)


def _refuse_opaque(*operands: PlanExpression) -> None:
    if any(isinstance(operand.of, Opaque) for operand in operands):
        raise Unplannable("it compares a value that a column cannot hold")


def _identical(left: PlanExpression, right: PlanExpression) -> PlanExpression:
    """Dates, arrays and objects are equal only to themselves."""
    if isinstance(left, Read) and isinstance(right, Read) and left.column == right.column:
        return not_(is_missing(left))
    raise ByIdentity("it compares dates, lists or objects by identity")


def _both_missing(left: PlanExpression, right: PlanExpression, *, strict: bool) -> PlanExpression:
    if strict and missing_of(left.of) is not missing_of(right.of):
        return FALSE
    return and_(is_missing(left), is_missing(right))


def _both_there(left: PlanExpression, right: PlanExpression, test: PlanExpression) -> PlanExpression:
    return and_(and_(not_(is_missing(left)), not_(is_missing(right))), test)


def less(operation: str, left: PlanExpression, right: PlanExpression, zone: Zone) -> PlanExpression:
    """`<` and `<=`: two texts by their UTF-16 units, everything else as numbers; false where one is not a number."""
    _refuse_opaque(left, right)
    left, right = _without_object(left, zone), _without_object(right, zone)
    as_text = _may_be(left, "text") and _may_be(right, "text")
    if not as_text:
        return Apply(f"number.{operation}", (number_of(left), number_of(right)), BOOLEAN)
    if isinstance(left.of, Mixed) or isinstance(right.of, Mixed):
        return Apply(f"mixed.{operation}", (mixed(left), mixed(right)), BOOLEAN)
    texts = Apply(f"text.{operation}", (known(left), known(right)), BOOLEAN)
    gone = or_(is_missing(left), is_missing(right))
    if gone is FALSE:
        return texts
    return Choose(gone, Apply(f"number.{operation}", (number_of(left), number_of(right)), BOOLEAN), texts, BOOLEAN)


def _without_object(e: PlanExpression, zone: Zone) -> PlanExpression:
    """An object is compared as the text it has, and so is a list that is the same for all rows."""
    if isinstance(e, Constant) and isinstance(e.of, List):
        return constant(to_text(e.value, zone))
    if not isinstance(e.of, Record):
        return e
    if e.of.missing is not NEVER:
        raise Unplannable("it compares an object that may be missing")
    return text_of(e, UTC)
