"""Expression text -> tree, accepting exactly what Vega's own parser (vega-expression 6) accepts.

Binary operators are read with a stack of pending ones, conditionals and prefix operators with a loop: only brackets recurse.

Surprises that are Vega's: a quoted text that is the name of a property of every JavaScript object (`'toString'`), and `'if'`, is
taken for an identifier; holes in arrays and calls of anything but a name are read here and fail later (see `legality`); a regular
expression may have the same flag twice; there are no comments.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NoReturn

from sheliak.expressions.lexer import (
    BAD_CHARACTER,
    BAD_NAME,
    BAD_NUMBER,
    BAD_REGEX,
    BAD_STRING,
    DOTTED,
    END,
    NAME,
    NUMBER,
    PUNCTUATOR,
    REGEX,
    STRING,
    ExpressionSyntaxError,
    ExpressionTooDeep,
    string_value,
    tokens_of,
)
from sheliak.expressions.nodes import (
    ArrayLiteral,
    Binary,
    Call,
    Conditional,
    Expression,
    Identifier,
    Literal,
    Logical,
    Member,
    ObjectLiteral,
    Property,
    Regex,
    Unary,
    depth_of,
)
from sheliak.expressions.numerals import prefixed_number
from sheliak.source.frames import admit_deep_recursion

__all__ = ["MAX_DEPTH", "ExpressionSyntaxError", "ExpressionTooDeep", "parse_expression"]

# Vega itself overflows its stack when it compiles about 1 000 nested conditionals, 1 200 brackets or a sum of 1 600 terms.
MAX_DEPTH: Final = 1000
# From this depth on Python's default of 1 000 frames is too few for a recursive walk over the tree.
_NEEDS_FRAMES = 60

PRECEDENCE: Final = {
    operator: precedence
    for precedence, operators in enumerate(
        ["||", "&&", "|", "^", "&", "== != === !==", "< > <= >= in instanceof", "<< >> >>>", "+ -", "* / %"], start=1
    )
    for operator in operators.split()
}
_PREFIXES = frozenset("+-~!")
_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_RESERVED_WORDS = """
    in do var for new try let this else case void with enum while break catch throw const yield class super return typeof delete
    switch export import public static default finally extends package private function continue debugger interface protected
    instanceof implements
"""
RESERVED: Final = frozenset(_RESERVED_WORDS.split())
_NAMES_OF_EVERY_OBJECT = """
    constructor __defineGetter__ __defineSetter__ hasOwnProperty __lookupGetter__ __lookupSetter__ isPrototypeOf
    propertyIsEnumerable toString valueOf __proto__ toLocaleString
