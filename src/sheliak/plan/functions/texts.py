"""Text. Positions and lengths count UTF-16 units, as JavaScript's do."""

from __future__ import annotations

from sheliak.expressions.values import to_boolean, to_number, to_text
from sheliak.plan.arithmetic import concatenated, numbers
from sheliak.plan.choice import choose
from sheliak.plan.coercion import NOTHING, number_of, required, text_of
from sheliak.plan.column_types import BOOLEAN, NULL, NUMBER, TEXT, UNDEFINED, List, Plain, missing_of
from sheliak.plan.expressions import Apply, Constant, PlanExpression, constant
from sheliak.plan.functions.mathematics import greatest, least
from sheliak.plan.scope import ColumnFunction, Scope
from sheliak.plan.unplannable import Unplannable

_ZERO = constant(0.0)


def _of_text(operation: str) -> ColumnFunction:
    return lambda operands, scope: Apply(operation, (text_of(operands[0], scope.zone),), TEXT)


def _to_base64(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    """The text as bytes, of which no other letters have any: they stop the run."""
    text = text_of(operands[0], scope.zone)
    is_bytes = Apply("text.matching", (text,), BOOLEAN, (_BYTES,))
    return Apply("text.to_base64", (required(choose(is_bytes, text, NOTHING[UNDEFINED]), "Invalid character"),), TEXT)


_BYTES = "^[\\x{0}-\\x{FF}]*\\z"
"""A pattern of Java."""


def length(text: PlanExpression) -> PlanExpression:
    return Apply("text.length", (text,), NUMBER)


def units(text: PlanExpression, start: PlanExpression, end: PlanExpression) -> PlanExpression:
    """The UTF-16 units from start to before end, two integers within the text."""
    return Apply("text.units", (text, start, end), TEXT)


def integer(e: PlanExpression) -> PlanExpression:
    """The number without its fraction; 0 for NaN."""
    return numbers("number.integer", e)


def given(operands: list[PlanExpression], index: int) -> PlanExpression | None:
    """An argument; None where it is left out or undefined."""
    if index >= len(operands) or operands[index].of == NOTHING[UNDEFINED].of:
        return None
    if missing_of(operands[index].of) is UNDEFINED:
        raise Unplannable("an argument may be undefined, which counts as left out")
    return operands[index]


def between(e: PlanExpression, lower: PlanExpression, upper: PlanExpression) -> PlanExpression:
    return least(greatest(e, lower), upper)


def _substring(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    text = text_of(operands[0], scope.zone)
    size = length(text)
    start, end = given(operands, 1), given(operands, 2)
    a = _ZERO if start is None else between(integer(start), _ZERO, size)
    b = size if end is None else between(integer(end), _ZERO, size)
    if end is None:
        return units(text, a, b)
    return units(text, least(a, b), greatest(a, b))


def sliced(text: PlanExpression, start: PlanExpression | None, end: PlanExpression | None) -> PlanExpression:
    """text.slice(start, end): negative positions count from the end."""
    size = length(text)
    a = _ZERO if start is None else from_end(integer(start), size)
    b = size if end is None else from_end(integer(end), size)
    return units(text, a, greatest(a, b))


def from_end(index: PlanExpression, size: PlanExpression) -> PlanExpression:
    """A position within a sequence of this size; a negative one counts from its end."""
    negative = Apply("number.less", (index, _ZERO), BOOLEAN)
    return choose(negative, greatest(numbers("number.add", index, size), _ZERO), least(index, size))


def sequence_text(e: PlanExpression) -> PlanExpression | None:
    """The operand where it is text that is there; None where it is a list."""
    if isinstance(e.of, List):
        return None
    if not isinstance(e.of, Plain) or e.of.kind != "text":
        raise Unplannable("it takes a value for text or a list that is neither")
    return required(e, f"Cannot read properties of {missing_of(e.of).value}")


def _split(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    """Text cut at a text; a pattern or a limit is not cut here."""
    text, separator = text_of(operands[0], scope.zone), given(operands, 1)
    if separator is None and given(operands, 2) is None:
        return Apply("list", (text,), List(TEXT))
    if not isinstance(separator, Constant) or not isinstance(separator.value, str) or given(operands, 2) is not None:
        raise Unplannable("`split` has no column form for such a separator or a limit")
    if separator.value == "":
        raise Unplannable("it cuts text between the halves of characters, and a half is no text of a column")
    return Apply("text.split", (text,), List(TEXT), (separator.value,))


def _pad(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    text, wanted = text_of(operands[0], scope.zone), number_of(operands[1])
    character = _constant_text(operands, 2, " ", scope)
    align = _constant_text(operands, 3, "right", scope)
    missing = numbers("number.subtract", wanted, length(text))
    return choose(Apply("number.less_or_equal", (missing, _ZERO), BOOLEAN), text, _padded(text, missing, character, align))


def _padded(text: PlanExpression, count: PlanExpression, character: str, align: str) -> PlanExpression:
    if align == "left":
        return concatenated(repeated(character, count), text)
    if align == "center":
        half = numbers("number.divide", count, constant(2.0))
        return concatenated(repeated(character, integer(half)), text, repeated(character, numbers("number.ceil", half)))
    return concatenated(text, repeated(character, count))


def repeated(text: str, count: PlanExpression) -> PlanExpression:
    """The text again while a counter can still be lowered to 0 or more: a fraction of a time is none."""
    return Apply("text.repeat", (constant(text), numbers("number.floor", count)), TEXT)


def _constant_text(operands: list[PlanExpression], index: int, default: str, scope: Scope) -> str:
    if index >= len(operands):
        return default
    operand = operands[index]
    if not isinstance(operand, Constant):
        raise Unplannable("an argument that the row gives must be a constant here")
    return to_text(operand.value, scope.zone) if to_boolean(operand.value) else default


def _truncate(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    text, limit = text_of(operands[0], scope.zone), number_of(operands[1])
    align = _constant_text(operands, 2, "right", scope)
    ellipsis = _ellipsis(operands)
    size = length(text)
    kept = greatest(_ZERO, numbers("number.subtract", limit, constant(float(_unit_count(ellipsis)))))
    short = Apply("number.less_or_equal", (size, limit), BOOLEAN)
    return choose(short, text, _cut(text, size, kept, constant(ellipsis), align))


def _ellipsis(operands: list[PlanExpression]) -> str:
    value = operands[3] if len(operands) > 3 else NOTHING[NULL]
    if not isinstance(value, Constant):
        raise Unplannable("`truncate` needs a constant ellipsis")
    if value.of in (NOTHING[NULL].of, NOTHING[UNDEFINED].of):
        return "\u2026"
    if not isinstance(value.value, str):
        raise Unplannable("`truncate` needs an ellipsis that is text")
    return value.value


def _unit_count(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _cut(
    text: PlanExpression, size: PlanExpression, kept: PlanExpression, ellipsis: PlanExpression, align: str
) -> PlanExpression:
    if align == "left":
        return concatenated(ellipsis, sliced(text, numbers("number.subtract", size, kept), None))
    if align == "center":
        half = numbers("number.divide", kept, constant(2.0))
        tail = numbers("number.subtract", size, integer(half))
        return concatenated(sliced(text, _ZERO, numbers("number.ceil", half)), ellipsis, sliced(text, tail, None))
    return concatenated(sliced(text, _ZERO, kept), ellipsis)


def _parse_float(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    if operands[0].of == NUMBER:
        return operands[0]
    return Apply("text.parse_float", (text_of(operands[0], scope.zone),), NUMBER)


def _parse_int(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    """Decimal digits; with a radix of 10, or none and no `0x` before them."""
    radix = given(operands, 1)
    if radix is not None and not (isinstance(radix, Constant) and to_number(radix.value) in (0.0, 10.0)):
        raise Unplannable("`parseInt` has a column form for decimal digits only")
    decimal = radix is not None and isinstance(radix, Constant) and to_number(radix.value) == 10.0
    return Apply("text.parse_int", (text_of(operands[0], scope.zone),), NUMBER, (decimal,))


def _length(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    e = operands[0]
    if isinstance(e.of, List):
        return Apply("list.length", (required(e, _unreadable(e, "length")),), NUMBER)
    if isinstance(e.of, Plain) and e.of.kind == "text":
        return length(required(e, _unreadable(e, "length")))
    if isinstance(e.of, Plain) and e.of.missing is not UNDEFINED and e.of.missing is not NULL:
        return NOTHING[UNDEFINED]
    raise Unplannable("`length` of a value that is neither text nor a list")


def _unreadable(e: PlanExpression, name: str) -> str:
    return f"Cannot read properties of {missing_of(e.of).value} (reading '{name}')"


FUNCTIONS: dict[str, ColumnFunction] = {
    "upper": _of_text("text.upper"),
    "lower": _of_text("text.lower"),
    "trim": _of_text("text.trim"),
    "btoa": _to_base64,
    "encodeURIComponent": _of_text("text.to_url"),
    "substring": _substring,
    "split": _split,
    "pad": _pad,
    "truncate": _truncate,
    "parseFloat": _parse_float,
    "parseInt": _parse_int,
    "length": _length,
}
