"""Vega's own parsers, asked in bulk through one node process."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from fuzzing.expression_forms import Form

_SCRIPT = Path(__file__).with_name("vega_syntax.mjs")


def vega_forms(kind: str, texts: Sequence[str], vega_home: Path) -> list[Form]:
    """What Vega makes of each text, in the same order; `kind` is "expression", "selector" or "pattern"."""
    with tempfile.TemporaryFile("w+", encoding="ascii") as questions:
        questions.writelines([json.dumps({"kind": kind, "text": text}) + "\n" for text in texts])
        questions.seek(0)
        command = ["node", str(_SCRIPT), str(vega_home)]
        done = subprocess.run(command, stdin=questions, capture_output=True, check=True, encoding="utf-8")
    answers = done.stdout.split("\n")[:-1]  # not splitlines: JSON leaves U+2028 as it is
    assert len(answers) == len(texts), f"{len(texts)} questions, {len(answers)} answers"
    return [json.loads(answer) for answer in answers]
