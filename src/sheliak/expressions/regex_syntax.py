"""Whether a regular expression literal is one that Vega's parser accepts.

Vega asks JavaScript for the pattern *without* its flags, so the rules are those of the old, lenient grammar (ECMAScript, annex B)
whatever the flags say: an unknown escape stands for its letter, a brace that is no quantifier for itself. What is left to reject is
little: brackets that do not match, a quantifier with nothing before it, ranges in the wrong order, and bad group names.
JavaScript sees UTF-16 units, so a character beyond U+FFFF counts as two, except under the flag `u`, where Vega replaces it by one letter.
"""

from __future__ import annotations

import re
from typing import Final
from unicodedata import category

from sheliak.source.repeats import any_number

_FLAGS: Final = frozenset("gimuy")
_ELEMENT = re.compile(
    r"(?P<assertion>\^|\$|\\[bB])|(?P<open>\((?:\?(?:[:=]|!|(?P<behind><[=!])|<(?P<name>[^>]*>?)|(?P<unknown>)))?)|(?P<close>\))"
    r"|(?P<either>\|)|(?P<repeat>[*+?]|\{(?P<least>[0-9]+)(?P<open_ended>,(?P<most>[0-9]+)?)?\})\??"
    r"|(?P<set>\[\^?)|(?P<reference>\\k(?:<(?P<referred>[^>]*>?))?)|(?P<atom>\\(?!\Z).|[^\\])",
    re.DOTALL,
)
_SET_ITEM = re.compile(
    r"(?P<end>\])|\\(?:(?P<many>[dDsSwW])|c(?P<control>[A-Za-z0-9_])|x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})"
    r"|(?P<octal>[0-3][0-7]{0,2}|[4-7][0-7]?)|(?P<letter>[^c]))|(?P<plain>.)",
    re.DOTALL,
)
_SET_LETTERS = {"b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_NAME_LETTER = re.compile(r"\\u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]+)\})|([^\\])", re.DOTALL)
_CODE_POINT = re.compile(r"\\u\{([0-9a-fA-F]+)\}")
_NAMED_GROUP = re.compile(any_number(r"\\.|\[(?:[^\]\\]|\\.)*\]?|(?!\(\?<[^=!]).") + r"\(\?<", re.DOTALL)
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Cn"})
_MARKS_AND_DIGITS = frozenset({"Mn", "Mc", "Nd", "Pc"})
_OTHER_FIRST = "\u1885\u1886\u2118\u212e\u309b\u309c"
_OTHER_LATER = "\xb7\u0387\u1369\u136a\u136b\u136c\u136d\u136e\u136f\u1370\u1371\u19da\u200c\u200d"
_LARGEST = 2**31 - 1  # a repetition count beyond it means "without end"


class _Invalid(Exception):
    """Carries what is wrong."""


def regex_problem(pattern: str, flags: str) -> str | None:
    """What is wrong with `/pattern/flags`; None if nothing is."""
    for flag in flags:
        if flag not in _FLAGS:
            return f"`{flag}` is not one of the flags g, i, m, u, y"
    try:
        _Pattern(_units(_without_code_points(pattern) if "u" in flags else pattern)).check()
    except _Invalid as problem:
        return str(problem)
    return None


def _without_code_points(pattern: str) -> str:
    """What Vega does under the flag `u`: one letter for each `\\u{...}`, and for each character of two units."""
    for code in _CODE_POINT.findall(pattern):
        if int(code, 16) > 0x10FFFF:
            raise _Invalid(f"`\\u{{{code}}}` is beyond the last character")
    return "".join(["x" if letter > "\uffff" else letter for letter in _joined(_CODE_POINT.sub("x", pattern))])


def _units(text: str) -> str:
    if text.isascii() or max(text) <= "\uffff":
        return text
    return "".join([unit for letter in text for unit in _halves(ord(letter))])


def _halves(point: int) -> str:
    if point <= 0xFFFF:
        return chr(point)
    return chr(0xD800 + (point - 0x10000 >> 10)) + chr(0xDC00 + (point - 0x10000 & 0x3FF))


def _joined(units: str) -> str:
    return units if units.isascii() else units.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


