"""The generated pages are those the code would generate now."""

from generate_docs import stale_pages


def test_generated_pages_are_up_to_date() -> None:
    assert stale_pages() == [], "run `make docs`"
