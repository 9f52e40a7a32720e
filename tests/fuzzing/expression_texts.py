"""Random texts near Vega's expression language: from its grammar, from its tokens, from other texts with a few changes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

_NAMES = """
    a b x datum event item parent width data signal_1 $ _ __proto__ toString constructor if in instanceof this null true false
    typeof new let static NaN PI undefined hasOwnProperty valueOf é ñame 变量 \\u0061b i\\u006e tru\\u0065 a\\u200db \\u{61} a\\u12
    ª ౦x x౦ 𝒜 ᧚ ꟺ x·y
"""
NAMES = tuple(_NAMES.split())
_NUMBERS = """
    0 1 2 10 007 08 0.5 .5 5. 1e3 1E-3 1e+21 1e 1e+ 0x1F 0Xff 0x 0xg 1.5.2 1_000 0b1 0o7 3in 1e999 123456789012345678901234567890 5e-324
    0.1e-6 1.e5 1.e5x 9007199254740993 0x20000000000001 00 0. 0.0 1n .5e3 ..5 1e-7 100000000000000000000000 0.000001
"""
NUMBERS = tuple(_NUMBERS.split())
_OPERATORS = "|| && | ^ & == != === !== < > <= >= in instanceof << >> >>> + - * / %"
OPERATORS = tuple(_OPERATORS.split())
_OTHER_MARKS = (
    "= += -= *= /= %= &= |= ^= <<= >>= >>>= => ++ -- ** ?? ?. && || ! ~ ; : , . ... ( ) [ ] { } ? @ # ` \\ // /* */ <!-- /"
)
MARKS = tuple(_OTHER_MARKS.split()) + OPERATORS
SPACES = (
    " ",
    " ",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\xa0",
    "\u2028",
    "\u2029",
    "\ufeff",
    "\u180e",
    "\u3000",
    "\x0b",
    "\x0c",
    "\x85",
    "\x1c",
    "\u200b",
)
_ESCAPES = (
    r"\n \t \r \b \f \v \0 \00 \01 \1 \7 \8 \9 \08 \377 \400 \47 \78 \x41 \x4 \xg1 \x{41} \u0041 \u004 \u{41} \u{1F600} \u{110000} \u{} "
    r"\u{41 \u{g} \ud83d \ude00 \ud83d\ude00 \' \" \\ \/ \a \é \c \u{D800} \u{000000041} \x{1F600}"
)
ESCAPES = (*_ESCAPES.split(), "\\\n", "\\\r\n", "\\\r", "\\\u2028")
LETTERS = ("a", "b", "é", "変", "😀", " ", "/", "if", "toString", "'", '"', "\n", "\u2028", "\ud83d", "\ude00", "\x00", "0", "1")
_PATTERN_PARTS = (
    r"a b . ^ $ * + ? *? +? ?? {1} {2,3} {3,2} {,2} {2,} {1 } { } | ( ) (?: (?= (?! (?<= (?<! (?<n> (?<m> (?<n (? (?i: [ ] [^ [] [^] [a-z] "
    r"[z-a] - \d \D \w \s \b \B \cA \c \c1 \1 \2 \9 \0 \012 \x41 \x4 \u0041 \u00 \u{61} \u{110000} \k \k<n> \k<m> \k<z> \/ \\ \- \] \[ \p{L} \p "
    r"é 😀 [😀-😁] [\d-a] [a-\d] [\b] [\c] [\c-a] [a-\c] [\cA-\cZ] [\0-\7] [\x00-\u0020] [\k] [/] {99999999999,1} {1}{2} x y \8 [\8-a] [--a] [a--] (?<é> (?<𝒜> (?<\u0061> (?<\u{6e}> (?<1> (?<a1> (?<n\u> (?<\ud835\udc9c> (?<ͺ> (?<$_> (?<> (?<℘> \k<\u0061> \k<é> ) ) )"
)
PATTERN_PARTS = tuple(_PATTERN_PARTS.split())
FLAGS = ("", "", "", "g", "i", "gi", "u", "gu", "m", "y", "s", "gg", "x", "d", "v", "g1", "\\", "é", "uu", "gimuy")
_SELECTOR_PARTS = """
    click pointerdown pointermove! timer ! * rect mark @ @name @a:b view window scope : :: [ ] [] { } {} {,} {100} {10,20} {1,2,3} {x} {0x10} {1e3}
    {Infinity} {-5} {5.} {1_0} , ,, > [a,b] [a,b]> [a,b]>c [[a,b]>c,d]>e toString constructor __proto__ [event.shiftKey] [a][b] [a] [datum.x>1]
    [a?b:c] [x[0]] #id .css é 😀 } ] {5 5}
