"""Names while a picture is built: which box a dataset or a signal of a name is, seen from one group."""

from __future__ import annotations

from sheliak.dataflow.definitions import BUILT_IN_SIGNALS
from sheliak.source.declared import dataclass, field
from sheliak.source.tree import Node


@dataclass(slots=True)
class Signal:
    """A signal that could be shown: its definition, or the dataset whose transform publishes it."""

    name: str
    node: Node
    frame: str
    publisher: str | None = None


@dataclass(slots=True)
class PictureScope:
    """The names that one group defines, and the group around it."""

    node: Node
    frame: str = ""
    parent: PictureScope | None = None
    datasets: dict[str, str] = field(default_factory=dict)
    """Name -> id of the box: a dataset, a facet, or the drawing of a named mark."""
    signals: dict[str, Signal] = field(default_factory=dict)
    scales: dict[str, str] = field(default_factory=dict)
    """Name -> id of the drawing that the scale stands in."""

    def dataset(self, name: str) -> str | None:
        """The box of the dataset that a name means here."""
        return self.datasets.get(name) or (self.parent.dataset(name) if self.parent is not None else None)

    def signal(self, name: str) -> Signal | None:
        return self.signals.get(name) or (self.parent.signal(name) if self.parent is not None else None)

    def scale(self, name: str) -> str | None:
        return self.scales.get(name) or (self.parent.scale(name) if self.parent is not None else None)

    def declare_signals(self) -> None:
        """Those that the group writes down; the size of the chart is no news, unless the spec computes it."""
        for element in elements(self.node.get("signals")):
            name = element.get("name")
            if name is not None and name.text is not None and (name.text not in BUILT_IN_SIGNALS or self.parent is not None):
                self.signals[name.text] = Signal(name.text, element, self.frame)


def elements(node: Node | None) -> list[Node]:
    """The objects of a list; Vega takes a lone object for a list of one."""
    if node is None:
        return []
    return [element for element in (node.elements() if node.is_array else (node,)) if element.is_object]


def text_of(node: Node | None, name: str) -> str | None:
    """The text of a member, if it is one."""
    member = node.get(name) if node is not None else None
    return member.text if member is not None else None
