"""Says what is wrong where JSON cannot go on: what was found, what is expected, and the likeliest reason."""

import re
import unicodedata

from sheliak.source.declared import dataclass
from sheliak.source.json_tokens import COMMENT, LOOSE_STRING, STRING, STRING_CONTENTS, WORD
from sheliak.source.problem import ProblemKind
from sheliak.source.text import Source, Span

_CLOSING = {"{": "}", "[": "]"}
_QUOTES = {
    "'": "a single quote",
    "`": "a back quote",
    "\u2018": "a typographic quote",
    "\u2019": "a typographic quote",
    "\u201c": "a typographic quote",
    "\u201d": "a typographic quote",
    "\u201e": "a typographic quote",
    "\u00ab": "a guillemet",
}
_WORDS = {
    "True": "`True` is written `true` in JSON",
    "False": "`False` is written `false` in JSON",
    "None": "`None` is written `null` in JSON",
    "TRUE": "`TRUE` is written `true` in JSON",
    "FALSE": "`FALSE` is written `false` in JSON",
    "NULL": "`NULL` is written `null` in JSON",
    "nil": "`nil` is written `null` in JSON",
    "nan": "`nan` is not a JSON value; `null` stands for a missing number",
    "undefined": "`undefined` is not a JSON value; write `null`, or leave the member out",
}
_LONGEST_QUOTATION = 40
_LONGEST_JUDGED = 5_000_000
"""How much text is searched for a bracket whose indentation does not fit: half a second's worth."""

