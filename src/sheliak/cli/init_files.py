"""What `sheliak init` writes: the settings, the pre-commit hook, the workflow; each file as it is to be, or why it is left alone."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from sheliak import __version__
from sheliak.source.declared import dataclass

SETTINGS, HOOK, WORKFLOW = "pyproject.toml", ".pre-commit-config.yaml", os.path.join(".github", "workflows", "sheliak.yml")
BASELINE = "sheliak-baseline.json"
_PACKAGE = f"sheliak[charts]~={__version__}"
_MOST_FOLDERS = 6
_URL = re.compile(rb'"url"\s*:\s*"((?!\w+://|data:)[^"\\]+)"')
_LOOKED_AT = 1 << 20


@dataclass(frozen=True, slots=True)
class Change:
    """One file: what is added, and the whole text it has then; without a text, why it is left as it is."""

    file: str
    added: str
    text: str | None
    reason: str = ""
    is_advice: bool = False
    """The user has to add it."""


def settings_change(specs: Sequence[str], baseline: bool) -> Change:
    """`[tool.sheliak]` at the end of pyproject.toml."""
    lines = ["[tool.sheliak]", f"include = {_listed(folders_of(specs))}"]
    folders = data_folders(specs)
    lines += [f"data-dir = {_listed(folders)}"] if folders else []
    lines += [f'baseline = "{BASELINE}"'] if baseline else []
    added = "\n".join(lines) + "\n"
    before = _content(SETTINGS)
    if re.search(r"^\s*\[\s*tool\s*\.\s*[\"']?sheliak", before, re.MULTILINE):
        return Change(SETTINGS, added, None, "it has [tool.sheliak] already")
    return Change(SETTINGS, added, _joined(before, added))


def hook_change() -> Change:
    """A hook that pre-commit installs by itself, at the end of the hooks there are."""
    lines = [
        "- repo: local",
        "  hooks:",
        "    - id: sheliak",
        "      name: sheliak check",
        "      entry: sheliak check",
        "      language: python",
        f'      additional_dependencies: ["{_PACKAGE}"]',
        r"      files: \.v[gl]\.json$",
        "      require_serial: true",
    ]
    before = _content(HOOK)
    if "sheliak" in before:
        return Change(HOOK, "", None, "it names sheliak already")
    if not before.strip():
        added = "\n".join(["repos:", *(f"  {line}" for line in lines)]) + "\n"
        return Change(HOOK, added, _joined(before, added))
    return _appended(before, lines)


def _appended(before: str, lines: list[str]) -> Change:
    """The hook after the last one of a file that has some."""
    rows = before.splitlines()
    start = next((number for number, row in enumerate(rows) if re.fullmatch(r"repos:\s*(#.*)?", row)), None)
    first = next((row for row in rows[start + 1 :] if row.lstrip().startswith("- ")), None) if start is not None else None
    added = "\n".join(lines) + "\n"
    if start is None or first is None:
        return Change(HOOK, added, None, "its list of hooks is written in another way; this is what to add", is_advice=True)
    indent = " " * (len(first) - len(first.lstrip()))
    end = next(
        (n for n, row in enumerate(rows) if n > start and row and not row.startswith((" ", "#", "- "))),
        len(rows),
    )
    while not rows[end - 1].strip():
        end -= 1
    made = [f"{indent}{line}" for line in lines]
    return Change(HOOK, "\n".join(made) + "\n", "\n".join([*rows[:end], *made, *rows[end:]]) + "\n")


def workflow_change() -> Change:
    """A workflow of GitHub that checks the specs of every push, and marks findings at their lines."""
    added = f"""name: sheliak
on: [push, pull_request]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install "{_PACKAGE}"
      - run: sheliak check --output-format github
"""
    if os.path.lexists(WORKFLOW):
        return Change(WORKFLOW, added, None, "there is such a file already")
    return Change(WORKFLOW, added, added)


def write(change: Change) -> None:
    """Writes a change; raises OSError."""
    from sheliak.project.replace_file import replace_file

    assert change.text is not None
    os.makedirs(os.path.dirname(change.file) or ".", exist_ok=True)
    replace_file(change.file, change.text.encode("utf-8"))


# What there is


def folders_of(specs: Sequence[str]) -> list[str]:
    """The folders that hold the specs; this one where they are many, or where a spec lies here."""
    tops = list(dict.fromkeys(spec.replace(os.sep, "/").partition("/")[0] if os.sep in spec else "." for spec in specs))
    return ["."] if not tops or "." in tops or len(tops) > _MOST_FOLDERS else tops


def data_folders(specs: Sequence[str]) -> list[str]:
    """The folders in which files lie that specs name and do not have beside them."""
    found: dict[str, None] = {}
    for spec in specs:
        for url in _urls(spec):
            if not os.path.exists(os.path.join(os.path.dirname(spec), url)):
                home = next((folder for folder in (".", "data") if os.path.exists(os.path.join(folder, url))), None)
                found.update({home: None} if home is not None else {})
    return list(found)


def _urls(spec: str) -> list[str]:
    try:
        with open(spec, "rb") as file:
            return [url.decode("utf-8", "replace") for url in _URL.findall(file.read(_LOOKED_AT))]
    except OSError:
        return []


def _content(file: str) -> str:
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except FileNotFoundError:
        return ""


def _joined(before: str, added: str) -> str:
    return f"{before.rstrip()}\n\n{added}" if before.strip() else added


def _listed(names: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
