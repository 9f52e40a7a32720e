"""How much of each transform's work a change can touch, and what identifies the rows it makes.

By row, by key, or as a whole: a form follows from the parameters, which have their values by then. A transform whose parameters let
a row depend on all others (units that suit the extent, stacks that share a middle, combinations of all keys) runs as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeAlias

from sheliak.changes.change import Pair, Trace
from sheliak.changes.lift import Form, KeyOf, Meaning, PerKey, PerRow, Results, Whole, by_group, by_key, by_number
from sheliak.changes.table import Table
from sheliak.expressions.values import UNDEFINED, Row, array_text, key_text, to_text
from sheliak.transforms._contract import FieldRef, Transform
from sheliak.transforms._grouping import joined_keys, json_key
from sheliak.transforms._running import Getter, IdentifiedRow, Running, getter, getters, ingest, key_name
from sheliak.transforms.aggregate import Aggregate
from sheliak.transforms.impute import Impute
from sheliak.transforms.joinaggregate import JoinAggregate
from sheliak.transforms.pivot import Pivot

FormOf: TypeAlias = "Callable[[Transform, Running], Form]"


def form_of(transform: Transform, running: Running) -> Form:
    """The form of a transform whose parameters have been read."""
    return FORMS[transform.type](transform, running)


def meaning_of(transform: Transform, running: Running) -> Meaning:
    """⟦t⟧ on rows that stay as they are: a transform that writes into its rows gets copies."""

    def run(rows: Sequence[Row], ages: Sequence[int] | None) -> Results:
        given = [ingest(row) if transform.writes or not isinstance(row, IdentifiedRow) else row for row in rows]
        for row, age in zip(given, range(len(given)) if ages is None else ages, strict=True):
            if isinstance(row, IdentifiedRow):
                row.number = age
        places = {id(row): place for place, row in enumerate(given)}
        return [(places.get(id(row)), row) for row in transform.rows(given, running)]

    return run


# Keys, as each transform tells groups apart


def _fields(transform: Transform, name: str = "groupby") -> tuple[FieldRef, ...]:
    fields = getattr(transform, name)
    assert isinstance(fields, tuple)
    return fields


def _text_key(transform: Transform, running: Running) -> KeyOf | None:
    """For `aggregate`, `joinaggregate`, `pivot` and `window`; None where there is one group."""
    own = transform.key if isinstance(transform, (Aggregate, JoinAggregate, Pivot)) else None
    keys = getters(_fields(transform), running) if own is None else [getter(own, running)]
    return joined_keys(keys, running.zone) if keys else None


def _list_key(transform: Transform, running: Running) -> KeyOf | None:
    """For the curves, `quantile` and `dotbin`."""
    keys = getters(_fields(transform), running) if transform.given("groupby") else []
    return (lambda row: array_text([key(row) for key in keys], ",", running.zone)) if keys else None


def _json_key(transform: Transform, running: Running) -> KeyOf | None:
    """For `stack`."""
    keys: list[Getter] = getters(_fields(transform), running)
    return (lambda row: tuple([json_key(key(row)) for key in keys])) if keys else None


def _shown(names: Sequence[str], running: Running) -> KeyOf:
    """What a new row shows under some names."""

    def key(row: Row) -> Hashable:
        return tuple([key_text(row.get(name, UNDEFINED), running.zone) for name in names])

    return key


# Forms


def _kept(transform: Transform, running: Running) -> Form:
    return PerRow(transform.type)


def _pieces(transform: Transform, running: Running) -> Form:
    return PerRow(transform.type, kept=False, one=False)


def _project(transform: Transform, running: Running) -> Form:
    return PerRow(transform.type, kept=False)


def _identifier(transform: Transform, running: Running) -> Form:
    return PerRow(transform.type, remembers=to_text(transform.parameters().value("as")))


def _whole(transform: Transform, running: Running) -> Form:
    return Whole(by_number(transform.type))


def _timeunit(transform: Transform, running: Running) -> Form:
    """Without `units` they are chosen to suit all dates."""
    parameters = transform.parameters()
    chosen = parameters.flag("inferUnits") or parameters.elements("units") is None
    return _whole(transform, running) if chosen else PerRow(transform.type)


def _aggregate(transform: Transform, running: Running) -> Form:
    """`cross` adds the combinations of all keys; without keys there is one group, of all rows."""
    names = [key_name(field) for field in _fields(transform)]
    if transform.parameters().flag("cross") and len(names) > 1:
        return Whole(by_key("aggregate", _shown(names, running)))
    key = _text_key(transform, running)
    if key is None:
        return Whole(by_key("aggregate", _shown((), running)))
    return Whole(by_group("aggregate", key)) if _draws(transform) else PerKey("aggregate", key, kept=False)


def _draws(transform: Transform) -> bool:
    """Confidence intervals draw random numbers, group after group: as a whole, each group draws the same ones again."""
    return any(op in ("ci0", "ci1") for op in transform.parameters().elements("ops") or ())


def _joined(transform: Transform, running: Running) -> Form:
    key = _text_key(transform, running)
    return _whole(transform, running) if key is None or _draws(transform) else PerKey(transform.type, key)


def _stack(transform: Transform, running: Running) -> Form:
    """Stacks share a middle with `center`."""
    key = _json_key(transform, running)
    is_alone = key is None or transform.parameters().value("offset") == "center"
    return _whole(transform, running) if key is None or is_alone else PerKey(transform.type, key)


def _dotbin(transform: Transform, running: Running) -> Form:
    """Without `step` it is a part of the extent of all rows."""
    key = _list_key(transform, running)
    is_given = transform.parameters().number("step", 0.0) != 0
    return PerKey(transform.type, key) if key is not None and is_given else _whole(transform, running)


def _curves(transform: Transform, running: Running) -> Form:
    key = _list_key(transform, running)
    return _whole(transform, running) if key is None else PerKey(transform.type, key, kept=False, one=False)


def _kde(transform: Transform, running: Running) -> Form:
    """A shared extent that is not given is that of all rows."""
    parameters = transform.parameters()
    if parameters.value("resolve") != "shared" or parameters.ends("extent") is not None:
        return _curves(transform, running)
    names = [key_name(field) for field in _fields(transform)]
    return Whole(by_key("kde", _shown(names, running), one=False))


def _pivot(transform: Transform, running: Running) -> Form:
    """Its fields are the values of all rows."""
    return Whole(by_group("pivot", _text_key(transform, running) or (lambda row: ())))


def _impute(transform: Transform, running: Running) -> Form:
    """The keys that a group may lack are those of all rows."""
    assert isinstance(transform, Impute)
    names = [key_name(field) for field in (*transform.groupby, transform.key)]
    return Whole(by_key("impute", _shown(names, running)))


def _countpattern(transform: Transform, running: Running) -> Form:
    """A text may come from any row."""
    return Whole(by_key("countpattern", _shown(transform.parameters().names("text", "count")[:1], running)))


def _sequence(transform: Transform, running: Running) -> Form:
    return Whole(by_number("sequence"))


def _cross(transform: Transform, running: Running) -> Form:
    """Every row meets every row. With one name for both members a pair shows only one of them, and pairs are numbered."""
    left, right = transform.parameters().names("a", "b")
    return Whole(by_number("cross") if left == right else _by_members(left, right))


def _by_members(left: str, right: str) -> Callable[[Table, list[Row]], list[Trace]]:
    def name(upstream: Table, made: list[Row]) -> list[Trace]:
        traces = {id(row): trace for trace, row in upstream.rows.items()}
        return [Pair(traces[id(pair[left])], traces[id(pair[right])]) for pair in made]

    return name


FORMS: Mapping[str, FormOf] = {
    "aggregate": _aggregate,
    "bin": _kept,
    "collect": _whole,
    "countpattern": _countpattern,
    "cross": _cross,
    "density": _whole,
    "dotbin": _dotbin,
    "extent": _kept,
    "filter": _kept,
    "flatten": _pieces,
    "fold": _pieces,
    "formula": _kept,
    "identifier": _identifier,
    "impute": _impute,
    "joinaggregate": _joined,
    "kde": _kde,
    "loess": _curves,
    "lookup": _kept,
    "pivot": _pivot,
    "project": _project,
    "quantile": _curves,
    "regression": _curves,
    "sample": _whole,
    "sequence": _sequence,
    "stack": _stack,
    "timeunit": _timeunit,
    "window": _joined,
}
"""By Vega's type: every transform that has a meaning on rows."""
