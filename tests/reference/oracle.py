"""Vega itself, asked through the oracle of the folder `shared`: a script for node that runs specs and tells all rows."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

NOW = 1704067200000.0
"""What the oracle's clock shows."""


@dataclass(frozen=True, slots=True)
class Oracle:
    """Where the script and Vega are."""

    script: Path
    vega_home: Path
    data: Path | None = None
    timezone: str = "UTC"

    def _run(self, *arguments: str, questions: str = "") -> str:
        data = ["--data-dir", str(self.data)] if self.data is not None else []
        command = ["node", str(self.script), "--vega", str(self.vega_home), "--tz", self.timezone, "--compact", *data, *arguments]
        # A thread of node's keeps the time zone that the process began with.
        environment = {**os.environ, "TZ": self.timezone}
        return subprocess.run(command, input=questions, capture_output=True, check=True, text=True, env=environment).stdout

    def answers_for_files(self, specs: Sequence[Path], out: Path) -> dict[str, dict[str, object]]:
        """What Vega makes of each file, by its stem; answers that are in the folder already are not asked for again."""
        missing = [spec for spec in specs if not (out / f"{stem_of(spec)}.json").exists()]
        if missing:
            with tempfile.NamedTemporaryFile("w", suffix=".txt") as listing:
                listing.write("\n".join(str(spec.resolve()) for spec in missing))
                listing.flush()
                self._run("--batch", listing.name, "--out", str(out))
        return {spec.stem: json.loads((out / f"{stem_of(spec)}.json").read_text(encoding="utf-8")) for spec in specs}

    def answers(self, specs: Sequence[object]) -> list[dict[str, object]]:
        """What Vega makes of specs given as values, in the same order."""
        jobs = "\n".join(json.dumps({"id": index, "spec": spec}) for index, spec in enumerate(specs))
        answers = map(json.loads, self._run("--stdin", questions=jobs).split("\n")[:-1])
        found = {answer["id"]: answer for answer in answers}
        return [found[index] for index in range(len(specs))]


def stem_of(spec: Path) -> str:
    """What the oracle calls its answer for a file."""
    return spec.name.removesuffix(".json").removesuffix(".vg")
