"""Files of other machines: a server on the loopback stands for them."""

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sheliak.engines.failures import RunFailure
from sheliak.engines.protocol import Unavailable
from sheliak.engines.reference.engine import ReferenceEngine
from sheliak.engines.reference.inputs import Surroundings
from sheliak.engines.reference.sources import located
from sheliak.loading.folders import DataFolders
from sheliak.loading.remote import Forbidden, RemoteFiles, Unfetched
from sheliak.source.tree import Node


class Answers(BaseHTTPRequestHandler):
    """/rows.csv, /moved (to another host), /again (to /rows.csv), /long (without end), /slow (without answer)."""

    def do_GET(self) -> None:
        match self.path:
            case "/rows.csv":
                self.answer(200, b"a,b\n1,2\n3,4\n")
            case "/moved":
                self.answer(302, b"", Location="http://localhost.invalid/rows.csv")
            case "/again":
                self.answer(302, b"", Location="/rows.csv")
            case "/long":
                self.send_response(200)
                self.end_headers()
                with contextlib.suppress(OSError):  # the reader has enough
                    for _ in range(1000):
                        self.wfile.write(b"x" * 65536)
            case "/slow":
                threading.Event().wait(2)
            case _:
                self.answer(404, b"nothing")

    def answer(self, code: int, content: bytes, **headers: str) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        return None


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_file_of_an_allowed_host_is_fetched_once_and_removed(host: str) -> None:
    with RemoteFiles([host]) as files:
        path = files.fetch(f"http://{host}/rows.csv")
        assert path.read_text() == "a,b\n1,2\n3,4\n"
        assert files.fetch(f"http://{host}/rows.csv") == path
        assert path.suffix == ".csv"
    assert not path.parent.exists()


def test_a_redirect_within_the_host_is_followed(host: str) -> None:
    with RemoteFiles([host]) as files:
        assert files.fetch(f"http://{host}/again").read_text().startswith("a,b")


@pytest.mark.parametrize(
    ("path", "reason"),
    [("/moved", "redirected to `http://localhost.invalid"), ("/none", "404"), ("/long", "larger than"), ("/slow", "timed out")],
)
def test_what_cannot_be_fetched_leaves_no_file(host: str, path: str, reason: str) -> None:
    with RemoteFiles([host], most_bytes=100_000, patience=0.5) as files:
        with pytest.raises(Unfetched, match=reason):
            files.fetch(f"http://{host}{path}")
        assert files._folder is not None
        assert list(Path(files._folder.name).iterdir()) == []


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org:8080/x",
        "https://example.org.evil/x",
        "ftp://example.org/x",
        "file://example.org/etc/passwd",
        "http://user@example.org/x",
        "http://evil/example.org",
        "http://[broken/x",
        "http://example.org:port/x",
    ],
)
def test_other_hosts_ports_and_ways_are_not_asked(url: str) -> None:
    files = RemoteFiles(["example.org"])
    assert not files.allows(url)
    with pytest.raises(Forbidden):
        files.fetch(url)


@pytest.mark.parametrize(
    "url", ["http://example.org/x", "https://EXAMPLE.org:443/x?y", "http://example.org./x", "http://other:81/"]
)
def test_allowed_hosts(url: str) -> None:
    assert RemoteFiles(["Example.org", "other:81"]).allows(url)


def test_without_the_option_a_remote_file_stays_with_the_renderer_and_the_reason_says_what_would_allow_it() -> None:
    with pytest.raises(Unavailable, match="--allow-host example.org:8080"):
        located("http://example.org:8080/a.csv", DataFolders(None))


def _rows(host: str, url: str, strict: bool) -> object:
    spec = {"data": [{"name": "t", "url": url, "format": {"type": "csv"}}]}
    with RemoteFiles([host]) as files:
        around = Surroundings(DataFolders(None), remote=files, strict_files=strict)
        result = ReferenceEngine(around).run(Node(spec))
    return result.datasets["t"].rows, result.warnings


def test_rows_of_a_remote_file(host: str) -> None:
    assert _rows(host, f"http://{host}/rows.csv", strict=True) == ([{"a": "1", "b": "2"}, {"a": "3", "b": "4"}], ())


def test_a_remote_file_that_is_not_there(host: str) -> None:
    rows, warnings = _rows(host, f"http://{host}/none", strict=False)  # type: ignore[misc]
    assert rows == []
    assert "404" in warnings[0]
    with pytest.raises(RunFailure, match=r"dataset `t`: .*cannot be loaded: the server answers 404"):
        _rows(host, f"http://{host}/none", strict=True)
