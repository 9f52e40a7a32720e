"""What an operation asks of the values it reads, and the finding when a field can never give it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from sheliak.diagnostics.expressions import StrictCoercion, StrictPossiblyMissing, StrictUnknown
from sheliak.diagnostics.parameters import NumericTextOrder, StrictRepeatedField, TextInTransform, WrongKind
from sheliak.source.place import Place
from sheliak.transforms._contract import Checking, Demand, FieldRef, Name
from sheliak.types.columns import distinct_texts
from sheliak.types.operations import is_text, may_be_number, options_of, widened, without_missing
from sheliak.types.render import render_type
from sheliak.types.shapes import (
    DATE,
    NULL,
    NUMBER,
    NUMERIC_TEXT,
    STRING,
    TEXTS,
    UNDEFINED,
    Array,
    Literal,
    Record,
    Scalar,
    Type,
    Unknown,
)

_WANTED = {"number": "numbers", "date": "dates", "array": "arrays"}


def demand(field: FieldRef, wanted: Demand, owner: str, checking: Checking) -> None:
    """Reports a field whose values can never be what the owner computes with; notes the demand on unseen data."""
    of = without_missing(field.of)
    if isinstance(of, Unknown):
        if of.origin is not None and wanted in _REQUIRED:
            checking.require(of.origin, _REQUIRED[wanted])
    elif of not in (NULL, UNDEFINED) and not _may_be(of, wanted):
        checking.report(_finding(field, of, wanted, owner))
        return
    if checking.strict:
        _demand_exactly(field, wanted, owner, checking)


def _demand_exactly(field: FieldRef, wanted: Demand, owner: str, checking: Checking) -> None:
    """T-opSum and its kin as they stand: the type is known, nothing is missing, nothing is converted."""
    options = options_of(widened(field.of))
    if isinstance(field.of, Unknown):
        # Without an origin it was told of before, or only a running signal knows it.
        if field.of.origin is not None:
            checking.report(StrictUnknown(place=field.place, operand=field.text))
    elif NULL in options or UNDEFINED in options:
        checking.report(StrictPossiblyMissing(place=field.place, operand=field.text))
    elif not all(_is_exactly(option, wanted) for option in options):
        what = _EXACTLY[wanted]
        checking.report(StrictCoercion(place=field.place, owner=owner, operand=field.text, of=field.of, wanted=what))


_EXACTLY: dict[Demand, str] = {"number": "numbers", "date": "dates", "array": "arrays", "text": "text"}


def _is_exactly(option: Type, wanted: Demand) -> bool:
    match wanted:
        case "number":
            return option == NUMBER
        case "date":
            return option in (DATE, NUMBER)
        case "array":
            return isinstance(option, Array)
        case "text":
            return option in TEXTS


def demand_distinct(names: Iterable[tuple[Name | None, Place]], owner: str, checking: Checking) -> None:
    """Strict, T-tAgg and T-tCross: a record is given each of its fields once."""
    seen: set[str] = set()
    for name, place in names if checking.strict else ():
        if isinstance(name, str) and name in seen:
            checking.report(StrictRepeatedField(place=place, owner=owner, name=name))
        elif isinstance(name, str):
            seen.add(name)


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
