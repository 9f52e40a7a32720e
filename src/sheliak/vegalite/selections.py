"""The fields that selections store, and a way to have them checked.

A selection keeps the fields named in `select.fields` when somebody clicks. The compiled Vega reads them at no other time, so a
copy of the spec in which the channel `detail` reads them shows whether the view's data has them.
"""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.source.declared import dataclass
from sheliak.source.place import PathKey
from sheliak.source.tree import Node
from sheliak.vegalite.mentions import Mention
from sheliak.vegalite.variants import with_value
from sheliak.vegalite.views import View, views_of


@dataclass(frozen=True, slots=True)
class Selected:
    """A field of a selection, and the view in which the selection is made."""

    mention: Mention
    view: tuple[PathKey, ...]


def selected_fields(root: Node) -> Iterator[Selected]:
    """The fields that the selections of a spec store."""
    views = tuple(views_of(root))
    for view in views:
        params = view.node.get("params")
        for param in params.elements() if params is not None else ():
            unit = _unit(views, view, param)
            fields = param.descend("select", "fields")
            for field in fields.elements() if fields is not None and unit is not None else ():
                if field.text is not None and unit is not None:
                    yield Selected(Mention(field.path, field.text, field.text), unit.node.path)


def _unit(views: tuple[View, ...], holder: View, param: Node) -> View | None:
    """The view with a mark that a selection belongs to: the one that holds it, or one that its `views` name."""
    if holder.node.get("mark") is not None:
        return holder
    named = param.get("views")
    names = [name.text for name in named.elements()] if named is not None else []
    return next((view for view in views if view.prefix in names and view.node.get("mark") is not None), None)


def with_details(spec: object, selected: list[Selected]) -> object:
    """The spec with every selected field on the channel `detail` of its view."""
    for one in selected:
        view = Node(spec).descend(*one.view)
        encoding = view.get("encoding") if view is not None else None
        detail = encoding.get("detail") if encoding is not None else None
        present = [] if detail is None else detail.value if isinstance(detail.value, list) else [detail.value]
        channel = {"field": one.mention.text, "type": "nominal"}
        channels = encoding.value if encoding is not None and isinstance(encoding.value, dict) else {}
        spec = _with_encoding(spec, one.view, {**channels, "detail": [*present, channel]})
    return spec


def _with_encoding(spec: object, view: tuple[PathKey, ...], encoding: dict[str, object]) -> object:
    node = Node(spec).descend(*view)
    inner = node.value if node is not None else None
    return with_value(spec, view, {**inner, "encoding": encoding}) if isinstance(inner, dict) else spec
