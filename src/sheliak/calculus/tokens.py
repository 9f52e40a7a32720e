"""The words of the surface syntax."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from sheliak.calculus.syntax import Span

Kind: TypeAlias = Literal["name", "number", "string", "symbol", "end"]


@dataclass(eq=False)
class SyntaxProblem(Exception):
    """What is wrong, and where."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Token:
    """`value` is what a string stands for; for the other kinds it is the text."""

    kind: Kind
    text: str
    value: str
    span: Span
    begins_line: bool

    @property
    def described(self) -> str:
        if self.kind == "end":
            return "the end of the text"
        return self.text if self.kind == "string" else f"`{self.text}`"


_TOKEN: Final = re.compile(
    r"""
    (?P<blank>   [ \t\r\f\ufeff]+ | \#[^\n]* )
  | (?P<newline> \n )
  | (?P<number>  (?: [0-9]+ (?: \.[0-9]* )? | \.[0-9]+ ) (?: [eE][+-]?[0-9]+ )? (?! [\w.] ) )
  | (?P<name>    [^\W\d]\w* )
  | (?P<string>  "(?: [^"\\\n] | \\[^\n] )*" | '(?: [^'\\\n] | \\[^\n] )*' )
  | (?P<symbol>  [(){}\[\],:.+\-*×/] )
    """,
    re.VERBOSE,
)
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0", '"': '"', "'": "'", "\\": "\\"}


def tokens_of(text: str) -> list[Token]:
    """The tokens, an `end` last; or SyntaxProblem."""
    tokens: list[Token] = []
    position, begins_line = 0, True
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _unreadable(text, position)
        span, position = Span(position, match.end()), match.end()
        match match.lastgroup:
            case "newline":
                begins_line = True
            case ("name" | "number" | "string" | "symbol") as kind:
                tokens.append(Token(kind, match[0], _value(kind, match[0], span), span, begins_line))
                begins_line = False
    return [*tokens, Token("end", "", "", Span(len(text), len(text)), True)]


def _unreadable(text: str, position: int) -> SyntaxProblem:
    c = text[position]
    if c in "\"'":
        end = text.find("\n", position)
        return SyntaxProblem("this string does not end on its line", Span(position, len(text) if end < 0 else end))
    if c.isdigit() or c == ".":
        return SyntaxProblem("this is not a number", Span(position, position + 1))
    return SyntaxProblem(f"the character {c!r} has no meaning here", Span(position, position + 1))


def _value(kind: Kind, text: str, span: Span) -> str:
    if kind == "number" and float(text) == float("inf"):
        raise SyntaxProblem("this number is too large for a double", span)
    return _ESCAPE.sub(lambda escape: _unescaped(escape, span), text[1:-1]) if kind == "string" else text


def _unescaped(escape: re.Match[str], span: Span) -> str:
    digits = escape[1] or escape[2] or escape[3]
    at = Span(span.start + 1 + escape.start(), span.start + 1 + escape.end())
    if digits:
        if int(digits, 16) > 0x10FFFF:
            raise SyntaxProblem("there is no such character", at)
        return chr(int(digits, 16))
    if escape[4] not in _ESCAPED:
        raise SyntaxProblem(f"there is no escape {escape[0]}", at)
    return _ESCAPED[escape[4]]
