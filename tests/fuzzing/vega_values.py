"""The values that Vega gives to expressions, asked in bulk through one node process."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sheliak.expressions.values import Json

_SCRIPT = Path(__file__).with_name("vega_values.mjs")
SEED = 42
NOW = 1_704_067_200_000


class Question(NamedTuple):
    """An expression, and the datum it is evaluated for, as `encode` writes it."""

    text: str
    datum: Json


def vega_values(questions: Sequence[Question], timezone: str, vega_home: Path) -> list[Json]:
    """Vega's answers in the same order, as `encode` writes them; {"$error": message} where there is none."""
    with tempfile.TemporaryFile("w+", encoding="ascii") as lines:
        lines.writelines([json.dumps(question._asdict()) + "\n" for question in questions])
        lines.seek(0)
        command = ["node", str(_SCRIPT), str(vega_home), str(SEED), str(NOW)]
        environment = {**os.environ, "TZ": timezone}
        done = subprocess.run(command, stdin=lines, capture_output=True, check=True, encoding="utf-8", env=environment)
    answers = done.stdout.split("\n")[:-1]  # not splitlines: JSON leaves U+2028 as it is
    assert len(answers) == len(questions), f"{len(questions)} questions, {len(answers)} answers"
    return [json.loads(answer) for answer in answers]
