"""A server of Spark Connect on this machine, for the time of a block."""

import contextlib
import importlib.util
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from sheliak.engines.spark.session import heap_size, launch_environment

PACKAGES = ("pandas", "grpc", "grpc_status", "zstandard")
_START = 240.0
_SETTINGS = {
    "spark.connect.grpc.binding.address": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.shuffle.partitions": "2",
    # A test of meaning on a few rows would spend its time on Spark's compiler.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


def missing_packages() -> list[str]:
    return [name for name in PACKAGES if importlib.util.find_spec(name) is None]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server that runs in the folder; what it prints goes to a file there."""
    port = free_port()
    environment = {**os.environ, **launch_environment()}
    settings = {**_SETTINGS, "spark.connect.grpc.binding.port": str(port), "spark.driver.memory": heap_size()}
    command = [
        *(os.path.join(environment["SPARK_HOME"], "bin", "spark-submit"), "--master", "local[2]"),
        *("--class", "org.apache.spark.sql.connect.service.SparkConnectServer"),
        *(word for name, value in settings.items() for word in ("--conf", f"{name}={value}")),
        "spark-internal",
    ]
    with open(folder / "server.log", "wb") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        wait_for(server, port, folder / "server.log")
        yield f"sc://127.0.0.1:{port}"
    finally:
        server.terminate()
        try:
            server.wait(timeout=30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def wait_for(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    ending = time.monotonic() + _START
    while time.monotonic() < ending and server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.2)
    raise RuntimeError(f"the server did not start: {log.read_text(errors='replace')[-2000:]}")
