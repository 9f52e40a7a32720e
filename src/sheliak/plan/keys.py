"""What tells groups apart. Vega compares the keys of a group as text, and not every transform the same text:

    `|`    String(key), several joined with `|`: aggregate, joinaggregate, pivot, window
    `,`    the text of the list of keys, null and undefined empty: impute, kde, quantile, loess, regression, dotbin
    JSON   JSON text: stack

Columns are grouped by their own equality instead, which is cheaper, wherever it tells the same rows apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sheliak.plan.arithmetic import concatenated, numbers
from sheliak.plan.choice import choose
from sheliak.plan.coercion import FALSE, NOTHING, converted, filled, is_missing, known, or_, text_of
from sheliak.plan.column_types import (
    BOOLEAN,
    NEVER,
    NUMBER,
    TEXT,
    UNDEFINED,
    ColumnType,
    Mixed,
    Nothing,
    Plain,
    missing_of,
    with_missing,
)
from sheliak.plan.expressions import Apply, Constant, PlanExpression, constant
from sheliak.plan.operators import Output, Summarized, Summary
from sheliak.plan.planning import Planning


@dataclass(slots=True)
class Grouping:
    """The columns that groups are made by, the summaries that show a group's keys, and the keys as they are shown."""

    planning: Planning
    separator: str
    keys: list[Output] = field(default_factory=list)
    summaries: list[Summarized] = field(default_factory=list)
    shown: list[PlanExpression] = field(default_factory=list)
    odd: PlanExpression = FALSE
    """A text of the row holds the separator: only then can different keys have one text, and never that of keys without it."""
    texts: list[PlanExpression] = field(default_factory=list)
    joined: PlanExpression | None = None
    """The joined text of the keys: in odd rows the first key of text is that, beside which the second is the separator."""
    marks: list[int] = field(default_factory=list)
    """The places of the keys of text."""
    is_odd: PlanExpression = FALSE
    """The rows of a group are odd."""

    def first(self, value: PlanExpression, where: PlanExpression | None = None) -> PlanExpression:
        """The value in the first row, or in the first of those for which a test holds."""
        of = value.of if where is None else with_missing(value.of, UNDEFINED)
        if where is None or (isinstance(of, Mixed) and not isinstance(value.of, Mixed)):
            where, of = None, value.of
        return self.summarized(Summary("first", (value,) if where is None else (value, where), of))

    def summarized(self, summary: Summary) -> PlanExpression:
        """A summary as a column of the groups."""
        self.summaries.append(Summarized(self.planning.column(), summary))
        return self.summaries[-1].read()

    def key(self, value: PlanExpression) -> PlanExpression:
        """A column that groups are made by."""
        self.keys.append(Output("", self.planning.column(), value))
        return self.keys[-1].field.read()


def grouped_by_text(keys: Sequence[PlanExpression], separator: str, planning: Planning) -> Grouping:
    """Groups as text with a separator tells them apart; a group shows the keys of its first row."""
    marks = [index for index, key in enumerate(keys) if _is_text(key.of) and not _is_constant(key)]
    made = Grouping(planning, separator, marks=marks)
    if len(marks) > 1:
        _join(made, keys)
    own = {index: made.key(_own(made, key, index)) for index, key in enumerate(keys) if not _is_constant(key)}
    if made.joined is not None:
        made.joined, second = own[marks[0]], own[marks[1]]
        made.is_odd = Apply("text.equal", (second, constant(separator)), BOOLEAN)
    made.shown += [_shown(made, key, own[index], index) if index in own else _constant(key) for index, key in enumerate(keys)]
    return made


def identity(keys: Sequence[PlanExpression], separator: str, planning: Planning) -> list[PlanExpression]:
    """The columns that tell groups apart, for transforms that show no keys."""
    return [key.value for key in grouped_by_text(keys, separator, planning).keys]


def _is_text(of: ColumnType) -> bool:
    """Its text may hold a separator."""
    return not isinstance(of, Nothing) and (not isinstance(of, Plain) or of.kind == "text")


def _join(made: Grouping, keys: Sequence[PlanExpression]) -> None:
    texts = [_text(made, key) for key in keys]
    for index in made.marks:
        made.odd = or_(made.odd, Apply("text.contains", (texts[index],), BOOLEAN, (made.separator,)))
    for text in texts:
        made.texts += [text, constant(made.separator)]
    made.joined = concatenated(*made.texts[:-1])


