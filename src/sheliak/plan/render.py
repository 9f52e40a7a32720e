"""A plan as text: one line for each operator, what it reads from indented below it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import assert_never

from sheliak.expressions.values import UNDEFINED, encode
from sheliak.plan.expressions import Apply, Choose, Constant, Element, ForEach, PlanExpression, Read
from sheliak.plan.operators import (
    Cross,
    Fresh,
    Generate,
    Group,
    Join,
    Keep,
    Output,
    PerGroup,
    Plan,
    Project,
    Sample,
    Scan,
    Sort,
    SortKey,
    Summary,
    Unfold,
    Union,
    Window,
    upstreams,
)


def plan_text(plan: Plan) -> str:
    """The plan, operator by operator, from the result down to the sources."""
    return "\n".join(_lines(plan, ""))


def _lines(plan: Plan, indent: str) -> Iterator[str]:
    yield indent + operator_text(plan)
    for below in upstreams(plan):
        yield from _lines(below, indent + "  ")


def operator_text(plan: Plan) -> str:
    """One operator without those below it."""
    match plan:
        case Scan(source, schema):
            return f"scan {source.name or 'rows'}: {_listed(f'{field.name}=c{field.column}' for field in schema.fields)}"
        case Keep(_, test):
            return f"keep {expression_text(test)}"
        case Project(_, outputs):
            return f"project {_listed(map(_output, outputs))}"
        case Unfold(_, items, element, index):
            counted = "" if index is None else f", c{index.column} its place"
            return f"unfold {expression_text(items)} as c{element.column}{counted}"
        case Group(_, keys, summaries):
            made = _listed(f"c{one.column} = {_summary(one.summary)}" for one in summaries)
            return f"group by ({_listed(map(_output, keys))}): {made}"
        case Window(_, partition, sort, surveyed):
            made = _listed(f"c{one.column} = {_around(one.around)}" for one in surveyed)
            return f"window ({_listed(map(expression_text, partition))}) by ({_listed(map(_key, sort))}): {made}"
        case Join(_, _, keys, _, copied):
            pairs = _listed(f"{expression_text(mine)} = {expression_text(theirs)}" for mine, theirs in keys)
            return f"join on {pairs}: {_listed(f'c{made.column}' for _, made in copied)}"
        case Cross(_, left, right):
            return f"cross as c{left.column}, c{right.column}"
        case Union(parts, schema):
            return f"union of {len(parts)}: {_listed(f'c{field.column}' for field in schema.fields)}"
        case Sort(_, keys):
            return f"sort by {_listed(map(_key, keys))}"
        case Fresh():
            return "number anew"
        case Sample(_, numbers):
            return f"sample {len(numbers)}"
        case PerGroup():
            return f"{plan.name} for each ({_listed(map(expression_text, plan.keys))}): {_listed(f.name for f in plan.outputs)}"
        case Generate(start, step, count, number):
            return f"generate {count} numbers from {start:g} by {step:g} as c{number.column}"
        case _:
            assert_never(plan)


def _listed(parts: Iterator[str] | map[str]) -> str:
    return ", ".join(parts)


def _output(output: Output) -> str:
    name = output.name or "·"
    value = expression_text(output.value)
    return f"{name}=c{output.column}" if value == f"c{output.column}" else f"{name}=c{output.column} = {value}"


def _key(key: SortKey) -> str:
    return expression_text(key.value) + (" descending" if key.descending else "")


def _summary(summary: Summary) -> str:
    given = [*map(expression_text, summary.operands), *map(str, summary.options)]
    return f"{summary.function}({', '.join(given)})"


def _around(around: Summary | object) -> str:
    if isinstance(around, Summary):
        return _summary(around)
    given = ", ".join(map(expression_text, getattr(around, "operands", ())))
    return f"{getattr(around, 'function', '')}({given})"


def expression_text(e: PlanExpression) -> str:
    """An expression with its conversions written out."""
    match e:
        case Read(column):
            return f"c{column}"
        case Constant(value):
            return "undefined" if value is UNDEFINED else json.dumps(encode(value))
        case Apply(operation, operands, _, options):
            given = [*map(expression_text, operands), *map(str, options)]
            return f"{operation}({', '.join(given)})"
        case Choose(test, consequent, alternate):
            return f"({expression_text(test)} ? {expression_text(consequent)} : {expression_text(alternate)})"
        case Element():
            return "it"
        case ForEach(what, over, _, body):
            return f"{what}({expression_text(over)}, it => {expression_text(body)})"
        case _:
            assert_never(e)