"""
SELECTOR_PARTS = tuple(_SELECTOR_PARTS.split())
# Each takes a random source and how deep it may still go.
Maker = Callable[["Texts", int], str]


class Texts:
    """A stream of random texts; the same seed gives the same texts."""

    def __init__(self, seed: int, seeds: Sequence[str] = ()) -> None:
        self.random = random.Random(seed)
        self.seeds = seeds

    def joined(self, text: str) -> str:
        """The text with the two halves of a character made one, as reading it from JSON would."""
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

    def text(self) -> str:
        """One expression: half of them sound or nearly so, the others not."""
        roll = self.random.random()
        if roll < 0.30:
            return self.expression(self.random.randint(0, 4))
        if roll < 0.60:
            return self.changed(self.expression(self.random.randint(1, 4)))
        if roll < 0.85 and self.seeds:
            return self.changed(self.random.choice(self.seeds))
        if roll < 0.95:
            return self.soup()
        return self.string() if roll < 0.97 else self.regex()

    # From the grammar

    def expression(self, depth: int) -> str:
        if depth <= 0:
            return self.leaf()
        return self.random.choice(_RULES)(self, depth - 1)

    def leaf(self) -> str:
        roll = self.random.random()
        if roll < 0.45:
            return self.random.choice(NAMES[:10]) if self.random.random() < 0.9 else self.random.choice(NAMES)
        if roll < 0.65:
            return self.random.choice(NUMBERS[:3]) if self.random.random() < 0.8 else self.random.choice(NUMBERS)
        if roll < 0.85:
            return self.string()
        return self.regex() if roll < 0.92 else self.random.choice(["true", "false", "null", "[]", "{}", "f()"])

    def binary(self, depth: int) -> str:
        count = self.random.randint(2, 4)
        parts = [self.expression(depth)]
        for _ in range(count - 1):
            parts += [self.gap(), self.random.choice(OPERATORS), self.gap(), self.expression(depth)]
        return "".join(parts)

    def conditional(self, depth: int) -> str:
        return f"{self.expression(depth)}{self.gap()}?{self.expression(depth)}:{self.gap()}{self.expression(depth)}"

    def prefixed(self, depth: int) -> str:
        return self.random.choice("+-~!") + self.gap() + self.expression(depth)

    def grouped(self, depth: int) -> str:
        return f"({self.gap()}{self.expression(depth)}{self.gap()})"

    def member(self, depth: int) -> str:
        if self.random.random() < 0.5:
            return f"{self.expression(depth)}{self.gap()}.{self.gap()}{self.random.choice(NAMES)}"
        return f"{self.expression(depth)}[{self.expression(depth)}]"

    def call(self, depth: int) -> str:
        callee = self.random.choice(["if", "f", "isValid", "round"]) if self.random.random() < 0.8 else self.expression(depth)
        return f"{callee}({self.items(depth)})"

    def array(self, depth: int) -> str:
        return f"[{self.items(depth)}]"

    def items(self, depth: int) -> str:
        items = [self.expression(depth) if self.random.random() < 0.95 else "" for _ in range(self.random.randint(0, 3))]
        return ("," + self.gap()).join(items) + ("," if self.random.random() < 0.1 else "")

    def object(self, depth: int) -> str:
        entries = [f"{self.key()}{self.gap()}:{self.expression(depth)}" for _ in range(self.random.randint(0, 3))]
        return "{" + ",".join(entries) + ("," if self.random.random() < 0.15 else "") + "}"

    def key(self) -> str:
        roll = self.random.random()
        if roll < 0.5:
            return self.random.choice(NAMES)
        return self.random.choice(NUMBERS) if roll < 0.75 else self.string()

    def string(self) -> str:
        quote = self.random.choice("'\"")
        roll = self.random.random()
        if roll < 0.6:
            return quote + self.random.choice(["", "a", "b c", "toString", "if", "x.y", "1"]) + quote
        parts = [self.random.choice(ESCAPES if self.random.random() < 0.5 else LETTERS) for _ in range(self.random.randint(0, 3))]
        return quote + "".join(parts) + (quote if self.random.random() < 0.97 else "")

    def regex(self) -> str:
        return f"/{self.pattern()}/{self.random.choice(FLAGS)}"

    def pattern(self) -> str:
        """The inside of a regular expression, valid in about half of the cases."""
        return "".join([self.random.choice(PATTERN_PARTS) for _ in range(self.random.randint(1, 5))])

    def gap(self) -> str:
        roll = self.random.random()
        return "" if roll < 0.6 else " " if roll < 0.95 else self.random.choice(SPACES)

    # Event selectors

    def selector(self) -> str:
        """One event selector, sound or not."""
        roll = self.random.random()
        if roll < 0.25:
            return self.merged_streams(2)
        if roll < 0.5:
            return self.changed(self.merged_streams(2))
        if roll < 0.75 and self.seeds:
            return self.changed(self.random.choice(self.seeds))
        return "".join([self.random.choice(SELECTOR_PARTS) + self.gap() for _ in range(self.random.randint(0, 7))])

    def merged_streams(self, depth: int) -> str:
        return f"{self.gap()},{self.gap()}".join([self.stream(depth) for _ in range(self.random.choice([1, 1, 2, 3]))])

    def stream(self, depth: int) -> str:
        if depth > 0 and self.random.random() < 0.3:
            return f"[{self.stream(depth - 1)},{self.gap()}{self.stream(depth - 1)}]{self.gap()}>{self.gap()}{self.stream(depth - 1)}"
        origin = self.random.choice(["", "", "rect:", "@cell:", "window:", "*:", ":", "scope :", "@ a:", "#id:", "toString:"])
        event = self.random.choice(["click", "pointermove!", "timer", "wheel", "", "é"])
        filters = self.random.choice(["", "", "[event.x]", "[ a ][b]", "[datum['x']]", "[a > 1 && b]", "[a ? b : c]"])
        return (
            origin + event + filters + self.random.choice(["", "", "", "{100}", "{10, 20}", "{ , 5}", "{0}", "{1e999}", "{NaN}"])
        )

    # From its tokens, and from other texts

    def token(self) -> str:
        return self.random.choice([self.random.choice(MARKS), self.random.choice(MARKS), self.leaf(), self.random.choice(NAMES)])

    def soup(self) -> str:
        return "".join([self.token() + self.gap() for _ in range(self.random.randint(0, 6))])

    def changed(self, text: str) -> str:
        for _ in range(self.random.choice([1, 1, 1, 2, 3])):
            text = self.random.choice(_CHANGES)(self, text)
        return text

    def place(self, text: str) -> int:
        return self.random.randint(0, len(text))

    def without(self, text: str) -> str:
        at = self.place(text)
        return text[:at] + text[at + self.random.randint(1, 3) :]

    def with_token(self, text: str) -> str:
        at = self.place(text)
        return text[:at] + self.random.choice([self.token(), self.random.choice(SPACES), self.random.choice(LETTERS)]) + text[at:]

    def with_other(self, text: str) -> str:
        at = self.place(text)
        return text[:at] + self.token() + text[at + self.random.randint(1, 2) :]

    def swapped(self, text: str) -> str:
        first, second = sorted((self.place(text), self.place(text)))
        width = self.random.randint(1, 3)
        return (
            text[:first]
            + text[second : second + width]
            + text[first + width : second]
            + text[first : first + width]
            + text[second + width :]
        )

    def doubled(self, text: str) -> str:
        first, second = sorted((self.place(text), self.place(text)))
        return text[:second] + text[first : min(second, first + 12)] + text[second:]

    def cut(self, text: str) -> str:
        return text[: self.place(text)]

    def with_odd_character(self, text: str) -> str:
        at = self.place(text)
        code = self.random.choice(
            [self.random.randrange(0x20, 0x7F), self.random.randrange(0x250), self.random.randrange(0x10000)]
        )
        return text[:at] + chr(code) + text[at:]


_RULES: tuple[Maker, ...] = (
    Texts.binary,
    Texts.binary,
    Texts.conditional,
    Texts.prefixed,
    Texts.grouped,
    Texts.member,
    Texts.member,
    Texts.call,
    Texts.array,
    Texts.object,
)
_CHANGES: tuple[Callable[[Texts, str], str], ...] = (
    Texts.without,
    Texts.with_token,
    Texts.with_other,
    Texts.swapped,
    Texts.doubled,
    Texts.cut,
    Texts.with_odd_character,
)
