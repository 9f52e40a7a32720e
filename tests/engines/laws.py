"""Laws that hold between runs on Spark, whatever the rows are.

partition   the rows that pass `e` and those that pass `!e` are all rows, each once
counting    as many rows pass `e` as the sum of `e ? 1 : 0` says
renaming    other names of fields change the names of a result, and nothing else
identity    a field that is set to itself changes nothing
splitting   a pipeline may be cut in two datasets
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from engines.comparing import difference_of_encoded, difference_of_rows
from engines.tallies import Findings
from engines.trials import NOW
from engines.variations import any_variation, varied
from fuzzing.transform_expressions import quoted, random_expression
from fuzzing.transform_specs import TYPES, Json, Object, Specs
from fuzzing.transform_words import NAMES, OPERATIONS
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.spark.engine import run_spark
from sheliak.expressions.values import Json as Encoded
from sheliak.expressions.values import Row, Value, encode
from sheliak.transforms._operations import WINDOW_ONLY

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_NUMBER = "row number"
# Of these the names of fields are values of their results, or their parameters name fields that are not among the words.
_NAMING = frozenset({"fold", "pivot", "cross", "project"})
# What they give depends on how often random numbers were drawn, or on what their rows were before.
_DRAWING = frozenset({"sample", "identifier"})
_OTHER_NAMES = [f"{name} Ω{index}" if index % 2 else f"`{index}.{name}`" for index, name in enumerate(NAMES)]


class Laws(Findings):
    """How often each law was tried, and where one did not hold."""

    def summary(self) -> str:
        return f"laws: {self.tally.total()} checks {dict(self.tally)}, {len(self.failures)} failures"


def law_campaign(count: int, seed: int, session: SparkSession) -> Laws:
    """Tries laws by turns until so many checks were made."""
    laws, number = Laws(), 0
    with contextlib.suppress(KeyboardInterrupt):
        while laws.tally.total() < count:
            check_law(number, seed, session, laws)
            number += 1
            if number % 50 == 0:
                laws.progress(laws.tally.total(), count, "laws")
    return laws


def check_law(number: int, seed: int, session: SparkSession, laws: Laws) -> None:
    """Tries one law, the next by turns."""
    name = [*_LAWS][number % len(_LAWS)]
    random = Random(f"{name} {seed} {number}")
    with varied(session, any_variation(random)) as changed:
        failure = _LAWS[name](Runs(changed, name, laws), random)
    if failure:
        laws.fail(f"{name}, seed {seed}, number {number}: {failure}")


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs specs on Spark for one law."""

    session: SparkSession
    law: str
    laws: Laws

    def rows(self, spec: Mapping[str, object]) -> dict[str, list[Row]] | None:
        """The rows of each dataset; None if the spec stops with an error."""
        result = run_spark(spec, self.session, now=NOW)
        return None if result.errors else result.rows

    def counted(self, checks: int = 1) -> None:
        self.laws.tally[self.law] += checks


# Rows and a test


def _tests(random: Random, count: int) -> tuple[Object, list[str]]:
    """A dataset whose rows are numbered, and tests over its fields that stop no run."""
    specs = Specs(random.randrange(10**9))
    names = random.sample(NAMES, random.randint(2, 4))
    kinds = {name: random.choice(["number", "small", "few", "word", "digits", "mixed", "date", "flag", "list"]) for name in names}
    dataset = specs.dataset("t", kinds)
    steps = dataset["transform"]
    assert isinstance(steps, list)
    tests = []
    while len(tests) < count:
        test = random_expression(random, random.choice(names), random.choice(names), kinds, 0.35)
        filtered: Object = {**dataset, "transform": [*steps, {"type": "filter", "expr": test}]}
        if "random" not in test and "sample" not in test and not run_reference({**_SIGNALS, "data": [filtered]}, now=NOW).errors:
            tests.append(test)
    return {**dataset, "transform": [*steps, {"type": "identifier", "as": _NUMBER}]}, tests


_SIGNALS: dict[str, object] = {"signals": [{"name": "low", "value": 2}, {"name": "word", "value": "x"}]}


def _partition(runs: Runs, random: Random) -> str:
    dataset, tests = _tests(random, 4)
    data: list[Json] = [dataset]
    for index, test in enumerate(tests):
        data.append({"name": f"yes{index}", "source": "t", "transform": [{"type": "filter", "expr": test}]})
        data.append({"name": f"no{index}", "source": "t", "transform": [{"type": "filter", "expr": f"!({test})"}]})
    rows = runs.rows({**_SIGNALS, "data": data})
    if rows is None:
        return f"an error in {json.dumps(data)}"
    for index, test in enumerate(tests):
        runs.counted()
        parts = sorted([*rows[f"yes{index}"], *rows[f"no{index}"]], key=_number)
        if found := difference_of_rows(parts, sorted(rows["t"], key=_number)):
            return f"{test}: {found}\n  {json.dumps(dataset)}"
    return ""


def _number(row: Row) -> float:
    number = row[_NUMBER]
    assert isinstance(number, (int, float))
    return number


