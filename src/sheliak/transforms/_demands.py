"""What an operation asks of the values it reads, and the finding when a field can never give it."""

from __future__ import annotations

from itertools import pairwise

from sheliak.diagnostics.parameters import NumericTextOrder, TextInTransform, WrongKind
from sheliak.transforms._contract import Checking, Demand, FieldRef
from sheliak.types.columns import distinct_texts
from sheliak.types.operations import is_text, may_be_number, options_of, without_missing
from sheliak.types.render import render_type
from sheliak.types.shapes import NULL, NUMBER, NUMERIC_TEXT, STRING, UNDEFINED, Literal, Record, Scalar, Type, Unknown

_WANTED = {"number": "numbers", "date": "dates", "array": "arrays"}


def demand(field: FieldRef, wanted: Demand, owner: str, checking: Checking) -> None:
    """Reports a field whose values can never be what the owner computes with; notes the demand on unseen data."""
    of = without_missing(field.of)
    if isinstance(of, Unknown):
        if of.origin is not None and wanted in _REQUIRED:
            checking.require(of.origin, _REQUIRED[wanted])
    elif of not in (NULL, UNDEFINED) and not _may_be(of, wanted):
        checking.report(_finding(field, of, wanted, owner))


_REQUIRED: dict[Demand, Type] = {"number": NUMBER, "text": STRING}


def _may_be(of: Type, wanted: Demand) -> bool:
    """Some alternative gives what is wanted, as Vega coerces: text is the array of its characters, date text is no date."""
    match wanted:
        case "number" | "date":
            return may_be_number(of)
        case "array":
            return not all(isinstance(option, Scalar | Literal | Record) and not is_text(option) for option in options_of(of))
        case "text":
            return any(isinstance(option, Unknown) or is_text(option) for option in options_of(of))


def _finding(field: FieldRef, of: Type, wanted: Demand, owner: str) -> TextInTransform | WrongKind:
    if wanted == "text":
        return WrongKind(place=field.place, owner=f"`{field.text}` in {owner}", expected="text", found=render_type(of))
    return TextInTransform(place=field.place, field=field.text, owner=owner, of=of, wanted=_WANTED[wanted])


def report_text_order(field: FieldRef, datum: Type, owner: str, checking: Checking) -> None:
    """Reports numeric text that the owner compares, unless every value is known and text order is number order."""
    if without_missing(field.of) == NUMERIC_TEXT and not _ordered_alike(field, datum):
        checking.report(NumericTextOrder(place=field.place, field=field.text, owner=owner))


def _ordered_alike(field: FieldRef, datum: Type) -> bool:
    if not isinstance(datum, Record) or len(field.paths) != 1 or len(field.paths[0]) != 1:
        return False
    texts = distinct_texts(datum, field.paths[0][0])
    if texts is None:
        return False
    try:
        values = [float(text) for text in sorted(texts)]
    except ValueError:  # a form that only JavaScript reads: hexadecimal, empty text
        return False
    return all(before <= after for before, after in pairwise(values))
