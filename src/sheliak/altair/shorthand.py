"""Altair's shorthand for a channel: 'mean(Miles_per_Gallon):Q'."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.altair.code_writer import CodeWriter, Path, escaped
from sheliak.source.declared import dataclass

_LETTERS = {"quantitative": "Q", "nominal": "N", "ordinal": "O", "temporal": "T", "geojson": "G"}


@dataclass(frozen=True)
class Shorthand:
    """A text, and what of it stands for which member of the channel: (key, start, end)."""

    text: str
    parts: tuple[tuple[str, int, int], ...]

    def write(self, writer: CodeWriter, path: Path) -> None:
        """The text in quotes; its parts stand for the members of the channel at the path."""
        writer.put("'")
        done = 0
        for key, start, end in self.parts:
            writer.put(escaped(self.text[done:start]))
            with writer.part((*path, key)):
                writer.put(escaped(self.text[start:end]))
            done = end
        writer.put(escaped(self.text[done:]) + "'")

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(key for key, _, _ in self.parts)


def shorthand_of(channel: Mapping[str, object], written: str | None) -> Shorthand | None:
    """The shorthand of a channel: as the author wrote it, else what would say the same; None where none can."""
    text = written if written is not None else _made(channel)
    return None if text is None else Shorthand(text, tuple(sorted(_parts(text, channel), key=lambda part: part[1])))


def _made(channel: Mapping[str, object]) -> str | None:
    field, operation = channel.get("field"), channel.get("aggregate", channel.get("timeUnit"))
    if field is None and operation == "count":
        return "count()"
    if not isinstance(field, str) or not isinstance(operation, str | None):
        return None
    of = channel.get("type")
    kind = f":{_LETTERS[of]}" if isinstance(of, str) and of in _LETTERS else ""
    name = field.replace(":", "\\:") if kind == "" else field
    return f"{operation}({field}){kind}" if operation is not None else f"{name}{kind}"


def _parts(text: str, channel: Mapping[str, object]) -> list[tuple[str, int, int]]:
    found = []
    field, opening = channel.get("field"), 0
    for key in ("aggregate", "timeUnit"):
        operation = channel.get(key)
        if isinstance(operation, str) and text.startswith(f"{operation}("):
            opening = len(operation) + 1
            found.append((key, 0, len(operation)))
    if isinstance(field, str) and (at := text.find(field, opening)) >= 0:
        found.append(("field", at, at + len(field)))
    if _says_type(text, channel):
        colon = text.rindex(":")
        found.append(("type", colon + 1, len(text)))
    return found


def _says_type(text: str, channel: Mapping[str, object]) -> bool:
    of, said = channel.get("type"), text.rpartition(":")[2]
    return ":" in text and isinstance(of, str) and said in (of, _LETTERS.get(of))
