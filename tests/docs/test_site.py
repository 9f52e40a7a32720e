"""The site: every page has a place on it, every link leads somewhere, nothing is fetched, and MkDocs has nothing to warn of."""

import posixpath
import re
import subprocess
import unicodedata
from pathlib import Path

import pytest

import documentation
import pictures

ROOT = documentation.ROOT
BUILT = "`make docs` has not made the builder's environment"


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    documentation.gather(folder)
    return folder


def texts(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")}


def test_every_page_is_there(gathered: Path) -> None:
    names = set(texts(gathered))
    assert {"index.md", "tutorials/altair.md", "decisions/README.md", "transforms/fold.md"} <= names
    named = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]))
    assert named == {name for name in names if not name.startswith(("decisions/0", "transforms/"))}


def test_links_between_pages_lead_to_pages(gathered: Path) -> None:
    for name, text in texts(gathered).items():
        for words, target in documentation.LINK.findall(documentation.FENCE.sub("", text)):
            file = target.partition("#")[0]
            assert not file or "://" in file or (gathered / name).parent.joinpath(file).exists(), f"{name}: [{words}]({target})"


def anchors(text: str) -> set[str]:
    """The places of a page that a link may lead to: titles as MkDocs writes them, and those that are named."""
    titles = re.findall(r"^#+ (.*)$", documentation.FENCE.sub("", text), re.MULTILINE)
    named = {found[1] for title in titles if (found := re.search(r"\{#([\w-]+)\}$", title))}
    plain = [unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower() for title in titles]
    return named | {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip()) for title in plain}


def test_links_into_pages_lead_to_their_titles(gathered: Path) -> None:
    pages = texts(gathered)
    wrong = []
    for name, text in pages.items():
        for _, target in documentation.LINK.findall(documentation.FENCE.sub("", text)):
            file, mark, anchor = target.partition("#")
            page = posixpath.normpath(posixpath.join(posixpath.dirname(name), file)) if file else name
            if mark and "://" not in target and anchor not in anchors(pages[page]):
                wrong.append(f"{name}: {target}")
    assert wrong == []


def test_a_link_out_of_the_pages_is_its_words(gathered: Path) -> None:
    assert "[`fold`](transforms/fold.md)" in texts(gathered)["transforms.md"]
    assert "](../tests" not in texts(gathered)["paper-map.md"]
    assert "`test_soundness`" in texts(gathered)["paper-map.md"]


def test_a_link_that_leads_nowhere_ends_the_build(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"docs/a\.md: there is no missing\.md#b"):
        documentation.with_links("[a](missing.md#b)", ROOT / "docs" / "a.md", "a.md", {})


def test_pages_show_pictures_that_exist(gathered: Path) -> None:
    shown = {name: re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text) for name, text in texts(gathered).items()}
    assert sum(map(len, shown.values())) >= 6
    for name, places in shown.items():
        assert [place for place in places if not (gathered / name).parent.joinpath(place).is_file()] == [], name


def test_pictures_are_what_would_be_drawn_now() -> None:
    assert [path.name for path, text in pictures.pictures() if path.read_text(encoding="utf-8") != text] == [], "make pages"


def test_pictures_fetch_nothing() -> None:
    for path in pictures.PICTURES.glob("*.svg"):
        assert re.findall(r"(?:href=|src=|url\()[\"']?https?:", path.read_text(encoding="utf-8")) == [], path.name


@pytest.mark.skipif(not documentation.BUILDER.exists(), reason=BUILT)
def test_the_site_is_built_without_a_warning_and_fetches_nothing(gathered: Path, tmp_path: Path) -> None:
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    settings = settings.replace("docs_dir: build/pages", f"docs_dir: {gathered}").replace(
        "site_dir: build/site", f"site_dir: {tmp_path / 'site'}"
    )
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    ended = subprocess.run(
        documentation.command(tmp_path / "mkdocs.yml"), capture_output=True, text=True, check=False, timeout=120
    )
    assert (ended.returncode, [line for line in ended.stderr.splitlines() if "WARN" in line or "ERROR" in line]) == (0, [])
    for page in (tmp_path / "site").rglob("*.html"):
        fetched = re.findall(
            r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"?(https?:[^\" >]+)", page.read_text(encoding="utf-8")
        )
        assert fetched == [], page.name
    for sheet in (tmp_path / "site").rglob("*.css"):
        assert re.findall(r"(?:url\(|@import)\s*[\"']?https?:", sheet.read_text(encoding="utf-8")) == [], sheet.name
