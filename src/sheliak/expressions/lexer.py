"""Expression text -> tokens.

A token is `(kind, text, start, end)`. Nothing is rejected here: what cannot be read becomes a token of a `BAD_` kind, which no
grammar rule accepts. A slash begins a regular expression where an operand is due, and divides elsewhere; the token before it tells.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, TypeAlias

from sheliak.expressions.letters import first_letters, later_letters
from sheliak.source.repeats import any_number, some

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
_ASCII_SPACE = " \t\x0b\x0c\n\r"
_SPACE = _ASCII_SPACE + "\xa0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_DECIMAL = r"(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_OPERATOR = r"[=!]==?|=>|>>>=?|<<=|>>=|[-+*%&|^<>]=|\+\+|--|<<|>>|&&|\|\||//|[-+*%&|^<>=!]"


def _string(quote: str) -> str:
    plain = rf"[^{quote}\\{LINE_ENDS}]*+"
    escaped = any_number(rf"\\(?:\r\n|.){plain}")
    return f"{quote}{plain}{escaped}{quote}"


def _token_pattern(space: str, first: str, later: str) -> re.Pattern[str]:
    """One group per kind, numbered as the kinds are."""
    name = rf"{first}{later}*+"
    bad_digits = any_number(rf"[eE][+-]|\.|{later}")
    bad_characters = any_number(rf"[^\\{LINE_ENDS}]|\\(?:\r\n|.)")
    groups = {
        NAME: rf"({name})",
        DOTTED: rf"\.[{space}]*+({name})",
        PUNCTUATOR: rf"([,()\[\]{{}}?:;~]|\.(?![0-9])|{_OPERATOR})",
        # Atomic: `1.e5x` must not be read as `1` `.` `e5x`.
        NUMBER: rf"((?>0[xX][0-9a-fA-F]+|{_DECIMAL})(?!{later}))",
        STRING: "(" + "|".join(map(_string, "\"'")) + ")",
        _SLASH: r"(/=?)",
        END: r"(\Z)",
        BAD_NUMBER: rf"(\.?[0-9]{bad_digits})",
        BAD_STRING: rf"([\"']{bad_characters}\\?)",
        BAD_CHARACTER: r"(.)",
    }
    return re.compile(rf"[{space}]*+(?:{'|'.join(groups.values())})", re.DOTALL)


# Compiling takes milliseconds at every start, so what few expressions need is compiled when the first of them comes.
_ASCII_TOKEN = _token_pattern(_ASCII_SPACE, r"[A-Za-z_$\\]", r"[A-Za-z0-9_$\\]")
# Everything beyond ASCII that is not a space counts as a letter at first; `_resolved` decides. The class lists what it leaves out,
# since it is compiled in time proportional to the characters it lists.
_NO_LETTER = rf"\x00-#%-/:-@\[\]^`{{-\x7f{_SPACE}"


@cache
def _any_token() -> re.Pattern[str]:
    return _token_pattern(_SPACE, rf"[^0-9{_NO_LETTER}]", rf"[^{_NO_LETTER}]")


@cache
def _regex() -> re.Pattern[str]:
    within = any_number(rf"[^\]\\{LINE_ENDS}]|\\[^{LINE_ENDS}]")
    parts = some(rf"[^/\[\\{LINE_ENDS}]|\\[^{LINE_ENDS}]|\[{within}\]")
    return re.compile(rf"/{parts}/[^{_NO_LETTER}]*")


@cache
def _escape() -> re.Pattern[str]:
    return re.compile(
        r"\\(?:[ux]\{(?P<point>[0-9a-fA-F]+)\}|u(?P<four>[0-9a-fA-F]{4})|x(?P<two>[0-9a-fA-F]{2})"
        rf"|(?P<octal>[0-3][0-7]{{0,2}}|[4-7][0-7]?)|\r\n|[{LINE_ENDS}]|(?P<letter>.))",
        re.DOTALL,
    )


_CLOSING = frozenset(")]}")
_WORD_OPERATORS = frozenset({"in", "instanceof"})
_ESCAPE_IN_NAME = re.compile(r"\\u([0-9a-fA-F]{4})")
_CONTROL = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v"}


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
    plain = text.isascii()
    pattern = _ASCII_TOKEN if plain else _any_token()
    position: int | None = 0
    while position is not None:
        position = _read_tokens(pattern, text, position, tokens)
    if not plain or "\\" in text:
        return [_resolved(token) if token[0] <= DOTTED else token for token in tokens]
    return tokens


def _read_tokens(pattern: re.Pattern[str], text: str, position: int, tokens: list[Token]) -> int | None:
    """Add the tokens from a position up to and with the next regular expression, and say where that ended; None at the end."""
    for found in pattern.finditer(text, position):
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
    found = _regex().match(text, start)
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
        return letter.isalpha() or letter in "_$" or (letter.isdigit() and not leads)
    return letter in (first_letters() if leads else later_letters())


def string_value(raw: str, start: int) -> tuple[str, int | None]:
    """The text a quoted literal stands for, and where its first octal escape is, if it has one."""
    if "\\" not in raw:
        return raw[1:-1], None
    parts, octal, at = [], None, 1
    for escape in _escape().finditer(raw, 1, len(raw) - 1):
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
