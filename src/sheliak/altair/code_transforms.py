"""Transforms of Vega-Lite as the methods of Altair: `.transform_calculate(ratio='datum.a / datum.b')`."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.altair.code_writer import CodeWriter, Path, keyword

_NAMES = {"timeUnit": "timeunit"}
_KINDS = (
    *("filter", "calculate", "aggregate", "joinaggregate", "window", "fold", "flatten", "pivot", "lookup", "impute", "stack"),
    *("density", "regression", "loess", "quantile", "sample", "extent", "timeUnit", "bin"),
)
_LISTS = ("aggregate", "joinaggregate", "window")
"""Transforms whose outputs are arguments: `mean_v='mean(v)'`."""


def transform_call(writer: CodeWriter, transform: Mapping[str, object], path: Path) -> None:
    """One transform as a call."""
    kind = next((kind for kind in _KINDS if kind in transform), None)
    writer.put(f".transform_{_NAMES.get(kind, kind)}(" if kind is not None else ".transform(")
    with writer.part(path):
        _arguments(writer, kind, transform, path)
    writer.put(")")


def _arguments(writer: CodeWriter, kind: str | None, transform: Mapping[str, object], path: Path) -> None:
    rest = {key: value for key, value in transform.items() if key != kind}
    if kind == "calculate" and isinstance(transform.get("as"), str):
        _named(writer, str(transform["as"]), (*path, "as"))
        writer.value((*path, "calculate"), transform["calculate"])
        return
    if kind == "timeUnit" and isinstance(transform["timeUnit"], str):
        _output(writer, transform, path, operation="timeUnit")
        return
    if kind == "bin":
        writer.keywords(path, transform)
        return
    if kind in _LISTS and isinstance(transform[kind], list):
        _outputs(writer, transform[kind], (*path, kind))
        writer.keywords(path, rest, after=bool(transform[kind]))
        return
    if kind is not None:
        writer.value((*path, kind), transform[kind])
    writer.keywords(path, rest, after=kind is not None)


def _outputs(writer: CodeWriter, outputs: object, path: Path) -> None:
    with writer.part(path):
        for index, output in enumerate(outputs if isinstance(outputs, list) else ()):
            writer.put(", " if index else "")
            with writer.part((*path, index)):
                _output(writer, output, (*path, index))


def _output(writer: CodeWriter, output: object, path: Path, operation: str = "op") -> None:
    """`mean_v='mean(v)'`: the name of an output, and what it is computed from."""
    if not isinstance(output, Mapping) or not isinstance(output.get("as"), str):
        writer.value(path, output)
        return
    _named(writer, str(output["as"]), (*path, "as"))
    field = output.get("field")
    writer.put("'")
    with writer.part((*path, operation)):
        writer.put(str(output.get(operation)))
    writer.put("(")
    if isinstance(field, str):
        with writer.part((*path, "field")):
            writer.put(field.replace("'", "\\'"))
    writer.put(")'")


def _named(writer: CodeWriter, name: str, path: Path) -> None:
    with writer.part(path):
        writer.put(keyword(name))
    writer.put("=")
