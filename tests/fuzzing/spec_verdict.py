"""What must hold for every input, sound or not: a report, soon, the same each time, whose places are in the text."""

from __future__ import annotations

import json
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from fuzzing.odd_values import Json
from sheliak.checker.report import Location, Report
from sheliak.explaining.causes import find_cause
from sheliak.explaining.demands import demands, json_schema
from sheliak.explaining.shapes import dataset_shapes
from sheliak.explaining.vega_messages import recognise
from sheliak.project.checkup import Checkup
from sheliak.project.outcome import Outcome
from sheliak.project.repairs import diff, encoded, repair
from sheliak.project.settings import Settings
from sheliak.rendering import concise_text, full_text, html
from sheliak.rendering import demands as demands_text
from sheliak.rendering import shapes as shapes_text
from sheliak.rendering.formats import MODULES, machine_lines
from sheliak.rendering.paint import coloured
from sheliak.source.text import Source, decode_text

CPU_LIMIT = 2.0
"""Seconds of work after which an answer counts as too late."""
WAIT_LIMIT = 120
"""Seconds on the clock after which it counts as never: a machine may be busy, a pipe may have no writer."""
_NAME = "spec.vg.json"
_VEGA_MESSAGES = ('Infinite extent for field "a": [Infinity, -Infinity]', "Unrecognized signal name: x", "nothing that Vega says")


@dataclass(frozen=True, slots=True)
class Case:
    """The bytes of a file, and whether it is checked strictly."""

    content: bytes
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """A law that does not hold; two failures of one `kind` have the same cause, as far as can be told."""

    kind: str
    detail: str


class _Broken(Exception):
    """A law does not hold."""


class _TooLate(BaseException):
    """The time is up. No handler of the code under test can catch it by accident."""


class Examiner:
    """Puts cases to the test; their urls start in a folder, other data may be in a second one."""

    def __init__(self, folder: Path, data: Path | None = None, limit: float = CPU_LIMIT) -> None:
        self._folder = str(folder)
        self._limit = limit
        dirs = (str(data),) if data is not None else ()
        self._checkups = {strict: Checkup(Settings(strict=strict, data_dirs=dirs)) for strict in (False, True)}

    def failure(self, case: Case) -> Failure | None:
        """What is wrong with what is said about a case."""
        try:
            self.answer(case)
        except _Broken as broken:
            return Failure(str(broken).partition(":")[0], str(broken))
        except _TooLate:
            return Failure("too late", traceback.format_exc(limit=-12))
        except Exception as error:  # noqa: BLE001 - any exception is a fault
            frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "sheliak" in frame.filename]
            last = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "elsewhere"
            return Failure(f"{type(error).__name__} in {last}", traceback.format_exc(limit=-12))
        return None

    def answer(self, case: Case) -> list[str]:
        """Everything that is said about a case, once the laws hold; raises where one does not."""
        timers = {signal.SIGALRM: (signal.ITIMER_REAL, WAIT_LIMIT), signal.SIGPROF: (signal.ITIMER_PROF, 5 * self._limit)}
        previous = {number: signal.signal(number, _raise_too_late) for number in timers}
        for timer, seconds in timers.values():
            signal.setitimer(timer, seconds)
        try:
            return self._answer(case)
        finally:
            for number, (timer, _) in timers.items():
                signal.setitimer(timer, 0)
                signal.signal(number, previous[number])

    def _answer(self, case: Case) -> list[str]:
        checkup = self._checkups[case.strict]
        source = decode_text(_NAME, case.content)
        with _in_time("the check", self._limit):
            outcome = checkup.check_text(source, self._folder)
        _require_places(outcome.report)
        said = [*_said(outcome, self._limit)]
        again = checkup.check_text(decode_text(_NAME, case.content), self._folder)
        _require([*_said(again, self._limit)] == said, "not the same again", "")
        lines = [*said, *_repaired(outcome, checkup, self._folder, case.content)]
        for line in lines:
            _require(" object at 0x" not in line, "an object's address is shown", line)
            line.encode("utf-8")
        return lines


def _raise_too_late(number: int, frame: FrameType | None) -> None:
    raise _TooLate


def _require(holds: bool, law: str, detail: str) -> None:
    if not holds:
        raise _Broken(f"{law}: {detail}")


@contextmanager
def _in_time(what: str, limit: float) -> Iterator[None]:
    started = time.process_time()
    yield
    took = time.process_time() - started
    _require(took <= limit, f"{what} is too slow", f"{took:.1f} s")


def _said(outcome: Outcome, limit: float) -> Iterator[str]:
    """All that is said about a spec."""
    for name, lines in _SAYINGS.items():
        with _in_time(name, limit):
            said = [*lines(outcome)]
        yield from said


def _shapes(outcome: Outcome) -> Iterator[str]:
    shapes = dataset_shapes(outcome.report)
    yield from (*shapes_text.render_text(shapes), *map(str, shapes))
    yield json.dumps(shapes_text.as_objects(shapes))


def _demands(outcome: Outcome) -> Iterator[str]:
    needs = demands(outcome.report)
    yield from demands_text.render_text(needs)
    yield json.dumps([[*demands_text.as_objects(_NAME, needs)], [*map(json_schema, needs)]])


def _causes(outcome: Outcome) -> Iterator[str]:
    for message in _VEGA_MESSAGES:
        cause = find_cause(recognise(message), outcome.report)
        yield f"{cause.connection} {[finding.pointer for finding in cause.findings]}"


_SAYINGS: dict[str, Callable[[Outcome], Iterable[str]]] = {
    "full": full_text.render_outcome,
    "full, narrow and in colour": lambda outcome: full_text.render_outcome(outcome, coloured, 40),
    "concise": concise_text.render_outcome,
    "html": lambda outcome: [html.render_outcome(outcome)],
    "shapes": _shapes,
    "requires": _demands,
    "explain": _causes,
    **{format: lambda outcome, format=format: machine_lines(format, [outcome]) for format in MODULES},
}


def _repaired(outcome: Outcome, checkup: Checkup, folder: str, content: bytes) -> Iterator[str]:
    """What `--fix --diff` would show; the repaired text can be written as the file was."""

    def check(source: Source) -> Outcome:
        return checkup.check_text(source, folder)

    repaired = repair(outcome, check)
    if repaired.made:
        encoded(repaired.outcome.source, content)
        yield diff(outcome.source, repaired.outcome.source)


def _require_places(report: Report) -> None:
    for finding in report.diagnostics:
        for location in (finding.location, *(other.location for other in finding.related)):
            _require_in_text(report, location, finding.code)
        for edit in finding.edits:
            _require(0 <= edit.span.start <= edit.span.end <= len(report.source.text), "repair outside the text", finding.code)
    for place, note in report.checked.notes:
        _require_in_text(report, report.locate(place), note)


def _require_in_text(report: Report, location: Location, code: str) -> None:
    span = location.span
    _require(0 <= span.start <= span.end <= len(report.source.text), "span outside the text", f"{code} {span}")
    lines = (location.line, location.column) <= (location.end_line, location.end_column)
    _require(lines and 1 <= location.line <= report.source.line_count, "line outside the text", f"{code} {location}")
    document = report.checked.document
    if document.readable:
        _require(_resolves(location.pointer, document.value), "pointer leads nowhere", f"{code} {location.pointer}")


def _resolves(pointer: str, value: Json | object) -> bool:
    """RFC 6901: the pointer names a value of the document."""
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return False
    return pointer == "" or pointer.startswith("/")
