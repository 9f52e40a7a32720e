"""Reads a type as Sheliak prints it: `{a: number, b?: string | null, …}`, `[number]`, `"x"`, `unknown`."""

from __future__ import annotations

import json
import re

from sheliak.types.operations import join
from sheliak.types.shapes import (
    BOOLEAN,
    DATE,
    DATE_TEXT,
    NULL,
    NUMBER,
    NUMERIC_TEXT,
    STRING,
    UNDEFINED,
    UNKNOWN,
    WORDS,
    Array,
    Literal,
    Record,
    Type,
)

# Seen text and text that nobody has seen print alike; a test says `string (unseen)` for the latter.
_WORDS: dict[str, Type] = {
    "boolean": BOOLEAN,
    "number": NUMBER,
    "string": WORDS,
    "string (numeric)": NUMERIC_TEXT,
    "string (date)": DATE_TEXT,
    "string (unseen)": STRING,
    "date": DATE,
    "null": NULL,
    "undefined": UNDEFINED,
    "unknown": UNKNOWN,
    "true": Literal(True),
    "false": Literal(False),
}
_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|string \(\w+\)|-?\d+(?:\.\d+)?|[^\W\d]\w*|[{}\[\]:,|?…])')


def read_type(text: str) -> Type:
    """The type that the text stands for."""
    reader = _Reader(_TOKEN.findall(text))
    of = reader.union()
    assert not reader.tokens, reader.tokens
    return of


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def take(self, expected: str | None = None) -> str:
        token = self.tokens.pop(0)
        assert expected in (None, token), (expected, token)
        return token

    def accept(self, token: str) -> bool:
        if self.tokens[:1] != [token]:
            return False
        self.take()
        return True

    def union(self) -> Type:
        options = [self.one()]
        while self.accept("|"):
            options.append(self.one())
        return join(options)

    def one(self) -> Type:
        token = self.take()
        if token == "{":
            return self.record()
        if token == "[":
            element = self.union()
            self.take("]")
            return Array(element)
        return _WORDS[token] if token in _WORDS else Literal(json.loads(token))

    def record(self) -> Record:
        fields: dict[str, Type] = {}
        optional: set[str] = set()
        is_open = False
        while not self.accept("}"):
            if self.accept("…"):
                is_open = True
            else:
                name = self.take()
                name = json.loads(name) if name.startswith('"') else name
                if self.accept("?"):
                    optional.add(name)
                self.take(":")
                fields[name] = self.union()
            self.accept(",")
        return Record(fields, frozenset(optional), is_open)