def _counting(runs: Runs, random: Random) -> str:
    dataset, tests = _tests(random, 4)
    formulas: list[Json] = [
        {"type": "formula", "as": f"test {index}", "expr": f"({test}) ? 1 : 0"} for index, test in enumerate(tests)
    ]
    fields: list[Json] = [f"test {index}" for index in range(len(tests))]
    ops: list[Json] = ["sum"] * len(tests)
    total: Json = {"type": "aggregate", "fields": fields, "ops": ops, "as": fields}
    data: list[Json] = [dataset, {"name": "sums", "source": "t", "transform": [*formulas, total]}]
    for index, test in enumerate(tests):
        steps: list[Json] = [{"type": "filter", "expr": test}, {"type": "aggregate", "ops": ["count"], "as": ["n"]}]
        data.append({"name": f"count{index}", "source": "t", "transform": steps})
    rows = runs.rows({**_SIGNALS, "data": data})
    if rows is None:
        return f"an error in {json.dumps(data)}"
    for index, test in enumerate(tests):
        runs.counted()
        counted, summed = _only(rows[f"count{index}"], "n"), _only(rows["sums"], f"test {index}")
        if counted != summed:
            return f"{test}: {counted} rows pass, the sum is {summed}\n  {json.dumps(dataset)}"
    return ""


def _only(rows: list[Row], name: str) -> Value:
    """The number in the one row; 0 of no rows."""
    value = rows[0].get(name) if rows else 0.0
    return value if isinstance(value, (int, float)) else 0.0


# Pipelines


def _pipeline(random: Random, types: tuple[str, ...], names: list[str]) -> tuple[Object, Object]:
    """One random spec under two sets of names."""
    seed = random.randrange(10**9)
    return Specs(seed, words=NAMES, types=types).spec(), Specs(seed, words=names, types=types).spec()


def _renaming(runs: Runs, random: Random) -> str:
    spec, renamed = _pipeline(random, tuple(kind for kind in TYPES if kind not in _NAMING), _OTHER_NAMES)
    first, second = runs.rows(spec), runs.rows(renamed)
    if first is None or second is None:
        return "" if first is second else f"an error under one set of names only: {json.dumps(spec)}\n  {json.dumps(renamed)}"
    runs.counted()
    for name, rows in first.items():
        if found := difference_of_encoded([_renamed(encode(row)) for row in rows], [encode(row) for row in second[name]]):
            return f"{name}: {found}\n  {json.dumps(spec)}\n  {json.dumps(renamed)}"
    return ""


def _renamed(value: Encoded) -> Encoded:
    """The names of a row; of rows inside a row (of `values`, `argmin`) too."""
    if isinstance(value, list):
        return [_renamed(element) for element in value]
    if not isinstance(value, dict):
        return value
    return {_new_name(name): _renamed(member) for name, member in value.items()}


def _new_name(name: str) -> str:
    """A name, or an operation and a name (`sum_x`)."""
    if name in NAMES:
        return _OTHER_NAMES[NAMES.index(name)]
    for operation in [*OPERATIONS, *WINDOW_ONLY]:
        rest = name.removeprefix(f"{operation}_")
        if rest != name and rest in NAMES:
            return f"{operation}_{_OTHER_NAMES[NAMES.index(rest)]}"
    return name


def _changed(runs: Runs, spec: Object, change: Callable[[Object], Object]) -> str:
    """The last dataset is the same after a change of the spec."""
    changed = change(json.loads(json.dumps(spec)))
    first, second = runs.rows(spec), runs.rows(changed)
    if first is None or second is None:
        return "" if first is second else f"an error in one of them only: {json.dumps(spec)}\n  {json.dumps(changed)}"
    runs.counted()
    found = difference_of_rows([*second.values()][-1], [*first.values()][-1])
    return f"{found}\n  {json.dumps(spec)}\n  {json.dumps(changed)}" if found else ""


def _identity(runs: Runs, random: Random) -> str:
    specs = Specs(random.randrange(10**9), types=tuple(kind for kind in TYPES if kind != "cross"))
    spec = specs.spec()
    name = random.choice([*specs.kinds])

    def change(spec: Object) -> Object:
        steps = _steps(spec)
        steps.insert(random.randint(0, len(steps)), {"type": "formula", "as": name, "expr": f"datum[{quoted(name)}]"})
        return spec

    return _changed(runs, spec, change)


def _splitting(runs: Runs, random: Random) -> str:
    spec = Specs(random.randrange(10**9), types=tuple(kind for kind in TYPES if kind not in _DRAWING)).spec()

    def change(spec: Object) -> Object:
        steps, data = _steps(spec), spec["data"]
        assert isinstance(data, list)
        cut = random.randint(0, len(steps))
        if any(map(_holds_rows, steps[:cut])):
            cut = 0  # the rows that a dataset takes over are copies, but those within them are not
        behind: Object = {"name": "behind", "source": _last(spec)["name"], "transform": steps[cut:]}
        del steps[cut:]
        return {**spec, "data": [*data, behind]}

    return _changed(runs, spec, change)


def _holds_rows(step: Json) -> bool:
    """Its rows hold rows, which show what later transforms write into them."""
    assert isinstance(step, dict)
    ops = step.get("ops")
    return step["type"] in ("joinaggregate", "window") and any(
        op in ("argmin", "argmax", "values") for op in (ops if isinstance(ops, list) else ())
    )


def _last(spec: Object) -> Object:
    data = spec["data"]
    assert isinstance(data, list)
    last = data[-1]
    assert isinstance(last, dict)
    return last


def _steps(spec: Object) -> list[Json]:
    steps = _last(spec)["transform"]
    assert isinstance(steps, list)
    return steps


_LAWS: dict[str, Callable[[Runs, Random], str]] = {
    "partition": _partition,
    "renaming": _renaming,
    "counting": _counting,
    "identity": _identity,
    "splitting": _splitting,
}
