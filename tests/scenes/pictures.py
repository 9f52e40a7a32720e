"""Pictures of specs, drawn by Vega in node, and when two of them are the same."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_NAMES = re.compile(r"\b(gradient|clip)_?\d+")


@dataclass(slots=True)
class Painter:
    """Vega in node, for many specs one after another."""

    vega_home: Path
    data: Path
    now: float
    process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        script = Path(__file__).with_name("draw.mjs")
        command = ["node", str(script), str(self.vega_home), str(self.data), str(int(self.now))]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        assert self.process is not None and self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=30)

    def draw(self, spec: Mapping[str, object]) -> Mapping[str, object]:
        """`svg` and `log`, or `error`."""
        assert self.process is not None and self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps({"id": 0, "spec": spec}) + "\n")
        self.process.stdin.flush()
        answer: Mapping[str, object] = json.loads(self.process.stdout.readline())
        return answer


def difference(one: str, other: str, slack: float = 0.0) -> str | None:
    """Where two pictures differ beyond the last digits of numbers, or beyond some slack; None where they are the same."""
    one, other = _NAMES.sub(r"\1", one), _NAMES.sub(r"\1", other)
    if one == other:
        return None
    texts = _NUMBER.split(one), _NUMBER.split(other)
    if texts[0] != texts[1]:
        at = next((index for index, pair in enumerate(zip(*texts, strict=False)) if pair[0] != pair[1]), -1)
        return f"{''.join(texts[0][at : at + 3])[:160]!r} became {''.join(texts[1][at : at + 3])[:160]!r}"
    for a, b in zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True):
        if abs(float(a) - float(b)) > max(slack, 1e-6 * max(1.0, abs(float(a)))):
            return f"{a} became {b}"
    return None
