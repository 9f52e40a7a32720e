"""The signals, scales, projections and datasets that the top level of a spec defines, as Vega's parser takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from sheliak.source.tree import Node
from sheliak.transforms import transform_class
from sheliak.transforms._contract import Transform

Origin: TypeAlias = Literal["values", "url", "source", "none"]
_HEARD: tuple[Literal["signal", "scale"], ...] = ("signal", "scale")
BUILT_IN_SIGNALS = ("background", "autosize", "padding", "width", "height")


@dataclass(frozen=True, slots=True)
class SignalDefinition:
    """A signal: what it starts with, and the expression that computes it."""

    name: str
    node: Node
    """The definition; for a built-in signal, one made of the spec's own properties."""
    built_in: bool = False

    @property
    def expression(self) -> str | None:
        """The text of `init` or `update`."""
        for name in ("init", "update"):
            given = self.node.get(name)
            text = given.text if given is not None else None
            if text:
                return text
        return None

    @property
    def has_value(self) -> bool:
        return self.node.get("value") is not None

    @property
    def reacts(self) -> bool:
        react = self.node.get("react")
        return react is None or react.value is not False

    @property
    def is_interactive(self) -> bool:
        """Handlers or an input element may change it."""
        return any(self.node.get(name) is not None for name in ("on", "bind"))

    def listens_to(self) -> Iterator[tuple[Literal["signal", "scale"], str]]:
        """The signals and scales that its handlers listen to."""
        handlers = self.node.get("on")
        for handler in handlers.elements() if handlers is not None else ():
            events = handler.get("events")
            for one in _elements(events):
                for kind in _HEARD:
                    given = one.get(kind)
                    if given is not None and given.text is not None:
                        yield kind, given.text


@dataclass(frozen=True, slots=True)
class Step:
    """One transform of a dataset; its class is None when Vega has no such transform."""

    cls: type[Transform] | None
    node: Node
    type: str

    @property
    def signal(self) -> str | None:
        """The signal that it publishes."""
        given = self.node.get("signal")
        return (given.text or None) if given is not None else None


@dataclass(frozen=True, slots=True)
class Trigger:
    """`on`: when the condition holds, rows are inserted, removed, toggled or modified."""

    node: Node

    def part(self, name: str) -> str | None:
        """The text of a part; a constant is its own text."""
        given = self.node.get(name)
        if given is None or given.value is None:
            return None
        return given.text if given.text is not None else _CONSTANTS.get(given.value) if isinstance(given.value, bool) else None

    def texts(self) -> Iterator[str]:
        for name in ("trigger", "insert", "remove", "toggle", "modify", "values"):
            text = self.part(name)
            if text is not None:
                yield text


_CONSTANTS = {True: "true", False: "false"}


@dataclass(frozen=True, slots=True)
class DatasetDefinition:
    """A dataset: where its rows come from, its transforms, its triggers."""

    name: str
    node: Node
    origin: Origin
    upstream: tuple[str, ...]
    transforms: tuple[Step, ...]
    triggers: tuple[Trigger, ...]

    @property
    def classes(self) -> list[type[Transform]]:
        """The classes of its transforms: what a pipeline does to its rows is known from them, while parameters may wait for signals."""
        return [step.cls for step in self.transforms if step.cls is not None]

    @property
    def given(self) -> object:
        """The value of `values` or `url`."""
        node = self.node.get(self.origin) if self.origin in ("values", "url") else None
        return node.value if node is not None else None

    @property
    def format(self) -> object:
        node = self.node.get("format")
        return node.value if node is not None else None


@dataclass(frozen=True)
class Definitions:
    """Everything that the top level defines, in the order of the spec."""

    root: Node
    signals: tuple[SignalDefinition, ...]
    projections: Mapping[str, Node]
    scales: Mapping[str, Node]
    datasets: tuple[DatasetDefinition, ...]

    @cached_property
    def by_signal(self) -> Mapping[str, SignalDefinition]:
        return {signal.name: signal for signal in self.signals}

    @cached_property
    def by_dataset(self) -> Mapping[str, DatasetDefinition]:
        return {dataset.name: dataset for dataset in self.datasets}


