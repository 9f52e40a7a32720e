"""Delimited text that Spark cuts: where no quoted cell spans lines, every line is a row, and a file can be read in parts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.reading.paths import spark_path
from sheliak.engines.spark.sources import SessionSources
from sheliak.engines.spark.summaries import POSITION
from sheliak.loading.data_file import DataFile
from sheliak.plan.operators import Schema

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_QUOTE = re.compile(b'"')


@dataclass(slots=True, eq=False)
class Lines:
    """The lines of a file behind its header, cut into cells; columns that were asked for are kept for the next who asks."""

    path: Path
    separator: str
    columns: dict[int, int]
    """The place in a line of each column of the plan."""
    sources: SessionSources
    quoted: bool
    skip_first: bool
    kept: dict[frozenset[int], DataFrame] = field(default_factory=dict)

    def frame(self, schema: Schema, *, position: bool) -> DataFrame:
        wanted = frozenset(field.column for field in schema.fields)
        ready = next((frame for columns, frame in self.kept.items() if wanted <= columns), None)
        if ready is None:
            ready = self.kept[wanted] = self.sources.keep(self.cut(wanted))
        return ready.select(*(column_name(column) for column in sorted(wanted)), *([POSITION] if position else []))

    def cut(self, wanted: frozenset[int]) -> DataFrame:
        """The cells of these columns, and the position of their line."""
        cells = self.lines().select(cells_of_line(F.col("line"), self.separator, quoted=self.quoted).alias("cells"), POSITION)
        # Missing cells are empty ones.
        read = (
            F.coalesce(F.get("cells", F.lit(self.columns[column])), F.lit("")).alias(column_name(column))
            for column in sorted(wanted)
        )
        return cells.select(*read, POSITION)

    def lines(self) -> DataFrame:
        """The lines and their order: the parts of one file come in the file's order, and so do the lines of a part."""
        lines = self._all_lines()
        return lines.filter(F.col(POSITION) > 0) if self.skip_first else lines

    def _all_lines(self) -> DataFrame:
        text = self.sources.session.read.text(spark_path(self.path))
        return text.select(F.make_valid_utf8("value").alias("line"), F.monotonically_increasing_id().alias(POSITION))

    def has_open_cells(self) -> bool:
        """Some quoted cell, be it one of the header, goes on behind its line."""
        found = self._all_lines().agg(F.max(is_open(F.col("line"), self.separator)).alias("open")).toArrow()
        return bool(found.column("open")[0].as_py())


def has_quotes(path: Path) -> bool:
    """Somewhere in the file is a quotation mark."""
    with DataFile(path) as file:
        return file.matches(_QUOTE, 1)


def cells_of_line(line: Column, separator: str, *, quoted: bool) -> Column:
    """The cells of a line by d3's rules."""
    plain = F.split(line, _escaped(separator), -1)
    if not quoted:
        return plain
    raw = F.regexp_extract_all(F.concat(line, F.lit(separator)), F.lit(f"\\G(?:{_cell(separator)})"), F.lit(0))
    return F.when(F.contains(line, F.lit('"')), F.transform(raw, _content)).otherwise(plain)


def _content(cell: Column) -> Column:
    """A cell without its quotes, and without the character that ends it."""
    inside = F.replace(F.substr(cell, F.lit(2), F.length(cell) - 3), F.lit('""'), F.lit('"'))
    return F.when(cell.startswith('"'), inside).otherwise(F.substr(cell, F.lit(1), F.length(cell) - 1))


def is_open(line: Column, separator: str) -> Column:
    """A quoted cell of the line goes on in the next."""
    return ~F.concat(line, F.lit(separator)).rlike(f"^(?:{_cell(separator)})*+\\z")


def _cell(separator: str) -> str:
    """A quoted cell and whatever character follows it, or a plain cell and its separator."""
    mark = _escaped(separator)
    return f'"(?:[^"]++|"")*+"(?s:.)|(?!")[^{mark}]*+{mark}'


def _escaped(separator: str) -> str:
    # One character, or one behind a backslash, is what Java splits without a regular expression.
    plain = separator.isalnum() or separator.isspace() or not separator.isascii()
    return separator if plain else f"\\{separator}"
