"""Write the generated pages of docs/, or with --check say which of them are out of date.

A page is added by a module in scripts/doc_pages with a function `pages() -> Mapping[str, str]`; there is no list to edit.
"""

import importlib
import pkgutil
import sys
from pathlib import Path

import doc_pages

ROOT = Path(__file__).resolve().parent.parent


def generated_pages() -> dict[Path, str]:
    """Every generated page and its text as it should be."""
    found: dict[Path, str] = {}
    for module in pkgutil.iter_modules(doc_pages.__path__):
        for path, text in importlib.import_module(f"doc_pages.{module.name}").pages().items():
            found[ROOT / path] = text
    return found


def stale_pages() -> list[str]:
    """The pages whose file is absent or differs from what the code would generate now."""
    pages = generated_pages().items()
    return [str(path.relative_to(ROOT)) for path, text in pages if not path.is_file() or path.read_text(encoding="utf-8") != text]


def write_pages() -> None:
    for path, text in generated_pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        stale = stale_pages()
        sys.exit(f"out of date, run `make docs`: {', '.join(stale)}" if stale else 0)
    write_pages()
