"""Every finding there is, by family, and the page that explains it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules

import sheliak.diagnostics
from sheliak.diagnostics.registry import REGISTRY, Diagnostic

FAMILIES = {
    "fields": "Fields",
    "names": "Names",
    "expressions": "Expressions",
    "parameters": "Transforms and their parameters",
    "spec": "The spec as a whole",
    "loading": "Sources of data",
    "vegalite": "Vega-Lite",
}
"""Module of this package -> what its findings are about; a module that is missing here is shown under its own name."""


@cache
def entries() -> dict[str, type[Diagnostic]]:
    """Every registered finding: code -> class, in the order of the modules."""
    for module in iter_modules(sheliak.diagnostics.__path__):
        if not module.ispkg:
            import_module(f"sheliak.diagnostics.{module.name}")
    return dict(REGISTRY)


def all_codes() -> tuple[str, ...]:
    return tuple(entries())


def families() -> dict[str, list[type[Diagnostic]]]:
    """Family -> its findings by code."""
    found: dict[str, list[type[Diagnostic]]] = {title: [] for title in FAMILIES.values()}
    for entry in sorted(entries().values(), key=lambda entry: entry.code):
        module = entry.__module__.rpartition(".")[2]
        found.setdefault(FAMILIES.get(module, module), []).append(entry)
    return {title: members for title, members in found.items() if members}


def explanation(code: str) -> str:
    """The page of a code, in Markdown."""
    return (files("sheliak.diagnostics") / "explanations" / f"{code}.md").read_text(encoding="utf-8")


def page(code: str) -> str:
    """The explanation of a code, and how to leave such findings out."""
    return explanation(code) + _LEAVING_OUT.replace("CODE", code)


_LEAVING_OUT = """
To leave it out, in the spec for the object that holds it or for the whole:

```json
"usermeta": {"sheliak": {"ignore": ["CODE"]}}
```

in a comment above the line or behind it, where the file may have comments:

```json
// sheliak: ignore CODE
```

or for a project in `pyproject.toml`, everywhere or in some files:

```toml
[tool.sheliak]
ignore = ["CODE"]
per-file-ignores = {"drafts/*" = ["CODE"]}
```
"""
