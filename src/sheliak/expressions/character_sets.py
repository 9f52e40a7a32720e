"""Sets of characters, as ranges of their codes, for regular expressions."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import groupby
from typing import Final, TypeAlias
from unicodedata import category

from sheliak.expressions.numerals import SPACES as SPACE_LETTERS
from sheliak.expressions.values import EvaluationError

Ranges: TypeAlias = list[tuple[int, int]]

LAST: Final = 0x10FFFF
ANY: Final[Ranges] = [(0, LAST)]
DIGITS: Final[Ranges] = [(48, 57)]
WORD: Final[Ranges] = [(48, 57), (65, 90), (95, 95), (97, 122)]
SPACES: Final[Ranges] = [(ord(letter), ord(letter)) for letter in SPACE_LETTERS]
LINE_ENDS: Final[Ranges] = [(10, 10), (13, 13), (0x2028, 0x2029)]

_CATEGORIES: Final = {
    "Letter": "L",
    "Uppercase_Letter": "Lu",
    "Lowercase_Letter": "Ll",
    "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm",
    "Other_Letter": "Lo",
    "Mark": "M",
    "Number": "N",
    "Decimal_Number": "Nd",
    "Letter_Number": "Nl",
    "Other_Number": "No",
    "Punctuation": "P",
    "Symbol": "S",
    "Math_Symbol": "Sm",
    "Currency_Symbol": "Sc",
    "Separator": "Z",
    "Space_Separator": "Zs",
    "Other": "C",
    "Control": "Cc",
}


def complement(ranges: Ranges) -> Ranges:
    """All other characters."""
    gaps, start = [], 0
    for low, high in sorted(ranges):
        if low > start:
            gaps.append((start, low - 1))
        start = max(start, high + 1)
    return [*gaps, (start, LAST)] if start <= LAST else gaps


def folded(ranges: Ranges, by_character: bool) -> Ranges:
    """The ranges with every character that differs from one of theirs only by case."""
    others = _others(by_character)
    codes = {code for low, high in ranges for letter in _cased(by_character, low, high) for code in others[letter]}
    return sorted({*ranges, *((code, code) for code in codes)})


def _cased(by_character: bool, low: int, high: int) -> list[int]:
    others = _others(by_character)
    if high - low < 64:
        return [code for code in range(low, high + 1) if code in others]
    return [code for code in others if low <= code <= high]


@cache
def _others(by_character: bool) -> dict[int, tuple[int, ...]]:
    """For each character that has other cases: all characters with the same one."""
    classes: dict[str, list[int]] = defaultdict(list)
    for code in range(0x1E944 if by_character else 0x10000):
        classes[_folded_letter(chr(code)) if by_character else _upper_letter(chr(code))].append(code)
    return {code: tuple(same) for same in classes.values() if len(same) > 1 for code in same}


def _upper_letter(letter: str) -> str:
    """JavaScript's rule without the flag u: the upper case, if it is one unit and does not turn another letter into an ASCII one."""
    upper = letter.upper()
    return letter if len(upper) != 1 or upper > "\uffff" or (letter >= "\x80" > upper) else upper


def _folded_letter(letter: str) -> str:
    plain = letter.casefold()
    return plain if len(plain) == 1 else letter.lower() if len(letter.lower()) == 1 else letter


@cache
def category_ranges(name: str) -> Ranges:
    """The characters of a Unicode category: `L`, `Lu`, `Letter`, `General_Category=Letter`."""
    wanted = name.partition("=")[2] if name.startswith(("General_Category=", "gc=")) else name
    wanted = _CATEGORIES.get(wanted, wanted)
    if name == "Any":
        return ANY
    if not 1 <= len(wanted) <= 2 or wanted[0] not in "LMNPSZC":
        raise EvaluationError(f"the property `{name}` of a regular expression is not known here")
    codes = [code for code in range(LAST + 1) if category(chr(code)).startswith(wanted)]
    runs = [[code for _, code in run] for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0])]
    return [(run[0], run[-1]) for run in runs]
