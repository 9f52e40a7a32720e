"""`sheliak calculus`: the µVega calculus from the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from sheliak.calculus.change_lines import ChangeProblem, Pulse, read_changes
from sheliak.calculus.changes import Error
from sheliak.calculus.no_derivation import RepeatedDataset, UnknownDataset
from sheliak.calculus.printer import change_text, name_text, type_text
from sheliak.calculus.program_check import Report, check_program
from sheliak.calculus.program_run import Datasets, Reduction, TooMuch, require_narrow, run_program, span_of
from sheliak.calculus.propagation import Stuck
from sheliak.calculus.rendering import Diagnostic, JsonOut, SourceText, as_json, as_text, of_change, of_finding, of_syntax
from sheliak.calculus.run_rendering import datasets_text, reductions_text, run_json, vertex_text
from sheliak.calculus.surface import Program, Unparsed, parse_program
from sheliak.calculus.syntax import Span

START = Span(0, 0)
LONGEST_CHAIN = 200
SHOWN_ERRORS = 10
CLEAN, FINDINGS, UNUSABLE = 0, 1, 2


class Failed(Exception):
    """The command ends here: what to tell, and with which exit code."""

    def __init__(self, code: int, *diagnostics: Diagnostic) -> None:
        super().__init__()
        self.code = code
        self.diagnostics = diagnostics


output_format = click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="For people or for programs."
)


@click.group(name="calculus")
def calculus() -> None:
    """Check and run specifications of the µVega calculus.

    \b
    A program is one definition a line, inputs first, # begins a comment:
      input(books, {classification: string, words: number})
      data(books, aggs, agg(datum.classification, avg datum.words as avg_words, count as book_count))
      data(aggs, hundreds, formula(round(datum.avg_words / 100), avg_hundreds))
      data(aggs, english, filter(contains(datum.classification, "English")))
      data(books, pairs, cross(a, b))

    \b
    Expressions: true, 1.5, "text", datum.f, datum["f.g"], + - * /, [e, ...], {f: e, ...}, and the builtins
      abs ceil floor round min max isNaN length lower upper contains.
    Types: boolean, number, string, {f: type, ...}, [type].
    """


@calculus.command()
@click.argument("file", type=click.Path())
@output_format
@click.pass_context
def check(context: click.Context, file: str, output_format: str) -> None:
    """Print the type of every dataset of FILE, or what has no type and why.

    \b
    Examples:
      sheliak calculus check examples/books.uvega
      sheliak calculus check --output-format json examples/books-avgwords.uvega
      cat spec.uvega | sheliak calculus check -

    Exit codes: 0 well-typed, 1 findings, 2 the file cannot be read or is no program.
    """
    try:
        source, program = read_program(file)
        report = check_program(program)
    except Failed as failed:
        context.exit(fail(failed, output_format))
    findings = [of_finding(source, finding) for finding in report.findings]
    if output_format == "json":
        datasets: JsonOut = [{"name": name, "type": type_text(T)} for name, T in report.types.items()]
        echo_json({"datasets": datasets, "diagnostics": [as_json(finding) for finding in findings]})
    else:
        tell(findings)
        for name, T in report.types.items():
            click.echo(f"{name_text(name)}: {type_text(T)}")
    context.exit(FINDINGS if findings else CLEAN)


@calculus.command()
@click.argument("file", type=click.Path())
@click.option(
    "--changes", "changes_file", type=click.Path(), required=True, help="Changes, one JSON object a line; - is standard input."
)
@click.option("--steps", is_flag=True, help="Show every reduction: vertex, change taken, changes sent, state.")
@click.option("--unchecked", is_flag=True, help="Run although something is ill-typed, to see the error arise.")
@click.option(
    "--limit", type=click.IntRange(1), default=1_000_000, show_default=True, help="How many changes may be taken and sent."
)
@output_format
@click.pass_context
def run(
    context: click.Context, file: str, changes_file: str, steps: bool, unchecked: bool, limit: int, output_format: str
) -> None:
    """Send changes through FILE and print the datasets at the end.

    \b
    The changes:
      {"data": "books", "id": 1, "add": {"classification": "English", "words": 120}}
      {"data": "books", "id": 1, "update": {"classification": "English", "words": 90}}
      {"data": "books", "id": 1, "remove": true}
      {"commit": true}
    An update holds the whole new tuple; a commit ends a pulse; an open pulse at the end runs too. Ids are numbers or
    strings. For NaN and the infinities write {"$num": "NaN"}, {"$num": "Infinity"}, {"$num": "-Infinity"}.

    \b
    Examples:
      sheliak calculus run examples/books.uvega --changes examples/books-changes.jsonl
      sheliak calculus run examples/books.uvega --changes examples/books-changes.jsonl --steps
      sheliak calculus run examples/books-avgwords.uvega --changes examples/books-changes.jsonl --unchecked

    Exit codes: 0 done, 1 findings in the program or in the changes, 2 unreadable input.
    """
    try:
        source, program = read_program(file)
        report = checked(source, program, unchecked)
        pulses = read_pulses(changes_file, program, unchecked)
        code, shown, complaints = outcome(source, program, report, pulses, limit, steps, output_format)
    except Failed as failed:
        context.exit(fail(failed, output_format))
    click.echo(shown)
    if complaints:
        click.echo(complaints, err=True)
    context.exit(code)


def outcome(
    source: SourceText, program: Program, report: Report, pulses: list[Pulse], limit: int, steps: bool, output_format: str
) -> tuple[int, str, str]:
    """The exit code, the results and the complaints of a run, all of them before the first is shown."""
    if longest_chain(program) > LONGEST_CHAIN:
        # A trace grows with every transform that a tuple goes through, and is followed by recursion.
        message = f"a tuple goes through more than {LONGEST_CHAIN} transforms"
        raise Failed(FINDINGS, Diagnostic(source, "too-much", message, START))
    try:
        datasets, reductions = propagate(source, program, report, pulses, limit, steps)
        errors = [reduction for reduction in reductions if is_error(reduction)]
        code = FINDINGS if errors else CLEAN
        if output_format == "json":
            return code, json.dumps(run_json(datasets, reductions if steps else None, errors), indent=2), ""
        lines = (*reductions_text(reductions if steps else ()), *datasets_text(datasets, report.types))
        return code, "\n".join(lines), "\n".join(error_lines(errors))
    except RecursionError:
        message = "a tuple is nested deeper than can be followed"
        raise Failed(FINDINGS, Diagnostic(source, "too-much", message, START)) from None


def longest_chain(program: Program) -> int:
    """The most transforms that a tuple goes through on its way from an input to a dataset."""
    lengths: dict[str, int] = {}
    for definition in program.spec:
        lengths[definition.name] = lengths.get(definition.source, 0) + len(definition.transforms)
    return max(lengths.values(), default=0)


def error_lines(errors: list[Reduction]) -> Iterator[str]:
    for reduction in errors[:SHOWN_ERRORS]:
        yield f"error: {change_text(reduction.taken)} fails at {vertex_text(reduction.vertex)}"
    if len(errors) > SHOWN_ERRORS:
        yield f"error: and {len(errors) - SHOWN_ERRORS} more"


def is_error(reduction: Reduction) -> bool:
    """Whether an error arises here, and was not only passed on."""
    return Error() in reduction.sent and reduction.taken != Error()


# Reading


def read_text(file: str) -> SourceText:
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        text = raw.decode("utf-8-sig")
    except OSError as problem:
        raise click.FileError(file, problem.strerror or str(problem)) from None
    except UnicodeDecodeError as problem:
        raise click.FileError(file, f"not UTF-8: byte {problem.start + 1} fits no character") from None
    except ValueError as problem:  # a name with a zero byte
        raise click.FileError(file, str(problem)) from None
    return SourceText("<stdin>" if file == "-" else file, text)


def read_program(file: str) -> tuple[SourceText, Program]:
    source = read_text(file)
    try:
        return source, parse_program(source.text)
    except Unparsed as unparsed:
        raise Failed(UNUSABLE, *(of_syntax(source, problem) for problem in unparsed.problems)) from None


def checked(source: SourceText, program: Program, unchecked: bool) -> Report:
    """Refuses an ill-typed program; even unchecked, one whose graph cannot be built."""
    report = check_program(program)
    graphless = (UnknownDataset, RepeatedDataset)
    refused = [finding for finding in report.findings if not unchecked or isinstance(finding.reason, graphless)]
    if refused:
        raise Failed(FINDINGS, *(of_finding(source, finding) for finding in refused))
    return report


def read_pulses(file: str, program: Program, unchecked: bool) -> list[Pulse]:
    source = read_text(file)
    try:
        computed = frozenset(d.name for d in program.spec)
        return read_changes(source.text, program.context, computed, check_types=not unchecked)
    except ChangeProblem as problem:
        raise Failed(UNUSABLE if problem.is_unreadable else FINDINGS, of_change(source, problem)) from None


def propagate(
    source: SourceText, program: Program, report: Report, pulses: list[Pulse], limit: int, steps: bool
) -> tuple[Datasets, list[Reduction]]:
    """The datasets, and all reductions or (to save memory) only those where an error arises."""
    reductions: list[Reduction] = []

    def watch(reduction: Reduction) -> None:
        if steps or is_error(reduction):
            reductions.append(reduction)

    try:
        require_narrow(program, report.types)
        return run_program(program, pulses, limit, watch), reductions
    except TooMuch as too_much:
        raise Failed(FINDINGS, Diagnostic(source, "too-much", too_much.message, too_much.span or START)) from None
    except Stuck as stuck:
        span = span_of(stuck.vertex) if stuck.vertex else None
        message = f"the reduction is stuck here: {stuck.reason}: {change_text(stuck.change)}"
        raise Failed(FINDINGS, Diagnostic(source, "stuck", message, span or START)) from None


# Telling


def fail(failed: Failed, output_format: str) -> int:
    if output_format == "json":
        echo_json({"diagnostics": [as_json(diagnostic) for diagnostic in failed.diagnostics]})
    else:
        tell(failed.diagnostics)
    return failed.code


def tell(diagnostics: Iterable[Diagnostic]) -> None:
    for diagnostic in diagnostics:
        click.echo(as_text(diagnostic), err=True)


def echo_json(value: JsonOut) -> None:
    click.echo(json.dumps(value, indent=2))
