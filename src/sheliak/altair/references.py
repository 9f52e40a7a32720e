"""What Altair is given for data that stay on Spark: a table without rows, which has the columns and says whose they are.

Altair looks at the columns to find the types of fields that have none in the chart (`x='Date'`), and hands the table to a data
transformer; ours finds the data by what the table says. Every other one would draw an empty chart, so it is told to stop.
"""

from __future__ import annotations

import sys
import weakref
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from sheliak.engines.failures import RunFailure
from sheliak.types.operations import widened, without_missing
from sheliak.types.shapes import Record, Scalar, Type

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    import pyarrow as pa

    from sheliak.engines.spark.given import Given
    from sheliak.engines.spark.passed_on import SparkSession

KEY = b"sheliak"
_numbers = count(1)
_held: dict[str, Held] = {}


class Held:
    """Data that a table without rows stands for."""

    __slots__ = ("given", "name", "record")

    def __init__(self, name: str, given: Given, record: Record) -> None:
        self.name = name
        self.given = given
        self.record = record


class NotOnSpark(Exception):
    """Something other than Sheliak was about to draw the table without rows."""

    def __init__(self) -> None:
        super().__init__(
            "the data of this chart stay on Spark, and Altair alone would draw none of them. "
            "In a notebook call sheliak.altair.enable() first; a file is written by sheliak.run(chart).save('chart.html')"
        )


def referring_to(what: object, session: Callable[[], SparkSession]) -> pa.Table:
    """A table without rows for a frame of Spark, the name of a table, a file, or anything else that `sheliak.run` takes."""
    held = referred_to(what, session)
    number = str(next(_numbers))
    table = _empty(held.record, number)
    _held[number] = held
    weakref.finalize(table, _held.pop, number, None)
    guard_transformers()
    return table


def held_by(table: object) -> Held | None:
    """What a table stands for; None for any other data."""
    schema = getattr(table, "schema", None)
    metadata = getattr(schema, "metadata", None)
    number = metadata.get(KEY) if isinstance(metadata, dict) else None
    if not isinstance(number, bytes):
        return None
    held = _held.get(number.decode("ascii", "replace"))
    if held is None:
        raise RunFailure("the data that this table stands for are gone", help="make it again with sheliak.data")
    return held


def referred_to(what: object, session: Callable[[], SparkSession]) -> Held:
    """Data, with their columns. Raises RunFailure where they cannot be read."""
    from sheliak.engines.spark.given import TABLE, frames_of, is_spark_frame, record_of_given

    name = "data"
    if isinstance(what, str) and not what.startswith(TABLE) and not _is_file(what):
        what = f"{TABLE}{what}"
    if isinstance(what, str) and what.startswith(TABLE):
        name = what.removeprefix(TABLE)
    used = what.sparkSession if is_spark_frame(what) and hasattr(what, "sparkSession") else session()
    given = frames_of({name: what}, used)[name]
    record = record_of_given(name, given)
    if record is None:
        raise RunFailure(f"the columns of `{what}` are not known without reading all of it", help="give it as a frame of Spark")
    return Held(name, given, record)


def _is_file(text: str) -> bool:
    """The text names a file or a folder that is there, or could not be the name of a table."""
    return "/" in text or "\\" in text or Path(text).expanduser().exists()


def _empty(record: Record, number: str) -> pa.Table:
    import pyarrow as pa

    fields = [pa.field(name, _arrow_type(of)) for name, of in record.fields.items()]
    return pa.schema(fields, metadata={KEY: number.encode("ascii")}).empty_table()


def _arrow_type(of: Type) -> pa.DataType:
    """A type from which Altair infers what it would infer from the rows; text is what it takes everything else for."""
    import pyarrow as pa

    match without_missing(widened(of)):
        case Scalar("number"):
            return pa.float64()
        case Scalar("date"):
            return pa.timestamp("ms", "UTC")
        case Scalar("boolean"):
            return pa.bool_()
        case _:
            return pa.string()


# Altair's own data transformers


def guard_transformers() -> None:
    """Makes Altair's data transformers refuse a table that stands for data on Spark."""
    import altair as alt

    transformers = alt.data_transformers
    active, options = transformers.active, dict(transformers.options)
    for name in ("default", "json", "csv", "vegafusion"):
        known = transformers.register(name, None)
        if known is not None:
            transformers.register(name, known if isinstance(known, Guarded) else Guarded(known))
    transformers.enable(active, **options)


class Guarded:
    """A data transformer of Altair that stops where it would draw nothing."""

    def __init__(self, transformer: Callable[..., object]) -> None:
        self._transformer = transformer

    def __call__(self, data: object = None, **options: object) -> object:
        held = held_by(data)
        if held is not None and _is_being_built(sys._getframe()):
            return {"name": held.name}
        if held is not None:
            raise NotOnSpark
        return self._transformer(data, **options) if data is not None else self._transformer(**options)


def _is_being_built(frame: FrameType | None) -> bool:
    """A part of a chart, such as `alt.LookupData`, validates itself when it is made, and nothing is drawn yet."""
    while frame is not None:
        if frame.f_code.co_name == "__init__" and hasattr(frame.f_locals.get("self"), "_kwds"):
            return True
        frame = frame.f_back
    return False
