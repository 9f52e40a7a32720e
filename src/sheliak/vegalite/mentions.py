"""The names that a Vega-Lite spec mentions: fields, other words, and names inside its expressions, each with its place.

Vega-Lite copies them into the Vega it makes; a finding about the Vega is about one of these places.
"""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.expressions.field_paths import FieldPathError, split_path
from sheliak.expressions.lexer import DOTTED, NAME, STRING, string_value, tokens_of
from sheliak.source.declared import dataclass, replace
from sheliak.source.place import PathKey, Place
from sheliak.source.tree import Node
from sheliak.vegalite.variants import with_key, with_value

EXPRESSION_KEYS = frozenset(
    {"calculate", "filter", "expr", "test", "labelExpr", "signal", "update", "init", "toggle", "and", "or", "not"}
)
SELECTOR_KEYS = frozenset({"on", "clear", "translate", "zoom"})
FIELD_KEYS = frozenset(
    {
        *("field", "groupby", "fields", "key", "argmax", "argmin", "repeat", "row", "column", "layer"),
        *("fold", "flatten", "pivot", "value", "lookup", "impute", "stack", "density", "extent"),
        *("loess", "regression", "on", "quantile"),
    }
)
_NOT_NAMES = frozenset({"title", "subtitle", "description", "name", "as", "$schema", "type", "mark"})
_OPAQUE = frozenset({"usermeta", "datasets"})
_TESTS = frozenset({"filter", "test", "and", "or", "not"})


@dataclass(frozen=True, slots=True)
class Mention:
    """One name in the spec: a string, a key, or a part of a string."""

    path: tuple[PathKey, ...]
    name: str
    text: str
    """The whole string, or the key."""
    start: int | None = None
    end: int | None = None
    """The part of the string that is the name; None where it is all of it."""
    on_key: bool = False

    @property
    def place(self) -> Place:
        return Place(self.path, self.on_key, self.start, self.end)

    @property
    def owner(self) -> str:
        return owner_of(self.path)

    @property
    def is_field(self) -> bool:
        return self.on_key or self.owner in FIELD_KEYS

    @property
    def is_whole(self) -> bool:
        return self.start is None

    def replaced(self, spec: object, name: str) -> object:
        """The spec with another name here."""
        if self.on_key:
            return with_key(spec, self.path, name)
        if self.start is None or self.end is None:
            return with_value(spec, self.path, name)
        # An earlier change may have been made further on in the same text.
        node = Node(spec).descend(*self.path)
        text = node.text or "" if node is not None else self.text
        return with_value(spec, self.path, text[: self.start] + name + text[self.end :])

    def silenced(self, spec: object, name: str) -> object:
        """The spec with a name here that is nobody's; an expression becomes a constant, whatever else it says."""
        if is_expression(self.path) and not self.on_key:
            return with_value(spec, self.path, "true" if self.owner in _TESTS else "0")
        return self.replaced(spec, name)


def owner_of(path: tuple[PathKey, ...]) -> str:
    """The member that a value belongs to, through the lists around it."""
    return next((key for key in reversed(path) if isinstance(key, str)), "")


def is_expression(path: tuple[PathKey, ...]) -> bool:
    return owner_of(path) in EXPRESSION_KEYS


def strings_of(node: Node) -> Iterator[Node]:
    """Every string of a spec whose rows were taken out."""
    if node.is_string:
        yield node
    for element in node.elements():
        yield from strings_of(element)
    for key, member in node.members():
        if key not in _OPAQUE:
            yield from strings_of(member)


def mentions_of(root: Node) -> tuple[Mention, ...]:
    """Everything that may be the name of a field, in the order of the spec; names in expressions are left to `names_in`."""
    found = [
        Mention(node.path, node.text or "", node.text or "")
        for node in strings_of(root)
        if owner_of(node.path) not in _NOT_NAMES and not is_expression(node.path)
    ]
    return (*found, *_parsed_columns(root))


def _parsed_columns(node: Node) -> Iterator[Mention]:
    """The keys of every `format.parse`."""
    parse = node.descend("data", "format", "parse")
    for key, member in parse.members() if parse is not None else ():
        yield Mention(member.path, key, key, on_key=True)
    for child in (*node.elements(), *(member for _, member in node.members())):
        if child.key not in _OPAQUE:
            yield from _parsed_columns(child)


def expressions_of(root: Node) -> tuple[Node, ...]:
    """The expressions that the author wrote."""
    return tuple(node for node in strings_of(root) if is_expression(node.path) and _is_text_of_expression(node))


def _is_text_of_expression(node: Node) -> bool:
    # The values of a selection are keyed by fields, which may have any name; the `not` of a composed v4 selection is a name too.
    above = node.path[:-1]
    return "selection" not in above and ("value" not in above or node.key == "expr")


def selectors_of(root: Node) -> tuple[Node, ...]:
    """The event selectors that the author wrote; a transform's `on` names a field."""
    return tuple(node for node in strings_of(root) if owner_of(node.path) in SELECTOR_KEYS and "transform" not in node.path)


def names_in(node: Node) -> Iterator[Mention]:
    """The names and the texts in quotes inside an expression."""
    text = node.text or ""
    for kind, raw, start, end in tokens_of(text):
        if kind in (NAME, DOTTED):
            yield Mention(node.path, raw, text, start, end)
        elif kind == STRING:
            yield Mention(node.path, string_value(raw, start)[0], text, start + 1, end - 1)


def naming(mentions: tuple[Mention, ...], name: str) -> list[Mention]:
    """The mentions of a field: those that are all of it, and those whose path leads through it, narrowed to it."""
    exact = [found for mention in mentions if mention.is_field and (found := _narrowed(mention, name)) is not None]
    return exact or [mention for mention in mentions if mention.name == name]


def deriving(mentions: tuple[Mention, ...], name: str) -> list[Mention]:
    """The mentions of fields from which Vega-Lite may have made a name: `mpg` gives `mean_mpg`, `bin_maxbins_10_mpg_end`."""
    parts = [mention for mention in mentions if mention.is_field and _is_part(_plain(mention.name), _plain(name))]
    longest = max((len(mention.name) for mention in parts), default=0)
    return [mention for mention in parts if len(mention.name) == longest]


def _narrowed(mention: Mention, name: str) -> Mention | None:
    if mention.name == name:
        return mention
    try:
        path = split_path(mention.text)
    except FieldPathError:
        return None
    if path == (name,):
        return mention
    if name not in path or mention.on_key:
        return None
    at = mention.text.find(name)
    return replace(mention, name=name, start=at, end=at + len(name)) if at >= 0 else mention


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name)


def _is_part(part: str, name: str) -> bool:
    return part != "" and f"_{part}_" in f"_{name}_"
