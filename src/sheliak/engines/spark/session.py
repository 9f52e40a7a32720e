"""Spark sessions of our own: settings that Vega's meaning needs, no noise, and an end for the process they start."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING

from sheliak.engines.spark.java import find_java
from sheliak.engines.spark.unavailable import SparkUnavailable

if TYPE_CHECKING:
    from py4j.java_gateway import JavaGateway
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

# Vega's field names differ by case; `${...}` in a name is text, not a variable; instants are shown in UTC.
MEANING = {
    "spark.sql.caseSensitive": "true",
    "spark.sql.variable.substitute": "false",
    "spark.sql.session.timeZone": "UTC",
}

# Not a matter of meaning: to infer filters Spark combines every column with every other, which takes minutes over long formulas.
SPEED = {"spark.sql.constraintPropagation.enabled": "false"}

# The driver listens on the loopback only, opens no page, and leaves no folder behind in the working directory.
QUIET = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.catalogImplementation": "in-memory",
    # Otherwise every call that makes a column is followed by three more that tell the Java side where it was written.
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    # What a page would show of past jobs is kept in memory even without a page: plans of a thousand jobs fill a small heap.
    "spark.sql.ui.retainedExecutions": "1",
    "spark.ui.retainedJobs": "1",
    "spark.ui.retainedStages": "1",
    "spark.ui.retainedTasks": "100",
}


def heap_size() -> str:
    """The most memory that the Java process takes: a quarter of the machine's, from 1 to 8 GB."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return "2g"
    return f"{min(8, max(1, total // 4 // 1024**3))}g"


def local_session(app_name: str = "sheliak", *, cores: int = 2, shuffle_partitions: int = 2) -> SparkSession:
    """A session on this machine with Sheliak's settings.

    Where Spark already runs in this process the session is a new one beside it: its settings are its own, the cores
    stay as they are. SparkUnavailable says what is missing.
    """
    if importlib.util.find_spec("pyspark") is None:
        raise SparkUnavailable("Spark is not installed: pip install 'sheliak[spark]'")
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    running = SparkContext._active_spark_context  # SparkSession.getActiveSession() knows only that of its own thread
    session = SparkSession(running).newSession() if running else SparkSession(start_context(app_name, cores))
    for name, value in {**MEANING, **SPEED}.items():
        session.conf.set(name, value)
    session.conf.set("spark.sql.shuffle.partitions", str(shuffle_partitions))
    return session


def end_session(session: SparkSession) -> None:
    """Stop the session, and the Java process if local_session started it."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    session.stop()
    if gateway is not None and (process := gateway.proc) is not None:
        gateway.shutdown()
        # pyspark keeps the gateway for the next context and has no public way to let go of it.
        SparkContext._gateway = SparkContext._jvm = None
        end_process(process)


def end_process(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()  # the Java side ends when its standard input does
    try:
        process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def start_context(app_name: str, cores: int) -> SparkContext:
    from pyspark import SparkConf, SparkContext

    # At error level this logger prints a page of JSON for every analysis mistake, next to the exception itself.
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL + 1)
    conf = SparkConf(loadDefaults=False).setAll([*MEANING.items(), *QUIET.items()])
    conf.setMaster(f"local[{cores}]").setAppName(app_name).set("spark.driver.memory", heap_size())
    with environment(launch_environment()):
        return SparkContext(conf=conf, gateway=SparkContext._gateway or start_gateway(conf))


def launch_environment() -> dict[str, str]:
    """What the Java side must see: our Java, the Spark that belongs to this pyspark, workers that run this Python."""
    import pyspark

    return {
        "JAVA_HOME": str(find_java().home),
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }


def start_gateway(conf: SparkConf) -> JavaGateway:
    """The Java process; what it prints goes to a file without a name, and is quoted if the start fails."""
    from pyspark.errors import PySparkRuntimeError
    from pyspark.java_gateway import launch_gateway

    with tempfile.TemporaryFile() as output:
        try:
            return launch_gateway(conf, popen_kwargs={"stdout": output, "stderr": output})  # type: ignore[no-untyped-call]
        except PySparkRuntimeError as problem:
            raise SparkUnavailable(f"Java did not start Spark: {last_lines(output)}") from problem


def last_lines(output: IO[bytes], count: int = 4) -> str:
    output.seek(0)
    lines = [line.strip() for line in output.read().decode(errors="replace").splitlines() if line.strip()]
    return " | ".join(lines[-count:])


@contextlib.contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Environment variables for the time of a block."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
