"""`parse: "auto"` on Spark: some rows rule out most parsers, one job over all rows decides about the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING

from sheliak.engines.spark.columns import text_number
from sheliak.engines.spark.lazy_functions import F
from sheliak.expressions.date_parsing import parse_date
from sheliak.expressions.values import Value
from sheliak.expressions.zones import Zone
from sheliak.loading.cell_parsers import Inference
from sheliak.plan.text_dates import READABLE
from sheliak.plan.unplannable import Unplannable

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


@dataclass(slots=True)
class Questions:
    """What one job has to say about columns of text, by their names."""

    zone: Zone
    fitting: dict[str, list[str]] = field(default_factory=dict)
    """The parsers that may fit a column."""
    dates: set[str] = field(default_factory=set)
    """Columns that are parsed as dates, come what may."""

    def infer(self, name: str, sample: list[Value]) -> None:
        inference = Inference(self.zone)
        inference.add(sample)
        self.fitting[name] = inference.fitting

    def open(self, name: str) -> bool:
        """Only all rows can tell about the column."""
        return bool(self.fitting.get(name)) or name in self.dates

    def settled(self) -> dict[str, str]:
        """The columns that the sample alone has decided."""
        return {name: "string" for name, fitting in self.fitting.items() if not fitting}

    def asked(self, name: str, cell: Column) -> dict[str, Column]:
        """The columns of the job: each is true, or holds a text, when something does not fit."""
        fitting = self.fitting.get(name, [])
        asked: dict[str, Column] = {}
        if "boolean" in fitting:
            asked["boolean"] = F.max(~cell.isin("true", "false"))
        if "number" in fitting:
            asked["number"] = F.max(F.isnan(text_number(cell)))
        if "date" in fitting or name in self.dates:
            odd = F.when(~cell.rlike(f"^{READABLE}\\z"), cell)
            # A column that is parsed anyway may have empty texts, which become null.
            odd = F.when(odd != "", odd) if name in self.dates else odd
            asked["least"], asked["greatest"] = F.min(odd), F.max(odd)
        return asked

    def answer(self, name: str, found: Mapping[str, object]) -> str:
        """The parser of a column; raises Unplannable for dates that only Date.parse can read."""
        texts = [text for text in (found.get("least"), found.get("greatest")) if isinstance(text, str)]
        if name in self.dates:
            if texts:
                raise Unplannable(f"`{name}` holds dates in a form of their own")
            return "date"
        for parser in self.fitting[name]:
            if parser != "date":
                if not found[parser]:
                    return parser
            elif not texts:
                return "date"
            elif not any(isnan(parse_date(text, self.zone)) for text in texts):
                raise Unplannable(f"`{name}` may hold dates in a form of their own")
        return "string"


def ask(frame: DataFrame, cells: Mapping[str, Column], questions: Questions) -> dict[str, str]:
    """The parsers of the columns, from one job."""
    wanted = {name: questions.asked(name, cell) for name, cell in cells.items()}
    flat = [column for asked in wanted.values() for column in asked.values()]
    found = frame.agg(*(column.alias(f"a{index}") for index, column in enumerate(flat))).toArrow()
    answers = iter(column[0].as_py() for column in found.columns)
    return {name: questions.answer(name, {what: next(answers) for what in asked}) for name, asked in wanted.items()}
