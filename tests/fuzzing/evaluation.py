"""Do our evaluator and Vega give the same values?

    python -m fuzzing.evaluation --count 100000 --seed 1 --vega-home DIR [--timezone ZONE] [--record FILE]

DIR holds node_modules with vega. Random expressions are evaluated for random data by both. Differences are printed; the exit code
is 1 if there are any.
`--record` writes cases with Vega's answers, for the tests that run without node.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from fuzzing.random_calls import Calls
from fuzzing.random_dates import Dates
from fuzzing.random_values import Values
from fuzzing.vega_values import NOW, SEED, Question, vega_values
from sheliak.expressions.environment import Surroundings
from sheliak.expressions.evaluate import EvaluationError, compiled
from sheliak.expressions.parser import ExpressionSyntaxError, parse_expression
from sheliak.expressions.random_source import RandomSource
from sheliak.expressions.values import Json, decode, encode
from sheliak.expressions.zones import zone_of

_BATCH = 20_000
# All but sines and tangents of huge numbers agree to the last bit.
TOLERANCE = 1e-15
ZONES = ("UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe")


def questions_from(seed: int) -> Iterator[Question]:
    """Questions without end."""
    random = Random(seed)
    calls, values, dates = Calls(random), Values(random), Dates(random)
    while True:
        yield dates.question() if random.random() < 0.25 else Question(calls.expression(), encode(values.datum()))


def our_value(question: Question, timezone: str) -> Json:
    """What we make of a question, written as Vega's answer is."""
    datum = decode(question.datum)
    surroundings = Surroundings({"datum": datum}, zone_of(timezone), float(NOW), RandomSource(float(SEED)))
    try:
        return encode(compiled(parse_expression(question.text))(surroundings))
    except (EvaluationError, ExpressionSyntaxError) as problem:
        return {"$error": str(problem)}
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as fault:
        # A fault of ours is a difference to be shown, not the end of the campaign.
        return {"$fault": repr(fault)}


def agree(ours: Json, theirs: Json) -> bool:
    """Equal values; numbers up to their last digits; an error is an error, whatever it says."""
    match ours, theirs:
        case dict(), dict() if "$error" in ours or "$error" in theirs:
            return "$error" in ours and "$error" in theirs
        case dict(), dict():
            return ours.keys() == theirs.keys() and all(agree(ours[name], theirs[name]) for name in ours)
        case list(), list():
            return len(ours) == len(theirs) and all(map(agree, ours, theirs))
        case (bool() | str() | None, _) | (_, bool() | str() | None):
            return type(ours) is type(theirs) and ours == theirs
        case ((int() | float()), (int() | float())):
            return abs(ours - theirs) <= TOLERANCE * max(abs(ours), abs(theirs))
        case _:
            return False


def kind_of(answer: Json) -> str:
    """Whether Vega gave a value, an error, or would not have come to an end."""
    if not isinstance(answer, dict):
        return "value"
    return "error" if "$error" in answer else "endless" if "$endless" in answer else "value"


def campaign(count: int, seed: int, timezone: str, vega_home: Path) -> tuple[Counter[str], list[tuple[Question, Json, Json]]]:
    """How many questions had a value, an error or no end in Vega, and every question where we differ, with both answers."""
    stream = questions_from(seed)
    kinds: Counter[str] = Counter()
    differences = []
    for start in range(0, count, _BATCH):
        questions = list(islice(stream, min(_BATCH, count - start)))
        for question, theirs in zip(questions, vega_values(questions, timezone, vega_home), strict=True):
            kinds[kind_of(theirs)] += 1
            if kind_of(theirs) != "endless" and not agree(ours := our_value(question, timezone), theirs):
                differences.append((question, ours, theirs))
    return kinds, differences


def record(count: int, seed: int, vega_home: Path, target: Path) -> None:
    """Store questions with Vega's answers, by turns for each zone: one JSON array [zone, text, datum, answer] per line."""
    lines = []
    for index, timezone in enumerate(ZONES):
        questions = list(islice(questions_from(seed + index), count // len(ZONES)))
        for question, answer in zip(questions, vega_values(questions, timezone, vega_home), strict=True):
            if kind_of(answer) == "endless":
                continue
            lines.append(json.dumps([timezone, question.text, _used(question), answer], separators=(",", ":")))
    target.write_text("\n".join(lines) + "\n", "ascii")


def _used(question: Question) -> Json:
    """The fields of the datum that the expression names; all where it names the datum itself."""
    datum = question.datum
    assert isinstance(datum, dict)
    if any(f"datum{end}" in question.text for end in ")],[ "):
        return datum
    return {name: value for name, value in datum.items() if f"datum.{name}" in question.text}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="fuzzing.evaluation")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timezone", default="UTC")
    parser.add_argument("--vega-home", type=Path, required=True)
    parser.add_argument("--record", type=Path)
    options = parser.parse_args(arguments)
    if options.record:
        record(options.count, options.seed, options.vega_home, options.record)
        return 0
    kinds, differences = campaign(options.count, options.seed, options.timezone, options.vega_home)
    for question, ours, theirs in differences[:40]:
        print(
            f"{question.text}\n  for    {json.dumps(_used(question))}\n  ours   {json.dumps(ours)}\n  Vega's {json.dumps(theirs)}"
        )
    print(f"{options.count} expressions, {kinds['value']} with a value in Vega, {len(differences)} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
