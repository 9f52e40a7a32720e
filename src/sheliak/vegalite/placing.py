"""From a cause in the compiled Vega to the places of the Vega-Lite spec that are at fault."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.source.place import PathKey, Place
from sheliak.source.tree import Node
from sheliak.vegalite.causes import Cause, Sight, Sighting
from sheliak.vegalite.compiling import Compiled
from sheliak.vegalite.mentions import Mention, deriving, expressions_of, mentions_of, names_in, naming


class Placing:
    """Finds the places for the causes of one spec."""

    def __init__(self, root: Node, sight: Sight, compiled: Compiled) -> None:
        self.root = root
        self._sight = sight
        self._compiled = compiled
        self._mentions = mentions_of(root)

    def at_fault(self, cause: Cause, sightings: list[Sighting], *, exactly: bool) -> list[Mention]:
        """The mentions that show the mistake. With `exactly`, names that Vega-Lite made of a mention do not count."""
        found: dict[Mention, None] = {}
        for sighting in sightings:
            if sighting.written:
                found.update(dict.fromkeys(self._sight.at_fault(cause, sightings, list(sighting.written))))
        if any(not sighting.written for sighting in sightings):
            candidates = [mention for mention in self._candidates(cause.name, exactly) if mention not in found]
            found.update(dict.fromkeys(self._sight.at_fault(cause, sightings, candidates)))
        return list(found)

    def _candidates(self, name: str, exactly: bool) -> list[Mention]:
        found = naming(self._mentions, name)
        if found or exactly:
            return found
        inside = [mention for node in expressions_of(self.root) for mention in names_in(node) if mention.name == name]
        return inside or deriving(self._mentions, name)

    def origin(self, place: Place) -> Place | None:
        """What a place of the Vega was copied from; for a dataset its rows or its url, for a transform its expression."""
        found = self.copied(place)
        if found is not None or place.path[:1] != ("data",):
            return found
        if len(place.path) == 2:
            return self.copied(Place((*place.path, "values"))) or self.copied(Place((*place.path, "url")))
        written = self._sight.written(self._compiled, Place((*place.path, "expr"), start=0))
        return Place(written[0].path) if written else None

    def copied(self, place: Place) -> Place | None:
        """The place of the author's value that stands, copied, at a place of the Vega: rows, a url, a word."""
        path = place.path
        rows = self._compiled.rows.get(path[1]) if path[:1] == ("data",) and isinstance(path[1], int) else None
        if rows is not None and path[2:3] == ("values",):
            return Place((*rows, *path[3:]), place.on_key, place.start, place.end)
        node = self._compiled.document.root.descend(*path)
        return self._of_equal_value(node, place) if node is not None and path else None

    def _of_equal_value(self, node: Node, place: Place) -> Place | None:
        found = next(_equal_below(self.root, node.key, node.value), None)
        return None if found is None else Place(found, place.on_key, place.start, place.end)


def _equal_below(node: Node, key: PathKey, value: object) -> Iterator[tuple[PathKey, ...]]:
    for child in (*node.elements(), *(member for _, member in node.members())):
        if child.key == key and child.value == value and isinstance(key, str):
            yield child.path
        yield from _equal_below(child, key, value)
