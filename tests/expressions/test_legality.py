"""What parses and still cannot be run."""

import pytest

from sheliak.expressions.legality import illegal_parts
from sheliak.expressions.parser import parse_expression

ILLEGAL = {
    "a.b()": ("only functions can be called, by their bare name", "a.b"),
    "f()()": ("only functions can be called, by their bare name", "f()"),
    "1 + _": ("`_` is not a legal name", "_"),
    "[a,,b]": ("the array has an empty place between its commas", "[a,,b]"),
    "{toString: 1}": ("`toString` is not a legal key of an object", "toString"),
    "f({'then': 1})": ("`then` is not a legal key of an object", "'then'"),
    "1 .a": ("a whole number cannot be followed by a dot and a name", "1 .a"),
    "/a/gg": ("a flag of the regular expression is repeated", "/a/gg"),
    r"'\x{41}'": (r"`'\x{41}'` is not how JavaScript writes it", r"'\x{41}'"),
    r"{'\x{41}': 1}": (r"`'\x{41}'` is not how JavaScript writes it", r"'\x{41}'"),
    r"tru\u0065": (r"`tru\u0065` is not how JavaScript writes it", r"tru\u0065"),
}


@pytest.mark.parametrize("source", ILLEGAL)
def test_illegal_part(source: str) -> None:
    assert [(part.message, source[part.start : part.end]) for part in illegal_parts(parse_expression(source))] == [
        ILLEGAL[source]
    ]


@pytest.mark.parametrize(
    "source", ["_()", "a._", "{_: 1}", "{constructors: 1}", "1.5.a", "[a,]", r"'\\x{41}'", "/a/gi", "if(a, b, c)", "a['_']"]
)
def test_legal(source: str) -> None:
    assert illegal_parts(parse_expression(source)) == []


def test_all_parts_are_found() -> None:
    assert len(illegal_parts(parse_expression("[_, {then: [,]}, a.b(_)]"))) == 5
