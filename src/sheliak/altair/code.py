"""The code of a chart, as its author may have written it: what a finding shows in place of the JSON that nobody wrote.

The shorthands are the author's own where the chart still has them; everything else is written anew from the spec.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheliak.altair.code_transforms import transform_call
from sheliak.altair.code_writer import Code, CodeWriter, Path
from sheliak.altair.shorthand import Shorthand, shorthand_of

Spec = Mapping[str, object]

_COMPOSITIONS = ("layer", "hconcat", "vconcat", "concat")
_ELSEWHERE = frozenset(
    {*_COMPOSITIONS, "spec", "facet", "repeat", "data", "mark", "encoding", "transform", "params", "resolve"}
    | {"$schema", "datasets", "config", "usermeta", "columns", "name"}
)


def code_of(spec: Spec, chart: object) -> Code:
    """The code of a chart that has this spec."""
    writer = CodeWriter()
    _Views(writer).view(spec, chart, ())
    return writer.code()


def member_of(node: object, key: str | int) -> object:
    """A part of an Altair object, as far as it has one; None else."""
    if isinstance(node, Sequence) and not isinstance(node, str):
        return node[key] if isinstance(key, int) and key < len(node) else None
    members = getattr(node, "_kwds", node if isinstance(node, dict) else None)
    return members.get(key) if isinstance(members, dict) else None


class _Views:
    """Writes views, outer ones around inner ones."""

    def __init__(self, writer: CodeWriter) -> None:
        self._writer = writer

    def view(self, spec: Spec, chart: object, path: Path) -> None:
        with self._writer.part(path):
            self._start(spec, chart, path)
            with self._writer.indented():
                self._methods(spec, chart, path)

    def _start(self, spec: Spec, chart: object, path: Path) -> None:
        composition = next((key for key in _COMPOSITIONS if isinstance(spec.get(key), list)), None)
        inner = spec.get("spec")
        if composition is not None:
            self._composed(composition, spec[composition], member_of(chart, composition), (*path, composition))
        elif isinstance(inner, Mapping):
            self.view(inner, member_of(chart, "spec"), (*path, "spec"))
            self._divided(spec, chart, path)
        else:
            self._writer.put("alt.Chart(")
            if "data" in spec:
                with self._writer.part((*path, "data")):
                    self._writer.put(_data_text(spec["data"]))
            self._writer.put(")")

    def _composed(self, kind: str, views: object, charts: object, path: Path) -> None:
        self._writer.put(f"alt.{kind}(")
        with self._writer.part(path), self._writer.indented():
            for index, view in enumerate(views if isinstance(views, list) else ()):
                self._writer.line()
                self.view(view, member_of(charts, index), (*path, index))
                self._writer.put(",")
        self._writer.line()
        self._writer.put(")")

    def _divided(self, spec: Spec, chart: object, path: Path) -> None:
        """`.facet(...)` and `.repeat(...)` around a view."""
        writer = self._writer
        for kind in ("facet", "repeat"):
            divided, inside = spec.get(kind), (*path, kind)
            if divided is None:
                continue
            with writer.indented():
                writer.line()
            writer.put(f".{kind}(")
            with writer.part(inside):
                self._division(kind, divided, member_of(chart, kind), inside)
            columns = {"columns": spec["columns"]} if "columns" in spec else {}
            writer.keywords(path, columns, after=True)
            writer.put(")")

    def _division(self, kind: str, divided: object, written: object, path: Path) -> None:
        writer = self._writer
        if kind == "facet" and isinstance(divided, Mapping) and "row" not in divided and "column" not in divided:
            channel(writer, "facet", divided, written, path)
        elif kind == "facet" and isinstance(divided, Mapping):
            for index, (name, value) in enumerate(divided.items()):
                writer.put(", " if index else "")
                writer.key((*path, name), name)
                writer.put("=")
                channel(writer, name, value, member_of(written, name), (*path, name))
        elif isinstance(divided, Mapping):
            writer.keywords(path, divided)
        else:
            writer.value(path, divided)

    def _methods(self, spec: Spec, chart: object, path: Path) -> None:
        for index, transform in enumerate(_list(spec.get("transform"))):
            self._writer.line()
            transform_call(self._writer, transform, (*path, "transform", index))
        if "mark" in spec:
            self._mark(spec["mark"], (*path, "mark"))
        if isinstance(spec.get("encoding"), Mapping):
            self._encoding(spec["encoding"], member_of(chart, "encoding"), (*path, "encoding"))
        for index, param in enumerate(_list(spec.get("params"))):
            self._writer.line()
            self._writer.put(".add_params(alt.param(")
            with self._writer.part((*path, "params", index)):
                self._writer.keywords((*path, "params", index), param)
            self._writer.put("))")
        self._properties(spec, path)

    def _properties(self, spec: Spec, path: Path) -> None:
        rest = {key: value for key, value in spec.items() if key not in _ELSEWHERE}
        if rest:
            self._writer.line()
            self._writer.put(".properties(")
            self._writer.keywords(path, rest)
            self._writer.put(")")
        resolve = spec.get("resolve")
        for kind, choices in resolve.items() if isinstance(resolve, Mapping) else ():
            self._writer.line()
            self._writer.put(f".resolve_{kind}(")
            self._writer.keywords((*path, "resolve", kind), choices)
            self._writer.put(")")

    def _mark(self, mark: object, path: Path) -> None:
        kind = mark.get("type") if isinstance(mark, Mapping) else mark
        options = {key: value for key, value in mark.items() if key != "type"} if isinstance(mark, Mapping) else {}
        self._writer.line()
        self._writer.put(".")
        with self._writer.part(path):
            with self._writer.part((*path, "type")):
                self._writer.put(f"mark_{kind}")
            self._writer.put("(")
            self._writer.keywords(path, options)
            self._writer.put(")")

    def _encoding(self, encoding: object, written: object, path: Path) -> None:
        assert isinstance(encoding, Mapping)
        writer = self._writer
        writer.line()
        writer.put(".encode(")
        with writer.part(path), writer.indented():
            for name, value in encoding.items():
                writer.line()
                with writer.part((*path, name)):
                    writer.key((*path, name), name)
                    writer.put("=")
                    channel(writer, name, value, member_of(written, name), (*path, name))
                writer.put(",")
        writer.line()
        writer.put(")")


def channel(writer: CodeWriter, name: str, value: object, written: object, path: Path) -> None:
    """What a channel is set to: 'a:Q', alt.X('a:Q', bin=True), alt.value(3), or a list of such."""
    if isinstance(value, list):
        writer.put("[")
        for index, element in enumerate(value):
            writer.put(", " if index else "")
            channel(writer, name, element, member_of(written, index), (*path, index))
        writer.put("]")
    elif not isinstance(value, Mapping):
        writer.value(path, value)
    elif value.keys() in ({"value"}, {"datum"}):
        key = next(iter(value))
        writer.put(f"alt.{key}(")
        writer.value((*path, key), value[key])
        writer.put(")")
    else:
        _defined(writer, name, value, shorthand_of(value, _shorthand_in(written)), path)


def _defined(writer: CodeWriter, name: str, value: Spec, shorthand: Shorthand | None, path: Path) -> None:
    said = {"type", *shorthand.keys} if shorthand is not None else set()
    rest = {key: member for key, member in value.items() if key not in said}
    with writer.part(path):
        if shorthand is not None and not rest:
            shorthand.write(writer, path)
            return
        writer.put(f"alt.{name[:1].upper()}{name[1:]}(")
        if shorthand is not None:
            shorthand.write(writer, path)
        repeated = rest.pop("field") if _is_repeated(rest.get("field")) else None
        if isinstance(repeated, Mapping):
            with writer.part((*path, "field")):
                writer.put(f"alt.repeat('{repeated['repeat']}')")
        writer.keywords(path, rest, after=shorthand is not None or repeated is not None)
        writer.put(")")


def _is_repeated(field: object) -> bool:
    return isinstance(field, Mapping) and field.keys() == {"repeat"}


def _shorthand_in(written: object) -> str | None:
    text = written if isinstance(written, str) else member_of(written, "shorthand")
    return text if isinstance(text, str) else None


def _data_text(data: object) -> str:
    """A name for the data: the url, or the name that the spec gives them."""
    url, name = (data.get("url"), data.get("name")) if isinstance(data, Mapping) else (None, None)
    return repr(url) if isinstance(url, str) else name if isinstance(name, str) and name.isidentifier() else "data"


def _list(value: object) -> list[Mapping[str, object]]:
    return [element for element in value if isinstance(element, Mapping)] if isinstance(value, list) else []
