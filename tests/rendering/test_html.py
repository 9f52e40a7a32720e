"""The report in a notebook."""

import re
from html import unescape
from html.parser import HTMLParser

import sheliak

HOSTILE = (
    '{"data": [{"name": "t", "values": [{"a": 1}], "transform": [{"type": "extent", "field": "<script>alert(1)</script>&"}]}]}'
)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def html(spec: str) -> str:
    return sheliak.check(spec)._repr_html_()


def test_what_a_spec_holds_is_never_markup() -> None:
    tags = Tags()
    tags.feed(html(HOSTILE))
    tags.close()
    assert (tags.seen, tags.open) == ({"pre", "span"}, [])


def test_the_html_says_what_the_text_says() -> None:
    report = sheliak.check(HOSTILE)
    assert unescape(re.sub("<[^>]*>", "", report._repr_html_())) == str(report)


def test_a_clean_report_is_short() -> None:
    assert unescape(re.sub("<[^>]*>", "", html('{"width": 200}'))) == "1 file checked, no findings"
