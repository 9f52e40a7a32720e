"""Every text of a column of Parquet files, from the dictionaries in front of their pages: a few kilobytes instead of the column.

A file tells for each part of a column how its pages are written. Where all of them hold places in the part's dictionary, the dictionary holds
every text of the part; where one does not, nothing is known. The format: https://parquet.apache.org/docs/file-format/
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from sheliak.engines.spark.reading.thrift import Thrift, ThriftReader

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAGIC = b"PAR1"
_MOST_FILES = 64
_LARGEST_ENDS = 1 << 18
"""Of wide tables, and of those in many parts, nothing is asked: all their ends together take longer to read than it saves."""
_LARGEST_DICTIONARY = 1 << 20
_LARGEST_HEADER = 256
_BYTE_ARRAY = 6
_PLAIN, _PLAIN_DICTIONARY, _RLE, _BIT_PACKED, _RLE_DICTIONARY = 0, 2, 3, 4, 8
_IN_DICTIONARY = frozenset({_PLAIN_DICTIONARY, _RLE_DICTIONARY})
_LEVELS = frozenset({_RLE, _BIT_PACKED})
"""How it is written which values are missing."""
_DATA_PAGES = (0, 3)
_DICTIONARY_PAGE = 2
_CODECS = {0: None, 1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4_raw"}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a column, which one dictionary is for: where that begins, and how it is packed; None if it does not hold every text."""

    start: int | None
    codec: int


def texts_in(files: Sequence[Path] | None, name: str, most: int) -> set[str] | None:
    """The texts of a column of all these files; None where the files do not tell, or of more than so many."""
    if not files or len(files) > _MOST_FILES:
        return None
    found: set[str] = set()
    try:
        states = [file.stat() for file in files]
        ends = [_end(file, state.st_mtime_ns, state.st_size) for file, state in zip(files, states, strict=True)]
        if sum(map(len, ends)) > _LARGEST_ENDS:
            return None
        parts = [(file, _parts(end).get(name, ())) for file, end in zip(files, ends, strict=True)]
        for file, part in ((file, part) for file, mine in parts for part in mine):
            texts = _texts_of(file, part, most)
            if texts is None or len(found := found | texts) > most:
                return None
    except (OSError, ValueError):
        return None
    return found


@lru_cache(maxsize=_MOST_FILES)
def _end(file: Path, changed: int, size: int) -> bytes:
    """The end of a file, which says what is where; read once as long as the file has not changed."""
    with file.open("rb") as opened:
        opened.seek(max(0, size - 8))
        end = opened.read(8)
        length = int.from_bytes(end[:4], "little")
        if end[4:] != _MAGIC or length > min(_LARGEST_ENDS, size):
            raise ValueError("no end that could be read")
        opened.seek(size - 8 - length)
        return opened.read(length)


@lru_cache(maxsize=_MOST_FILES)
def _parts(end: bytes) -> dict[str, tuple[Part, ...]]:
    """What a file says of each part of its columns: one part for each group of its rows, none for those without a value."""
    found: dict[str, tuple[Part, ...]] = {}
    for group in _list(ThriftReader(end).structure().get(4)):
        for chunk in map(_structure, _list(_structure(group).get(1))):
            about = _structure(chunk.get(3))
            match about.get(3):
                case [bytes(name)]:
                    found[name.decode()] = (*found.get(name.decode(), ()), *_part(about, is_elsewhere=1 in chunk))
    return found


def _part(about: dict[int, Thrift], *, is_elsewhere: bool) -> list[Part]:
    count = about.get(5)
    if count == 0 or _structure(about.get(12)).get(3) == count:
        return []
    start = about.get(11)
    known = isinstance(start, int) and about.get(1) == _BYTE_ARRAY and not is_elsewhere and _all_in_dictionary(about)
    return [Part(_whole(start) if known else None, _whole(about.get(4)))]


def _texts_of(file: Path, part: Part, most: int) -> set[str] | None:
    """The texts of a part; None where some may stand outside of its dictionary."""
    if part.start is None or part.start < len(_MAGIC) or part.codec not in _CODECS:
        return None
    with file.open("rb") as opened:
        return _dictionary(opened, part.start, part.codec, most)


def _all_in_dictionary(part: dict[int, Thrift]) -> bool:
    """Every page of values is written with the dictionary."""
    pages = [_structure(one) for one in _list(part.get(13))]
    if pages:
        return all(page.get(2) in _IN_DICTIONARY for page in pages if page.get(1) in _DATA_PAGES)
    encodings = {_whole(one) for one in _list(part.get(2))}
    return bool(encodings & _IN_DICTIONARY) and encodings <= _IN_DICTIONARY | _LEVELS


def _dictionary(opened: BinaryIO, start: int, codec: int, most: int) -> set[str] | None:
    """The texts of the dictionary that begins here."""
    import pyarrow as pa

    opened.seek(start)
    reader = ThriftReader(opened.read(_LARGEST_HEADER))
    header = reader.structure()
    size, length, about = _whole(header.get(2)), _whole(header.get(3)), _structure(header.get(7))
    count = _whole(about.get(1))
    if header.get(1) != _DICTIONARY_PAGE or about.get(2) not in (_PLAIN, _PLAIN_DICTIONARY):
        raise ValueError("no dictionary")
    if not 0 <= count <= most or not 0 <= size <= _LARGEST_DICTIONARY or not 0 <= length <= 2 * _LARGEST_DICTIONARY:
        return None
    opened.seek(start + reader.at)
    page = opened.read(length)
    name = _CODECS[codec]
    try:
        return set(_plain_texts(page if name is None else pa.decompress(page, size, name).to_pybytes(), count))
    except pa.ArrowException as problem:
        raise ValueError("a dictionary that cannot be read") from problem


def _plain_texts(page: bytes, count: int) -> Iterator[str]:
    """Each text behind its length in four bytes."""
    at = 0
    for _ in range(count):
        end = at + 4 + int.from_bytes(page[at : at + 4], "little")
        if end > len(page):
            raise ValueError("the dictionary ends")
        yield page[at + 4 : end].decode()
        at = end


def _structure(found: Thrift | None) -> dict[int, Thrift]:
    return found if isinstance(found, dict) else {}


def _list(found: Thrift | None) -> list[Thrift]:
    return found if isinstance(found, list) else []


def _whole(found: Thrift | None) -> int:
    match found:
        case int():
            return found
        case _:
            raise ValueError("a number is missing")
