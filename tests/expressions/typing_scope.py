"""A scope for typing one expression: a datum of every kind, some signals and names, and what was told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sheliak.diagnostics.registry import Diagnostic
from sheliak.expressions.parser import parse_expression
from sheliak.expressions.typing_rules import type_of_expression
from sheliak.source.place import Place
from sheliak.types.operations import join
from sheliak.types.shapes import (
    BOOLEAN,
    DATE,
    DATE_TEXT,
    NULL,
    NUMBER,
    NUMERIC_TEXT,
    STRING,
    UNKNOWN,
    WORDS,
    Array,
    Literal,
    Record,
    Type,
    Unseen,
)

ROW = Record({"a": NUMBER, "name": WORDS, "p": Record({"q": NUMBER})})
DATUM = Record(
    {
        "n": NUMBER,
        "flag": BOOLEAN,
        "text": STRING,
        "words": WORDS,
        "digits": NUMERIC_TEXT,
        "day": DATE_TEXT,
        "date": DATE,
        "nothing": NULL,
        "some": NUMBER,
        "gaps": join((NUMBER, NULL)),
        "words_or_null": join((WORDS, NULL)),
        "mixed": join((NUMBER, WORDS)),
        "place": Record({"x": NUMBER, "y": NUMBER}),
        "either": join((Record({"x": NUMBER}), NULL)),
        "list": Array(NUMBER),
        "names": Array(WORDS),
        "rows": Array(ROW),
        "a b": NUMBER,
    },
    frozenset({"some"}),
)
REMOTE = Record({}, open=True, unseen=Unseen("remote"))
SIGNALS: Mapping[str, Type] = {
    "width": NUMBER,
    "anything": UNKNOWN,
    "choice": join((Literal("n"), Literal("words"))),
    "wrong_choice": join((Literal("n"), Literal("missing"))),
    "brush": Array(NUMBER),
    "E": WORDS,
}


@dataclass
class FakeScope:
    """Takes what an expression's typing tells."""

    strict: bool = False
    variables: Mapping[str, Type] = field(default_factory=lambda: {"datum": DATUM, **SIGNALS})
    findings: list[Diagnostic] = field(default_factory=list)
    requirements: dict[Unseen, list[Type]] = field(default_factory=dict)
    signals: list[str] = field(default_factory=list)

    def variable(self, name: str) -> Type | None:
        return self.variables.get(name)

    def variable_names(self) -> Iterable[str]:
        return self.variables

    def reads_signal(self, name: str) -> None:
        self.signals.append(name)

    def option_place(self, name: str, text: str) -> Place | None:
        return Place(("options",)) if (name, text) == ("wrong_choice", "missing") else None

    def dataset(self, name: str) -> Record | None:
        return {"table": ROW, "remote": REMOTE}.get(name)

    def dataset_names(self) -> Iterable[str]:
        return ("table", "remote")

    def defined_later(self, name: str) -> bool:
        return name == "later"

    def has_scale(self, name: str) -> bool:
        return name in self.scale_names()

    def scale_names(self) -> Iterable[str]:
        return ("xscale", "color")

    def has_projection(self, name: str) -> bool:
        return name in self.projection_names()

    def projection_names(self) -> Iterable[str]:
        return ("world",)

    def scale_names_anywhere(self) -> Iterable[str]:
        return ("xscale", "color", "world", "inner")

    def has_mark(self, name: str) -> bool:
        return name in self.mark_names()

    def mark_names(self) -> Iterable[str]:
        return ("bars", "cell")

    def place(self, start: int, end: int) -> Place:
        return Place(("expr",), start=start, end=end)

    def report(self, finding: Diagnostic) -> None:
        self.findings.append(finding)

    def require(self, unseen: Unseen, demanded: Type) -> None:
        self.requirements.setdefault(unseen, []).append(demanded)


def typed(text: str, scope: FakeScope | None = None) -> Type:
    """The type of an expression's text."""
    return type_of_expression(parse_expression(text), scope or FakeScope())


def told(text: str, scope: FakeScope | None = None) -> list[tuple[str, str, str]]:
    """What typing an expression tells: code, severity, and the text that is underlined."""
    scope = scope or FakeScope()
    typed(text, scope)
    return [(f.code, f.severity.value, text[f.place.start : f.place.end]) for f in scope.findings]