class _Pattern:
    """One walk over a pattern, element by element."""

    __slots__ = ("at", "groups", "named", "names", "references", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.groups: list[bool] = []  # for each open group: may it be repeated when it closes
        self.names: set[str] = set()
        self.references: set[str] = set()
        # `\k` is an ordinary letter in a pattern without named groups.
        self.named = _NAMED_GROUP.match(text) is not None

    def check(self) -> None:
        repeatable: bool | None = None  # None: nothing stands here that could be repeated
        while self.at < len(self.text):
            found = _ELEMENT.match(self.text, self.at)
            if found is None:
                raise _Invalid("it ends with a backslash")
            self.at = found.end()
            repeatable = self.element(found, repeatable)
        if self.groups:
            raise _Invalid("a group has no closing `)`")
        for name in self.references - self.names:
            raise _Invalid(f"it has no group named `{name}`")

    def element(self, found: re.Match[str], repeatable: bool | None) -> bool | None:
        """Check one element; say whether a quantifier may follow it."""
        match found.lastgroup:
            case "open":
                self.open(found)
                return None
            case "close":
                if not self.groups:
                    raise _Invalid("a `)` closes no group")
                return self.groups.pop()
            case "repeat":
                _check_repetition(found, repeatable)
                return None
            case "set":
                self.character_set()
                return True
            case "reference" if self.named:
                self.references.add(_group_name(found["referred"]))
                return True
            case "reference":
                self.at = found.start() + 2
                return True
            case "atom":
                return True
            case _:
                return None

    def open(self, found: re.Match[str]) -> None:
        if found["unknown"] is not None:
            raise _Invalid("`(?` must be followed by `:`, `=`, `!` or `<`")
        self.groups.append(found["behind"] is None)
        if found["name"] is not None:
            name = _group_name(found["name"])
            if name in self.names:
                raise _Invalid(f"two groups are named `{name}`")
            self.names.add(name)

    def character_set(self) -> None:
        low: int | None = None  # the first end of a possible range
        while (item := self.set_item()) is not None:
            low = item
            if self.text[self.at : self.at + 1] != "-" or self.text[self.at + 1 : self.at + 2] == "]":
                continue
            self.at += 1
            high = self.set_item()
            if high is not None and high >= 0 and low > high:
                raise _Invalid("a range in a character set is in the wrong order")

    def set_item(self) -> int | None:
        """The code of the next character of a set; -1 for a class such as `\\d`, which makes no range; None at its end."""
        found = _SET_ITEM.match(self.text, self.at)
        if found is None:
            return self.backslash()
        self.at = found.end()
        kind, text = found.lastgroup, found[found.lastindex or 0]
        match kind:
            case "end":
                return None
            case "many":
                return -1
            case "control":
                return ord(text) & 31
            case "x" | "u":
                return int(text, 16)
            case "octal":
                return int(text, 8)
            case "letter" if text == "k" and self.named:
                raise _Invalid("`\\k` in a character set")
            case "letter":
                return _SET_LETTERS.get(text, ord(text))
            case _:
                return ord(text)

    def backslash(self) -> int:
        if self.at + 1 >= len(self.text):
            raise _Invalid("a character set has no closing `]`")
        self.at += 1  # `\c` without a letter: the backslash stands for itself
        return ord("\\")


def _check_repetition(found: re.Match[str], repeatable: bool | None) -> None:
    if repeatable is None:
        raise _Invalid(f"there is nothing for `{found['repeat']}` to repeat")
    if not repeatable:
        raise _Invalid("a look behind cannot be repeated")
    if found["most"] and min(int(found["least"]), _LARGEST) > min(int(found["most"]), _LARGEST):
        raise _Invalid(f"the numbers in `{found['repeat']}` are in the wrong order")


def _group_name(text: str | None) -> str:
    if not text or not text.endswith(">"):
        raise _Invalid("a group name has no closing `>`")
    letters, at = [], 0
    while at < len(text) - 1:
        letter = _NAME_LETTER.match(text, at)
        if letter is None:
            raise _Invalid(f"`{text[:-1]}` is not the name of a group")
        letters.append(letter[3] or chr(min(int(letter[1] or letter[2], 16), 0x10FFFF)))
        at = letter.end()
    name = _joined("".join(letters))
    if not name or not all(_in_group_name(letter, index > 0) for index, letter in enumerate(name)):
        raise _Invalid(f"`{name}` is not the name of a group")
    return name


def _in_group_name(letter: str, later: bool) -> bool:
    """Unicode's ID_Start and ID_Continue; a character that Python's tables do not know yet passes."""
    if letter in "$_" or category(letter) in _LETTERS:
        return letter != "\u2e2f"
    return letter in _OTHER_FIRST or (later and (category(letter) in _MARKS_AND_DIGITS or letter in _OTHER_LATER))
