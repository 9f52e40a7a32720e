"""Fewer questions to the JVM: the functions of columns are looked up once for a session, not once for each use.

pyspark asks the JVM for the class of functions, and for a function by its name, whenever one is called: of the questions that it takes to
write a plan down more than a third are these. The gateway's view of the JVM keeps what it is given, so it is given what it would find.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_CLASSES = {
    "org.apache.spark.sql.functions": "org.apache.spark.sql.functions",
    "functions": "org.apache.spark.sql.functions",
    "PythonUtils": "org.apache.spark.api.python.PythonUtils",
}


def remember_lookups(session: SparkSession) -> None:
    """Makes the gateway of a session, unless it talks to a server, remember its classes of functions."""
    view = getattr(getattr(session, "_sc", None), "_jvm", None)
    if view is None or "PythonUtils" in vars(view):
        return
    from py4j.java_gateway import JavaClass, JavaMember

    class Remembering(JavaClass):  # type: ignore[misc]
        """A class whose functions are looked up once."""

        def __getattr__(self, name: str) -> object:
            found = super().__getattr__(name)
            if isinstance(found, JavaMember):
                self.__dict__[name] = found
            return found

    for name, full in _CLASSES.items():
        vars(view)[name] = Remembering(full, view._gateway_client)
