"""Regular expressions: JavaScript's, run by Python's engine."""

from __future__ import annotations


def source_of(pattern: str) -> str:
    """The pattern as it could stand between slashes."""
    if not pattern:
        return "(?:)"
    written, in_class, escaped = [], False, False
    for character in pattern:
        if character == "/" and not in_class and not escaped:
            written.append("\\")
        in_class = in_class if escaped else character == "[" or (in_class and character != "]")
        written.append(_LINE_ENDS.get(character, character))
        escaped = character == "\\" and not escaped
    return "".join(written)


_LINE_ENDS = {"\n": "\\n", "\r": "\\r", "\u2028": "\\u2028", "\u2029": "\\u2029"}
