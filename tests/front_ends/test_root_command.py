"""The command `sheliak` itself, through its real entry points: overview, exit codes, faults, broken pipes, interruption."""

import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from sheliak import __version__

SCRIPT = str(Path(sys.executable).with_name("sheliak"))
ENTRY_POINTS = [[SCRIPT], [sys.executable, "-m", "sheliak"]]

# A command that stands in for one that misbehaves; it is found as every other command is.
WITH_COMMAND = """
    import importlib.machinery, sys, types, click
    from sheliak.cli import main, root

    @click.command()
    @click.option("--strict", is_flag=True)
    def probe(strict):
        {body}

    module = types.ModuleType("sheliak.cli.probe")
    module.__spec__ = importlib.machinery.ModuleSpec("sheliak.cli.probe", None)
    module.probe = probe
    sys.modules["sheliak.cli.probe"] = module
    root.COMMANDS = {{"probe": (("sheliak probe", "tries something"),)}}
    raise SystemExit(main())
"""


def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **options.pop("env", {})}  # type: ignore[dict-item]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60, env=environment, **options)  # type: ignore[call-overload]


def probing(body: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", textwrap.dedent(WITH_COMMAND).format(body=body), *arguments]


@pytest.mark.parametrize("entry", ENTRY_POINTS, ids=["script", "module"])
def test_alone_it_gives_an_overview(entry: list[str]) -> None:
    ended = run(entry)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("Sheliak finds the mistakes of a Vega chart before it is drawn.\n")


@pytest.mark.parametrize("entry", ENTRY_POINTS, ids=["script", "module"])
def test_version(entry: list[str]) -> None:
    assert run([*entry, "--version"]).stdout == f"sheliak {__version__}\n"


def test_the_overview_names_the_commands_there_are() -> None:
    ended = run(probing("pass"))
    assert "  sheliak probe  tries something\n" in ended.stdout
    assert "calculus" not in ended.stdout


def test_an_unknown_command_is_bad_usage() -> None:
    ended = run(probing("pass", "prove"))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.endswith("error: there is no command 'prove'; a similar name exists: probe\n")


def test_an_unknown_option_is_bad_usage() -> None:
    ended = run(probing("pass", "probe", "--strct"))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.endswith("error: No such option '--strct'; a similar name exists: --strict\n")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("pass", 0),
        ("return 1", 1),
        ("click.get_current_context().exit(1)", 1),
        ("sys.exit(1)", 1),
        ("raise click.FileError('chart.json', 'no such file')", 2),
        ("raise KeyboardInterrupt", 130),
        ("1 / 0", 3),
    ],
)
def test_exit_code(body: str, code: int, tmp_path: Path) -> None:
    ended = run(probing(body, "probe"), env={"TMPDIR": str(tmp_path)})
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("body", ["raise KeyError('speed')", "probe.callback(strict)"], ids=["exception", "endless recursion"])
def test_a_fault_is_one_line_and_a_report(body: str, tmp_path: Path) -> None:
    ended = run(probing(body, "probe", "--strict"), env={"TMPDIR": str(tmp_path)})
    assert (ended.returncode, ended.stdout) == (3, "")
    line = re.fullmatch(
        r"sheliak: a fault of Sheliak itself \((\w+)\), not of your input; the report is (.+/sheliak-fault-\w+\.txt)\n",
        ended.stderr,
    )
    assert line is not None, ended.stderr
    report = Path(line[2]).read_text(encoding="utf-8")
    assert f"sheliak {__version__}, Python " in report
    assert "arguments: ['probe', '--strict']" in report
    assert "Traceback (most recent call last)" in report
    assert line[1] in report


def test_a_fault_that_cannot_be_filed_is_shown() -> None:
    unwritable = "import tempfile; tempfile.tempdir = '/nowhere'; 1 / 0"
    ended = run(probing(unwritable, "probe"))
    assert ended.returncode == 3
    assert "ZeroDivisionError: division by zero" in ended.stderr


def test_a_reader_that_goes_away_is_no_fault() -> None:
    pipe = f"{' '.join(map(repr_for_shell, probing('[click.echo(str(n)) for n in range(100000)]', 'probe')))} | head -n 1; echo ${{PIPESTATUS[0]}}"
    ended = run(["bash", "-c", pipe])
    assert (ended.stdout, ended.stderr) == ("0\n141\n", "")


def repr_for_shell(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_named() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "sheliak"]
        ended = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (2, "error: the output cannot be written: No space left on device\n")


def test_an_interruption_ends_quietly() -> None:
    command = probing("import time; click.echo('ready'); time.sleep(60)", "probe")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")


@pytest.mark.parametrize(("encoding", "shown"), [("utf-8", "\\ud800 ✓\n"), ("latin-1", "\\ud800 \\u2713\n")])
def test_text_that_cannot_be_shown_is_escaped(encoding: str, shown: str) -> None:
    ended = run(probing(r"click.echo('\ud800 \u2713')", "probe"), env={"PYTHONIOENCODING": encoding})
    assert (ended.returncode, ended.stdout) == (0, shown)


def test_the_shell_can_ask_for_completions() -> None:
    environment = {"_SHELIAK_COMPLETE": "bash_complete", "COMP_WORDS": "sheliak pr", "COMP_CWORD": "1"}
    assert run(probing("pass"), env=environment).stdout == "plain,probe\n"


def test_starting_costs_little_more_than_python() -> None:
    """About 50 ms on a quiet machine; the bound leaves room for a busy one and catches a heavy import."""

    def fastest(command: list[str]) -> float:
        times = []
        for _ in range(5):
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times.append(time.perf_counter() - start)
        return min(times)

    assert fastest([sys.executable, "-m", "sheliak"]) - fastest([sys.executable, "-c", "pass"]) < 0.25
