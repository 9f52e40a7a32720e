"""JavaScript's regular expressions as Java's, where both mean the same; everything else is refused.

What differs between the two is spelled out: `.` and `$` stop at other line ends, `\\s` and `\\b` know other characters, braces and
brackets may stand for themselves. Letter case is left aside for ASCII only, so a pattern with the flag `i` must be ASCII.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sheliak.expressions.regex_syntax import regex_problem
from sheliak.plan.unplannable import Unplannable

_TOKEN = re.compile(
    r"(?P<open>\((?:\?(?::|=|!))?)|(?P<close>\))|(?P<either>\|)|(?P<repeat>(?:[*+?]|\{[0-9]{1,4}(?:,[0-9]{0,4})?\})\??)"
    r"|(?P<set>\[\^?)|(?P<start>\^)|(?P<end>\$)|(?P<any>\.)|\\(?P<escape>.)|(?P<plain>[^\\])",
    re.DOTALL,
)
_SPACES = "\\t\\n\\x0B\\f\\r \\xA0\\x{FEFF}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}"
_MANY = {"d": "0-9", "w": "A-Za-z0-9_", "s": _SPACES}
_LETTERS = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_ANY = "[^\\n\\r\\x{2028}\\x{2029}]"
_WORD = "[A-Za-z0-9_]"
_EDGE = f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))"
_NO_EDGE = f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))"


def java_pattern(pattern: str, flags: str, *, by_unit: bool = False) -> str:
    """The pattern in Java's words. Raises Unplannable for what means something else there.

    `by_unit`: what is matched matters, not only whether; there JavaScript may match half of a character beyond U+FFFF.
    """
    if problem := regex_problem(pattern, flags):
        raise Unplannable(f"the regular expression /{pattern}/ is invalid: {problem}")
    if not set(flags) <= set("gi") or ("i" in flags and not pattern.isascii()):
        raise Unplannable(f"the regular expression /{pattern}/{flags} has no exact counterpart")
    translation = _Translation(pattern)
    written = translation.written()
    if by_unit and translation.wide:
        raise Unplannable(f"the regular expression /{pattern}/ may match half of a character")
    return ("(?i)" if "i" in flags else "") + written


@dataclass(slots=True)
class _Translation:
    """One walk over a valid pattern."""

    text: str
    at: int = 0
    wide: bool = False
    """It matches characters that it does not name."""

    def written(self) -> str:
        parts = []
        while self.at < len(self.text):
            found = _TOKEN.match(self.text, self.at)
            if found is None:
                raise Unplannable(f"the regular expression /{self.text}/ has no exact counterpart")
            self.at = found.end()
            parts.append(self._token(found))
        return "".join(parts)

    def _token(self, found: re.Match[str]) -> str:
        match found.lastgroup:
            case "set":
                return self._set(negated=found["set"].endswith("^"))
            case "start":
                return "^"
            case "end":
                return "\\z"
            case "any":
                self.wide = True
                return _ANY
            case "escape":
                return self._escape(found["escape"])
            case "plain":
                return _plain(found["plain"])
            case "open":
                # A group with a name, a look behind, and the like.
                if found["open"] == "(" and self.text[self.at : self.at + 1] == "?":
                    raise Unplannable(f"the regular expression /{self.text}/ has no exact counterpart")
                return found["open"]
            case _:
                return found[0]

    def _escape(self, letter: str) -> str:
        if letter.lower() in _MANY:
            self.wide |= letter.isupper()
            return f"[{'^' if letter.isupper() else ''}{_MANY[letter.lower()]}]"
        if letter in "bB":
            return _EDGE if letter == "b" else _NO_EDGE
        return _plain(self._character(letter))

    def _character(self, letter: str) -> str:
        """The character that an escape stands for."""
        if letter in _LETTERS:
            return _LETTERS[letter]
        if letter in "xu":
            width = 2 if letter == "x" else 4
            digits = self.text[self.at : self.at + width]
            if re.fullmatch(f"[0-9a-fA-F]{{{width}}}", digits):
                self.at += width
                return chr(int(digits, 16))
        if letter.isalnum():
            raise Unplannable(f"the regular expression /{self.text}/ has no exact counterpart")
        return letter

    def _set(self, *, negated: bool) -> str:
        items: list[str] = []
        self.wide |= negated
        while self.text[self.at] != "]":
            items.append(self._set_item())
        self.at += 1
        if not items:
            return "[\\s\\S]" if negated else "(?!)"
        return f"[{'^' if negated else ''}{''.join(items)}]"

    def _set_item(self) -> str:
        first = self._set_character()
        if len(first) > 1 or self.text[self.at : self.at + 1] != "-" or self.text[self.at + 1 : self.at + 2] in ("]", ""):
            return first if len(first) > 1 else _plain(first)
        self.at += 1
        last = self._set_character()
        if len(last) > 1:
            return f"{_plain(first)}{_plain('-')}{last}"
        return f"{_plain(first)}-{_plain(last)}"

    def _set_character(self) -> str:
        """A character, or several as Java writes them."""
        letter = self.text[self.at]
        self.at += 1
        if letter != "\\":
            return letter
        escape = self.text[self.at]
        self.at += 1
        if escape.lower() in _MANY:
            self.wide |= escape.isupper()
            return f"[{'^' if escape.isupper() else ''}{_MANY[escape.lower()]}]"
        return "\b" if escape == "b" else self._character(escape)


def _plain(character: str) -> str:
    """A character that means itself."""
    return character if character.isascii() and character.isalnum() else f"\\x{{{ord(character):X}}}"


def java_replacement(text: str) -> str:
    """What replaces a match, in Java's words: `$&` and `$1` are the match and its groups, `$$` a dollar sign."""
    parts = []
    for piece in re.findall(r"\$\$|\$&|\$[0-9]+|\$.|[^$]+|\$", text, re.DOTALL):
        if piece == "$$":
            parts.append("\\$")
        elif piece.startswith("$"):
            raise Unplannable("a replacement that is made of what was matched")
        else:
            parts.append(piece.replace("\\", "\\\\"))
    return "".join(parts)
