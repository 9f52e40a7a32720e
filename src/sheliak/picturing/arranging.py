"""Where the boxes of a picture stand: frames are arranged from the inside out, each as one rectangle of the frame around it.

Nothing outside of a group sees into it, so lines only ever enter a frame: they cross its border at an entry, where the frame around
it takes over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, product

from sheliak.picturing.boxes import Box, box_of, steps_box
from sheliak.picturing.layering import Connection, Item, Layered, Line, Piece, layered, ranks_of
from sheliak.picturing.ordering import order_layers
from sheliak.picturing.picture import Frame, Node, Picture
from sheliak.picturing.placing import Placed, placed
from sheliak.source.declared import dataclass, field

FRAME_PADDING = 16.0
FRAME_HEADER = 24.0
_SCREEN = (1500.0, 950.0)
_LONGEST_LAYERS = (900.0, 600.0, 1500.0, 1e9)
_MOST_TRIALS_FOR = 200
_MOST_PIECES = 12_000
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PlacedBox:
    """A box and its upper left corner."""

    box: Box
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class PlacedFrame:
    """A frame with its rectangle."""

    frame: Frame
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Stroke:
    """A piece of a line: straight from `start` to `turn`, a curve to `bend`, straight to `end`; perhaps with an arrow."""

    start: Point
    turn: Point
    bend: Point
    end: Point
    role: str
    arrow: str
    """`end`, `start` (the line runs against the flow), or nothing."""


@dataclass(slots=True)
class Arrangement:
    """Everything in its place. `is_across`: the flow runs from left to right, else downwards."""

    is_across: bool
    width: float
    height: float
    boxes: list[PlacedBox] = field(default_factory=list)
    frames: list[PlacedFrame] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    entries: dict[Connection, float] = field(default_factory=dict)
    left_out: int = 0
    """Lines that are not drawn, because there is too much between their ends."""


def arranged(picture: Picture) -> Arrangement:
    """The arrangement that can be shown largest on a screen; the flow runs from left to right if that costs nothing."""
    contents = _Contents(picture)
    first = _Arranging(contents, True, _LONGEST_LAYERS[0]).frame("")
    if _shrinking(first)[0] <= 1.0 or len(picture.nodes) + len(picture.frames) > _MOST_TRIALS_FOR:
        return first
    trials = product((True, False), _LONGEST_LAYERS)
    return min((_Arranging(contents, *trial).frame("") for trial in trials), key=_shrinking)


def _shrinking(arrangement: Arrangement) -> tuple[float, float]:
    """By how much it must be made smaller to fit, then its area; running downwards is as bad as being a little larger."""
    least = max(arrangement.width / _SCREEN[0], arrangement.height / _SCREEN[1], 1.0)
    return round(least * (1.0 if arrangement.is_across else 1.15), 2), arrangement.width * arrangement.height


class _Contents:
    """A picture by frames: boxes, transforms on arrows, frames inside, and lines."""

    def __init__(self, picture: Picture) -> None:
        self.frames = {frame.id: frame for frame in picture.frames}
        self.nodes = {node.id: node for node in picture.nodes}
        self.boxes = {node.id: box_of(node) for node in picture.nodes}
        self.steps = {node.id: steps_box(node) for node in picture.nodes if node.steps}
        self.by_id = {box.id: box for box in (*self.boxes.values(), *self.steps.values())}
        self.nodes_in: dict[str, list[Node]] = {}
        for node in picture.nodes:
            self.nodes_in.setdefault(node.frame, []).append(node)
        self.frames_in: dict[str, list[Frame]] = {}
        for frame in picture.frames:
            self.frames_in.setdefault(frame.parent, []).append(frame)
        self.lines_in: dict[str, list[Line]] = {}
        for edge in picture.edges:
            for frame_id in self._frames_around(edge.target):
                self.lines_in.setdefault(frame_id, []).append(Line(edge.source, edge.target, (edge.source, edge.role)))

    def _frames_around(self, id: str) -> Iterator[str]:
        frame = self.nodes[id].frame
        while frame:
            yield frame
            frame = self.frames[frame].parent
        yield ""

    def local(self, id: str, frame: str) -> str | None:
        """What shows a box at the level of a frame: itself, the frame inside that holds it, or nothing if it is outside."""
        at = self.nodes[id].frame
        shown = id
        while at != frame:
            if not at:
                return None
            shown, at = at, self.frames[at].parent
        return shown


class _Arranging:
    """Arranges with one direction and one limit for the length of layers."""

    def __init__(self, contents: _Contents, is_across: bool, longest: float) -> None:
        self._contents = contents
        self._is_across = is_across
        self._longest = longest

    def frame(self, id: str) -> Arrangement:
        inner = {frame.id: self.frame(frame.id) for frame in self._contents.frames_in.get(id, ())}
        items = [*self._box_items(id), *(self._frame_item(key, one) for key, one in inner.items())]
        lines = list(dict.fromkeys(self._lines(id)))
        outside = {line.connection: line.source for line in lines if line.source.startswith(_OUTSIDE)}
        items += [Item(entry, 0.0, 0.0, is_entry=True) for entry in outside.values()]
        items, lines = self._with_notes(items, lines)
        kept = _not_too_long(items, lines)
        layers = layered(items, kept, self._longest)
        order_layers(layers)
        result = self._assembled(layers, placed(layers), inner, outside, is_whole=not id)
        result.left_out = len(lines) - len(kept) + sum(one.left_out for one in inner.values())
        return result

    def _box_items(self, frame: str) -> Iterator[Item]:
        for node in self._contents.nodes_in.get(frame, ()):
            for box in (self._contents.steps.get(node.id), self._contents.boxes[node.id]):
                if box is not None:
                    yield Item(box.id, *self._turned(box.width, box.height))

    def _frame_item(self, id: str, arrangement: Arrangement) -> Item:
        return Item(id, *self._turned(arrangement.width, arrangement.height), ports=arrangement.entries)

    def _turned(self, x: float, y: float) -> Point:
        """From the picture's axes to those along and across the flow, or back."""
        return (x, y) if self._is_across else (y, x)

    def _lines(self, frame: str) -> Iterator[Line]:
        contents = self._contents
        for line in contents.lines_in.get(frame, ()):
            source, target = contents.local(line.source, frame), contents.local(line.target, frame)
            if target is not None and target == line.target and target in contents.steps:
                target = contents.steps[target].id
            if target is not None and source != target:
                start = source if source is not None else f"{_OUTSIDE}{':'.join(line.connection)}"
                yield Line(start, target, line.connection)
        for node in contents.nodes_in.get(frame, ()):
            if node.id in contents.steps:
                start = contents.steps[node.id].id
                yield Line(start, node.id, (start, "rows"))

    def _with_notes(self, items: list[Item], lines: list[Line]) -> tuple[list[Item], list[Line]]:
        """A signal that is used in several layers stands beside each of them; its lines would cross everything between."""
        free = {item.id for item in items if item.id.startswith("signal:")} - {line.target for line in lines}
        if not free:
            return items, lines
        ranks, sizes = ranks_of(items, lines), {item.id: item for item in items}
        first = {id: min(ranks[line.target] for line in lines if line.source == id) for id in free}
        moved: list[Line] = []
        copies: dict[str, Item] = {}
        for line in lines:
            id = line.source
            if id in free and ranks[line.target] != first[id]:
                copy = f"{id}{_COPY}{ranks[line.target]}"
                copies[copy] = Item(copy, sizes[id].main, sizes[id].cross)
                line = Line(copy, line.target, (copy, line.connection[1]))
            moved.append(line)
        return [*items, *copies.values()], moved

    def _assembled(
        self, layers: Layered, at: Placed, inner: dict[str, Arrangement], outside: dict[Connection, str], *, is_whole: bool
    ) -> Arrangement:
        entries = {connection: at.across[entry] for connection, entry in outside.items()}
        shift, after = ((0.0, 0.0), 0.0) if is_whole else (self._margins(bool(entries)), FRAME_PADDING)
        size = self._turned(at.length, at.breadth)
        result = Arrangement(self._is_across, size[0] + shift[0] + after, size[1] + shift[1] + after)
        result.entries = {connection: where + self._turned(*shift)[1] for connection, where in entries.items()}
        for id in at.along:
            x, y = self._moved(shift, at.along[id], at.across[id])
            if (box := self._contents.by_id.get(id.partition(_COPY)[0])) is not None:
                result.boxes.append(PlacedBox(box, x, y))
            elif id in inner:
                self._add_frame(result, inner[id], self._contents.frames[id], x, y)
        result.strokes += [self._stroke(layers, at, piece, shift) for piece in layers.pieces]
        return result

    def _margins(self, has_entries: bool) -> Point:
        """The room before what stands in a frame; entries lie on its border."""
        if self._is_across:
            return 0.0 if has_entries else FRAME_PADDING, FRAME_HEADER
        return FRAME_PADDING, 0.0 if has_entries else FRAME_HEADER

    def _moved(self, shift: Point, along: float, across: float) -> Point:
        x, y = self._turned(along, across)
        return x + shift[0], y + shift[1]

    def _add_frame(self, result: Arrangement, inner: Arrangement, frame: Frame, x: float, y: float) -> None:
        result.frames.append(PlacedFrame(frame, x, y, inner.width, inner.height))
        result.boxes += [PlacedBox(one.box, one.x + x, one.y + y) for one in inner.boxes]
        result.frames += [PlacedFrame(one.frame, one.x + x, one.y + y, one.width, one.height) for one in inner.frames]
        for one in inner.strokes:
            start, turn, bend, end = ((point[0] + x, point[1] + y) for point in (one.start, one.turn, one.bend, one.end))
            result.strokes.append(Stroke(start, turn, bend, end, one.role, one.arrow))

    def _stroke(self, layers: Layered, at: Placed, piece: Piece, shift: Point) -> Stroke:
        source, target = layers.items[piece.source], layers.items[piece.target]
        leave = at.across[piece.source] + source.cross / 2
        enter = at.across[piece.target] + target.entry(piece.connection)
        end_of_layer = at.stretch[piece.source][1]
        points = (
            # A piece that ends at a bend has passed its layer already.
            (end_of_layer if layers.is_bend(piece.source) else at.along[piece.source] + source.main, leave),
            (end_of_layer, leave),
            (at.along[piece.target], enter),
            (at.stretch[piece.target][1] if layers.is_bend(piece.target) else at.along[piece.target], enter),
        )
        start, turn, bend, end = (self._moved(shift, *point) for point in points)
        return Stroke(start, turn, bend, end, piece.connection[1], self._arrow(layers, piece))

    def _arrow(self, layers: Layered, piece: Piece) -> str:
        """Only where a line ends: not on the way, not at the border of a frame, not where rows meet their transforms."""
        if piece.is_reversed:
            return "" if layers.is_bend(piece.source) else "start"
        if not piece.is_last or piece.target in self._contents.frames:
            return ""
        return "" if piece.target.startswith("steps:") and piece.connection[1] == "rows" else "end"


def _not_too_long(items: list[Item], lines: list[Line]) -> list[Line]:
    """All lines; of a picture that nobody could follow them through, those that pass the fewest layers."""
    if len(items) <= _MOST_TRIALS_FOR:
        return lines
    ranks = ranks_of(items, lines)
    passed = sorted((abs(ranks[line.target] - ranks[line.source]), number) for number, line in enumerate(lines))
    sums = accumulate(layers for layers, _ in passed)
    kept = {number for (_, number), total in zip(passed, sums, strict=True) if total <= _MOST_PIECES}
    return [line for number, line in enumerate(lines) if number in kept or line.source.startswith("steps:")]


_OUTSIDE = "outside:"
# No pointer and no name that is shown holds this character.
_COPY = "\0"
