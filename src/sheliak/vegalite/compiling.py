"""From Vega-Lite to Vega, by Vega-Lite's own compiler (the package vl-convert-python).

The compiler runs in V8, which takes about half a second to start, once per process; a small spec then takes 6 ms. It loads no data
and never looks at the rows of a spec, so rows written into the spec stay here: the compiler gets a stand-in for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from sheliak.source.declared import dataclass
from sheliak.source.json_reader import Document
from sheliak.source.place import PathKey
from sheliak.source.text import Source
from sheliak.source.tree import Node

_SCHEMA_VERSION = re.compile(r"vega-lite/v(\d+)(?:\.(\d+))?")
_STAND_IN = "sheliak: rows"
_TRACE = re.compile(r"\n\s*at .*", re.DOTALL)
_HEADLINE = re.compile(r"^(?:Vega-Lite to Vega conversion failed:\s*)?(?P<kind>[A-Z]\w*Error|Error)?:?\s*(?P<text>.*)", re.DOTALL)


class VegaLiteUnavailable(Exception):
    """The compiler of Vega-Lite is not installed. The message says what to install: front ends show it, and exit with 2."""

    def __init__(self) -> None:
        super().__init__(
            "a Vega-Lite spec is compiled to Vega before it is checked, and the compiler is not installed: "
            "pip install 'sheliak[charts]'"
        )


class CompileFailure(Exception):
    """Vega-Lite refuses a spec: its own message, and whether it is one that Vega-Lite wrote for people to read."""

    def __init__(self, reason: str, *, is_crash: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_crash = is_crash


@dataclass(frozen=True, slots=True)
class Compiled:
    """The Vega spec, and where its rows came from: index of a dataset -> path of the rows in the Vega-Lite spec."""

    document: Document
    rows: dict[int, tuple[PathKey, ...]]


class Compiler:
    """Compiles one Vega-Lite spec and variants of it."""

    def __init__(self, root: Node) -> None:
        self._compile, versions = _vega_lite()
        self._version, self.is_other_version = _version_for(root.get("$schema"), versions)
        self._rows: list[tuple[object, tuple[PathKey, ...]]] = []
        self.spec = _with_stand_ins(root.value, (), self._rows)
        """The spec without its rows."""

    def compiled(self, spec: object) -> Compiled:
        """The Vega of the spec or of a variant; raises CompileFailure where Vega-Lite does."""
        try:
            vega = self._compile(spec, self._version)
        except Exception as error:
            raise _failure(str(error)) from error
        rows = self._put_back(vega)
        return Compiled(Document(Source("<compiled>", ""), vega, (), readable=True, strict=True), rows)

    def _put_back(self, vega: object) -> dict[int, tuple[PathKey, ...]]:
        """Gives every dataset its rows again."""
        found: dict[int, tuple[PathKey, ...]] = {}
        data = vega.get("data") if isinstance(vega, dict) else None
        for index, dataset in enumerate(data if isinstance(data, list) else ()):
            number = _number_of_stand_in(dataset.get("values"))
            if number is not None:
                dataset["values"], found[index] = self._rows[number]
        return found


@cache
def _vega_lite() -> tuple[Callable[[object, str], object], tuple[str, ...]]:
    """The compiler, and the versions of Vega-Lite that it knows, oldest first."""
    try:
        import vl_convert
    except ImportError as error:
        raise VegaLiteUnavailable from error
    versions = sorted(vl_convert.get_vegalite_versions(), key=_numbers)
    return (lambda spec, version: vl_convert.vegalite_to_vega(spec, vl_version=version)), tuple(versions)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _version_for(schema: Node | None, versions: tuple[str, ...]) -> tuple[str, bool]:
    """The version that `$schema` names, else the newest of the same generation, else the nearest; and whether that is another one."""
    named = _SCHEMA_VERSION.search(schema.text or "") if schema is not None else None
    if named is None:
        return versions[-1], False
    if f"{named[1]}.{named[2]}" in versions:
        return f"{named[1]}.{named[2]}", False
    same = [version for version in versions if _numbers(version)[0] == int(named[1])]
    older = [version for version in versions if _numbers(version)[0] == _numbers(versions[0])[0]]
    if same:
        return same[-1], False
    # A spec from before the oldest version known is nearest to the last of that generation.
    return (older[-1] if int(named[1]) < _numbers(versions[0])[0] else versions[-1]), True


def _with_stand_ins(value: object, path: tuple[PathKey, ...], rows: list[tuple[object, tuple[PathKey, ...]]]) -> object:
    """A copy of a spec whose rows are replaced by short texts: equal rows by equal texts, for equal data become one dataset."""
    if isinstance(value, dict):
        return {
            key: _stand_in(inner, (*path, key), rows) if _holds_rows(path, key) else _with_stand_ins(inner, (*path, key), rows)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_with_stand_ins(inner, (*path, index), rows) for index, inner in enumerate(value)]
    return value


def _holds_rows(path: tuple[PathKey, ...], key: str) -> bool:
    return path == ("datasets",) or (key == "values" and path[-1:] == ("data",))


def _stand_in(value: object, path: tuple[PathKey, ...], rows: list[tuple[object, tuple[PathKey, ...]]]) -> object:
    number = next((number for number, (earlier, _) in enumerate(rows) if earlier == value), len(rows))
    if number == len(rows):
        rows.append((value, path))
    return [{_STAND_IN: number}]


def _number_of_stand_in(values: object) -> int | None:
    first = values[0] if isinstance(values, list) and values else None
    number = first.get(_STAND_IN) if isinstance(first, dict) else None
    return number if isinstance(number, int) else None


def _failure(message: str) -> CompileFailure:
    found = _HEADLINE.match(_TRACE.sub("", message))
    kind, text = (found["kind"], found["text"].strip()) if found else (None, message)
    # What JavaScript itself throws (a TypeError, a RangeError) tells about the compiler's code, not about the spec.
    return CompileFailure(text, is_crash=kind != "Error")
