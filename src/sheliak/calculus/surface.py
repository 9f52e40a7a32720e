"""The surface syntax: one definition a line, `#` comments, inputs first.

    input(books, {classification: string, words: number})
    data(books, aggs, agg(datum.classification, avg datum.words as avg_words, count as book_count))

A definition may go over several lines while a parenthesis is open. Names that are no identifiers stand in quotes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from sheliak.calculus.syntax import (
    Agg,
    Arith,
    ArithOperator,
    Arr,
    Avg,
    Bool,
    Builtin,
    Count,
    Cross,
    Data,
    Datum,
    Expr,
    Field,
    Filter,
    Formula,
    Node,
    Num,
    Obj,
    Operator,
    Path,
    Simple,
    Span,
    Spec,
    Str,
    Sum,
    Transform,
)
from sheliak.calculus.tokens import SyntaxProblem, Token, tokens_of
from sheliak.calculus.type_syntax import ArrayType, EmptyArrayType, Primitive, RecordType, Type

N = TypeVar("N")

# Every pass over an expression recurses as deep as it is high; Python has some 1000 frames in all.
MAX_HEIGHT: Final = 150

PRIMITIVES: Final = {T.value: T for T in Primitive}
LITERALS: Final = {"NaN": math.nan, "Infinity": math.inf}
OPERATORS: Final[tuple[dict[str, ArithOperator], ...]] = ({"+": "+", "-": "-"}, {"*": "×", "×": "×", "/": "/"})


@dataclass(frozen=True, slots=True)
class InputDefinition(Node):
    """input(n, T): a dataset that is given, and the type of its tuples."""

    name: str
    type: RecordType
    name_span: Span | None = field(default=None, kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Program:
    """Γ₀ and a specification."""

    inputs: tuple[InputDefinition, ...]
    spec: Spec

    @property
    def context(self) -> dict[str, Type]:
        return {definition.name: definition.type for definition in self.inputs}


@dataclass(eq=False)
class Unparsed(Exception):
    """The text is no program; at most one problem per definition."""

    problems: list[SyntaxProblem]

    def __str__(self) -> str:
        return "; ".join(problem.message for problem in self.problems)


def parse_program(text: str) -> Program:
    """The program, or Unparsed."""
    try:
        parser = _Parser(tokens_of(text))
    except SyntaxProblem as problem:
        raise Unparsed([problem]) from None
    return parser.program()


def parse_expression(text: str) -> Expr:
    """One expression, or SyntaxProblem."""
    return _whole(text, _Parser.whole_expression)


def parse_transform(text: str) -> Transform:
    """One transform, or SyntaxProblem."""
    return _whole(text, _Parser.transform)


def parse_type(text: str) -> Type:
    """One type, or SyntaxProblem."""
    return _whole(text, _Parser.type)


def _whole(text: str, parse: Callable[[_Parser], N]) -> N:
    parser = _Parser(tokens_of(text))
    node = parse(parser)
    parser.expect("end", "the end of the text")
    return node


def height_of(e: Expr) -> int:
    """The number of nodes on the longest way down, found without recursion."""
    highest, waiting = 0, [(e, 1)]
    while waiting:
        node, height = waiting.pop()
        highest = max(highest, height)
        waiting.extend((child, height + 1) for child in _children(node))
    return highest


def _children(e: Expr) -> tuple[Expr, ...]:
    match e:
        case Field(p, _):
            return (p,)
        case Arith(_, left, right):
            return (left, right)
        case Builtin(_, items) | Arr(items):
            return items
        case Obj(fields):
            return tuple(value for _, value in fields)
        case _:
            return ()


class _Parser:
    """Recursive descent. `height` counts what is open around the token, so that the parser itself does not go too deep."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.height = 0

    # Tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.tokens[self.at]
        self.at += token.kind != "end"
        return token

    def accept(self, symbol: str) -> bool:
        found = self.token.kind == "symbol" and self.token.text == symbol
        self.at += found
        return found

    def word(self, *words: str) -> bool:
        return self.token.kind == "name" and self.token.text in words

    def expect(self, symbol: str, expected: str | None = None) -> None:
        if not (self.token.kind == "end" == symbol or self.accept(symbol)):
            raise self.unexpected(expected or f"`{symbol}`")

    def unexpected(self, expected: str) -> SyntaxProblem:
        return SyntaxProblem(f"expected {expected}, found {self.token.described}", self.token.span)

    def span_from(self, start: Token) -> Span:
        return Span(start.span.start, self.tokens[max(self.at - 1, 0)].span.end)

    def deeper(self, levels: int = 1) -> None:
        self.height += levels
        if self.height > MAX_HEIGHT:
            raise SyntaxProblem(f"this is nested more than {MAX_HEIGHT} deep", self.token.span)

    def name(self, what: str) -> str:
        if self.token.kind not in ("name", "string"):
            raise self.unexpected(what)
        return self.take().value

    # Programs and definitions

    def program(self) -> Program:
        inputs: list[InputDefinition] = []
        spec: list[Data] = []
        problems: list[SyntaxProblem] = []
        while self.token.kind != "end":
            try:
                definition = self.definition(is_first=not spec)
                if isinstance(definition, Data):
                    spec.append(definition)
                else:
                    inputs.append(definition)
            except SyntaxProblem as problem:
                problems.append(problem)
                self.skip_to_definition()
        if not inputs and not problems:
            problems.append(SyntaxProblem("a program begins with an input: input(name, {field: type, ...})", Span(0, 0)))
        if problems:
            raise Unparsed(problems)
        return Program(tuple(inputs), tuple(spec))

    def skip_to_definition(self) -> None:
        self.height = 0
        while self.token.kind != "end":
            self.at += 1
            following = self.tokens[min(self.at + 1, len(self.tokens) - 1)]
            if self.token.begins_line and self.word("input", "data") and following.text == "(":
                return

    def definition(self, is_first: bool) -> InputDefinition | Data:
        start = self.token
        if not self.word("input", "data"):
            raise self.unexpected("`input(...)` or `data(...)`")
        if start.text == "input" and not is_first:
            raise SyntaxProblem("inputs come first, before every data", start.span)
        self.take()
        self.expect("(")
        definition = self.input(start) if start.text == "input" else self.data(start)
        if self.token.kind != "end" and not self.token.begins_line:
            raise self.unexpected("the end of the line after a definition")
        return definition

    def input(self, start: Token) -> InputDefinition:
        name_span, name = self.token.span, self.name("the name of a dataset")
        self.expect(",")
        at = self.token
        T = self.type()
        if not isinstance(T, RecordType):
            raise SyntaxProblem("the tuples of an input are records: {field: type, ...}", self.span_from(at))
        self.expect(")")
        return InputDefinition(name, T, span=self.span_from(start), name_span=name_span)

    def data(self, start: Token) -> Data:
        source_span, source = self.token.span, self.name("the name of the dataset to read")
        self.expect(",")
        name_span, name = self.token.span, self.name("the name of the dataset to define")
        transforms: list[Transform] = []
        while self.accept(","):
            transforms.append(self.transform())
        self.expect(")", "`,` or `)`")
        span = self.span_from(start)
        return Data(source, name, tuple(transforms), span=span, source_span=source_span, name_span=name_span)

    # Types

    def type(self) -> Type:
        if self.word(*PRIMITIVES):
            return PRIMITIVES[self.take().text]
        self.deeper()
        if self.accept("["):
            T: Type = EmptyArrayType() if self.accept("]") else self.array_type()
        elif self.accept("{"):
            T = self.record_type()
        else:
            raise self.unexpected("a type: boolean, number, string, {field: type, ...} or [type]")
        self.height -= 1
        return T

    def array_type(self) -> ArrayType:
        element = self.type()
        self.expect("]")
        return ArrayType(element)

    def record_type(self) -> RecordType:
        fields: dict[str, Type] = {}
        while not self.accept("}"):
            at = self.token
            f = self.name("the name of a field, or `}`")
            if f in fields:
                raise SyntaxProblem(f"the field `{f}` stands here twice", at.span)
            self.expect(":")
            fields[f] = self.type()
            if not self.accept(","):
                self.expect("}", "`,` or `}`")
                break
        return RecordType(fields)

    # Transforms

    def transform(self) -> Transform:
        start = self.token
        if not self.word("agg", "cross", "formula", "filter"):
            raise self.unexpected("a transform: agg, cross, formula or filter")
        self.take()
        self.expect("(")
        match start.text:
            case "agg":
                return self.agg(start)
            case "cross":
                left = self.name("the name of a field")
                self.expect(",")
                right = self.name("the name of a field")
                self.expect(")")
                return Cross(left, right, span=self.span_from(start))
            case "formula":
                e = self.whole_expression()
                self.expect(",")
                f = self.name("the name of a field")
                self.expect(")")
                return Formula(e, f, span=self.span_from(start))
            case _:
                e = self.whole_expression()
                self.expect(")")
                return Filter(e, span=self.span_from(start))

    def agg(self, start: Token) -> Agg:
        keys: list[Path] = []
        operators: list[Operator] = []
        while not self.accept(")"):
            if self.word("sum", "avg", "count"):
                operators.append(self.operator())
            elif not operators:
                keys.append(self.path())
            else:
                raise self.unexpected("an operator: sum, avg or count (the keys come first)")
            if not self.accept(","):
                self.expect(")", "`,` or `)`")
                break
        return Agg(tuple(keys), tuple(operators), span=self.span_from(start))

    def operator(self) -> Operator:
        start = self.take()
        path = None if start.text == "count" else self.path()
        if not self.word("as"):
            raise self.unexpected("`as`")
        self.take()
        f = self.name("the name of a field")
        span = self.span_from(start)
        if path is None:
            return Count(f, span=span)
        return Sum(path, f, span=span) if start.text == "sum" else Avg(path, f, span=span)

    # Expressions

    def whole_expression(self) -> Expr:
        start = self.token
        e = self.expression()
        if height_of(e) > MAX_HEIGHT:
            raise SyntaxProblem(f"this expression is more than {MAX_HEIGHT} high", self.span_from(start))
        return e

    def expression(self) -> Expr:
        return self.binary(0)

    def binary(self, level: int) -> Expr:
        if level == len(OPERATORS):
            return self.operand()
        start, height = self.token, self.height
        left = self.binary(level + 1)
        while self.token.kind == "symbol" and self.token.text in OPERATORS[level]:
            self.deeper()  # a long chain is a high tree
            simple = self.simple(left, start)
            op = OPERATORS[level][self.take().text]
            at = self.token
            right = self.simple(self.binary(level + 1), at)
            left = Arith(op, simple, right, span=self.span_from(start))
        self.height = height
        return left

    def simple(self, e: Expr, start: Token) -> Simple:
        if isinstance(e, Arr | Obj):
            raise SyntaxProblem("an array or an object cannot be an operand", e.span or start.span)
        return e

    def operand(self) -> Expr:
        start = self.token
        if self.accept("("):
            return self.parenthesised()
        if self.accept("["):
            return Arr(self.separated("]"), span=self.span_from(start))
        if self.accept("{"):
            return self.object(start)
        if self.accept("-"):
            return self.negative(start)
        match start.kind, start.text:
            case "number", _:
                return Num(float(self.take().text), span=start.span)
            case "string", _:
                return Str(self.take().value, span=start.span)
            case "name", "datum":
                return self.path()
            case "name", "true" | "false":
                return Bool(self.take().text == "true", span=start.span)
            case "name", text if text in LITERALS:
                self.take()
                return Num(LITERALS[text], span=start.span)
            case "name", name:
                self.take()
                self.expect("(", f"`(` after the builtin `{name}` (a field is written datum.{name})")
                return Builtin(name, self.separated(")"), span=self.span_from(start))
        raise self.unexpected("an expression")

    def parenthesised(self) -> Expr:
        self.deeper()
        e = self.expression()
        self.expect(")")
        self.height -= 1
        return e

    def negative(self, start: Token) -> Num:
        if self.token.kind == "number":
            return Num(-float(self.take().text), span=self.span_from(start))
        if self.word(*LITERALS):
            return Num(-LITERALS[self.take().text], span=self.span_from(start))
        raise SyntaxProblem("a minus sign with nothing before it belongs to a number; write 0 - ... else", start.span)

    def separated(self, closing: str) -> tuple[Expr, ...]:
        self.deeper()
        items: list[Expr] = []
        while not self.accept(closing):
            items.append(self.expression())
            if not self.accept(","):
                self.expect(closing, f"`,` or `{closing}`")
                break
        self.height -= 1
        return tuple(items)

    def object(self, start: Token) -> Obj:
        self.deeper()
        fields: list[tuple[str, Expr]] = []
        while not self.accept("}"):
            f = self.name("the name of a field, or `}`")
            self.expect(":")
            fields.append((f, self.expression()))
            if not self.accept(","):
                self.expect("}", "`,` or `}`")
                break
        self.height -= 1
        return Obj(tuple(fields), span=self.span_from(start))

    def path(self) -> Path:
        start, height = self.token, self.height
        if not self.word("datum"):
            raise self.unexpected("a path, such as datum.field")
        self.take()
        p: Path = Datum(span=start.span)
        while self.token.kind == "symbol" and self.token.text in (".", "["):
            self.deeper()
            p = Field(p, self.field(), span=self.span_from(start))
        self.height = height
        return p

    def field(self) -> str:
        if self.take().text == ".":
            if self.token.kind != "name":
                raise self.unexpected("the name of a field")
            return self.take().text
        if self.token.kind != "string":
            raise self.unexpected("the name of a field in quotes")
        f = self.take().value
        self.expect("]")
        return f
