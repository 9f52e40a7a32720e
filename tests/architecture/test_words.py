"""Words that must not stand in the repository: unfinished work, registries, places on somebody's machine, SQL text."""

import ast
import re
from pathlib import Path

from architecture.tree import PACKAGE, ROOT, parsed, python_files, text_files

# Each word has a mark in it, so that this file does not hold the words it looks for.
UNFINISHED = "TO·DO FIX·ME X·XX NotImplemented·Error for·_now place·holder"
REGISTRIES = "pypi·.org python·hosted.org npm·js.org npm·js.com yarn·pkg.com maven·.org maven·.apache.org conda·.anaconda.org"
REGISTRY_OPTIONS = "--index·-url --extra-index·-url --find·-links --trusted·-host"


def any_of(marked_words: str) -> str:
    """A pattern for any of the words, whose marks are taken out; `_` stands for a space."""
    words = marked_words.replace("·", "").split()
    return "|".join(re.escape(word.replace("_", " ")) for word in words)


def lines_with(pattern: str, *folders: str, flags: int = 0) -> list[str]:
    expression = re.compile(pattern, flags)
    return [
        f"{name}:{number}: {line.strip()[:120]}"
        for name, text in text_files(*folders)
        if expression.search(text)
        for number, line in enumerate(text.splitlines(), 1)
        if expression.search(line)
    ]


def test_nothing_is_left_unfinished() -> None:
    # In double quotes the last of the words is Vega's: the property of an input element.
    assert lines_with(rf'(?<!")\b({any_of(UNFINISHED)})\b(?!")', "src/", "tests/", "scripts/") == []


def test_no_registry_is_named() -> None:
    assert lines_with(any_of(REGISTRIES), flags=re.IGNORECASE) == []
    assert lines_with(any_of(REGISTRY_OPTIONS), "requirements/") == []


def test_every_locked_package_has_hashes() -> None:
    for name, text in text_files("requirements/"):
        entries = re.split(r"\n(?=\S)", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).strip())
        assert [
            entry for entry in entries if not re.fullmatch(r"\S+==\S+( ;[^\\]+)?( \\\n +--hash=sha256:[0-9a-f]{64})+", entry)
        ] == [], name


def test_no_place_on_a_machine_is_named() -> None:
    here = [re.escape(str(place)) for place in (ROOT, ROOT.parent, Path.home()) if len(place.parts) > 2]
    assert lines_with("|".join([r"(?<![\w./-])/(root|work|home/\w+|Users/\w+)/", *here])) == []


def test_no_sql_text_is_built() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in python_files("src")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute | ast.ImportFrom) and is_way_to_sql(node)
    ]
    assert wrong == []


def is_way_to_sql(node: ast.Attribute | ast.ImportFrom) -> bool:
    """`frame.selectExpr`, `functions.expr` under any usual name, `session.sql`, and imports of the function `expr`."""
    match node:
        case ast.Attribute(attr="selectExpr"):
            return True
        case ast.Attribute(value=ast.Name(id="F" | "f" | "functions" | "sf"), attr="expr"):
            return True
        case ast.Attribute(value=ast.Name(id=name), attr="sql"):
            return name != "pyspark"
        case ast.Attribute(value=ast.Attribute(), attr="sql"):
            return True
        case ast.ImportFrom(module="pyspark.sql.functions", names=names):
            return any(alias.name in ("expr", "*") for alias in names)
        case _:
            return False
