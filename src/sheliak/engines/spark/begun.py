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


class Begun:
    """A run of a frame of a classic session, that goes on in Spark until its rows are fetched."""

    def __init__(self, frame: DataFrame) -> None:
        self._frame = frame
        self._found: pa.Table | None = None
        self._problem: Exception | None = None
        self._stack = ExitStack()
        self._batches: Any = None
        self._server: Any = None
        try:
            from pyspark.sql.pandas.serializers import ArrowCollectSerializer
            from pyspark.util import _load_from_socket
        except ImportError:
            return
        port, secret, self._server = frame._jdf.collectAsArrowToPython()
        self._batches = self._stack.enter_context(_load_from_socket((port, secret), ArrowCollectSerializer()))

    def table(self) -> pa.Table:
        """The rows; raises what the run raises."""
        self.wait()
        if self._problem is not None:
            raise self._problem
        assert self._found is not None
        return self._found

    def wait(self) -> None:
        """Until the run is over."""
        if self._found is not None or self._problem is not None:
            return
        try:
            batches = self._fetched()
            self._found = _table_of(batches) if batches else self._frame.toArrow()
        except Exception as problem:  # noqa: BLE001 - it is raised where the rows are asked for
            self._problem = problem

    def _fetched(self) -> list[pa.RecordBatch]:
        from pyspark.errors.exceptions.captured import unwrap_spark_exception

        if self._server is None:
            return []
        server, self._server = self._server, None
        try:
            with self._stack:
                return list(self._batches)
        finally:
            with unwrap_spark_exception():
                server.getResult()


def _table_of(batches: list[pa.RecordBatch]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_batches(batches)