def definitions_of(root: Node) -> Definitions:
    return Definitions(
        root,
        tuple(_signals(root)),
        {name: node for name, node in _named(root, "projections")},
        {name: node for name, node in _named(root, "scales")},
        tuple(_dataset(node) for node in _elements(root.get("data")) if node.is_object),
    )


def _elements(node: Node | None) -> Iterator[Node]:
    """Vega takes a lone object for a list of one."""
    if node is not None and (node.value or node.is_object):
        yield from node.elements() if node.is_array else (node,)


def _named(root: Node, section: str) -> Iterator[tuple[str, Node]]:
    for node in _elements(root.get(section)):
        name = node.get("name")
        if name is not None and name.text is not None:
            yield name.text, node


# Signals


def _signals(root: Node) -> Iterator[SignalDefinition]:
    """The built-in signals first, each with what `signals` adds to it; then the spec's own; then those of its config."""
    own = dict(_named(root, "signals"))
    config = root.get("config")
    for name in BUILT_IN_SIGNALS:
        merged = {**_built_in(name, root, config), **_members(own.get(name))}
        yield SignalDefinition(name, Node(merged, root, name), built_in=True)
    for name, node in own.items():
        if name not in BUILT_IN_SIGNALS:
            yield SignalDefinition(name, node)
    for name, node in _named(config, "signals") if config is not None else ():
        if name not in own and name not in BUILT_IN_SIGNALS:
            yield SignalDefinition(name, node)


def _members(node: Node | None) -> dict[str, object]:
    return dict(node.value) if node is not None and isinstance(node.value, dict) else {}


def _built_in(name: str, root: Node, config: Node | None) -> dict[str, object]:
    """The signal of one of the spec's own properties, which the config may give too."""
    value = next(
        (given.value for owner in (root, config) if owner and (given := owner.get(name)) and given.value is not None), None
    )
    if isinstance(value, dict) and value.get("signal"):
        return {"name": name, "update": value["signal"]}
    match name:
        case "width" | "height":
            return {"name": name, "value": value or 0}
        case "autosize":
            return {"name": name, "value": value if isinstance(value, dict) else {"type": value or "pad"}}
        case "padding":
            return {"name": name, "value": _padding(value)}
        case _:
            return {"name": name, "value": value}


def _padding(value: object) -> dict[str, object]:
    sides = value if isinstance(value, dict) else dict.fromkeys(("top", "bottom", "left", "right"), value)
    return {side: _number(sides.get(side)) for side in ("top", "bottom", "left", "right")}


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


# Datasets


def _dataset(node: Node) -> DatasetDefinition:
    name = node.get("name")
    origin = _origin(node)
    source = node.get("source") if origin == "source" else None
    upstream = tuple(one.text for one in _elements(source) if one.text is not None)
    return DatasetDefinition(
        name=name.text if name is not None and name.text is not None else "undefined",
        node=node,
        origin=origin,
        upstream=upstream,
        transforms=tuple(_step(step) for step in _elements(node.get("transform"))),
        triggers=tuple(Trigger(trigger) for trigger in _elements(node.get("on"))),
    )


def _origin(node: Node) -> Origin:
    """Vega takes values, then url, then source; an empty list counts, empty text and null do not."""
    origins: tuple[Origin, ...] = ("values", "url", "source")
    for name in origins:
        given = node.get(name)
        if given is not None and (given.value or isinstance(given.value, (list, dict))):
            return name
    return "none"


def _step(node: Node) -> Step:
    given = node.get("type")
    name = given.text if given is not None and given.text is not None else ""
    return Step(transform_class(name), node, name.lower())
