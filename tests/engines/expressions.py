"""Do random expressions over columns give the values that the evaluator gives, row by row?

Many expressions go into one job, over one table whose columns hold numbers, text, dates, lists, objects and mixtures.
An expression that stops the run for some row is left out: where it stops is the business of the pipelines.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

import pyarrow as pa

from engines.fixed_planning import FixedPlanning
from engines.tallies import Findings
from fuzzing.random_calls import Calls
from fuzzing.random_values import Values
from reference.verdicts import same
from sheliak.engines.spark.arrow_values import arrow_array, values_of
from sheliak.engines.spark.expressions import prepared
from sheliak.engines.spark.texts import HALF
from sheliak.expressions.environment import Surroundings
from sheliak.expressions.evaluate import EvaluationError, compiled
from sheliak.expressions.parser import ExpressionSyntaxError, parse_expression
from sheliak.expressions.random_source import RandomSource
from sheliak.expressions.values import UNDEFINED, Value, encode
from sheliak.expressions.zones import UTC, Zone, zone_of
from sheliak.plan.column_types import type_of_values
from sheliak.plan.expressions import Apply, PlanExpression, Read, parts_of
from sheliak.plan.scope import Scope
from sheliak.plan.unplannable import Unplannable
from sheliak.plan.vega_expressions import planned_text

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_BATCH = 60
_ROWS = 20
_ROUNDED = re.compile(
    r"\b(?:a?(?:sin|cos|tan)|atan2|exp|log|pow|sqrt|ease(?:Sin|Exp|Elastic|Circle|Poly)\w*|(?:density|cumulative|quantile)\w*)\(|\*\*"
)
"""What Java, Python and JavaScript may round to neighbouring numbers, and what is made of it."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]\d+)?")
_ZONES = ("UTC", "America/New_York", "Asia/Kolkata")


@dataclass(slots=True)
class Expressions(Findings):
    """What became of the expressions."""

    reasons: Counter[str] = field(default_factory=Counter)

    def summary(self) -> str:
        reasons = "".join(f"\n{count:5}  {reason}" for reason, count in self.reasons.most_common(25))
        return f"expressions: {dict(self.tally)}, {len(self.failures)} differences{reasons}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """An expression, its plan, and the value it has for each row."""

    text: str
    plan: PlanExpression
    meant: list[Value]


class Table:
    """Rows with a field of every kind, and two (`u`, `v`) of a narrower choice that differs from table to table."""

    def __init__(self, random: Random, zone: Zone) -> None:
        values = Values(random)
        self.rows = [{name: whole(value) for name, value in values.datum().items()} for _ in range(_ROWS)]
        self.zone = zone
        for name in "uv":
            make = random.choice((values.value, values.number, values.text, values.date, lambda: random.random() < 0.5))
            gaps: list[Value] = [gap for gap in (None, UNDEFINED) if random.random() < 0.5]
            for row in self.rows:
                row[name] = random.choice(gaps) if gaps and random.random() < 0.25 else whole(make())
        if random.random() < 0.5:
            for row in self.rows:
                row["l"] = [values.number() for _ in range(random.randint(0, 4))]
                row["o"] = {"a": values.number(), "b": whole(values.text())}
        self.types = {name: type_of_values(row[name] for row in self.rows) for name in self.rows[0]}
        self.columns = {name: index for index, name in enumerate(self.types)}

    def arrow(self) -> pa.Table:
        columns = {f"c{self.columns[name]}": arrow_array([row[name] for row in self.rows], of) for name, of in self.types.items()}
        return pa.table(columns)

    def scope(self) -> Scope:
        reads: dict[str, PlanExpression] = {name: Read(self.columns[name], of) for name, of in self.types.items()}
        return Scope(reads, FixedPlanning(zone=self.zone))

    def meant(self, text: str) -> list[Value] | None:
        """The value for each row; None if one stops the run."""
        try:
            meaning = compiled(parse_expression(text))
            return [meaning(Surroundings({"datum": row}, self.zone, 0.0, RandomSource(1.0))) for row in self.rows]
        except (EvaluationError, ExpressionSyntaxError):
            return None


def whole(value: Value) -> Value:
    """The value without halves of characters, which no column of text holds."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [whole(element) for element in value]
    return {name: whole(member) for name, member in value.items()} if isinstance(value, dict) else value


