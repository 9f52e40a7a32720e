"""Expression text -> tokens.

A token is `(kind, text, start, end)`. Nothing is rejected here: what cannot be read becomes a token of a `BAD_` kind, which no
grammar rule accepts. A slash begins a regular expression where an operand is due, and divides elsewhere; the token before it tells.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from sheliak.expressions.letters import first_letters, later_letters

Token: TypeAlias = tuple[int, str, int, int]

NAME: Final = 1
DOTTED: Final = 2  # the name after a dot; the dot belongs to the token but not to its text and place
PUNCTUATOR: Final = 3
NUMBER: Final = 4
STRING: Final = 5
_SLASH: Final = 6
END: Final = 7
BAD_NUMBER: Final = 8
BAD_STRING: Final = 9
BAD_CHARACTER: Final = 10
BAD_NAME: Final = 11
BAD_REGEX: Final = 12
REGEX: Final = 13

LINE_ENDS: Final = "\n\r\u2028\u2029"
_SPACE = " \t\x0b\x0c\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000\ufeff" + LINE_ENDS
# Everything beyond ASCII that is not a space; `_resolved` decides later whether it is a letter.
_BEYOND = "\x80-\x9f\xa1-\u167f\u1681-\u180d\u180f-\u1fff\u200b-\u2027\u202a-\u202e"
_BEYOND += "\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff"
_NAME_CHARACTER = rf"[A-Za-z0-9_$\\{_BEYOND}]"
_NAME = rf"[A-Za-z_$\\{_BEYOND}]{_NAME_CHARACTER}*+"
_DECIMAL = r"(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_OPERATOR = r"[=!]==?|=>|>>>=?|<<=|>>=|[-+*%&|^<>]=|\+\+|--|<<|>>|&&|\|\||//|[-+*%&|^<>=!]"

_PATTERNS = {
    NAME: _NAME,
    DOTTED: rf"\.[{_SPACE}]*+({_NAME}",  # the bracket of its group opens after the dot
    PUNCTUATOR: rf"[,()\[\]{{}}?:;~]|\.(?![0-9])|{_OPERATOR}",
    # Atomic: `1.e5x` must not be read as `1` `.` `e5x`.
    NUMBER: rf"(?>0[xX][0-9a-fA-F]+|{_DECIMAL})(?!{_NAME_CHARACTER})",
    STRING: "|".join([rf"{q}[^{q}\\{LINE_ENDS}]*+(?:\\(?:\r\n|.)[^{q}\\{LINE_ENDS}]*+)*+{q}" for q in "\"'"]),
    _SLASH: r"/=?",
    END: r"\Z",
    BAD_NUMBER: rf"\.?[0-9](?:[eE][+-]|\.|{_NAME_CHARACTER})*+",
    BAD_STRING: rf"[\"'](?:[^\\{LINE_ENDS}]|\\(?:\r\n|.))*+\\?",
    BAD_CHARACTER: r".",
}
_GROUPS = "|".join([f"({pattern})" if kind != DOTTED else f"{pattern})" for kind, pattern in _PATTERNS.items()])
_TOKEN = re.compile(rf"[{_SPACE}]*+(?:{_GROUPS})", re.DOTALL)

_IN_CLASS = rf"\[(?:[^\]\\{LINE_ENDS}]|\\[^{LINE_ENDS}])*+\]"
_REGEX = re.compile(rf"/(?:[^/\[\\{LINE_ENDS}]|\\[^{LINE_ENDS}]|{_IN_CLASS})++/{_NAME_CHARACTER}*")
_CLOSING = frozenset(")]}")
_WORD_OPERATORS = frozenset({"in", "instanceof"})
_ESCAPE_IN_NAME = re.compile(r"\\u([0-9a-fA-F]{4})")
_ESCAPE = re.compile(
    r"\\(?:[ux]\{(?P<point>[0-9a-fA-F]+)\}|u(?P<four>[0-9a-fA-F]{4})|x(?P<two>[0-9a-fA-F]{2})"
    rf"|(?P<octal>[0-3][0-7]{{0,2}}|[4-7][0-7]?)|\r\n|[{LINE_ENDS}]|(?P<letter>.))",
    re.DOTALL,
)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v"}
_ASCII_LETTER = re.compile(r"[A-Za-z_$]")
_ASCII_LATER = re.compile(r"[A-Za-z0-9_$]")


class ExpressionSyntaxError(Exception):
    """The text is no expression; `offset` and `end` enclose the part at fault."""

    def __init__(self, message: str, offset: int, end: int) -> None:
        super().__init__(message)
        self.message: Final = message
        self.offset: Final = offset
        self.end: Final = end


class ExpressionTooDeep(ExpressionSyntaxError):
    """The text may be an expression, but nests deeper than we, and hardly deeper than Vega, can follow."""


def tokens_of(text: str) -> list[Token]:
    """All tokens of a text; the last one is an END."""
    tokens: list[Token] = []
    position: int | None = 0
    while position is not None:
        position = _read_tokens(text, position, tokens)
    if "\\" in text or not text.isascii():
        return [_resolved(token) if token[0] <= DOTTED else token for token in tokens]
    return tokens


def _read_tokens(text: str, position: int, tokens: list[Token]) -> int | None:
    """Add the tokens from a position up to and with the next regular expression, and say where that ended; None at the end."""
    for found in _TOKEN.finditer(text, position):
        kind = found.lastindex or END
        token, end = found[kind], found.end()
        if kind == _SLASH:
            if _operand_due(tokens):
                tokens.append(_regex_token(text, end - len(token)))
                return tokens[-1][3]
            kind = PUNCTUATOR
        tokens.append((kind, token, end - len(token), end))
    return None


def _operand_due(tokens: list[Token]) -> bool:
    if not tokens:
        return True
    kind, text, _, _ = tokens[-1]
    return text not in _CLOSING if kind == PUNCTUATOR else kind == NAME and text in _WORD_OPERATORS


def _regex_token(text: str, start: int) -> Token:
    found = _REGEX.match(text, start)
    end = found.end() if found else len(text)
    return (REGEX if found else BAD_REGEX, text[start:end], start, end)


def _resolved(token: Token) -> Token:
    """The token with the escapes in its name replaced, or a BAD_NAME at the first impossible character."""
    kind, text, start, end = token
    letters, at = [], 0
    while at < len(text):
        letter, after = _letter_at(text, at)
        if not _is_letter(letter, at == 0):
            return (BAD_NAME, text[at:after], start + at, start + after)
        letters.append(letter)
        at = after
    return (kind, "".join(letters), start, end)


def _letter_at(text: str, at: int) -> tuple[str, int]:
    escape = _ESCAPE_IN_NAME.match(text, at)
    return (chr(int(escape[1], 16)), escape.end()) if escape else (text[at], at + 1)


def _is_letter(letter: str, leads: bool) -> bool:
    if letter.isascii():
        return (_ASCII_LETTER if leads else _ASCII_LATER).match(letter) is not None
    return letter in (first_letters() if leads else later_letters())


def string_value(raw: str, start: int) -> tuple[str, int | None]:
    """The text a quoted literal stands for, and where its first octal escape is, if it has one."""
    if "\\" not in raw:
        return raw[1:-1], None
    parts, octal, at = [], None, 1
    for escape in _ESCAPE.finditer(raw, 1, len(raw) - 1):
        parts.append(raw[at : escape.start()])
        parts.append(_escaped(escape, start))
        if octal is None and escape["octal"] not in (None, "0"):
            octal = start + escape.start()
        at = escape.end()
    parts.append(raw[at:-1])
    return _paired("".join(parts)), octal


def _escaped(escape: re.Match[str], start: int) -> str:
    if code := escape["point"] or escape["four"] or escape["two"]:
        point = int(code, 16)
        if point <= 0x10FFFF:
            return chr(point)
    elif code := escape["octal"]:
        return chr(int(code, 8))
    elif (letter := escape["letter"]) is None:
        return ""  # a backslash before a line end: the text goes on in the next line
    elif letter not in "ux":
        return _CONTROL.get(letter, letter)
    raise ExpressionSyntaxError(f"`{escape[0]}` is not an escape sequence", start + escape.start(), start + escape.end())


def _paired(text: str) -> str:
    """JavaScript's strings are UTF-16: two escapes for the halves of a character make that character."""
    if text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