"""
_TEXTS_READ_AS_NAMES = frozenset(_NAMES_OF_EVERY_OBJECT.split()) | {"if"}
_NOT_PLAIN_NAMES = RESERVED | _CONSTANTS.keys()


@lru_cache(maxsize=1 << 14)
def parse_expression(text: str) -> Expression:
    """The tree of an expression; the same text gives the same tree object. Raises ExpressionSyntaxError."""
    parser = _Parser(text)
    tree = parser.expression()
    if parser.tokens[parser.index][0] != END:
        parser.unexpected("an operator or the end")
    if len(parser.tokens) > _NEEDS_FRAMES:
        _admit_depth(depth_of(tree), len(text))
    return tree


def _admit_depth(depth: int, end: int) -> None:
    """Refuse what is too deep; make room for what is merely deep."""
    if depth > MAX_DEPTH:
        raise ExpressionTooDeep(f"the expression nests more than {MAX_DEPTH} levels deep", 0, end)
    if depth > _NEEDS_FRAMES:
        admit_deep_recursion()


class _Parser:
    __slots__ = ("index", "nesting", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.index = 0
        self.nesting = 0

    # expression  ::=  binary ("?" expression ":" expression)?

    def expression(self) -> Expression:
        start = self.tokens[self.index][2]
        operand = self.operand()
        text = self.tokens[self.index][1]
        if text in PRECEDENCE:
            operand = self.binary(operand, start)
            text = self.tokens[self.index][1]
        return self.conditional(operand, start) if text == "?" else operand

    def conditional(self, test: Expression, start: int) -> Expression:
        pending = []
        while self.tokens[self.index][1] == "?":
            pending.append((start, test, self.consequent()))
            start = self.tokens[self.index][2]
            test = self.operand()
            if self.tokens[self.index][1] in PRECEDENCE:
                test = self.binary(test, start)
        end = self.tokens[self.index - 1][3]
        for start, condition, consequent in reversed(pending):
            test = Conditional(condition, consequent, test, start, end)
        return test

    def consequent(self) -> Expression:
        self.enter()
        inner = self.expression()
        self.leave(":", "`:` and the other branch of the conditional")
        return inner

    def binary(self, left: Expression, start: int) -> Expression:
        tokens = self.tokens
        pending: list[tuple[int, str, Expression, int]] = []
        while precedence := PRECEDENCE.get(operator := tokens[self.index][1], 0):
            if pending and pending[-1][0] >= precedence:
                left, start = self.reduced(pending, precedence, left)
            pending.append((precedence, operator, left, start))
            self.index += 1
            start = tokens[self.index][2]
            left = self.operand()
        return self.reduced(pending, 0, left)[0]

    def reduced(
        self, pending: list[tuple[int, str, Expression, int]], precedence: int, right: Expression
    ) -> tuple[Expression, int]:
        """Build the pending operators that bind at least as tightly as the one that comes; say where the result starts."""
        start, end = 0, self.tokens[self.index - 1][3]
        while pending and pending[-1][0] >= precedence:
            level, operator, left, start = pending.pop()
            right = (Logical if level <= 2 else Binary)(operator, left, right, start, end)
        return right, start

    # operand  ::=  prefix* primary (member | call)*

    def operand(self) -> Expression:
        tokens = self.tokens
        kind, text, start, end = tokens[self.index]
        if kind == NAME and text not in _NOT_PLAIN_NAMES:
            self.index += 1
            node: Expression = Identifier(text, start, end)
        elif kind == PUNCTUATOR and text in _PREFIXES:
            return self.prefixed()
        else:
            node = self.primary(kind, text, start, end)
        while True:
            kind, text, at, end = tokens[self.index]
            if kind == DOTTED:
                self.index += 1
                node = Member(node, Identifier(text, at, end), False, start, end)
            elif text == "(":
                node = self.call(node, start)
            elif text == "[":
                node = self.indexed(node, start)
            else:
                return node

    def prefixed(self) -> Expression:
        first = self.index
        while self.tokens[self.index][1] in _PREFIXES:
            self.index += 1
        operators = self.tokens[first : self.index]
        node = self.operand()
        end = self.tokens[self.index - 1][3]
        for _, operator, start, _ in reversed(operators):
            node = Unary(operator, node, start, end)
        return node

    def indexed(self, node: Expression, start: int) -> Expression:
        self.enter()
        inner = self.expression()
        return Member(node, inner, True, start, self.leave("]", "`]` to close the `[`"))

    def call(self, node: Expression, start: int) -> Expression:
        self.enter()
        arguments = self.arguments()
        return Call(node, arguments, start, self.leave(")", "`,` or `)` in the arguments"))

    def arguments(self) -> tuple[Expression, ...]:
        if self.tokens[self.index][1] == ")":
            return ()
        arguments = [self.expression()]
        while self.tokens[self.index][1] == ",":
            self.index += 1
            arguments.append(self.expression())
        return tuple(arguments)

    # primary  ::=  name | literal | regex | "(" expression ")" | array | object

    def primary(self, kind: int, text: str, start: int, end: int) -> Expression:
        if kind == NUMBER:
            self.index += 1
            return Literal(_number(text), text, start, end)
        if kind == STRING:
            self.index += 1
            return self.quoted(text, start, end)
        if kind == NAME and text in _CONSTANTS:
            self.index += 1
            return Literal(_CONSTANTS[text], self.text[start:end], start, end)
        if kind == REGEX:
            self.index += 1
            return _regex(text, start, end)
        if kind == PUNCTUATOR:
            return self.bracketed(text, start)
        self.unexpected("an expression")

    def bracketed(self, text: str, start: int) -> Expression:
        if text == "(":
            self.enter()
            inner = self.expression()
            self.leave(")", "`)` to close the `(`")
            return inner
        if text == "[":
            return self.array(start)
        if text == "{":
            return self.object(start)
        self.unexpected("an expression")

    def quoted(self, text: str, start: int, end: int) -> Expression:
        value, octal = string_value(text, start)
        if value in _TEXTS_READ_AS_NAMES:
            return Identifier(value, start, end)
        _refuse_octal(octal)
        return Literal(value, text, start, end)

    def array(self, start: int) -> Expression:
        self.enter()
        elements: list[Expression] = []
        holes: list[int] = []
        while (text := self.tokens[self.index][1]) != "]":
            if text == ",":
                holes.append(len(elements) + len(holes))
                self.index += 1
                continue
            elements.append(self.expression())
            self.separator("]", "`,` or `]` in the array")
        return ArrayLiteral(tuple(elements), tuple(holes), start, self.leave("]", ""))

    def object(self, start: int) -> Expression:
        self.enter()
        properties: dict[str, Property] = {}
        while self.tokens[self.index][1] != "}":
            entry = self.entry()
            if entry.name in properties:
                raise ExpressionSyntaxError(f"the object has the key `{entry.name}` twice", entry.key.start, entry.key.end)
            properties[entry.name] = entry
            self.separator("}", "`,` or `}` in the object")
        return ObjectLiteral(tuple(properties.values()), start, self.leave("}", ""))

    def entry(self) -> Property:
        start = self.tokens[self.index][2]
        key = self.key()
        if self.tokens[self.index][1] != ":":
            self.unexpected("`:` after the key of an object")
        self.index += 1
        value = self.expression()
        return Property(key, value, start, self.tokens[self.index - 1][3])

    def key(self) -> Identifier | Literal:
        kind, text, start, end = self.tokens[self.index]
        self.index += 1
        if kind == NAME:
            return Identifier(text, start, end)
        if kind == NUMBER:
            return Literal(_number(text), text, start, end)
        if kind != STRING:
            self.index -= 1
            self.unexpected("the key of an object or `}`")
        value, octal = string_value(text, start)
        _refuse_octal(octal)
        return Literal(value, text, start, end)

    # Brackets

    def enter(self) -> None:
        """Go past the token that opens something nested."""
        self.index += 1
        self.nesting += 1
        if self.nesting > _NEEDS_FRAMES:
            _admit_depth(self.nesting, len(self.text))

    def leave(self, closer: str, expected: str) -> int:
        """Go past the token that closes it, and say where it ended."""
        _, text, _, end = self.tokens[self.index]
        if text != closer:
            self.unexpected(expected)
        self.index += 1
        self.nesting -= 1
        return end

    def separator(self, closer: str, expected: str) -> None:
        """A comma, unless the closing bracket comes; so a last comma is allowed."""
        text = self.tokens[self.index][1]
        if text == ",":
            self.index += 1
        elif text != closer:
            self.unexpected(expected)

    def unexpected(self, expected: str) -> NoReturn:
        kind, text, start, end = self.tokens[self.index]
        raise ExpressionSyntaxError(_explanation(kind, text, expected), start, end)


def _number(text: str) -> float:
    return prefixed_number(text) if text[:2] in ("0x", "0X") else float(text)


def _regex(text: str, start: int, end: int) -> Regex:
    from sheliak.expressions.regex_syntax import regex_problem  # few charts have one; compiling the rules takes milliseconds

    pattern, _, flags = text[1:].rpartition("/")
    if problem := regex_problem(pattern, flags):
        raise ExpressionSyntaxError(f"the regular expression is not valid: {problem}", start, end)
    return Regex(pattern, flags, start, end)


def _refuse_octal(at: int | None) -> None:
    if at is not None:
        raise ExpressionSyntaxError("octal escapes such as `\\1` are not allowed", at, at + 2)


_NOT_IN_THE_LANGUAGE = {
    "=": "assignment is not part of the expression language (`==` compares)",
    "=>": "functions are not part of the expression language",
    "//": "comments are not part of the expression language",
    "++": "`++` is not part of the expression language",
    "--": "`--` is not part of the expression language (two signs need a space between them)",
    ";": "an expression is one value: `;` is not part of the language",
    "`": "template strings are not part of the expression language",
}


def _explanation(kind: int, text: str, expected: str) -> str:
    """What is wrong with a token that no rule accepts here."""
    if kind == END:
        return f"expected {expected}, found the end of the expression"
    if kind == BAD_STRING:
        return "the text has no closing quote"
    if kind == BAD_REGEX:
        return "the regular expression has no closing `/`"
    if kind == BAD_NUMBER:
        return f"`{text}` is not a number"
    if text in _NOT_IN_THE_LANGUAGE:
        return _NOT_IN_THE_LANGUAGE[text]
    if kind in (BAD_NAME, BAD_CHARACTER):
        return f"the character `{text}` is not allowed here"
    if kind == NAME and text in RESERVED:
        return f"`{text}` is a reserved word: expected {expected}"
    return f"expected {expected}, found `{'.' if kind == DOTTED else ''}{text}`"