def expression_campaign(count: int, seed: int, session: SparkSession) -> Expressions:
    """Tries so many expressions."""
    found = Expressions()
    for start in range(0, count, _BATCH):
        random = Random(f"table {seed} {start}")
        table = Table(random, zone_of(random.choice(_ZONES)))
        texts = [over_fields(Calls(random)) for _ in range(min(_BATCH, count - start))]
        check(texts, table, session, found)
        if start // _BATCH % 20 == 19 or start + _BATCH >= count:
            found.progress(start + len(texts), count, "expressions")
    return found


def over_fields(calls: Calls) -> str:
    """An expression that is no constant."""
    while "datum" not in (text := calls.expression()):
        pass
    return text


def check(texts: Sequence[str], table: Table, session: SparkSession, found: Expressions) -> None:
    """Computes all expressions in one job; where it fails, one by one."""
    wanted = [one for text in texts if (one := _wanted(text, table, found)) is not None]
    try:
        computed = _computed(session, table, wanted)
    except Exception as failure:  # noqa: BLE001 - which of them it was is found by halving
        if len(wanted) == 1 and HALF in str(failure) and has_halves(wanted[0].text, table):  # the driver takes such a run over
            found.tally["halves of characters"] += 1
            return
        if len(wanted) == 1:
            found.fail(f"{wanted[0].text}: {str(failure)[:600]}")
            return
        half = len(wanted) // 2
        for part in (wanted[:half], wanted[half:]):
            check([one.text for one in part], table, session, Expressions(failures=found.failures))
        return
    for one, values in zip(wanted, computed, strict=True):
        found.tally["values"] += len(values)
        _compare(one, values, table, found)


def has_halves(text: str, table: Table) -> bool:
    """Some text that the expression reads or names has a character of two halves."""
    read = [encode(row[name]) for row in table.rows for name in row if f"datum.{name}" in text]
    return any(letter > "\uffff" for letter in text + json.dumps(read, ensure_ascii=False))


def _wanted(text: str, table: Table, found: Expressions) -> Wanted | None:
    found.tally["tried"] += 1
    meant = table.meant(text)
    if meant is None:
        found.tally["stops"] += 1
        return None
    try:
        plan = planned_text(text, table.scope())
    except Unplannable as reason:
        found.tally["without a column"] += 1
        found.reasons[str(reason)] += 1
        return None
    except Exception as fault:  # noqa: BLE001
        found.fail(f"{text}: {fault!r}")
        return None
    if any(isinstance(part, Apply) and part.operation == "required" for part in parts_of(plan)):
        found.tally["may stop"] += 1
        return None
    found.tally["compared"] += 1
    return Wanted(text, plan, meant)


def _computed(session: SparkSession, table: Table, wanted: Sequence[Wanted]) -> list[list[Value]]:
    plans = [one.plan for one in wanted]
    frame, lowering = prepared(session.createDataFrame(table.arrow()), plans)
    result = frame.select("c0", *(lowering.column(plan).alias(f"r{index}") for index, plan in enumerate(plans))).toArrow()
    return [values_of(result.column(f"r{index}"), plan.of) for index, plan in enumerate(plans)]


def _compare(one: Wanted, values: list[Value], table: Table, found: Expressions) -> None:
    alike = same_but_for_last_digits if _ROUNDED.search(one.text) else same
    for row, value, meant in zip(table.rows, values, one.meant, strict=True):
        if not alike(encode(value), encode(meant)):
            used = {name: encode(row[name]) for name in row if f"datum.{name}" in one.text or "datum)" in one.text}
            found.fail(
                f"{one.text}\n  for {json.dumps(used)} in {table.zone}\n  is {json.dumps(encode(value))}, meant {json.dumps(encode(meant))}"
            )
            return


def same_but_for_last_digits(value: object, meant: object) -> bool:
    """Texts that show numbers which libraries of mathematics round differently: the same but for the last digits of numbers in them."""
    if not (isinstance(value, str) and isinstance(meant, str)):
        return same(value, meant)
    numbers = [[float(number) for number in _NUMBER.findall(text)] for text in (value, meant)]
    return _NUMBER.sub("0", value) == _NUMBER.sub("0", meant) and same(*numbers)


def table_of(seed: int) -> Table:
    """The table that a seed names, in UTC."""
    return Table(Random(seed), UTC)
