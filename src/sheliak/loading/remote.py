"""Files of other machines: fetched from hosts that the user allows, into a folder that is removed afterwards.

A spec is untrusted: only http and https, only the very host and port that was allowed, no redirect to another one, no password in the
url, a limit for the size and one for the time.
"""

from __future__ import annotations

import http.client
import os
import shutil
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from email.message import Message
from pathlib import Path
from typing import IO, Protocol, Self
from urllib.parse import SplitResult, urlsplit

MOST_BYTES = 4 << 30
PATIENCE = 30.0
"""Seconds without an answer."""
LONGEST = 600.0
"""Seconds for one file."""
_PIECE = 1 << 20
_PORTS = {"http": 80, "https": 443}


class Unfetched(Exception):
    """The file could not be fetched; the text says why."""


class Forbidden(Unfetched):
    """The host is not one of those that the user allows."""


class _Answer(Protocol):
    def read(self, amount: int, /) -> bytes: ...


class RemoteFiles:
    """The files of some hosts: `example.org` allows its usual ports, `example.org:8000` that port alone."""

    def __init__(self, hosts: Iterable[str], *, most_bytes: int = MOST_BYTES, patience: float = PATIENCE) -> None:
        self.hosts = frozenset(host.lower().removesuffix(".") for host in hosts)
        self.most_bytes = most_bytes
        self.patience = patience
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._fetched: dict[str, Path] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def allows(self, url: str) -> bool:
        """The url's host is one of those that were allowed."""
        try:
            self.check(url)
        except Unfetched:
            return False
        return True

    def check(self, url: str) -> None:
        """Raises Forbidden unless the url may be fetched."""
        parts = _parts(url)
        if parts.scheme not in _PORTS:
            raise Forbidden("only http and https are fetched")
        if parts.username is not None or parts.password is not None:
            raise Forbidden("a url with a user's name or password is not fetched")
        if not {f"{parts.hostname}:{_port(parts)}", *_plain_host(parts)} & self.hosts:
            raise Forbidden(f"the host `{parts.hostname}` is not allowed")

    def fetch(self, url: str) -> Path:
        """The file behind the url, fetched once; raises Unfetched."""
        url = f"https:{url}" if url.startswith("//") else url
        if url not in self._fetched:
            self.check(url)
            self._fetched[url] = self._fetch(url)
        return self._fetched[url]

    def _fetch(self, url: str) -> Path:
        opener = urllib.request.build_opener(_SameHosts(self), urllib.request.ProxyHandler())
        request = urllib.request.Request(url, headers={"User-Agent": "sheliak", "Accept-Encoding": "identity"})
        path = self._new_path(url)
        try:
            with opener.open(request, timeout=self.patience) as answer, path.open("wb") as file:
                self._copy(answer, file)
        except (OSError, ValueError, http.client.HTTPException) as problem:
            path.unlink(missing_ok=True)
            raise Unfetched(_reason(problem)) from problem
        except Unfetched:
            path.unlink(missing_ok=True)
            raise
        return path

    def _copy(self, answer: _Answer, file: IO[bytes]) -> None:
        size, end = 0, time.monotonic() + LONGEST
        while piece := answer.read(_PIECE):
            size += len(piece)
            if size > self.most_bytes:
                raise Unfetched(f"it is larger than {self.most_bytes:,} bytes")
            if time.monotonic() > end:
                raise Unfetched(f"it takes longer than {LONGEST:.0f} seconds")
            file.write(piece)

    def _new_path(self, url: str) -> Path:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="sheliak-")
        # The name's ending tells what the file is; nothing else of what the spec says becomes a name.
        ending = os.path.splitext(_parts(url).path)[1]
        ending = ending if ending[1:].isascii() and ending[1:].isalnum() and len(ending) <= 10 else ""
        return Path(self._folder.name) / f"{len(self._fetched)}{ending.lower()}"

    def close(self) -> None:
        """Removes what was fetched."""
        if self._folder is not None:
            shutil.rmtree(self._folder.name, ignore_errors=True)
            self._folder.cleanup()
            self._folder = None
        self._fetched.clear()


class _SameHosts(urllib.request.HTTPRedirectHandler):
    """Follows a redirect only to a host that is allowed as well."""

    def __init__(self, files: RemoteFiles) -> None:
        self.files = files

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> urllib.request.Request | None:
        try:
            self.files.check(newurl)
        except Forbidden as problem:
            raise Unfetched(f"it is redirected to `{newurl}`: {problem}") from problem
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def host_of(url: str) -> str | None:
    """The host that a url names, as the user would allow it."""
    try:
        parts = _parts(f"https:{url}" if url.startswith("//") else url)
    except Forbidden:
        return None
    if parts.hostname is None:
        return None
    return parts.hostname if _port(parts) in (None, *_PORTS.values()) else f"{parts.hostname}:{_port(parts)}"


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as problem:
        raise Forbidden("it is not a url") from problem
    return parts


def _port(parts: SplitResult) -> int | None:
    return parts.port or _PORTS.get(parts.scheme)


def _plain_host(parts: SplitResult) -> tuple[str, ...]:
    usual = parts.hostname is not None and _port(parts) == _PORTS.get(parts.scheme)
    return (parts.hostname.lower().removesuffix("."),) if usual and parts.hostname else ()


def _reason(problem: Exception) -> str:
    if isinstance(problem, urllib.error.HTTPError):
        return f"the server answers {problem.code} {problem.reason}"
    if isinstance(problem, urllib.error.URLError):
        return str(problem.reason).partition("\n")[0]
    return (str(problem) or type(problem).__name__).partition("\n")[0]
