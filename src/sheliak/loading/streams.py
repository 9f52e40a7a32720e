"""Files read piece by piece: however long a file is, only some of it is in memory.

The pieces hold what `cells_of` and `decode_numbers` give for the whole text; what cannot be read so raises `Unstreamable`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import IO, cast

from sheliak.expressions.values import Value
from sheliak.loading.data_file import DataFile, Unreadable
from sheliak.loading.json_text import LENIENT_DECODER
from sheliak.source.repeats import any_number

_PIECE = 1 << 22
_SPACE = re.compile(r"[ \t\n\r]*")
_QUOTED = any_number(r'[^"]++|""')
_QUOTED_REST = re.compile(f'({_QUOTED})("?)')
_LONGEST_WORD = 32
"""A decoder that stops further from the end of a piece than this has not met the cut, but a mistake."""


class Unstreamable(Exception):
    """The file has to be read as a whole; the text says why."""


# Delimited text


def delimited_rows(path: Path, separator: str, header: str | None = None) -> Iterator[list[str]]:
    """The lines of the text as cells; `header` is a line put before them."""
    if not separator or separator[0] in '"\r\n':
        raise Unstreamable("its separator is none")
    with DataFile(path) as file:
        lines: Iterable[str] = file.lines() if header is None else chain([header + "\n"], file.lines())
        yield from rows_of_lines(lines, separator[0])


def rows_of_lines(lines: Iterable[str], separator: str) -> Iterator[list[str]]:
    """Cells of physical lines: a quoted cell may go on in the lines that follow."""
    cells: list[str] = []
    begun: list[str] = []
    for line in lines:
        content = line.removesuffix("\n").removesuffix("\r")
        if '"' not in content:
            if begun:
                begun.append(line)
            else:
                yield content.split(separator)
            continue
        text, position = content + separator, 0
        if begun:
            rest = cast("re.Match[str]", _QUOTED_REST.match(content))
            if not rest[2]:
                begun.append(line)
                continue
            cells.append("".join([*begun, rest[1]]).replace('""', '"'))
            begun, position = [], rest.end() + 1
        position = _take_cells(text, position, separator, cells)
        if position < len(text):
            begun = [line[position + 1 :]]
        else:
            yield cells
            cells = []
    if begun:
        yield [*cells, "".join(begun).removesuffix("\n").removesuffix("\r").replace('""', '"')]


def _take_cells(text: str, position: int, separator: str, cells: list[str]) -> int:
    """Adds the cells from a position on; where the quoted cell begins that has no end, or the end of the text."""
    match = cell_pattern(separator).match
    while position < len(text) and (found := match(text, position)):
        quoted, plain = found.groups()
        cells.append(plain if quoted is None else quoted.replace('""', '"'))
        position = found.end()
    return position


@lru_cache(maxsize=16)
def cell_pattern(separator: str) -> re.Pattern[str]:
    """A quoted cell and whatever character follows it, or a plain cell; a separator stands behind the line."""
    mark = re.escape(separator)
    return re.compile(f'"({_QUOTED})"(?:.|$)|(?!")([^{mark}]*+){mark}', re.DOTALL)


# JSON


def json_elements(path: Path, steps: tuple[str, ...]) -> Iterator[list[Value]]:
    """The elements of the array at the end of the steps, some at a time. The rest of the document is read as well."""
    with DataFile(path) as file, file.stream() as stream:
        reader = _JsonReader(stream)
        try:
            reader.open_array(steps)
            yield from reader.elements()
            reader.close(steps)
        except Unreadable as error:
            raise Unstreamable(str(error)) from error


class _JsonReader:
    """The text that is not yet read, as far as it is at hand."""

    def __init__(self, file: IO[str]) -> None:
        self.file = file
        self.text = ""
        self.at = 0
        self.ended = False

    def more(self) -> bool:
        """Reads on; false at the end of the file."""
        piece = self.file.read(_PIECE)
        self.text, self.at = self.text[self.at :] + piece, 0
        self.ended = not piece
        return bool(piece)

    def mark(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            self.at = _after_space(self.text, self.at)
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""

    def skip(self, mark: str) -> None:
        if self.mark() != mark:
            raise Unstreamable("it is not an array of rows in JSON")
        self.at += 1

    def value(self) -> Value:
        """A value that is whole: behind it stands something that is no part of it, or the end."""
        self.mark()
        while True:
            try:
                found, end = LENIENT_DECODER.raw_decode(self.text, self.at)
                # A number that is cut behind its point reads as a whole one.
                if self.text[end : end + _LONGEST_WORD].lstrip("+-.eE0123456789") or self.ended:
                    self.at = end
                    return cast(Value, found)
            except json.JSONDecodeError as error:
                self.forgive(error)
            except RecursionError as error:
                raise Unstreamable("it is nested too deeply") from error
            self.more()

    def forgive(self, error: json.JSONDecodeError) -> None:
        """A mistake is forgiven where the text is merely cut off."""
        cut = error.msg.startswith("Unterminated string") or error.pos > len(self.text) - _LONGEST_WORD
        if self.ended or not cut:
            raise Unstreamable(f"it is not JSON ({error.msg})") from error

    def open_array(self, steps: tuple[str, ...]) -> None:
        for step in steps:
            self.skip("{")
            while self.key() != step:
                self.value()
                self.skip(",")
        self.skip("[")

    def key(self) -> Value:
        key = self.value()
        self.skip(":")
        return key

    def elements(self) -> Iterator[list[Value]]:
        """The elements in pieces: those that are whole in the text at hand."""
        if self.mark() == "]":
            self.at += 1
            return
        ended = False
        while not ended:
            found, ended = self.whole_elements()
            if not found:
                # It is longer than the piece at hand.
                found, ended = [self.value()], self.mark() == "]"
                self.skip("]" if ended else ",")
            yield found
            if not ended:
                self.more()

    def whole_elements(self) -> tuple[list[Value], bool]:
        found: list[Value] = []
        decode, text, at = LENIENT_DECODER.raw_decode, self.text, self.at
        while True:
            try:
                element, end = decode(text, _after_space(text, at))
            except json.JSONDecodeError as error:
                self.forgive(error)
                break
            except RecursionError as error:
                raise Unstreamable("it is nested too deeply") from error
            end = _after_space(text, end)
            if end >= len(text) or text[end] not in ",]":
                break
            found.append(element)
            at = end + 1
            if text[end] == "]":
                self.at = at
                return found, True
        self.at = at
        return found, False

    def close(self, steps: tuple[str, ...]) -> None:
        """What follows the array: other members of the objects around it, and the end."""
        for step in reversed(steps):
            while self.mark() == ",":
                self.at += 1
                if self.key() == step:
                    raise Unstreamable("its rows stand there twice")
                self.value()
            self.skip("}")
        if self.mark():
            raise Unstreamable("text follows the JSON document")


def _after_space(text: str, position: int) -> int:
    return cast("re.Match[str]", _SPACE.match(text, position)).end()
