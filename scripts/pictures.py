"""Make the pictures of docs/pictures anew that no page makes itself: `pictures.py`.

blank and repaired are what Vega draws of two examples, by itself. message is what `sheliak check` prints on a terminal. The others are
saved by the commands of the pages, and written by `python -m docs.record`.
"""

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import vl_convert
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
BROKEN = "examples/books-broken.vg.json"
WIDTH = 98

# Rich's own frame fetches a font; this one takes what the reader's machine has, and states the length of every line.
FRAME = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: {char_height}px; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


def drawn_by_vega(name: str) -> str:
    """The picture of an example."""
    spec = json.loads((ROOT / "examples" / name).read_text(encoding="utf-8"))
    return vl_convert.vega_to_svg(spec | {"background": "white"})


def on_a_terminal(*arguments: str) -> str:
    """A command and what it prints in colour, as a picture of a terminal."""
    command = [sys.executable, "-m", "sheliak", *arguments, "--color", "always"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    console = Console(
        width=WIDTH, file=io.StringIO(), record=True, force_terminal=True, color_system="truecolor", legacy_windows=False
    )
    console.print(Text(f"$ sheliak {' '.join(arguments)}"))
    console.print(Text.from_ansi(printed.rstrip("\n")))
    return console.export_svg(title="sheliak", code_format=FRAME, unique_id="message")


def pictures() -> Iterator[tuple[Path, str]]:
    yield PICTURES / "blank.svg", drawn_by_vega("books-broken.vg.json")
    yield PICTURES / "repaired.svg", drawn_by_vega("books.vg.json")
    yield PICTURES / "message.svg", on_a_terminal("check", BROKEN)


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for path, text in pictures():
        path.write_text(text, encoding="utf-8")
