"""JSON as JavaScript reads it, decoded in C: whole, or only the first rows of a long array."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, cast

from sheliak.loading.data_file import DataFile, Unreadable
from sheliak.loading.property_path import Missing, select
from sheliak.source.declared import dataclass

if TYPE_CHECKING:
    from sheliak.expressions.values import Value

WHOLE = 1 << 19
"""A file up to this size is read whole."""
LIMIT = 20 << 20
"""A larger file is never read whole."""
OPENING = 1 << 17
WINDOW = 1 << 15
MAX_ROWS = 5_000

_SPACE = re.compile(r"[ \t\n\r]*")
_ROW_BREAK = re.compile(r"\}[ \t\n\r]*,[ \t\n\r]*(?=\{)")


def _not_json(constant: str) -> object:
    raise Unreadable(f"it is not JSON: {constant} is not a JSON number")


_DECODER = json.JSONDecoder(parse_constant=_not_json)
# Python refuses to read whole numbers of more than some thousand digits; JavaScript reads them as it reads all numbers.
LENIENT_DECODER = json.JSONDecoder(parse_constant=_not_json, parse_int=float)


def decode(text: str) -> object:
    """JavaScript's JSON.parse; raises Unreadable with the reason."""
    return _decoded(text, (_DECODER, LENIENT_DECODER))


def decode_numbers(text: str) -> Value:
    """The same with every number a float, as in JavaScript."""
    return cast("Value", _decoded(text, (LENIENT_DECODER,)))


def _decoded(text: str, decoders: tuple[json.JSONDecoder, ...]) -> object:
    for decoder in decoders:
        try:
            return decoder.decode(text)
        except json.JSONDecodeError as error:
            raise Unreadable(f"it is not JSON (line {error.lineno}, column {error.colno}: {error.msg})") from error
        except RecursionError as error:
            raise Unreadable("it is nested too deeply") from error
        except ValueError:
            continue
    raise Unreadable("it has a number that cannot be read")


@dataclass(frozen=True, slots=True)
class Looked:
    """The value at the end of `property`: all of it, or the first rows of an array."""

    value: object | Missing
    share: float = 1.0
    """How much of the document was looked at in one piece; less than 1 means that the value is a list of rows."""
    rows: int = 0
    """How many rows were in that piece."""

    @property
    def complete(self) -> bool:
        return self.share >= 1


def look_at(file: DataFile, path: tuple[str, ...]) -> Looked:
    """The document's value at `path`; of a large file, the first rows of the array that stands there.

    Raises Unreadable when the document is not JSON, or is too large and not an array where its rows should be.
    """
    sample = _sample(file, path) if file.size > WHOLE else None
    return sample if sample is not None else Looked(whole_value(file, path))


def whole_value(file: DataFile, path: tuple[str, ...]) -> object | Missing:
    """All of the document's value at `path`; raises Unreadable when the document is not JSON or too large."""
    return select(decode(_text_of(file)), path)


def whole_member(file: DataFile, path: tuple[str, ...]) -> object | Missing:
    """The same where much may follow the member that nobody needs: a topology's arcs stand behind its objects."""
    text = _text_of(file)
    position = _after_space(text, 0)
    try:
        for step in path:
            position = _member_start(text, position, step)
        value: object = _DECODER.raw_decode(text, position)[0]
    except (ValueError, RecursionError):
        return select(decode(text), path)
    return value


def _text_of(file: DataFile) -> str:
    if file.size > LIMIT:
        raise Unreadable(f"it is too large to read whole ({file.size >> 20} MB), and does not begin with its rows")
    return file.text()


def _sample(file: DataFile, path: tuple[str, ...]) -> Looked | None:
    """The rows in the opening of the file, and a few from further in; None when the rows do not begin there."""
    opening = file.text_at(0, OPENING)
    try:
        start = _array_start(opening, path)
        rows, end, closed = _rows_from(opening, start)
    except (ValueError, RecursionError):
        return None
    if closed:
        return Looked(rows)
    if not rows:
        return None
    share = (end - start) / max(file.size - start, end - start + 1)
    return Looked(rows + _rows_further_in(file, rows), share, len(rows))


def _array_start(text: str, path: tuple[str, ...]) -> int:
    """Where the elements of the array at `path` begin. Members before it are decoded and dropped; raises when cut off."""
    position = _after_space(text, 0)
    for step in path:
        position = _member_start(text, position, step)
    if not text.startswith("[", position):
        raise ValueError
    return _after_space(text, position + 1)


def _member_start(text: str, position: int, name: str) -> int:
    if not text.startswith("{", position):
        raise ValueError
    while True:
        key, position = _DECODER.raw_decode(text, _after_space(text, position + 1))
        position = _after_space(text, position)
        if not text.startswith(":", position):
            raise ValueError
        position = _after_space(text, position + 1)
        if key == name:
            return position
        _, position = _DECODER.raw_decode(text, position)
        position = _after_space(text, position)
        if not text.startswith(",", position):
            raise ValueError


def _after_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _rows_from(text: str, start: int) -> tuple[list[object], int, bool]:
    """The elements that are whole in the text, where they end, and whether the array ends there too."""
    rows: list[object] = []
    if text.startswith("{", start) and (whole := _flat_rows(text, start)):
        return whole
    scan, space, position = _DECODER.raw_decode, _SPACE.match, start
    if text.startswith("]", start):
        return rows, start, True
    while len(rows) < MAX_ROWS:
        try:
            row, end = scan(text, position)
        except ValueError:
            break
        after = space(text, end).end()  # type: ignore[union-attr]
        mark = text[after : after + 1]
        if mark not in (",", "]"):
            break
        rows.append(row)
        if mark == "]":
            return rows, end, True
        position = space(text, after + 1).end()  # type: ignore[union-attr]
    return rows, position, False


def _flat_rows(text: str, start: int) -> tuple[list[object], int, bool] | None:
    """The quick way: all up to the last closing brace, decoded at once. It fails where rows are nested or the array ends."""
    cut = text.rfind("}") + 1
    try:
        rows = _DECODER.decode(f"[{text[start:cut]}]")
    except (ValueError, RecursionError):
        return None
    return (rows, cut, text.startswith("]", _after_space(text, cut))) if isinstance(rows, list) else None


def _rows_further_in(file: DataFile, rows: list[object]) -> list[object]:
    """Rows from the middle and the end, if rows are flat objects: then `}, {` stands between two rows and nowhere else."""
    names = _names_of_flat_rows(rows)
    if not names:
        return []
    found: list[object] = []
    for start in (file.size // 2, file.size - WINDOW):
        text = file.text_at(start, WINDOW)
        match = _ROW_BREAK.search(text)
        if match is not None:
            found += [row for row in _rows_from(text, match.end())[0] if isinstance(row, dict) and row.keys() <= names]
    return found


def _names_of_flat_rows(rows: list[object]) -> set[str]:
    names: set[str] = set()
    for row in rows:
        if not isinstance(row, dict):
            return set()
        names.update(row)
    nested = any(isinstance(value, dict | list) for row in rows[:200] if isinstance(row, dict) for value in row.values())
    return set() if nested else names
