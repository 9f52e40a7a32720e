"""`[tool.sheliak]` of the nearest pyproject.toml: what a project wants whenever it is checked.

    [tool.sheliak]
    include = ["charts"]                  # what `sheliak check` without arguments looks at
    exclude = ["charts/old/*"]            # left out when a folder is searched
    data-dir = ["data"]
    schema = {sales = "schemas/sales.json"}
    select = []                           # codes; empty means all
    ignore = ["unknown-parameter"]
    severity = {unknown-field = "warning"}
    per-file-ignores = {"charts/drafts/*" = ["unknown-field"]}
    baseline = "sheliak-baseline.json"
    strict = false
    error-on-warning = false
    output-format = "full"

Paths are relative to the folder of the file. In a pattern `*` also stands for several folders.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from sheliak.diagnostics.registry import Severity
from sheliak.project.codes import UnknownCode, require_known
from sheliak.project.output_formats import OUTPUT_FORMATS
from sheliak.project.selection import Selection
from sheliak.source.declared import dataclass, field

FILE = "pyproject.toml"
_MENTION = re.compile(rb"""tool\s*\.\s*["']?sheliak|\[\s*tool\s*\]""")


class SettingsError(Exception):
    """Settings that cannot be used; the text says which file and why."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a project wants; the defaults hold where it says nothing. Paths can be used as they are."""

    selection: Selection = field(default_factory=Selection)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    data_dirs: tuple[str, ...] = ()
    schemas: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False
    error_on_warning: bool = False
    baseline: str | None = None
    output_format: str = "full"
    file: str | None = None
    """The file that they come from."""


def read_settings(folder: str = ".") -> Settings:
    """The settings for a folder: those of the nearest file above it that has some."""
    path = os.path.abspath(folder)
    while True:
        file = os.path.join(path, FILE)
        content = _content(file)
        # Most projects have none of ours, and reading TOML takes as long as checking a small spec.
        if _MENTION.search(content):
            table = _table(file, content)
            if table is not None:
                return _Reader(os.path.relpath(file), table).settings()
        parent = os.path.dirname(path)
        if parent == path:
            return Settings()
        path = parent


def _content(file: str) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return b""
    except OSError as problem:
        raise SettingsError(f"{os.path.relpath(file)} cannot be read: {str(problem.strerror).lower()}") from problem


def _table(file: str, content: bytes) -> dict[str, object] | None:
    import tomllib

    try:
        document = tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise SettingsError(f"{os.path.relpath(file)} is not TOML: {problem}") from problem
    tool = document.get("tool")
    table = tool.get("sheliak") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{os.path.relpath(file)}: [tool.sheliak] must be a table")
    return table


class _Reader:
    """Takes the settings out of the table, and complains about what is left."""

    def __init__(self, file: str, table: dict[str, object]) -> None:
        self._file = file
        self._folder = os.path.dirname(file)
        self._left = dict(table)

    def settings(self) -> Settings:
        settings = Settings(
            Selection(
                self._texts("select"), self._texts("ignore"), self._severities(), self._file_ignores(), self._folder or "."
            ),
            self._paths("include"),
            self._texts("exclude"),
            self._paths("data-dir"),
            {name: self._path(file) for name, file in self._text_table("schema").items()},
            self._flag("strict"),
            self._flag("error-on-warning"),
            self._baseline(),
            self._format(),
            self._file,
        )
        self._check_all(settings)
        return settings

    def _check_all(self, settings: Settings) -> None:
        for key in self._left:
            from sheliak.diagnostics.suggest import closest

            similar = closest(key, KEYS)
            raise self._wrong(f"there is no setting {key!r}" + (f"; a similar one exists: {similar}" if similar else ""))
        try:
            require_known(settings.selection.codes())
        except UnknownCode as problem:
            raise self._wrong(str(problem)) from problem

    def _wrong(self, message: str) -> SettingsError:
        return SettingsError(f"{self._file}, [tool.sheliak]: {message}")

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def _paths(self, key: str) -> tuple[str, ...]:
        return tuple(self._path(name) for name in self._texts(key))

    def _texts(self, key: str) -> tuple[str, ...]:
        return self._as_texts(key, self._left.pop(key, []))

    def _as_texts(self, key: str, value: object) -> tuple[str, ...]:
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(text, str) for text in values):
            raise self._wrong(f"{key} must be a list of texts")
        return tuple(str(text) for text in values)

    def _flag(self, key: str) -> bool:
        value = self._left.pop(key, False)
        if not isinstance(value, bool):
            raise self._wrong(f"{key} must be true or false")
        return value

    def _members(self, key: str) -> dict[str, object]:
        value = self._left.pop(key, {})
        if not isinstance(value, dict):
            raise self._wrong(f"{key} must be a table")
        return value

    def _text_table(self, key: str) -> dict[str, str]:
        table = self._members(key)
        if not all(isinstance(value, str) for value in table.values()):
            raise self._wrong(f"every entry of {key} must be a text")
        return {name: str(value) for name, value in table.items()}

    def _severities(self) -> dict[str, Severity]:
        known = {severity.value: severity for severity in Severity}
        given = self._text_table("severity")
        for code, name in given.items():
            if name not in known:
                raise self._wrong(f"the severity of {code} must be {', '.join(known)}, not {name!r}")
        return {code: known[name] for code, name in given.items()}

    def _file_ignores(self) -> dict[str, tuple[str, ...]]:
        members = self._members("per-file-ignores")
        return {pattern: self._as_texts(f"per-file-ignores of {pattern!r}", codes) for pattern, codes in members.items()}

    def _text(self, key: str) -> str | None:
        value = self._left.pop(key, None)
        if value is not None and not isinstance(value, str):
            raise self._wrong(f"{key} must be a text")
        return value

    def _baseline(self) -> str | None:
        name = self._text("baseline")
        return self._path(name) if name is not None else None

    def _format(self) -> str:
        name = self._text("output-format") or "full"
        if name not in OUTPUT_FORMATS:
            raise self._wrong(f"output-format must be one of {', '.join(OUTPUT_FORMATS)}, not {name!r}")
        return name


KEYS = (
    *("include", "exclude", "data-dir", "schema", "select", "ignore", "severity", "per-file-ignores"),
    *("baseline", "strict", "error-on-warning", "output-format"),
)
