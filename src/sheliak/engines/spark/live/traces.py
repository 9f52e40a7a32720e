"""Which row a place tells: a source's row by its id, any other by the operators that made it.

    unfold(R, 0)      a piece of a row              group("x")        a group, by its key
    (R, R)            a pair                        kde("x", 3)       a row that a kernel makes of a group
    0: R              a row of the first of several plans

What only orders a row (see `places`) is passed over, so that a row keeps its trace while others come and go.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, assert_never

from sheliak.plan.operators import (
    Cross,
    Fresh,
    Generate,
    Group,
    Join,
    Keep,
    PerGroup,
    Plan,
    Project,
    Sample,
    Scan,
    Sort,
    Source,
    Unfold,
    Union,
    Window,
)

Id: TypeAlias = int | float | str
"""The id of a source's row; a text for any other row."""
Ids: TypeAlias = "Callable[[int], Id]"
"""The id of the row at a place."""
_Text: TypeAlias = "Callable[[Any], str]"


class Tracing:
    """The traces of rows, for plans over sources whose rows have ids."""

    def __init__(self, ids: Mapping[int, Ids]) -> None:
        self.ids = ids
        """By the identity of a plan's source; rows of others are numbered."""

    def traces(self, plan: Plan, places: Sequence[Any]) -> list[Id]:
        """One trace for each row; rows that cannot be told apart are numbered."""
        trace = self.tracer(plan)
        return told_apart([trace(place) for place in places])

    def tracer(self, plan: Plan) -> Callable[[Any], Id]:
        """The trace of a row at a place."""
        source = _passed_on(plan)
        of: Callable[[Any], Id] = self._text(plan) if source is None or id(source) not in self.ids else self.ids[id(source)]
        return lambda place: of(identity_of(place))

    def _leaf(self, source: Source) -> _Text:
        ids = self.ids.get(id(source))
        return (lambda place: f"row({place})") if ids is None else lambda place: json.dumps(ids(place), ensure_ascii=False)

    def _text(self, plan: Plan) -> _Text:
        """The trace that a row's place in a plan tells."""
        match plan:
            case Scan(source):
                return self._leaf(source)
            case Generate():
                return lambda place: f"number({place})"
            case Keep() | Project() | Window() | Join() | Fresh() | Sample():
                return self._text(plan.upstream)
            case Sort(upstream):
                return self._arrival(upstream)
            case Unfold(upstream):
                inner = self._text(upstream)
                return lambda place: f"unfold({inner(place['a'])}, {place['b']})"
            case Group(_, keys):
                return (lambda place: f"group({key_text(place)})") if keys else lambda place: "group()"
            case Cross(upstream):
                member = self._text(upstream)
                return lambda place: f"({member(place['pl'])}, {member(place['pr'])})"
            case Union(parts):
                return _in_turn([self._text(part) for part, _ in parts])
            case PerGroup():
                return self._text(plan.upstream) if plan.aligned else _made(plan)
            case _:
                assert_never(plan)

    def _arrival(self, plan: Plan) -> _Text:
        """The trace that the number tells which a row was given when it was taken in."""
        match plan:
            case Keep() | Project() | Window() | Join() | Sort() | Sample():
                return self._arrival(plan.upstream)
            case PerGroup() if plan.aligned:
                return self._arrival(plan.upstream)
            case Union(parts, _, turns):
                texts = [self._arrival(part) for part, _ in parts]
                if not turns:
                    return _in_turn(texts)
                return _in_turn([texts[turns.index(turn)] if turn in turns else str for turn in range(max(turns) + 1)])
            case _:
                return self._text(plan)


def _passed_on(plan: Plan) -> Source | None:
    """The source whose very rows a plan passes on."""
    match plan:
        case Scan(source):
            return source
        case Keep() | Project() | Window() | Join() | Fresh() | Sample() | Sort():
            return _passed_on(plan.upstream)
        case PerGroup() if plan.aligned:
            return _passed_on(plan.upstream)
        case _:
            return None


def identity_of(place: Any) -> Any:
    """What of a place tells the row."""
    if not isinstance(place, dict):
        return place
    if "t" in place:
        return place["t"]
    return identity_of(place["i"]) if "i" in place else {name: identity_of(part) for name, part in place.items()}


def _in_turn(texts: Sequence[_Text]) -> _Text:
    def text(place: Any) -> str:
        inner = place["b"]
        # Places of different types were counted, and tell what they told as text.
        if isinstance(inner, str) and inner.startswith('{"p":'):
            inner = json.loads(inner)["p"]
        return f"{place['a']}: {texts[place['a']](inner)}"

    return text


def _made(plan: PerGroup) -> _Text:
    if not plan.keys:
        return lambda place: f"{plan.name}({place['b']})"
    return lambda place: f"{plan.name}({key_text(place['a'])}, {place['b']})"


def key_text(key: str) -> str:
    """The columns that make a group, as JSON has them."""
    return ", ".join(json.dumps(_plain(value), ensure_ascii=False) for value in json.loads(key).values())


def _plain(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def told_apart(traces: list[Id]) -> list[Id]:
    """The same traces, numbered where one stands for several rows."""
    if len(set(traces)) == len(traces):
        return traces
    times: Counter[Id] = Counter()
    found: list[Id] = []
    for trace in traces:
        number = times[trace]
        times[trace] += 1
        found.append(trace if not number else f"again({json.dumps(trace, ensure_ascii=False)}, {number})")
    return found
