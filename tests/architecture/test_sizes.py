"""A file and a function stay small enough to be read at one go."""

import ast
from collections.abc import Iterator

from architecture.tree import ROOT, parsed, python_files

LONGEST_FILE = 500
LONGEST_FUNCTION = 60
FILES = python_files("src", "tests", "scripts")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions() -> Iterator[tuple[str, Function]]:
    for path in FILES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, Function):
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", node


def lines_of(node: ast.stmt | ast.match_case) -> int:
    if isinstance(node, ast.match_case):
        return lines_of(node.body[-1])
    return (node.end_lineno or node.lineno) - node.lineno + 1


def code_lines(function: Function) -> int:
    """The lines of a function, its docstring and its match over a closed syntax left out."""
    docstring = function.body[:1] if ast.get_docstring(function) is not None else []
    apart = [*docstring, *(statement for statement in function.body if is_match_over_closed_syntax(statement))]
    return lines_of(function) - sum(lines_of(statement) for statement in apart)


def is_match_over_closed_syntax(statement: ast.stmt) -> bool:
    """A match whose last case proves, with assert_never, that no kind of node was left out."""
    if not isinstance(statement, ast.Match):
        return False
    match statement.cases[-1].body[-1]:
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            return True
        case _:
            return False


def test_no_file_is_longer_than_500_lines() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_function_is_longer_than_60_lines() -> None:
    lengths = {name: code_lines(function) for name, function in functions()}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_no_module_is_a_drawer_for_odds_and_ends() -> None:
    drawers = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert [str(path.relative_to(ROOT)) for path in FILES if path.stem.strip("_") in drawers] == []
