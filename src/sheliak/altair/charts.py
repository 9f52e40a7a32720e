"""From a chart of Altair to a spec of Vega-Lite that names its data, and the data under those names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from sheliak.altair.references import Held, held_by, referred_to, referring_to
from sheliak.altair.tables import Columns, Rows, at_hand
from sheliak.source.text import Source

if TYPE_CHECKING:
    from sheliak.engines.spark.passed_on import SparkSession

TRANSFORMER = "sheliak"
_TABLE_URL = "table:"

Session: TypeAlias = "Callable[[], SparkSession]"


class AltairChart(Protocol):
    """A chart of Altair, as far as it is asked here."""

    def to_dict(self, *, context: dict[str, object]) -> dict[str, object]: ...
    def copy(self, deep: bool = True, ignore: list[str] | None = None) -> AltairChart: ...


Data: TypeAlias = "Held | Columns | Rows"


@dataclass
class Collected:
    """The data transformer of one conversion: it gives every frame a name, equal frames the same one, and keeps it."""

    data: dict[str, Data] = field(default_factory=dict)
    _names: list[tuple[object, str]] = field(default_factory=list)

    def __call__(self, data: object = None, **options: object) -> object:
        import altair as alt

        if data is None:
            return self
        if isinstance(data, dict) or hasattr(data, "__geo_interface__"):
            return alt.to_values(data)
        return {"name": self.name_of(data)}

    def name_of(self, data: object) -> str:
        """The name of a frame, a new one where it has none."""
        known = next((name for one, name in self._names if one is data), None)
        if known is not None:
            return known
        held = data if isinstance(data, Held) else held_by(data)
        name = self._free(held.name if held is not None else "data")
        self._names.append((data, name))
        self.data[name] = held if held is not None else at_hand(data)
        return name

    def _free(self, name: str) -> str:
        """The name, with a number where it is taken. Vega-Lite's own names have a line before theirs."""
        number, free = 1, name
        while free in self.data:
            number += 1
            free = f"{name}{number}"
        return free


@dataclass(frozen=True)
class Converted:
    """A chart as a spec, its data by their names, and what Altair refused to convert, if it did."""

    chart: object
    spec: Mapping[str, object]
    data: Mapping[str, Data]
    refusal: ValueError | None = None
    """What Altair said: the types of some fields are missing, and were guessed to find out why."""

    @property
    def name(self) -> str:
        return f"<{type(self.chart).__name__}>"

    @property
    def source(self) -> Source:
        """The JSON of the spec."""
        return Source(self.name, json.dumps(self.spec, indent=2, ensure_ascii=False, default=str))


def converted(chart: AltairChart, session: Session) -> Converted:
    """Converts a chart. Where types are missing they are guessed, and the refusal of Altair is kept.

    Raises what Altair raises for a chart that has no spec, and RunFailure for data that cannot be read.
    """
    chart = _with_references(chart, session)
    collected = Collected()
    refusal = None
    try:
        spec = _spec(chart, collected)
    except ValueError as problem:
        guessed = _with_guessed_types(chart, collected)
        if guessed is None:
            raise
        spec, refusal = _spec(guessed, collected), problem
    return Converted(chart, _with_tables(spec, collected, session), collected.data, refusal)


def _spec(chart: AltairChart, collected: Collected) -> dict[str, object]:
    import altair as alt

    registered = alt.data_transformers
    before = registered.register(TRANSFORMER, None)
    registered.register(TRANSFORMER, collected)
    try:
        with registered.enable(TRANSFORMER):
            return chart.to_dict(context={"pre_transform": False})
    finally:
        registered.register(TRANSFORMER, before)


def _with_tables(spec: dict[str, object], collected: Collected, session: Session) -> dict[str, object]:
    """The spec with `alt.Chart("table:NAME")`, which Altair takes for a url, read as that table of the session."""
    held: dict[str, Held] = {}

    def replaced(value: object) -> object:
        if isinstance(value, list):
            return [replaced(element) for element in value]
        if not isinstance(value, dict):
            return value
        url = value.get("url")
        if isinstance(url, str) and url.startswith(_TABLE_URL):
            table = held.setdefault(url, referred_to(url, session))
            return {"name": collected.name_of(table)}
        return {key: replaced(member) if key != "datasets" else member for key, member in value.items()}

    found = replaced(spec) if _TABLE_URL in json.dumps(spec, default=str) else spec
    assert isinstance(found, dict)
    return found


# Frames of Spark that the author did not wrap


def _with_references(chart: AltairChart, session: Session) -> AltairChart:
    """A copy in which every frame of Spark is what Altair accepts for it; the chart itself where it has none."""
    if not any(_is_spark_data(node) for node in _nodes(chart)):
        return chart
    copy = chart.copy(deep=True, ignore=["data"])
    made: dict[int, object] = {}
    for node in _nodes(copy):
        if _is_spark_data(node):
            frame = node["data"]
            node["data"] = made.setdefault(id(frame), referring_to(frame, session))
    return copy


def _is_spark_data(node: dict[str, object]) -> bool:
    from sheliak.engines.spark.given import is_spark_frame

    return is_spark_frame(node.get("data"))


def _nodes(node: object) -> Iterator[dict[str, object]]:
    """The members of every part of a chart, outer parts first; data are no part."""
    if isinstance(node, list | tuple):
        for element in node:
            yield from _nodes(element)
        return
    members = getattr(node, "_kwds", node if isinstance(node, dict) else None)
    if isinstance(members, dict):
        yield members
        for key, member in members.items():
            if key != "data" or hasattr(member, "_kwds"):
                yield from _nodes(member)


# Fields without types


def _with_guessed_types(chart: AltairChart, collected: Collected) -> AltairChart | None:
    """A copy in which every field that no frame has gets a type; None where there is no such field."""
    known = {column for data in collected.data.values() for column in data.record.fields}
    copy = chart.copy(deep=True, ignore=["data"])
    guessed = [_guess(members, known) for members in _nodes(copy) if isinstance(members.get("shorthand"), str)]
    return copy if any(guessed) else None


def _guess(members: dict[str, object], known: set[str]) -> bool:
    """Gives a channel in shorthand a type, where it has none and its field is no known column."""
    import altair as alt

    if "type" not in members or isinstance(members["type"], str):
        return False
    parsed: dict[str, object] = alt.parse_shorthand(members["shorthand"])
    if "type" in parsed or not isinstance(parsed.get("field"), str) or parsed["field"] in known:
        return False
    members["type"] = "quantitative" if "aggregate" in parsed else "temporal" if "timeUnit" in parsed else "nominal"
    return True
