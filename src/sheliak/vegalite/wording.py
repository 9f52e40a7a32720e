"""Findings about compiled Vega, said in the words of Vega-Lite: channels, parameters and data instead of what Vega made of them."""

from __future__ import annotations

from itertools import pairwise

from sheliak.checker.encode import item_record
from sheliak.diagnostics.expressions import WordsToNumber
from sheliak.diagnostics.fields import DroppedField, FieldOfValue, UnknownDefaultField, UnknownField
from sheliak.diagnostics.loading import ParseOfAbsentColumn
from sheliak.diagnostics.names import UnknownSignal
from sheliak.diagnostics.parameters import TextInTransform
from sheliak.diagnostics.registry import Diagnostic
from sheliak.diagnostics.spec import TextInScale
from sheliak.diagnostics.vegalite import FieldNotInAggregate, FieldNotInData, TextInComparison, TextInQuantitative, UnknownParam
from sheliak.source.declared import replace
from sheliak.source.place import PathKey, Place
from sheliak.source.tree import Node
from sheliak.types.shapes import EMPTY_RECORD, UNKNOWN, Lineage, Record, Type
from sheliak.vegalite.causes import Cause, Sighting, first_record
from sheliak.vegalite.compiling import Compiled
from sheliak.vegalite.mentions import Mention, is_expression, strings_of
from sheliak.vegalite.params import defined_params
from sheliak.vegalite.views import enclosing_view
from sheliak.vegalite.vocabulary import MADE_UP

_TRANSFORMS = {"kde": "density"}
"""Vega's name of a transform -> Vega-Lite's, where the two differ."""

_ITEM = item_record(EMPTY_RECORD, None).fields.keys()
"""What every item of a mark has, and no row of the author's data."""


