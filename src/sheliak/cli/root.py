"""The root command: finds its subcommands when they are asked for, and turns every outcome into an exit code.

0 clean, 1 findings, 2 bad usage or unreadable input, 3 a fault of Sheliak itself, with a report file.
"""

import errno
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

import click

from sheliak import __version__

CLEAN, UNUSABLE, INTERRUPTED, READER_GONE = 0, 2, 130, 141

# The command NAME is the object NAME of the module sheliak.cli.NAME. Beside each, the lines it has in the overview.
COMMANDS: dict[str, tuple[tuple[str, str], ...]] = {
    "check": (("sheliak check chart.vg.json", "the mistakes of a chart: what, where, the likeliest repair"),),
    "explain": (("sheliak explain unknown-field", "what a finding means, with a spec that has it"),),
    "shapes": (("sheliak shapes chart.vg.json", "the fields and types of every dataset"),),
    "graph": (("sheliak graph chart.vg.json -o flow.svg", "how the data of a chart flow, as a picture"),),
    "requires": (("sheliak requires chart.vg.json", "the fields a chart needs of data that is not at hand"),),
    "run": (
        ("sheliak run chart.vg.json -o chart.html", "the data of a chart computed on Spark, and its picture"),
        ("sheliak run chart.vg.json --dataset totals", "the rows of one dataset"),
    ),
    "plan": (("sheliak plan chart.vg.json", "what of a chart runs on Spark, what does not, and why"),),
    "trace": (("sheliak trace chart.vg.json --changes new.jsonl", "changes sent through the data of a chart, step by step"),),
    "stream": (("sheliak stream chart.vg.json --changes new ...", "the data of a chart kept up to date as changes arrive"),),
    "init": (("sheliak init", "settings, a pre-commit hook and a workflow for a repository of charts"),),
    "calculus": (("sheliak calculus check spec.uvega", "types of a spec in the small calculus behind the rules"),),
}


CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class LazyGroup(click.Group):
    """A group that imports a command when it is used; a command whose module is absent does not exist."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if is_present(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = getattr(importlib.import_module(f"sheliak.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What each command is for, whole, without loading any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][0][1]) for name in self.list_commands(ctx)])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(ctx)
        if args[0] not in names and not args[0].startswith("-"):
            from difflib import get_close_matches

            raise click.UsageError(f"there is no command '{args[0]}'{similar_names(get_close_matches(args[0], names))}", ctx)
        return super().resolve_command(ctx, args)


def is_present(name: str) -> bool:
    return importlib.util.find_spec(f"sheliak.cli.{name}") is not None


def similar_names(names: Sequence[str] | None) -> str:
    return f"; a similar name exists: {', '.join(names)}" if names else ""


def overview() -> str:
    lines = [line for name, examples in COMMANDS.items() if is_present(name) for line in examples]
    width = max((len(example) for example, _ in lines), default=0)
    table = "\n".join(f"  {example:{width}}  {meaning}" for example, meaning in lines)
    return (
        f"Sheliak finds the mistakes of a Vega chart before it is drawn.\n\n{table}\n\n"
        "sheliak --help lists the commands; sheliak COMMAND --help shows the options and examples of one."
    )


@click.group(name="sheliak", cls=LazyGroup, invoke_without_command=True, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="sheliak", message="%(prog)s %(version)s")
@click.pass_context
def sheliak(context: click.Context) -> None:
    """Find the mistakes of a Vega chart before it is drawn.

    Exit codes: 0 clean, 1 findings, 2 bad usage or unreadable input, 3 a fault of Sheliak itself.
    """
    if context.invoked_subcommand is None:
        click.echo(overview())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code; nothing but SystemExit escapes."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    accept_any_text()
    try:
        return run(words)
    except click.ClickException as problem:
        say(problem)
        return UNUSABLE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except Exception as fault:  # noqa: BLE001 - the last place that can still tell the user something useful
        from sheliak.cli.faults import write_fault

        return output_failed(fault) or write_fault(fault, words)


def run(words: list[str]) -> int:
    """The command's own exit code: what it returns if that is a number, what it exits with, else 0."""
    if "_SHELIAK_COMPLETE" in os.environ:
        sheliak.main(words, prog_name="sheliak")  # a shell asks for completions: click answers and exits
    try:
        with sheliak.make_context("sheliak", words) as context:
            result = sheliak.invoke(context)
    except click.exceptions.Exit as leaving:
        result = leaving.exit_code
    sys.stdout.flush()
    return result if isinstance(result, int) else CLEAN


def say(problem: click.ClickException) -> None:
    similar: Sequence[str] | None = getattr(problem, "possibilities", None)
    message = problem.message.removesuffix(".") if similar else problem.format_message()
    if isinstance(problem, click.MissingParameter) and problem.ctx is not None:
        message = f"{missing_name(problem)} is missing; {problem.ctx.command_path} --help shows examples"
    if isinstance(problem, click.UsageError) and problem.ctx is not None:
        click.echo(problem.ctx.get_usage(), err=True)
    click.echo(f"error: {message}{similar_names(similar)}", err=True)


def missing_name(problem: click.MissingParameter) -> str:
    """What the user has to give, as the usage calls it."""
    parameter = problem.param
    if parameter is None:
        return "an argument"
    return parameter.opts[0] if isinstance(parameter, click.Option) else parameter.make_metavar(problem.ctx).strip("[].")  # type: ignore[arg-type]


def output_failed(problem: Exception) -> int | None:
    """The exit code where standard output is what failed: its reader has gone, or its disk is full."""
    match problem:
        case OSError(errno=errno.EPIPE):
            drop_output()
            return READER_GONE
        case OSError(errno=errno.ENOSPC):
            drop_output()
            click.echo(f"error: the output cannot be written: {problem.strerror}", err=True)
            return UNUSABLE
    return None


def drop_output() -> None:
    # Python flushes standard output once more when it ends, and would complain then.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def accept_any_text() -> None:
    # A spec may hold a lone surrogate, and a terminal may know ASCII only: both are shown escaped, neither is a fault.
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
