"""Regular expressions: JavaScript's, translated into Python's and run by it.

Without the flag `u` JavaScript matches UTF-16 units, with it characters; `Matcher.form` gives a text in the form that is matched.
What the translation spells out: classes and `.` are JavaScript's, `$` is the very end, case is compared by JavaScript's rule, a
reference to a group that took no part matches the empty text. What Python cannot say (a look behind of no fixed width, `\\p` for
more than categories) is refused. One thing differs: a group inside a repetition keeps what it matched in an earlier round.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sheliak.expressions.character_sets import ANY, DIGITS, LINE_ENDS, SPACES, WORD, Ranges, category_ranges, complement, folded
from sheliak.expressions.texts import joined, units_of
from sheliak.expressions.values import EvaluationError
from sheliak.source.repeats import any_number


@dataclass(frozen=True, slots=True)
class Matcher:
    """A compiled regular expression."""

    run: re.Pattern[str]
    by_character: bool
    names: dict[str, int]

    @property
    def form(self) -> Callable[[str], str]:
        """A text in the form that `run` matches."""
        return joined if self.by_character else units_of


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


@lru_cache(maxsize=1024)
def matcher_of(pattern: str, flags: str) -> Matcher:
    """Raises EvaluationError for what JavaScript or Python refuses."""
    from sheliak.expressions.regex_syntax import regex_problem

    if len(set(flags)) < len(flags) or not set(flags) <= set("dgimsuvy") or {"u", "v"} <= set(flags):
        raise EvaluationError(f"Invalid flags supplied to RegExp constructor '{flags}'")
    if "v" in flags:
        raise EvaluationError("regular expressions with the flag `v` are not run here")
    if problem := regex_problem(pattern, "u" if "u" in flags else ""):
        raise EvaluationError(f"Invalid regular expression: /{pattern}/: {problem}")
    by_character = "u" in flags
    if by_character and (odd := _ODD_UNDER_U.match(pattern)):
        raise EvaluationError(f"Invalid regular expression: /{pattern}/: `{odd[1]}` is not allowed under the flag u")
    translation = _Translation(joined(pattern) if by_character else units_of(pattern), flags)
    try:
        return Matcher(re.compile(translation.written()), by_character, translation.names)
    except (re.error, RecursionError, OverflowError) as problem:
        raise EvaluationError(f"the regular expression /{pattern}/{flags} cannot be run here: {problem}") from None


_ELEMENT = re.compile(
    r"(?P<open>\((?:\?(?::|=|!|<[=!]|<(?P<name>[^>]*)>))?)|(?P<close>\))|(?P<either>\|)"
    r"|(?P<repeat>[*+?]|\{(?P<least>[0-9]+)(?P<comma>,(?P<most>[0-9]+)?)?\})(?P<lazy>\??)"
    r"|(?P<set>\[(?P<not>\^?))|(?P<start>\^)|(?P<end>\$)|(?P<any>\.)|(?P<escape>\\)|(?P<plain>.)",
    re.DOTALL,
)
_ESCAPE = re.compile(
    r"(?P<edge>[bB])|(?P<many>[dDsSwW])|c(?P<control>[A-Za-z])|x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})"
    r"|(?P<number>[1-9][0-9]*)|(?P<octal>0[0-7]{0,2})|(?P<letter>[tnvfr])|k<(?P<referred>[^>]*)>|(?P<other>.)",
    re.DOTALL,
)
_SET_ESCAPE = re.compile(
    r"(?P<many>[dDsSwW])|c(?P<control>[A-Za-z0-9_])|x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})"
    r"|(?P<octal>[0-3][0-7]{0,2}|[4-7][0-7]?)|(?P<letter>[btnvfr])|(?P<other>[^c])",
    re.DOTALL,
)
_BRACED = re.compile(
    r"u\{(?P<point>[0-9a-fA-F]+)\}|(?P<sign>[pP])\{(?P<property>[^}]*)\}|u(?P<high>[dD][89abAB][0-9a-fA-F]{2})"
    r"\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
)
# What is a letter by itself without the flag `u`, and an error with it: an escape without a meaning, a bracket without its other half.
_STRICT_ESCAPE = (
    r"\\(?:[\^$\\.*+?()\[\]{}|/bBdDsSwWtnvfr]|c[A-Za-z]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|[pP]\{[^}]*\}"
    r"|0(?![0-9])|[1-9][0-9]*|k<)"
)
_STRICT_SET = rf"\[\^?(?:[^\]\\]|{_STRICT_ESCAPE}|\\-)*\]"
_STRICT_BRACES = r"\{[0-9]+(?:,[0-9]*)?\}"
_ODD_UNDER_U = re.compile(
    any_number(rf"{_STRICT_SET}|{_STRICT_ESCAPE}|{_STRICT_BRACES}|[^\\\[\]{{}}]") + r"(\\.|[\[\]{}])", re.DOTALL
)
_LETTERS: Final = {"b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_MANY: Final[dict[str, Ranges]] = {"d": DIGITS, "s": SPACES, "w": WORD}
_START_OF_LINE = r"(?:\A|(?<=[\n\r\u2028\u2029]))"
_END_OF_LINE = r"(?=[\n\r\u2028\u2029]|\Z)"
_NEVER = "(?!)"
_WITHOUT_END = 2**31 - 1


class _Translation:
    """One walk over a pattern that is known to be valid."""

    __slots__ = ("at", "closed", "count", "flags", "names", "opened", "text", "total")

    def __init__(self, text: str, flags: str) -> None:
        self.text = text
        self.flags = flags
        self.at = 0
        self.count = 0
        self.opened: list[int] = []
        """For each open bracket the number of its group, 0 if it has none."""
        self.closed: set[int] = set()
        self.total, self.names = _groups(text)

    def written(self) -> str:
        parts = []
        while self.at < len(self.text):
            found = _ELEMENT.match(self.text, self.at)
            assert found is not None
            self.at = found.end()
            parts.append(self.element(found))
        return "".join(parts)

    def element(self, found: re.Match[str]) -> str:
        match found.lastgroup:
            case "open" | "name":
                return self.open(found["open"])
            case "close":
                self.closed.add(self.opened.pop())
                return ")"
            case "either":
                return "|"
            case "repeat" | "lazy" | "comma" | "most" | "least":
                return _repetition(found)
            case "set" | "not":
                return self.character_set(bool(found["not"]))
            case "start":
                return _START_OF_LINE if "m" in self.flags else r"\A"
            case "end":
                return _END_OF_LINE if "m" in self.flags else r"\Z"
            case "any":
                return _written(ANY if "s" in self.flags else complement(LINE_ENDS))
            case "escape":
                return self.escape()
            case _:
                return self.one(ord(found[0]))

    def open(self, bracket: str) -> str:
        capturing = bracket == "(" or bracket.endswith(">")
        self.count += capturing
        self.opened.append(self.count if capturing else 0)
        return "(" if capturing else bracket

    def one(self, code: int) -> str:
        """A single character."""
        return re.escape(chr(code)) if "i" not in self.flags else self.of_set([(code, code)], False)

    def of_set(self, ranges: Ranges, negated: bool) -> str:
        if "i" in self.flags:
            ranges = folded(ranges, "u" in self.flags)
        return _written(complement(ranges) if negated else ranges)

    def escape(self) -> str:
        if "u" in self.flags and (braced := _BRACED.match(self.text, self.at)):
            self.at = braced.end()
            return self.of_set(_braced(braced), False)
        found = _ESCAPE.match(self.text, self.at)
        assert found is not None
        self.at = found.end()
        kind, text = found.lastgroup, found[found.lastindex or 0]
        match kind:
            case "edge":
                return r"(?a:\b)" if text == "b" else r"(?!(?a:\b))"
            case "many":
                return self.of_set(_many(text), False)
            case "number":
                return self.numbered(text)
            case "referred" if self.names:
                return self.reference(self.names[text])
            case "referred":
                self.at = found.start() + 1
                return "k"
            case "other" if text == "c":
                self.at = found.start()
                return r"\\"
            case _:
                return self.one(_code(kind, text))

    def numbered(self, digits: str) -> str:
        """A reference if the pattern has so many groups, else an octal code, else the digit itself."""
        if int(digits) <= self.total:
            return self.reference(int(digits))
        octal = re.match(r"[0-3][0-7]{0,2}|[4-7][0-7]?", digits)
        self.at -= len(digits) - (octal.end() if octal else 1)
        return self.one(int(octal[0], 8) if octal else ord(digits[0]))

    def reference(self, group: int) -> str:
        """What a group matched; inside of it and before it, nothing."""
        if group not in self.closed:
            return "(?:)"
        again = f"(?i:\\{group})" if "i" in self.flags else f"\\{group}"
        return f"(?({group}){again}|)"

    def character_set(self, negated: bool) -> str:
        ranges: Ranges = []
        while (item := self.set_item()) is not None:
            if self.text[self.at] != "-" or self.text[self.at + 1] == "]":
                ranges += item
                continue
            self.at += 1
            other = self.set_item()
            assert other is not None
            # A class such as \d is no end of a range: the hyphen is then itself.
            single = item[0][0] == item[-1][1] and other[0][0] == other[-1][1]
            ranges += [(item[0][0], other[0][0])] if single else [*item, (45, 45), *other]
        return self.of_set(ranges, negated)

    def set_item(self) -> Ranges | None:
        letter = self.text[self.at]
        self.at += 1
        if letter == "]":
            return None
        if letter != "\\":
            return [(ord(letter), ord(letter))]
        if "u" in self.flags and (braced := _BRACED.match(self.text, self.at)):
            self.at = braced.end()
            return _braced(braced)
        found = _SET_ESCAPE.match(self.text, self.at)
        if found is None:  # `\c` without a letter: the backslash stands for itself
            return [(92, 92)]
        self.at = found.end()
        kind, text = found.lastgroup, found[found.lastindex or 0]
        if kind == "many":
            return _many(text)
        code = _code(kind, text)
        return [(code, code)]


def _groups(text: str) -> tuple[int, dict[str, int]]:
    """How many groups a pattern has, and the numbers of those with a name."""
    count, names = 0, {}
    for found in re.finditer(r"\\.|\[(?:[^\]\\]|\\.)*\]|\((?!\?)|\(\?<(?![=!])([^>]*)>", text, re.DOTALL):
        if found[0][0] == "(":
            count += 1
            if found[1] is not None:
                names[found[1]] = count
    return count, names


def _repetition(found: re.Match[str]) -> str:
    lazy = found["lazy"] or ""
    if found["least"] is None:
        return found["repeat"] + lazy
    least, most = int(found["least"]), int(found["most"] or found["least"])
    upper = "" if most >= _WITHOUT_END or (found["comma"] and not found["most"]) else str(most)
    return f"{{{min(least, _WITHOUT_END)},{upper}}}{lazy}"


def _code(kind: str | None, text: str) -> int:
    if kind in ("x", "u"):
        return int(text, 16)
    if kind == "octal":
        return int(text, 8)
    if kind == "control":
        return ord(text) & 31
    return _LETTERS[text] if kind == "letter" else ord(text)


def _many(letter: str) -> Ranges:
    ranges = _MANY[letter.lower()]
    return complement(ranges) if letter.isupper() else ranges


def _braced(found: re.Match[str]) -> Ranges:
    if found["point"]:
        code = int(found["point"], 16)
    elif found["high"]:
        code = ord(joined(chr(int(found["high"], 16)) + chr(int(found["low"], 16))))
    else:
        ranges = category_ranges(found["property"])
        return complement(ranges) if found["sign"] == "P" else ranges
    return [(code, code)]


def _written(ranges: Ranges) -> str:
    inside = "".join([f"\\U{low:08x}-\\U{high:08x}" if high > low else f"\\U{low:08x}" for low, high in ranges])
    return f"[{inside}]" if inside else _NEVER
