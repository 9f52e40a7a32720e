"""The tokens of JSON with comments, as regular expressions that never backtrack (possessive repeats)."""

import re
from collections.abc import Iterator

from sheliak.source.repeats import any_number

SPACE = r"[ \t\n\r]*+"
_STARS = any_number(r"\*(?!/)[^*]*+")
COMMENT = rf"(?://[^\n\r]*+|/\*[^*]*+{_STARS}\*/)"
GAP = SPACE + any_number(COMMENT + SPACE)
"""What may stand between two tokens."""

_ESCAPED = any_number(r'\\[\s\S][^"\\]*+')
LOOSE_STRING = rf'"[^"\\]*+{_ESCAPED}"'
"""A string's extent, whatever its characters and escapes."""

BLANK = re.compile(GAP)
PLAIN_STRING = re.compile(r'"[^"\\\x00-\x1f]*+"')
STRING_CONTENTS = any_number(r'[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
STRING = re.compile(f'"{STRING_CONTENTS}"')
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][-+]?[0-9]++)?(?![\w.+-])")
WORD = re.compile(r"-?(?:[^\W\d]|\$)[\w$]*+")
_STRING_OR_COMMENT = re.compile(rf"{LOOSE_STRING}|({COMMENT})")

LITERALS = {"true": True, "false": False, "null": None}


def end_of_blank(text: str, start: int) -> int:
    """The offset of the next token: behind white space and comments."""
    found = BLANK.match(text, start)
    return found.end() if found else start


def comments(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and contents of every comment, in their order."""
    for found in _STRING_OR_COMMENT.finditer(text):
        if comment := found[1]:
            contents = comment[2:] if comment.startswith("//") else comment[2:-2]
            yield found.start(), found.end(), contents.strip()
