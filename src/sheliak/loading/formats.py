"""Vega's `data[].format`: how the text of a source becomes rows."""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable, Mapping
from typing import Literal

from sheliak.diagnostics.loading import (
    FORMAT_TYPES,
    PARSE_TYPES,
    MalformedFormat,
    MissingDelimiter,
    MissingTopojsonFeature,
    UnknownFormatType,
    UnknownParseType,
)
from sheliak.diagnostics.registry import Diagnostic
from sheliak.source.declared import dataclass, field
from sheliak.source.tree import Node

Report = Callable[[Diagnostic], None]
UNCERTAIN = "?"
"""Stands in `Format.parse` for a type that Vega does not have: it was reported, and nothing more is said of the column."""
DELIMITERS = {"csv": ",", "tsv": "\t"}


@dataclass(frozen=True, slots=True)
class Format:
    """A format whose every part is known; without a `type`, Vega reads JSON."""

    type: str = "json"
    parse: Mapping[str, str] | Literal["auto"] | None = field(default=None, hash=False)
    property: str | None = None
    feature: str | None = None
    mesh: str | None = None
    filter: str | None = None
    delimiter: str | None = None
    header: tuple[str, ...] | None = None
    copy: bool = False
    declared: bool = False
    """The spec names the type; otherwise it is Vega's default."""

    @builtins.property
    def separator(self) -> str | None:
        """The character between two cells; None when the format is not delimited text (csv and tsv ignore `delimiter`)."""
        return self.delimiter if self.type == "dsv" else DELIMITERS.get(self.type)


def read_format(node: Node | None, report: Report) -> Format | None:
    """The decoded format of a source; None when a signal decides a part of it or when what it says cannot be used."""
    if node is None or node.is_null:
        return Format()
    if has_signal(node.value):
        return None
    if not node.is_object:
        report(_not_an_object(node))
        return None
    kind = _format_type(node, report)
    if kind is None:
        return None
    return _FormatReader(node, report).format(kind)


def has_signal(value: object) -> bool:
    """Somewhere in the value stands `{"signal": ...}`, so that Vega decides about it while the chart runs."""
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            if value.get("signal"):
                return True
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
    return False


def _not_an_object(node: Node) -> MalformedFormat:
    text = node.text
    advice = f'write `"format": {{"type": "{text}"}}`' if text in FORMAT_TYPES else None
    return MalformedFormat(place=node.place, part="format", found=node.kind, wanted="an object", advice=advice)


def _format_type(node: Node, report: Report) -> str | None:
    kind = node.get("type")
    if kind is None or not kind.value:
        return "json"
    if kind.text in FORMAT_TYPES:
        return kind.text
    report(UnknownFormatType(place=kind.place, type=kind.text or json.dumps(kind.value)))
    return None


class _FormatReader:
    """Reads the members of one format; a member that breaks Vega is reported and makes the whole format unknown."""

    def __init__(self, node: Node, report: Report) -> None:
        self.node = node
        self.report = report
        self.usable = True

    def format(self, kind: str) -> Format | None:
        result = Format(
            type=kind,
            parse=self._parse(),
            property=self._text("property", "a path of names"),
            feature=self._text("feature", "the name of an object"),
            mesh=self._text("mesh", "the name of an object"),
            filter=self._text("filter", "`interior` or `exterior`"),
            delimiter=self._delimiter(kind),
            header=self._header() if kind in ("csv", "tsv", "dsv") else None,
            copy=bool(self._value("copy")),
            declared=bool(self._value("type")),
        )
        self._check_topojson(result)
        return result if self.usable else None

    def _value(self, name: str) -> object:
        member = self.node.get(name)
        return member.value if member is not None else None

    def _text(self, name: str, wanted: str) -> str | None:
        member = self.node.get(name)
        if member is None or not member.value:
            return None
        if member.is_number:
            return json.dumps(member.value)
        if not member.is_string:
            self._malformed(member, name, wanted)
        return member.text

    def _malformed(self, member: Node, name: str, wanted: str) -> None:
        self.usable = False
        self.report(MalformedFormat(place=member.place, part=f"format.{name}", found=member.kind, wanted=wanted))

    def _delimiter(self, kind: str) -> str | None:
        if kind != "dsv":
            return None
        member = self.node.get("delimiter")
        if member is None or member.is_null:
            self.usable = False
            self.report(MissingDelimiter(place=self.node.place))
        elif not member.is_string:
            self._malformed(member, "delimiter", "a character")
        return member.text if member is not None else None

    def _header(self) -> tuple[str, ...] | None:
        member = self.node.get("header")
        if member is None or not member.value:
            return None
        if not isinstance(member.value, list):
            self._malformed(member, "header", "an array of column names")
            return None
        return tuple(name if isinstance(name, str) else json.dumps(name) for name in member.value)

    def _check_topojson(self, result: Format) -> None:
        if self.usable and result.type == "topojson" and not result.feature and not result.mesh:
            self.usable = False
            self.report(MissingTopojsonFeature(place=self.node.place))

    def _parse(self) -> Mapping[str, str] | Literal["auto"] | None:
        member = self.node.get("parse")
        if member is None or not member.value:
            return None
        if member.text == "auto":
            return "auto"
        if not member.is_object:
            self._malformed(member, "parse", '`"auto"` or an object with a type for each column')
            return None
        return {name: self._parse_type(name, entry) for name, entry in member.members()}

    def _parse_type(self, column: str, entry: Node) -> str:
        text = entry.text
        if text is not None and is_parse_type(text):
            return text
        shown = text if text is not None else json.dumps(entry.value)
        self.report(UnknownParseType(place=entry.place, column=column, type=shown))
        return UNCERTAIN


def is_parse_type(text: str) -> bool:
    """Vega has a parser of this name: a plain one, or `date:` and `utc:` with a pattern."""
    if text in PARSE_TYPES:
        return True
    word, colon, pattern = text.partition(":")
    return bool(colon and pattern) and word in ("date", "utc")
