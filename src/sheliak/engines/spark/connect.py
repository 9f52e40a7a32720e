"""Sessions of Spark Connect: Spark runs elsewhere, and is spoken to over the network."""

from __future__ import annotations

import importlib.util
import logging
import socket
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sheliak.engines.spark.session import apply_settings, quiet, require_pyspark
from sheliak.engines.spark.unavailable import SparkUnavailable

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PATIENCE = 60.0
"""How many seconds a server may take to answer; its very first answer takes many."""
_REACHING = 10.0
"""How many seconds it may take to reach it at all."""

_PORT = 15002
_PACKAGES = ("pandas", "pyarrow", "grpc", "grpc_status", "google.rpc", "zstandard")


def connect_session(url: str, *, conf: Mapping[str, str] | None = None, patience: float = PATIENCE) -> SparkSession:
    """A session on the server that a url `sc://host:port` names; SparkUnavailable when it does not answer in time."""
    require_pyspark()
    _require_packages()
    shown, host, port = _address(url)
    _require_listening(shown, host, port, patience)
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL + 1)
    with quiet():
        session = _in_time(lambda: _started(url), shown, patience)
        apply_settings(session, None, conf or {})
    return session


def _require_packages() -> None:
    missing = [name for name in _PACKAGES if not _is_installed(name)]
    if missing:
        raise SparkUnavailable(f"Spark Connect needs further packages ({', '.join(missing)}): pip install 'sheliak[connect]'")


def _is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _address(url: str) -> tuple[str, str, int]:
    """What may be shown of a url, its host and its port; parameters such as a token are nobody else's business."""
    parts = urlsplit(url.partition(";")[0])
    try:
        port = parts.port or _PORT
    except ValueError:
        port = 0
    if parts.scheme != "sc" or not parts.hostname or not port:
        raise SparkUnavailable("the address of a Spark Connect server is sc://HOST:PORT")
    return f"sc://{parts.hostname}:{port}", parts.hostname, port


def _require_listening(shown: str, host: str, port: int, patience: float) -> None:
    try:
        socket.create_connection((host, port), timeout=min(patience, _REACHING)).close()
    except OSError as problem:
        why = (problem.strerror or str(problem)).lower()
        raise SparkUnavailable(f"the Spark Connect server {shown} cannot be reached: {why}") from problem


def _started(url: str) -> SparkSession:
    from pyspark.sql import SparkSession

    session = SparkSession.builder.remote(url).create()
    session.conf.get("spark.sql.session.timeZone")  # the first call over the network
    return session


def _in_time(start: Callable[[], SparkSession], shown: str, patience: float) -> SparkSession:
    """The session, if it stands in time. pyspark itself tries again for ten minutes: it is left to that, out of sight."""
    done: list[SparkSession | Exception] = []

    def attempt() -> None:
        try:
            done.append(start())
        except Exception as problem:  # noqa: BLE001 - raised again where somebody waits for it
            done.append(problem)

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(patience)
    if not done:
        raise SparkUnavailable(f"the Spark Connect server {shown} does not answer")
    if isinstance(done[0], Exception):
        why = str(done[0]).strip().split("\n")[0]
        raise SparkUnavailable(f"the Spark Connect server {shown} refuses: {why}") from done[0]
    return done[0]