class Wording:
    """Turns findings about the Vega of one spec into findings about the spec."""

    def __init__(self, root: Node, compiled: Compiled) -> None:
        self._root = root
        self._vega = compiled.document.root
        self._words = {node.text for node in strings_of(root)}

    def spoken(self, cause: Cause, sightings: list[Sighting], mention: Mention) -> Diagnostic:
        """The finding about a cause, at the mention that is at fault."""
        finding = _telling(sightings)
        match finding:
            case UnknownField() if mention.on_key:
                columns = tuple(self._columns(finding.record).fields)
                return ParseOfAbsentColumn(place=mention.place, column=cause.name, columns=columns)
            case UnknownField():
                # A test for validity that Vega-Lite adds to every field does not make a missing one harmless.
                harmless = finding.harmless and is_expression(mention.path)
                return self._unknown(cause, finding.record, mention, harmless=harmless)
            case ParseOfAbsentColumn() if not mention.on_key:
                record = Record(dict.fromkeys(finding.columns, UNKNOWN))
                return self._unknown(cause, record, mention, harmless=False)
            case DroppedField():
                return self._dropped(finding, mention)
            case UnknownSignal():
                return self._signal(finding, mention)
            case TextInScale():
                return _text_in_channel(mention, finding.field, finding.of, finding.scale_type)
            case WordsToNumber() if is_channel(mention.path) and mention.is_field:
                return _text_in_channel(mention, cause.name, finding.of, "linear")
            case WordsToNumber() if mention.is_field:
                return TextInComparison(place=mention.place, operator="<", operand=cause.name, of=finding.of)
            case TextInTransform() if is_channel(mention.path) and "transform" in finding.owner:
                return _text_in_channel(mention, finding.field, finding.of, "linear")
            case FieldOfValue():
                return FieldOfValue(
                    place=mention.place, field=finding.field, holder=before(mention) or finding.holder, of=finding.of
                )
            case _:
                return self.moved(finding, mention.place, channel_of(mention.path))

    def _unknown(self, cause: Cause, record: Record, mention: Mention, *, harmless: bool) -> Diagnostic:
        columns = self._columns(record)
        return FieldNotInData(
            # A name with dots or brackets is a mistake as a whole.
            place=Place(mention.path) if mention.text in columns.fields else mention.place,
            field=cause.name,
            record=columns,
            replaceable=mention.name == cause.name,
            harmless=harmless,
            data=self._data(cause.root, mention),
            written=mention.text,
        )

    def _dropped(self, finding: DroppedField, mention: Mention) -> Diagnostic:
        step = finding.dropped_by
        written = self._transform(step, mention.path)
        cls: type[DroppedField] = DroppedField
        if written is None and step.step == "aggregate":
            cls, written = FieldNotInAggregate, self._aggregation(mention.path)
        return cls(
            place=mention.place,
            field=finding.field,
            record=self._columns(finding.record),
            replaceable=mention.name == finding.field,
            harmless=finding.harmless,
            dropped_by=replace(step, step=_TRANSFORMS.get(step.step, step.step), place=written),
        )

    def _signal(self, finding: UnknownSignal, mention: Mention) -> Diagnostic:
        return UnknownParam(
            place=mention.place,
            name=finding.name,
            known=(*sorted(defined_params(self._root)), "width", "height"),
            field_of=finding.field_of,
            is_function=finding.is_function,
        )

    def default_field(self, finding: UnknownDefaultField, place: Place) -> Diagnostic:
        """A field that the spec does not name, missing where a mark reads it."""
        columns = self._columns(finding.record)
        return UnknownDefaultField(place=place, field=finding.field, record=columns, replaceable=False, why=finding.why)

    def moved(self, finding: Diagnostic, place: Place, channel: str | None = None) -> Diagnostic:
        """A finding that can be told as it is, at its place in the Vega-Lite spec."""
        values: dict[str, object] = {name: getattr(finding, name) for name in finding._fields}
        for name, value in values.items():
            if isinstance(value, Place):
                # A second place stands in the compiled Vega, which the author does not see.
                values[name] = None
            elif name == "scale" and channel is not None:
                values[name] = channel
            elif name in ("known", "datasets", "columns"):
                values[name] = self._known(value)
        return type(finding)(**{**values, "place": place})  # type: ignore[arg-type]

    def _known(self, value: object) -> object:
        return tuple(name for name in value if not MADE_UP.fullmatch(str(name))) if isinstance(value, tuple) else value

    def _columns(self, record: Record) -> Record:
        """A record without the fields that Vega-Lite made up: the ones with its names that the author wrote nowhere."""
        own = first_record(record).fields.keys() | self._words
        fields = {name: of for name, of in record.fields.items() if name not in _ITEM or "pathCache" not in record.fields}
        kept = {name: of for name, of in fields.items() if name in own or not MADE_UP.fullmatch(name)}
        return Record(kept, record.optional, record.open)

    def _data(self, root: str, mention: Mention) -> str:
        """What to call, in a sentence, that which lacks a field: rows of a dataset, a nested field, or whatever `datum` is."""
        if outer := before(mention):
            return f"`{outer}`"
        if not root:
            return "the datum" if is_expression(mention.path) else "the data"
        name = self.name_of(root)
        if name != root:
            return f"`{name}`"
        return f"dataset `{root}`" if root in self._words else "the data"

    def name_of(self, dataset: str) -> str:
        """The author's name for a dataset of Vega, else the url of its rows, else Vega-Lite's name for it."""
        if dataset in self._words:
            return dataset
        data = self._vega.get("data")
        for node in data.elements() if data is not None else ():
            name, url = node.get("name"), node.get("url")
            if name is not None and name.text == dataset and url is not None and url.text:
                return url.text
        return dataset

    def _transform(self, step: Lineage, path: tuple[PathKey, ...]) -> Place | None:
        """The author's transform of which Vega-Lite made a step: of the views around a place, the last one of its kind."""
        kind = _TRANSFORMS.get(step.step, step.step)
        made = self._vega.descend(*step.place.path, "groupby") if step.place is not None else None
        written = [node for node in self._transforms_around(path) if node.get(kind) is not None]
        same = [node for node in written if made is not None and _value(node.get("groupby")) == made.value]
        return (same or written)[-1].place if written else None

    def _transforms_around(self, path: tuple[PathKey, ...]) -> list[Node]:
        found = []
        for length in range(len(path) + 1):
            node = self._root.descend(*path[:length])
            listed = node.get("transform") if node is not None else None
            found += list(listed.elements()) if listed is not None else []
        return found

    def _aggregation(self, path: tuple[PathKey, ...]) -> Place:
        """The channel that makes the encoding of a view an aggregated one."""
        view = enclosing_view(self._root, path)
        encoding = view.get("encoding")
        for _, channel in encoding.members() if encoding is not None else ():
            if channel.get("aggregate") is not None:
                return channel.place
        mark = view.get("mark")
        return mark.place if mark is not None else view.place


def _telling(sightings: list[Sighting]) -> Diagnostic:
    """The finding that says most: where a field never was, its loss further on is nothing new."""
    return min((sighting.diagnostic for sighting in sightings), key=_order)


def _order(finding: Diagnostic) -> int:
    return next((number for number, cls in enumerate((UnknownField, ParseOfAbsentColumn)) if isinstance(finding, cls)), 2)


def channel_of(path: tuple[PathKey, ...]) -> str | None:
    """The encoding channel that a place belongs to."""
    following = [after for key, after in pairwise(path) if key == "encoding"]
    return next((key for key in reversed(following) if isinstance(key, str)), None)


def is_channel(path: tuple[PathKey, ...]) -> bool:
    return channel_of(path) is not None


def _text_in_channel(mention: Mention, field: str, of: Type, scale_type: str) -> Diagnostic:
    channel = channel_of(mention.path) or "scale"
    name = mention.text if mention.is_whole else field
    return TextInQuantitative(place=mention.place, field=name, scale=channel, scale_type=scale_type, of=of, channel=channel)


def before(mention: Mention) -> str:
    """What a nested field is read from, as the author wrote it."""
    return mention.text[: mention.start].rstrip(".[\"'") if mention.start and mention.is_field else ""


def _value(node: Node | None) -> object:
    return node.value if node is not None else None
