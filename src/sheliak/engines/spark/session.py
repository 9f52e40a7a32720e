"""Spark sessions of our own: settings that Vega's meaning needs, no noise, and an end for the process they start."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
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
    # Members of records are read in the groups that use them: pulled out of several of a group's columns, Spark loses some and fails.
    "spark.sql.optimizer.nestedSchemaPruning.enabled": "false",
}

# Not a matter of meaning: to infer filters Spark combines every column with every other, which takes minutes over long formulas.
SPEED = {"spark.sql.constraintPropagation.enabled": "false"}

# On this machine alone the driver listens on the loopback only.
LOOPBACK = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}

# The driver opens no page, and leaves no folder behind in the working directory.
QUIET = {
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


def local_session(
    app_name: str = "sheliak",
    *,
    cores: int = 2,
    shuffle_partitions: int | None = 2,
    master: str | None = None,
    conf: Mapping[str, str] | None = None,
) -> SparkSession:
    """A session with Sheliak's settings on this machine, or on the cluster that `master` names.

    Where Spark already runs in this process the session is a new one beside it: its settings are its own, the cores
    stay as they are. `conf` are settings of the user, over Sheliak's own. SparkUnavailable says what is missing.
    """
    require_pyspark()
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    running = SparkContext._active_spark_context  # SparkSession.getActiveSession() knows only that of its own thread
    given = dict(conf or {})
    if running:
        session = SparkSession(running).newSession()
    else:
        session = SparkSession(start_context(app_name, master or f"local[{cores}]", given))
    apply_settings(session, shuffle_partitions, given)
    return session


def is_running() -> bool:
    """Spark runs in this process already."""
    require_pyspark()
    from pyspark import SparkContext

    return SparkContext._active_spark_context is not None


def active_session() -> SparkSession | None:
    """The session that this process has, of a Spark of its own or of a server; pyspark is not loaded to find out."""
    if "pyspark.sql" not in sys.modules:
        return None
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession()


def apply_settings(session: SparkSession, shuffle_partitions: int | None, given: Mapping[str, str]) -> None:
    """What is fast, then what the user wants, then what Vega's meaning needs."""
    speed = SPEED if shuffle_partitions is None else {**SPEED, "spark.sql.shuffle.partitions": str(shuffle_partitions)}
    # Other settings count only when Spark starts.
    wanted = {name: value for name, value in given.items() if session.conf.isModifiable(name)}
    for name, value in {**speed, **wanted, **MEANING}.items():
        session.conf.set(name, value)


@contextlib.contextmanager
def borrowed(session: SparkSession) -> Iterator[None]:
    """A session of somebody else with the settings of Vega's meaning, for the time of a block; quiet."""
    before = {name: earlier for name, value in MEANING.items() if (earlier := session.conf.get(name)) != value}
    for name in before:
        session.conf.set(name, MEANING[name])
    try:
        with quiet():
            yield
    finally:
        for name, earlier in before.items():
            session.conf.set(name, str(earlier))


def surrounding(start: Callable[[], SparkSession], *, is_borrowed: bool) -> Callable[[], contextlib.AbstractContextManager[None]]:
    """What the work on a session is done inside of: a session of somebody else gets its settings back."""
    return lambda: borrowed(start()) if is_borrowed else quiet()


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without what pyspark thinks of the versions of other packages, and of windows over all rows."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"pyspark\b")
        yield


def is_connect(session: object) -> bool:
    """The session is one of Spark Connect: its Spark runs elsewhere."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def require_pyspark() -> None:
    if importlib.util.find_spec("pyspark") is None:
        raise SparkUnavailable("Spark is not installed: pip install 'sheliak[spark]'")


def end_session(session: SparkSession) -> None:
    """Stop the session, and the Java process if local_session started it."""
    if is_connect(session):
        with quiet():
            session.stop()
        return
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


def start_context(app_name: str, master: str, given: Mapping[str, str]) -> SparkContext:
    from pyspark import SparkConf, SparkContext

    # At error level this logger prints a page of JSON for every analysis mistake, next to the exception itself.
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL + 1)
    is_local = master.startswith("local")
    conf = SparkConf(loadDefaults=False).setAll([*QUIET.items(), *(LOOPBACK.items() if is_local else ())])
    conf.setMaster(master).setAppName(app_name).set("spark.driver.memory", heap_size())
    conf.setAll([*given.items(), *MEANING.items()])
    with environment(launch_environment(is_local)):
        try:
            return SparkContext(conf=conf, gateway=SparkContext._gateway or start_gateway(conf))
        except Exception as problem:
            if type(problem).__module__.split(".")[0] != "py4j":
                raise
            raise SparkUnavailable(f"Spark did not start with the master {master!r}: {told_by_java(problem)}") from problem


def told_by_java(problem: Exception) -> str:
    """The message of a failure on the Java side, without its stack."""
    thrown = getattr(problem, "java_exception", None)
    return str(thrown.getMessage() if thrown is not None else problem).strip().split("\n")[0]


def launch_environment(is_local: bool = True) -> dict[str, str]:
    """What the Java side must see: our Java, the Spark that belongs to this pyspark, workers that run this Python."""
    import pyspark

    return {
        "JAVA_HOME": str(find_java().home),
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        **({"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable} if is_local else {}),
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
