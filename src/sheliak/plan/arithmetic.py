"""JavaScript's arithmetic: `+ - * / %`, the bit operators, and their unary forms."""

from __future__ import annotations

from sheliak.expressions.zones import Zone
from sheliak.plan.coercion import mixed, not_, number_of, text_of, truth_of
from sheliak.plan.column_types import NEVER, NUMBER, TEXT, ColumnType, List, Mixed, Nothing, Opaque, Plain, Record
from sheliak.plan.expressions import Apply, PlanExpression
from sheliak.plan.unplannable import Unplannable

_NUMERIC = {
    "-": "number.subtract",
    "*": "number.multiply",
    "/": "number.divide",
    "%": "number.remainder",
    "|": "bits.or",
    "&": "bits.and",
    "^": "bits.xor",
    "<<": "bits.left",
    ">>": "bits.right",
    ">>>": "bits.right_unsigned",
}


def numbers(operation: str, *operands: PlanExpression, options: tuple[float, ...] = ()) -> PlanExpression:
    """An operation over numbers that gives a number."""
    return Apply(operation, tuple(number_of(operand) for operand in operands), NUMBER, options)


def arithmetic(operator: str, left: PlanExpression, right: PlanExpression, zone: Zone) -> PlanExpression:
    """`left operator right`."""
    return add(left, right, zone) if operator == "+" else numbers(_NUMERIC[operator], left, right)


def add(left: PlanExpression, right: PlanExpression, zone: Zone) -> PlanExpression:
    """`+`: text as soon as one side is text, a date, an object or an array; else the sum."""
    sides = {_writes_text(left.of), _writes_text(right.of)}
    if True in sides:
        return concatenated(text_of(left, zone), text_of(right, zone))
    if sides == {False}:
        return numbers("number.add", left, right)
    # Some rows hold text and some do not.
    if zone.rules is not None and (_may_be_date(left.of) or _may_be_date(right.of)):
        raise Unplannable(f"it writes a date as text in the time zone {zone.name}")
    return Apply("mixed.add", (mixed(left), mixed(right)), Mixed(frozenset({"number", "text"})))


def _writes_text(of: ColumnType) -> bool | None:
    """Whether `+` concatenates beside such a value; None where it depends on the row."""
    match of:
        case Plain("text" | "date", missing):
            return True if missing is NEVER else None
        case Record(_, missing) | List(_, missing):
            if missing is not NEVER:
                raise Unplannable("it adds a list or an object that may be missing")
            return True
        case Mixed(kinds):
            return None if kinds & {"text", "date"} else False
        case Plain() | Nothing():
            return False
        case Opaque():
            raise Unplannable("it reads a value that a column cannot hold")


def _may_be_date(of: ColumnType) -> bool:
    return "date" in of.kinds if isinstance(of, Mixed) else isinstance(of, Plain) and of.kind == "date"


def concatenated(*texts: PlanExpression) -> PlanExpression:
    """Texts joined end to end."""
    parts: list[PlanExpression] = []
    for text in texts:
        parts += text.operands if isinstance(text, Apply) and text.operation == "text.concatenate" else [text]
    return Apply("text.concatenate", tuple(parts), TEXT)


def unary(operator: str, operand: PlanExpression) -> PlanExpression:
    """`operator operand`."""
    match operator:
        case "+":
            return number_of(operand)
        case "-":
            return numbers("number.negate", operand)
        case "~":
            return numbers("bits.not", operand)
        case _:
            return not_(truth_of(operand))
