"""From the code points of a decoded string back to the text it was written as.

Only an escape makes the two differ, so one walk over the escapes of one string is enough.
"""

import re

from sheliak.source.text import Span

# Two \u escapes that are a high and a low surrogate decode to one code point; a lone one stays a code point of its own.
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")


def span_within(text: str, string: Span, start: int, end: int) -> Span:
    """Where the decoded code points `start` to `end` of a string are written; `string` includes its quotes.

    A stretch that covers an escape covers it whole. Offsets beyond the string mean its closing quote.
    """
    first = raw_offset(text, string, start)
    return Span(first, max(first, raw_offset(text, string, end)))


def raw_offset(text: str, string: Span, offset: int) -> int:
    """The offset in the text at which the decoded code point number `offset` of a string begins."""
    opening, closing = string.start + 1, string.end - 1
    written = opening + max(offset, 0)
    for escape in _ESCAPE.finditer(text, opening, closing):
        if escape.start() >= written:
            break
        # The escape stands for one code point, so everything behind it is written that much later.
        written += escape.end() - escape.start() - 1
    return min(written, closing)