_QUOTED = re.compile(
    r"(['`\u2018\u2019\u201c\u201d\u201e\u00ab])[^'`\u2018\u2019\u201c\u201d\u201e\u00bb\n\r]*+['`\u2019\u201c\u201d\u00bb]?"
)
_NUMBER_LIKE = re.compile(r"[-+]?\.?[0-9][\w.+-]*+|[-+]")
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]*+")
_CONFLICT_MARKER = re.compile(r"(?:<{7}|={7}|>{7})[^\n\r]*+")
_REST_OF_LINE = re.compile(r"[^\n\r]*+")
# Bounded, because a line of a megabyte may hold a great many brackets.
_INDENTATION = re.compile(r"[ \t]{0,400}")
_STRING = re.compile(LOOSE_STRING)
_PLAIN_PART = re.compile(STRING_CONTENTS)
_BRACKET_OR_SKIPPED = re.compile(rf"{LOOSE_STRING}|{COMMENT}|[\[{{\]}}]")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the reader cannot go on."""

    message: str
    span: Span
    kind: ProblemKind = "syntax"
    related: Span | None = None


@dataclass(frozen=True, slots=True)
class Inside:
    """The container that is being read: where it was opened, and the key or index it is at."""

    opening: int
    key: str | int | None

    def closing(self, text: str) -> str:
        return _CLOSING[text[self.opening]]


def no_value(source: Source, position: int, inside: Inside | None, after_key: bool) -> Fault:
    """A value is expected at `position`."""
    text = source.text
    found = text[position : position + 1]
    if not found:
        return never_closed(source, inside) if inside else _nothing_there(text)
    if found in ",:]}" and inside is not None:
        return _missing_value(source, position, inside, after_key)
    return _foreign(text, position) or _not_a_value(text, position)


def no_key(source: Source, position: int, inside: Inside) -> Fault:
    """A key or the end of the object is expected at `position`."""
    text = source.text
    found = text[position : position + 1]
    if not found:
        return never_closed(source, inside)
    if found == "]":
        return wrong_bracket(source, position, inside)
    if found == ",":
        return Fault("a member is missing before this comma", Span(position, position + 1))
    span = _token(text, position)
    if WORD.match(text, position):
        return Fault(f"the key {_quoted(text, span)} must stand in double quotes", span)
    return _foreign(text, position) or Fault(f"{_found(text, span)} where a key in double quotes or `}}` is expected", span)


def no_colon(source: Source, position: int, inside: Inside) -> Fault:
    """A colon is expected between the key just read and its value."""
    text = source.text
    found = text[position : position + 1]
    if not found:
        return never_closed(source, inside)
    span = _token(text, position)
    if found in ",}":
        return Fault(f"the key {_shortened(str(inside.key))} has no value: {_found(text, span)} where a colon is expected", span)
    if found == "]":
        return wrong_bracket(source, position, inside)
    return Fault(f"a colon is missing after the key {_shortened(str(inside.key))}: {_found(text, span)} instead", span)


def no_comma(source: Source, position: int, inside: Inside) -> Fault:
    """A comma or the end of the container is expected behind a value."""
    text = source.text
    found = text[position : position + 1]
    if not found:
        return never_closed(source, inside)
    if found in "]}":
        return wrong_bracket(source, position, inside)
    closing, span = inside.closing(text), _token(text, position)
    if text[position - 1] == '"' and (found.isalnum() or found in "_$'"):
        message = f'the string ends before {_quoted(text, span)}; a double quote inside a string is written `\\"`'
        return Fault(message, span)
    if found == ":" and closing == "]":
        return Fault("a colon inside an array; keys and their values stand in `{` and `}`", span)
    if found == ";":
        return Fault("a semicolon stands where a comma is expected", span)
    if found in '"[{-' or found.isalnum():
        return Fault(f"a comma or `{closing}` is missing before {_quoted(text, span)}", span)
    return _foreign(text, position) or Fault(f"{_found(text, span)} where a comma or `{closing}` is expected", span)


def no_end(source: Source, position: int) -> Fault:
    """Nothing but blank space and comments may follow the root."""
    text = source.text
    if text[position] in "]}":
        return Fault(
            f"`{text[position]}` closes nothing: every bracket before it is closed already", Span(position, position + 1)
        )
    span = _token(text, position)
    return _foreign(text, position) or Fault(f"{_found(text, span)} behind the end of the JSON value", span)


def never_closed(source: Source, inside: Inside) -> Fault:
    """The text ends inside a container: the one whose indentation does not fit, else the innermost."""
    text = source.text
    opening = _badly_indented(source, len(text))
    opening = inside.opening if opening is None else opening
    bracket = text[opening]
    end = Span(len(text), len(text))
    message = f"this `{bracket}` is never closed: the text ends where `{_CLOSING[bracket]}` is expected"
    return Fault(message, Span(opening, opening + 1), related=end)


def wrong_bracket(source: Source, position: int, inside: Inside) -> Fault:
    """A closing bracket of the other kind."""
    text = source.text
    opening = _badly_indented(source, position + 1)
    opening = inside.opening if opening is None else opening
    line, column = source.line_column(opening)
    bracket = text[opening]
    place = f"line {line}, column {column}"
    message = f"`{text[position]}` stands where the `{bracket}` of {place} must be closed by `{_CLOSING[bracket]}` first"
    return Fault(message, Span(position, position + 1), related=Span(opening, opening + 1))


def bad_string(text: str, start: int) -> Fault:
    """The string that starts at `start` is not one JSON can read."""
    good = _PLAIN_PART.match(text, start + 1)
    stop = good.end() if good else start + 1
    found = text[stop : stop + 1]
    if found == "\\" and stop + 1 < len(text):
        return _bad_escape(text, stop)
    if found and found not in "\n\r\\":
        code = f"\\u{ord(found):04x}"
        written = {"\t": "\\t", "\b": "\\b", "\f": "\\f"}.get(found, code)
        return Fault(f"{_character(found)} inside a string is written `{written}`", Span(stop, stop + 1))
    if found and _closes_later(text, stop):
        return Fault("a line break inside a string is written `\\n`", Span(start, stop))
    return Fault("this string has no closing double quote", Span(start, stop))


def repeated_key(source: Source, earlier: int, span: Span) -> Fault:
    """A key that the object has already, at `earlier`; JavaScript keeps the last value."""
    line, column = source.line_column(earlier)
    key = _quoted(source.text, Span(span.start + 1, span.end - 1))
    message = f"the key {key} is repeated: its value at line {line}, column {column} is overwritten"
    return Fault(message, span, "duplicate-key", _token(source.text, earlier))


def constant(word: str, start: int) -> Fault:
    """A number that JSON has no word for."""
    return Fault(f"`{word}` is not a JSON value; `null` stands for a missing number", Span(start, start + len(word)), "constant")


def too_deep(position: int, limit: int) -> Fault:
    return Fault(f"brackets are nested more than {limit} levels deep", Span(position, position + 1), "depth")


def _nothing_there(text: str) -> Fault:
    what = "holds only blank space and comments" if text.strip() else "is empty"
    return Fault(f"the text {what}: there is no JSON value to read", Span(0, len(text)), "empty")


def _missing_value(source: Source, position: int, inside: Inside, after_key: bool) -> Fault:
    text, span = source.text, Span(position, position + 1)
    if after_key and text[position] != "]":
        return Fault(f"the key {_shortened(str(inside.key))} has no value: {_found(text, span)} instead", span)
    if text[position] in "]}":
        return wrong_bracket(source, position, inside)
    if text[position] == ",":
        return Fault("an element is missing before this comma", span)
    return Fault(f"{_found(text, span)} where an element or `]` is expected", span)


def _not_a_value(text: str, position: int) -> Fault:
    span = _token(text, position)
    token = text[span.start : span.end]
    if token in _WORDS:
        return Fault(_WORDS[token], span)
    if WORD.match(text, position):
        return Fault(f"{_quoted(text, span)} is not a JSON value; text stands in double quotes", span)
    if _NUMBER_LIKE.match(text, position):
        return Fault(_bad_number(token), span)
    if text[position] == "<" and not text[:position].strip():
        return Fault("`<` stands where a JSON value is expected: this seems to be HTML or XML", span)
    return Fault(f"{_found(text, span)} where a JSON value is expected", span)


def _bad_number(token: str) -> str:
    digits = token.lstrip("-+")
    if digits[:2].lower() in {"0x", "0b", "0o"}:
        reason = "JSON writes numbers in decimal"
    elif token.startswith("+"):
        reason = "a JSON number has no plus sign"
    elif digits.startswith("."):
        reason = "a digit is expected before the decimal point"
    elif re.fullmatch(r"[0-9]+\.", digits) or re.match(r"[0-9]+\.[eE]", digits):
        reason = "a digit is expected behind the decimal point"
    elif re.match(r"0[0-9]", digits):
        reason = "a JSON number does not start with 0"
    else:
        reason = "digits, at most one decimal point and an exponent make a number"
    return f"{_shortened(token)} is not a JSON number: {reason}"


def _bad_escape(text: str, position: int) -> Fault:
    escape = text[position : position + 2]
    if escape == "\\u":
        digits = _HEXADECIMAL.match(text, position + 2)
        return Fault("`\\u` needs four hexadecimal digits", Span(position, digits.end() if digits else position + 2))
    if escape[1] in "\n\r":
        return Fault("a string cannot go on behind a backslash at the end of its line", Span(position, position + 1))
    return Fault(
        f"{_shortened(escape)} is not an escape of JSON; a backslash itself is written `\\\\`", Span(position, position + 2)
    )


def _closes_later(text: str, line_break: int) -> bool:
    """Whether the string goes on in the next line: a double quote follows there before any colon or bracket."""
    return re.match(r'[\n\r]+[^"\n\r:{}\[\]]*+"[ \t]*+(?:[,}\]\n\r]|$)', text[line_break : line_break + 1000]) is not None


def _foreign(text: str, position: int) -> Fault | None:
    """Something of another language than JSON, wrong wherever it stands."""
    found = text[position]
    if found in _QUOTES:
        return Fault(f"a JSON string or key stands in straight double quotes; this is {_QUOTES[found]}", _token(text, position))
    if conflict := _CONFLICT_MARKER.match(text, position):
        return Fault("a merge conflict was left unresolved here", Span(*conflict.span()))
    if found == "#":
        return Fault("a comment starts with `//`, not with `#`", _rest_of_line(text, position))
    if text.startswith("/*", position):
        return Fault("this comment is never closed by `*/`", Span(position, position + 2))
    if not found.isprintable():
        return Fault(f"{_character(found)} cannot stand between JSON values", Span(position, position + 1))
    return None


def _token(text: str, position: int) -> Span:
    """The extent of what stands at `position`, read as kindly as possible."""
    if text[position] == '"':
        found = STRING.match(text, position) or _STRING.match(text, position)
        return Span(position, found.end()) if found else _rest_of_line(text, position)
    found = WORD.match(text, position) or _NUMBER_LIKE.match(text, position) or _QUOTED.match(text, position)
    return Span(position, found.end() if found else position + 1)


def _rest_of_line(text: str, position: int) -> Span:
    found = _REST_OF_LINE.match(text, position)
    return Span(position, found.end() if found else position + 1)


def _found(text: str, span: Span) -> str:
    return f"{_quoted(text, span)} stands" if text[span.start].isprintable() else f"{_character(text[span.start])} stands"


def _quoted(text: str, span: Span) -> str:
    return _shortened(text[span.start : span.end])


def _shortened(token: str) -> str:
    line = "".join(character if character.isprintable() else "\ufffd" for character in token[: _LONGEST_QUOTATION + 1])
    return f"`{line}`" if len(line) <= _LONGEST_QUOTATION else f"`{line[:_LONGEST_QUOTATION]}…`"


def _character(character: str) -> str:
    """A character that cannot be shown, by its number and name."""
    names = {"\t": "tab", "\x00": "null", "\ufeff": "byte order mark"}
    name = names.get(character) or unicodedata.name(character, "control character").lower()
    return f"the character U+{ord(character):04X} ({name})"


def _badly_indented(source: Source, stop: int) -> int | None:
    """The first bracket whose partner leads a line that is indented less: most likely its own partner is missing."""
    if stop > _LONGEST_JUDGED:
        return None
    openings: list[int] = []
    for found in _BRACKET_OR_SKIPPED.finditer(source.text, 0, stop):
        if found[0] in _CLOSING:
            openings.append(found.start())
        elif found[0] in {"]", "}"} and openings:
            opening = openings.pop()
            if _is_indented_less(source, found.start(), opening):
                return opening
    return None


def _is_indented_less(source: Source, closing: int, opening: int) -> bool:
    if source.text[closing - 1] not in " \t\n\r":
        return False
    indentation = _indentation(source, closing)
    return indentation == source.line_column(closing)[1] - 1 and indentation < _indentation(source, opening)


def _indentation(source: Source, offset: int) -> int:
    """How far the line of an offset is indented."""
    start = offset - source.line_column(offset)[1] + 1
    blank = _INDENTATION.match(source.text, start)
    return blank.end() - start if blank else 0
