"""The main job in a minute: a chart that comes out wrong without a word, and Sheliak that says why.

Every step runs the real command on a file of examples/ and is shown as a user would type it.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from sheliak.cli.root import is_present

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Step:
    """A command line, what to say before it, and the exit code it must have."""

    words: str
    arguments: tuple[str, ...]
    exit_code: int


STEPS = (
    Step(
        "A chart of books: average length for each kind of book. It is sound.",
        ("check", "examples/books.vg.json"),
        0,
    ),
    Step(
        "The same chart with a letter missing: `avgwords` for `avg_words`. Vega draws the axes and no bar, and says nothing.",
        ("check", "examples/books-broken.vg.json"),
        1,
    ),
    Step(
        "Here the bars stand on `language`, which the aggregation dropped. Vega draws all of them in one place.",
        ("check", "examples/books-language.vg.json"),
        1,
    ),
    Step(
        "The small calculus behind the rules. A pipeline of books, and the type of every dataset in it.",
        ("calculus", "check", "examples/books.uvega"),
        0,
    ),
    Step(
        "One letter missing, `avgwords` for `avg_words`: a chart of it would be blank. No rule gives the formula a type.",
        ("calculus", "check", "examples/books-avgwords.uvega"),
        1,
    ),
    Step(
        "A field that the aggregation dropped.",
        ("calculus", "check", "examples/books-language.uvega"),
        1,
    ),
    Step(
        "The sound pipeline, run on a stream of changes: books are added, updated and removed.",
        ("calculus", "run", "examples/books.uvega", "--changes", "examples/books-changes.jsonl"),
        0,
    ),
)


def show(step: Step) -> bool:
    """Run one step in sight of the reader; True if it ended as it should."""
    print(f"\n# {step.words}\n$ sheliak {' '.join(step.arguments)}", flush=True)
    command = [sys.executable, "-m", "sheliak", *step.arguments]
    ended = subprocess.run(command, cwd=ROOT, check=False, stderr=subprocess.STDOUT).returncode
    if ended != step.exit_code:
        print(f"this should have ended with exit code {step.exit_code}, and ended with {ended}")
    return ended == step.exit_code


def show_spark() -> bool:
    """The end: a chart computed on Spark. In a process of its own, for what it prints belongs to it alone."""
    print("\n# The data of a chart computed on Spark: only what is drawn leaves it.", flush=True)
    return subprocess.run([sys.executable, "scripts/demo_spark.py"], cwd=ROOT, check=False).returncode == 0


if __name__ == "__main__":
    outcomes = [show(step) for step in STEPS if is_present(step.arguments[0])]
    sys.exit(not all([*outcomes, show_spark()]))
