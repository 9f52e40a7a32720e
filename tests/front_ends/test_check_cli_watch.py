"""`--watch`: runs again when something changes, ends with Ctrl-C."""

import os
import queue
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from front_ends.commands import CLEAN, MISSING_FIELD, SCRIPT, write

PATIENCE = 30


class Watching:
    """A running `sheliak check --watch`, and the lines that it writes."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def until(self, start: str) -> str:
        """The next line that starts like this."""
        while True:
            line = self._lines.get(timeout=PATIENCE)
            if line.startswith(start):
                return line


@contextmanager
def watching(folder: Path, *arguments: str) -> Iterator[Watching]:
    command = [SCRIPT, "check", "--watch", "--output-format", "concise", *arguments]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    try:
        yield Watching(process)
    finally:
        process.kill()
        process.wait()


def test_it_runs_again_when_a_spec_changes_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=MISSING_FIELD)
    with watching(folder) as running:
        running.until("1 error in 1 file")
        running.until("watching")
        write(folder, chart_vg_json=CLEAN)
        running.until("1 file checked, no findings")
        running.until("watching")
        running.process.send_signal(signal.SIGINT)
        assert running.process.wait(PATIENCE) == 0


def test_it_runs_again_when_a_data_file_appears_or_a_spec_is_added(tmp_path: Path) -> None:
    spec = '{"data": [{"name": "b", "url": "data/b.json", "transform": [{"type": "filter", "expr": "datum.word > 1"}]}]}'
    folder = write(tmp_path, chart_vg_json=spec)
    (folder / "data").mkdir()
    with watching(folder, ".") as running:
        running.until("1 file checked, no findings")
        running.until("watching")
        (folder / "data" / "b.json").write_text('[{"words": 1}]', encoding="utf-8")
        running.until("1 error in 1 file")
        running.until("watching")
        write(folder, other_vg_json=CLEAN)
        running.until("1 error in 2 files")


def test_settings_that_cannot_be_used_are_waited_for(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=CLEAN, pyproject_toml="[tool.sheliak]\nstrict = 3\n")
    with watching(folder) as running:
        running.until("error: pyproject.toml, [tool.sheliak]: strict must be true or false")
        running.until("watching")
        write(folder, pyproject_toml="[tool.sheliak]\nstrict = true\n")
        running.until("1 file checked, no findings")
