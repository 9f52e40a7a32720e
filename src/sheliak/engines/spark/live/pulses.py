"""From the text of changes to pulses, and what becomes of those that cannot be applied: they are set aside, with a message."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sheliak.changes.change import Error, trace_text
from sheliak.changes.lines import MalformedChange, Pulse, read_pulses
from sheliak.engines.spark.live.store.disk import naming, write_aside

_COMMIT: Final = re.compile(rb'^[ \t]*\{[ \t]*"commit"[ \t]*:[ \t]*true[ \t]*\}[ \t\r]*(?:\n|\Z)', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Arrival:
    """The changes up to a commit: the text, where it is from, and the pulse that it is, or why it is none."""

    origin: str
    """A file, or a batch of a stream."""
    line: int
    """The number of its first line there."""
    content: bytes
    pulse: Pulse | None
    problem: str = ""


def arrivals_of(origin: str, content: bytes, first_line: int = 1) -> Iterator[Arrival]:
    """The pulses of a text. One that cannot be read does not spoil the others."""
    start, line = 0, first_line
    for end in [*(found.end() for found in _COMMIT.finditer(content)), len(content)]:
        part = content[start:end]
        if part.strip():
            yield from _arrivals(origin, part, line)
        start, line = end, line + part.count(b"\n")


def _arrivals(origin: str, content: bytes, line: int) -> Iterator[Arrival]:
    try:
        pulses = read_pulses(content.decode("utf-8-sig"))
    except UnicodeDecodeError as problem:
        at = line + content.count(b"\n", 0, problem.start)
        yield Arrival(
            origin, line, content, None, f"{origin}:{at}: this is not UTF-8: byte {problem.start + 1} fits no character"
        )
    except MalformedChange as problem:
        column = f":{problem.column}" if problem.column is not None else ""
        yield Arrival(origin, line, content, None, f"{origin}:{line + problem.line - 1}{column}: {problem}")
    else:
        for pulse in pulses:
            yield Arrival(origin, line, content, _numbered(pulse, line - 1))


def _numbered(pulse: Pulse, before: int) -> Pulse:
    return tuple([line._replace(number=line.number + before) for line in pulse]) if before else pulse


@dataclass(frozen=True, slots=True)
class SetAside:
    """Puts changes that were not applied where they can be mended; `tell` is given one line for each."""

    folder: Path
    tell: Callable[[str], None]

    def put(self, version: int, arrivals: Sequence[tuple[Arrival, str]]) -> None:
        """The same names whenever a batch is run again: what a crash left is written over with the same."""
        if arrivals:
            with naming(self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
        for number, (arrival, reason) in enumerate(arrivals):
            stem = re.sub(r"[^A-Za-z0-9_-]+", "_", arrival.origin.rpartition(".")[0] or arrival.origin)[:60]
            path = self.folder / f"{version:010}-{number:04}-{stem}.jsonl"
            last = arrival.line + max(arrival.content.rstrip().count(b"\n"), 0)
            place = f"line {arrival.line}" if last == arrival.line else f"lines {arrival.line} to {last}"
            message = f"{arrival.origin}, {place}: not applied: {reason}"
            write_aside(path.with_suffix(".txt"), message.encode("utf-8", "replace") + b"\n")
            write_aside(path, arrival.content)
            self.tell(f"{message}; set aside in {str(path)!r}")


def reason_of(error: Error) -> str:
    """Why a pulse was rejected."""
    shown = "" if error.trace is None else f"{trace_text(error.trace)}: "
    return f"{error.vertex}: {shown}{error.reason}"
