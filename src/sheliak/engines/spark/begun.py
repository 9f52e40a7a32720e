"""A frame that is run while the driver does something else.

Spark starts a job at once when its rows are asked for; `DataFrame.toArrow` waits for it in the same call. The two halves of that call are
apart here. Where pyspark has them differently, the frame is run when its rows are fetched.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame


def can_begin() -> bool:
    """pyspark has the two halves."""
    return _halves() is not None


def _halves() -> tuple[Any, Any] | None:
    try:
        from pyspark.sql.pandas.serializers import ArrowCollectSerializer
        from pyspark.util import _create_local_socket
    except ImportError:
        return None
    return ArrowCollectSerializer, _create_local_socket


class Begun:
    """A run of a frame of a classic session, that goes on in Spark until its rows are fetched."""

    def __init__(self, frame: DataFrame) -> None:
        self._frame = frame
        self._found: pa.Table | None = None
        self._problem: Exception | None = None
        self._halves = _halves()
        self._stack = ExitStack()
        if self._halves is not None:
            port, secret, self._server = frame._jdf.collectAsArrowToPython()
            self._file, self._socket = self._halves[1]((port, secret))
            self._stack.enter_context(self._socket)
            self._stack.enter_context(self._file)

    def is_answering(self) -> bool:
        """Rows have come, or a failure."""
        from select import POLLIN, poll  # not everywhere, but wherever there are pipes

        if self._halves is None:
            return True
        asked = poll()  # `select` knows only the first thousand files of a process
        asked.register(self._socket, POLLIN)
        return bool(asked.poll(0))

    def table(self) -> pa.Table:
        """The rows; raises what the run raises."""
        self.wait()
        if self._problem is not None:
            raise self._problem
        assert self._found is not None
        return self._found

    @property
    def has_failed(self) -> bool:
        """It is over, and has no rows."""
        return self._problem is not None

    def wait(self) -> None:
        """Until the run is over."""
        if self._found is not None or self._problem is not None:
            return
        try:
            self._found = self._frame.toArrow() if self._halves is None else self._table_of(self._fetched(self._halves[0]()))
        except Exception as problem:  # noqa: BLE001 - it is raised where the rows are asked for
            self._problem = problem

    def _fetched(self, serializer: Any) -> list[pa.RecordBatch]:
        from pyspark.errors.exceptions.captured import unwrap_spark_exception

        try:
            with self._stack:
                return list(serializer.load_stream(self._file))
        finally:
            with unwrap_spark_exception():
                self._server.getResult()

    def _table_of(self, batches: list[pa.RecordBatch]) -> pa.Table:
        import pyarrow as pa
        from pyspark.sql.pandas.types import to_arrow_schema

        return pa.Table.from_batches(batches) if batches else to_arrow_schema(self._frame.schema, timezone="UTC").empty_table()
