"""Build the documentation as a site: `documentation.py` gathers the pages in build/pages and has MkDocs make build/site of them.

The site has the pages of docs/ and, below transforms/, those of tests/transforms, which are documentation and test at once. A link that
leads out of them, to a file of the repository, is good for those who read the repository; on the site its text remains.
Nothing is fetched, neither by the build nor by a reader's browser.
"""

import os
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "build" / "pages"
SITE = ROOT / "build" / "site"
BUILDER = ROOT / ".venv-docs" / "bin" / "python"

# Folders of the repository that have pages, and where they are on the site.
FOLDERS = {"docs": "", "tests/transforms": "transforms"}

LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
ANCHOR = re.compile(r'^<a id="([^"]+)"></a>\n(#+ .*)$', re.MULTILINE)
FENCE = re.compile(r"^(```+)(\w*)([^\n`]*)(\n.*?^\1)$", re.MULTILINE | re.DOTALL)

# What the tests call their fences, and how they are shown.
SHOWN_AS = {
    **dict.fromkeys(("vega", "input", "rows", "signals", "projections"), "json"),
    **dict.fromkeys(("types", "diagnostics", "error", "file"), "text"),
}


def pages() -> Iterator[tuple[Path, str]]:
    """Every page and picture of the repository, with its place on the site."""
    for folder, place in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".md", ".svg", ".css"):
                yield path, posixpath.join(place, path.relative_to(ROOT / folder).as_posix())


def text_on_site(path: Path, place: str, places: dict[Path, str]) -> str:
    """The text of a page with links and anchors as they are on the site; what stands in fences is no link."""
    text, shown, last = ANCHOR.sub(r"\2 {#\1}", path.read_text(encoding="utf-8")), [], 0
    for fence in FENCE.finditer(text):
        shown += [with_links(text[last : fence.start()], path, place, places), fence_on_site(fence)]
        last = fence.end()
    return "".join([*shown, with_links(text[last:], path, place, places)])


def fence_on_site(fence: re.Match[str]) -> str:
    """A fence of the tests has its name as a title; labels that only the tests need are left out."""
    marks, kind, rest, body = fence.groups()
    if kind in SHOWN_AS:
        return f'{marks}{SHOWN_AS[kind]} title="{(kind + rest).strip()}"{body}'
    return f"{marks}{'text' if kind == 'calculus' else kind + rest}{body}"


def with_links(text: str, path: Path, place: str, places: dict[Path, str]) -> str:
    def link(found: re.Match[str]) -> str:
        words, target = found.groups()
        file, mark, anchor = target.partition("#")
        if "://" in target or not file:
            return found[0]
        leads_to = Path(os.path.normpath(path.parent / file))
        if leads_to in places:
            return f"[{words}]({posixpath.relpath(places[leads_to], posixpath.dirname(place) or '.')}{mark}{anchor})"
        if leads_to.exists():
            return words
        raise SystemExit(f"{path.relative_to(ROOT)}: there is no {target}")

    return LINK.sub(link, text)


def gather(folder: Path = PAGES) -> None:
    """All pages and pictures, as MkDocs takes them."""
    shutil.rmtree(folder, ignore_errors=True)
    places = dict(pages())
    for path, place in places.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            (folder / place).write_text(text_on_site(path, place, places), encoding="utf-8")
        else:
            shutil.copy(path, folder / place)


def command(settings: Path) -> list[str]:
    """MkDocs, strictly: a warning is a failure. The theme's notice about a later MkDocs is for those who choose versions."""
    build = [str(BUILDER), "-m", "mkdocs", "build", "--strict", "--clean", "--config-file", str(settings)]
    return ["env", "NO_MKDOCS_2_WARNING=1", *build]


def build() -> int:
    gather()
    return subprocess.run(command(ROOT / "mkdocs.yml"), cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    code = build()
    if code == 0:
        print(f"the documentation is {(SITE / 'index.html').relative_to(ROOT)}")
    sys.exit(code)
