"""Marks and scales in a line each: `line x: date, y: price`, `time of date`."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.picturing.labels import field_words
from sheliak.picturing.scopes import elements, text_of
from sheliak.source.tree import Node

_SETS = ("enter", "update")
_MOST_CHANNELS = 4


def mark_line(mark: Node, per: str = "") -> str:
    """A mark: its type, the fields of its channels, and what it is repeated for."""
    type_ = text_of(mark, "type") or "mark"
    channels = dict(_channels(mark))
    shown = [f"{channel}: {field}" for channel, field in list(channels.items())[:_MOST_CHANNELS]]
    shown += ["…"] if len(channels) > _MOST_CHANNELS else []
    return type_ + (f" {', '.join(shown)}" if shown else "") + (f" per {per}" if per else "")


def _channels(mark: Node) -> Iterator[tuple[str, str]]:
    """The channels that show a field of the mark's own rows."""
    encode = mark.get("encode")
    for name in _SETS:
        given = encode.get(name) if encode is not None else None
        for channel, value in given.members() if given is not None else ():
            field = _field_of(value.value)
            if field is not None:
                yield channel, field


def _field_of(value: object) -> str | None:
    """The field of a channel, or of the last of its conditional values that has one."""
    if isinstance(value, list):
        return next((field for one in reversed(value) if (field := _field_of(one)) is not None), None)
    field = value.get("field") if isinstance(value, dict) else None
    if isinstance(field, dict):
        field = field.get("datum")
    return field_words(field) if isinstance(field, str) else None


def scale_line(scale: Node) -> tuple[str, str]:
    """A scale: its name, and its type with the fields that its domain comes from."""
    fields = ", ".join(dict.fromkeys(field for _, field in domain_fields(scale)))
    return text_of(scale, "name") or "scale", (text_of(scale, "type") or "linear") + (f" of {fields}" if fields else "")


def domain_fields(scale: Node) -> Iterator[tuple[str, str]]:
    """The datasets and fields of a scale's domain and range."""
    for part in ("domain", "range"):
        given = scale.get(part)
        data = text_of(given, "data")
        fields = given.get("fields") if given is not None else None
        if data is not None and given is not None:
            named = fields if fields is not None else given.get("field")
            yield data, field_words(named.value) if named is not None else "data"
        elif fields is not None:
            for one in elements(fields):
                source, field = text_of(one, "data"), one.get("field")
                if source is not None:
                    yield source, field_words(field.value) if field is not None else "data"