def _text(made: Grouping, key: PlanExpression) -> PlanExpression:
    """The text of one key."""
    text = text_of(key, made.planning.zone)
    gone = is_missing(key)
    return text if made.separator != "," or gone is FALSE else choose(gone, constant(""), text)


def _is_constant(key: PlanExpression) -> bool:
    return isinstance(key, Constant) or isinstance(key.of, Nothing)


def _constant(key: PlanExpression) -> PlanExpression:
    """The key that all rows have."""
    if isinstance(key, Constant):
        return key
    # No row has a value: what all of them lack is shown, since their column is not one of the groups.
    missing = missing_of(key.of)
    return NOTHING[UNDEFINED if missing is NEVER else missing]


def _own(made: Grouping, key: PlanExpression, index: int) -> PlanExpression:
    """The column that stands for a key among those that groups are made by."""
    compared = _compared(made, key)
    if made.joined is None:
        return compared
    if index == made.marks[0]:
        return choose(made.odd, made.joined, compared)
    if index == made.marks[1]:
        return choose(made.odd, constant(made.separator), compared)
    return choose(made.odd, converted(NOTHING[UNDEFINED], with_missing(compared.of, UNDEFINED)), compared)


def _compared(made: Grouping, key: PlanExpression) -> PlanExpression:
    """A column whose equality is that of the key's text."""
    match key.of:
        case Plain("number" | "boolean", missing):
            return key if made.joined is None else Apply("known", (key,), Plain(key.of.kind, UNDEFINED))
        case Plain("date"):
            # The text of a date ends with the second.
            return Apply("date.second", (key,), Plain("number", UNDEFINED))
        case Plain("text", missing):
            return filled(key, "" if made.separator == "," else missing.value)
        case _:
            return _text(made, key)


def _shown(made: Grouping, key: PlanExpression, own: PlanExpression, index: int) -> PlanExpression:
    """The key of the first row: the group's own column wherever all rows of a group have the same."""
    if not isinstance(key.of, Plain) or key.of.kind == "date":
        return made.first(key)
    if key.of.kind in ("number", "boolean"):
        own = Apply("known", (own,), key.of)
        return own if made.joined is None else choose(made.is_odd, Apply("known", (made.first(key),), key.of), own)
    if made.joined is not None:
        own = choose(made.is_odd, _cut(made, made.joined, index), known(own))
    if key.of.missing is NEVER:
        return own
    where = None if made.separator == "," else _like_missing(key)
    gone = filled(made.first(is_missing(key), where), False)
    return choose(gone, converted(NOTHING[key.of.missing], key.of), own)


def _like_missing(key: PlanExpression) -> PlanExpression:
    """Rows in whose groups some keys may be missing and some not."""
    assert isinstance(key.of, Plain)
    return or_(is_missing(key), Apply("text.equal", (key, constant(key.of.missing.value)), BOOLEAN))


def _cut(made: Grouping, joined: PlanExpression, index: int) -> PlanExpression:
    """The part of the joined text that was the first row's key: Spark would sort to find a first text, but hashes for numbers."""
    size = Apply("text.length", (made.texts[2 * index],), NUMBER)
    before = made.texts[: 2 * index]
    start = Apply("text.length", (concatenated(*before),), NUMBER) if before else constant(0.0)
    from_, length = (filled(made.first(value, made.odd), 0.0) for value in (start, size))
    return Apply("text.units", (joined, from_, numbers("number.add", from_, length)), TEXT)


def json_identity(keys: Sequence[PlanExpression]) -> list[PlanExpression]:
    """Columns that tell apart what JSON text does: 1 is not "1", but null, undefined and what is no number are one."""
    return [_json_key(key) for key in keys if not isinstance(key, Constant) and not isinstance(key.of, Nothing)]


def _json_key(key: PlanExpression) -> PlanExpression:
    match key.of:
        case Plain("number" | "date"):
            return Apply("number.finite_part", (key,), Plain("number", UNDEFINED))
        case Plain():
            return key
        case Mixed(kinds) if "date" not in kinds or "text" not in kinds:
            return Apply("mixed.json_key", (key,), key.of)
        case _:
            from sheliak.plan.unplannable import Unplannable

            raise Unplannable("it groups by values that are neither numbers, text nor booleans")
