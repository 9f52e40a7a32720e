"""The text of a spec: decoded once from its bytes, with lines and columns for any offset."""

import json
import os
import re
from bisect import bisect_right
from itertools import accumulate

from sheliak.source.declared import dataclass

_LINE_BREAK = re.compile(r"\r\n?|\n")
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Span:
    """The code points `start` to `end` (excluded) of a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EncodingFault:
    """The first bytes that the encoding cannot read; the text has U+FFFD in their place."""

    span: Span
    found: bytes
    encoding: str


class Source:
    """A named text. It never holds a leading byte order mark, so that offsets are what an editor shows.

    Lines end with \\n, \\r\\n or \\r, as editors count them. Lines and columns start at 1.
    """

    __slots__ = ("_line_starts", "encoding", "encoding_fault", "name", "text")

    def __init__(self, name: str, text: str, encoding: str = "utf-8", encoding_fault: EncodingFault | None = None) -> None:
        self.name = name
        self.text = text.removeprefix(_BYTE_ORDER_MARK)
        self.encoding = encoding
        self.encoding_fault = encoding_fault
        self._line_starts: list[int] | None = None

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    @property
    def line_count(self) -> int:
        return len(self._starts())

    def line_column(self, offset: int) -> tuple[int, int]:
        """The line of an offset, and its column in code points."""
        start, line = self._line_of(offset)
        return line, self._clamped(offset) - start + 1

    def line_column_utf16(self, offset: int) -> tuple[int, int]:
        """The line of an offset, and its column in UTF-16 units: what the language server protocol counts in."""
        start, line = self._line_of(offset)
        before = self.text[start : self._clamped(offset)]
        return line, len(before) + sum(character > "\uffff" for character in before) + 1

    def line_text(self, line: int) -> str:
        """A line without its line break; the empty text for a line that does not exist."""
        starts = self._starts()
        if not 1 <= line <= len(starts):
            return ""
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].rstrip("\r\n")

    def _line_of(self, offset: int) -> tuple[int, int]:
        starts = self._starts()
        line = bisect_right(starts, self._clamped(offset))
        return starts[line - 1], line

    def _clamped(self, offset: int) -> int:
        return min(max(offset, 0), len(self.text))

    def _starts(self) -> list[int]:
        if self._line_starts is None:
            self._line_starts = _line_starts(self.text)
        return self._line_starts


def _line_starts(text: str) -> list[int]:
    if "\r" in text:
        return [0, *(found.end() for found in _LINE_BREAK.finditer(text))]
    # The ordinary case, several times faster than the pattern.
    return [0, *accumulate(len(line) + 1 for line in text.split("\n")[:-1])]


def read_text(path: str | os.PathLike[str]) -> Source:
    """The text of a file; OSError when the file itself cannot be read."""
    with open(path, "rb") as file:
        return decode_text(os.fspath(path), file.read())


def decode_text(name: str, content: bytes) -> Source:
    """Bytes as text: UTF-8 unless a byte order mark or the zero bytes of JSON in UTF-16 or UTF-32 say otherwise.

    Bytes that cannot be read are replaced and remembered as the source's `encoding_fault`: the rest can be checked.
    """
    encoding = json.detect_encoding(content)
    try:
        return Source(name, content.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        return _damaged_text(name, content, encoding, error)


def _damaged_text(name: str, content: bytes, encoding: str, error: UnicodeDecodeError) -> Source:
    before = len(content[: error.start].decode(encoding, "replace").removeprefix(_BYTE_ORDER_MARK))
    fault = EncodingFault(Span(before, before + 1), content[error.start : error.end], encoding)
    return Source(name, content.decode(encoding, "replace"), encoding, fault)
