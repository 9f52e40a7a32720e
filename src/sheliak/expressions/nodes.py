"""The syntax tree of Vega's expression language.

A node is immutable, and compared and hashed by its content: two trees are equal when they mean the same text, wherever it stands.
`start` and `end` are code-point offsets into the expression's decoded text; brackets around an operand belong to the
operator that uses it, so `(a + b) * c` as a whole spans everything and its left operand spans `a + b`.

These classes are written out rather than made by `dataclass`: a checker builds several per expression, and a frozen dataclass takes
four times as long to build, and half a millisecond each at start-up.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from sheliak.expressions.numerals import number_text


class Node:
    """What all nodes share: a place in the text, and equality that ignores it."""

    __slots__ = ("end", "start")
    __match_args__: tuple[str, ...] = ()

    start: int
    end: int

    def _content(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Node) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._content()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._content()))})"


class Literal(Node):
    """A number (always a float), text, true, false or null; `raw` is how it was written."""

    __slots__ = ("raw", "value")
    __match_args__ = ("value",)

    def __init__(self, value: float | str | bool | None, raw: str, start: int, end: int) -> None:
        self.value: Final = value
        self.raw: Final = raw
        self.start = start
        self.end = end

    def _content(self) -> tuple[object, ...]:
        return (isinstance(self.value, bool), self.value)  # Python holds 1.0 == True; the two literals differ

    def __repr__(self) -> str:
        return f"Literal({self.value!r})"


class Regex(Node):
    """`/pattern/flags`."""

    __slots__ = ("flags", "pattern")
    __match_args__ = ("pattern", "flags")

    def __init__(self, pattern: str, flags: str, start: int, end: int) -> None:
        self.pattern: Final = pattern
        self.flags: Final = flags
        self.start = start
        self.end = end


class Identifier(Node):
    """A bare name: a signal, a constant, `datum`, `event`, ...; also the callee of a call and the name after a dot."""

    __slots__ = ("name",)
    __match_args__ = ("name",)

    def __init__(self, name: str, start: int, end: int) -> None:
        self.name: Final = name
        self.start = start
        self.end = end


class Member(Node):
    """`object.property`, where property is an Identifier; `object[property]` when computed."""

    __slots__ = ("computed", "object", "property")
    __match_args__ = ("object", "property", "computed")

    def __init__(self, object: Expression, property: Expression, computed: bool, start: int, end: int) -> None:
        self.object: Final = object
        self.property: Final = property
        self.computed: Final = computed
        self.start = start
        self.end = end


class Unary(Node):
    """`+ - ~ !` before an operand."""

    __slots__ = ("operand", "operator")
    __match_args__ = ("operator", "operand")

    def __init__(self, operator: str, operand: Expression, start: int, end: int) -> None:
        self.operator: Final = operator
        self.operand: Final = operand
        self.start = start
        self.end = end


class Binary(Node):
    """Arithmetic, comparison, bits, `in` and `instanceof`."""

    __slots__ = ("left", "operator", "right")
    __match_args__ = ("operator", "left", "right")

    def __init__(self, operator: str, left: Expression, right: Expression, start: int, end: int) -> None:
        self.operator: Final = operator
        self.left: Final = left
        self.right: Final = right
        self.start = start
        self.end = end


class Logical(Node):
    """`&&` and `||`, which yield one of their operands."""

    __slots__ = ("left", "operator", "right")
    __match_args__ = ("operator", "left", "right")

    def __init__(self, operator: str, left: Expression, right: Expression, start: int, end: int) -> None:
        self.operator: Final = operator
        self.left: Final = left
        self.right: Final = right
        self.start = start
        self.end = end


class Conditional(Node):
    """`test ? consequent : alternate`."""

    __slots__ = ("alternate", "consequent", "test")
    __match_args__ = ("test", "consequent", "alternate")

    def __init__(self, test: Expression, consequent: Expression, alternate: Expression, start: int, end: int) -> None:
        self.test: Final = test
        self.consequent: Final = consequent
        self.alternate: Final = alternate
        self.start = start
        self.end = end


class Call(Node):
    """`callee(arguments)`. Vega's parser takes any callee; only a bare name can be run (see `legality`)."""

    __slots__ = ("arguments", "callee")
    __match_args__ = ("callee", "arguments")

    def __init__(self, callee: Expression, arguments: tuple[Expression, ...], start: int, end: int) -> None:
        self.callee: Final = callee
        self.arguments: Final = arguments
        self.start = start
        self.end = end

    @property
    def name(self) -> str | None:
        """The function's name, if the callee is one."""
        return self.callee.name if isinstance(self.callee, Identifier) else None


class ArrayLiteral(Node):
    """`[a, b]`. `holes` are the indexes left out, as in `[a, , b]`: Vega parses them and fails later."""

    __slots__ = ("elements", "holes")
    __match_args__ = ("elements", "holes")

    def __init__(self, elements: tuple[Expression, ...], holes: tuple[int, ...], start: int, end: int) -> None:
        self.elements: Final = elements
        self.holes: Final = holes
        self.start = start
        self.end = end


class Property(Node):
    """One `key: value` of an object; the key is a name, a text or a number, and has its own place."""

    __slots__ = ("key", "value")
    __match_args__ = ("key", "value")

    def __init__(self, key: Identifier | Literal, value: Expression, start: int, end: int) -> None:
        self.key: Final = key
        self.value: Final = value
        self.start = start
        self.end = end

    @property
    def name(self) -> str:
        """The property's name as JavaScript stores it: `{1.0: x}` has the name "1"."""
        return self.key.name if isinstance(self.key, Identifier) else _literal_name(self.key)


class ObjectLiteral(Node):
    """`{key: value, ...}`; names are unique."""

    __slots__ = ("properties",)
    __match_args__ = ("properties",)

    def __init__(self, properties: tuple[Property, ...], start: int, end: int) -> None:
        self.properties: Final = properties
        self.start = start
        self.end = end


Expression: TypeAlias = (
    Literal | Regex | Identifier | Member | Unary | Binary | Logical | Conditional | Call | ArrayLiteral | ObjectLiteral
)


def _literal_name(literal: Literal) -> str:
    if isinstance(literal.value, str):
        return literal.value
    return number_text(literal.value) if isinstance(literal.value, float) else literal.raw


def static_name(member: Member) -> str | None:
    """The property a member reads, when the text alone says so: `a.b`, `a["b"]`, `a[0]`."""
    if not member.computed:
        return member.property.name if isinstance(member.property, Identifier) else None
    return _literal_name(member.property) if isinstance(member.property, Literal) else None


def children(node: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside a node, in the order of the text; names after a dot and object keys are not among them."""
    match node:
        case Literal() | Regex() | Identifier():
            return ()
        case Member(object, property, computed):
            return (object, property) if computed else (object,)
        case Unary(_, operand):
            return (operand,)
        case Binary(_, left, right) | Logical(_, left, right):
            return (left, right)
        case Conditional(test, consequent, alternate):
            return (test, consequent, alternate)
        case Call(callee, arguments):
            return (callee, *arguments)
        case ArrayLiteral(elements):
            return elements
        case ObjectLiteral(properties):
            return tuple([entry.value for entry in properties])


def depth_of(tree: Expression) -> int:
    """The number of nodes on the longest way down, found without recursion."""
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [child for node in level for child in children(node)]
    return depth


def names_in(tree: Expression) -> list[str]:
    """The names that an expression uses, functions included, found without recursion."""
    names, level = [], [tree]
    while level:
        names += [node.name for node in level if isinstance(node, Identifier)]
        level = [child for node in level for child in children(node)]
    return names
