"""Tables that Spark reads: their columns as columns of a plan."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.summaries import POSITION
from sheliak.plan.column_types import NEVER, NULL, ColumnType, List, Missing, Nothing, Plain, Record
from sheliak.plan.known_texts import KnownTexts, Texts, unknown
from sheliak.plan.operators import Field, Scan, Schema, Source
from sheliak.plan.planning import Planning

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType, StructField, StructType

_NUMBERS = frozenset({"byte", "short", "integer", "long", "float", "double", "tinyint", "smallint", "int", "bigint"})
_MILLISECONDS_OF_A_DAY = 86_400_000.0
Extent: TypeAlias = tuple[float, float] | None
SAMPLE = 20_000
"""So many rows tell about how many different texts a column holds."""


def is_telling(size: int) -> bool:
    """A sample with so many different texts has seen most of them; one that keeps finding new ones says nothing."""
    return size < SAMPLE // 20


@dataclass(frozen=True, slots=True)
class Reader:
    """How a column of a frame is read: the one with this number, in which something may be missing."""

    index: int
    missing: Missing
    column: Callable[[], Column]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A frame of somebody else's, and which of its columns a plan's columns are."""

    given: DataFrame
    columns: Mapping[int, Reader]
    """How each is read: a wide table has many, a chart reads few."""
    position: Column | None = None
    """The order of the rows, where the reader knows it; otherwise they come as the partitions do."""
    extents: Mapping[int, Extent] = field(default_factory=dict)
    """The least and the greatest value of columns where they are known; None where there is none."""
    distinct: Callable[[Sequence[int]], Mapping[int, int]] | None = None
    """About how many different texts columns hold, of those that hold few; without a job of Spark's."""
    texts: KnownTexts = unknown
    """The texts of columns of which the reader knows every one."""
    spans: Mapping[int, Extent] = field(default_factory=dict)
    """Milliseconds around all dates of columns where they are known; None where there is no date."""

    def span(self, column: int) -> tuple[float, float] | None:
        """Numbers around all numbers and dates of a column, if they are known; of none, any will do."""
        known = self.spans if column in self.spans else self.extents
        return (known[column] or (0.0, 0.0)) if column in known else None

    def frame(self, schema: Schema, *, position: bool) -> DataFrame:
        """The columns of the schema, read as a plan's."""
        wanted = {field.column: self.columns[field.column] for field in schema.fields}
        if position and self.position is not None:
            return self._selected(wanted, [self.position.alias(POSITION)])
        made = _SELECTED.setdefault(self.given, {})
        key = (position, tuple((name, reader.index, reader.missing) for name, reader in wanted.items()))
        if key not in made:
            if len(made) >= _MOST_SELECTED:
                made.clear()
            made[key] = self._selected(wanted, [F.monotonically_increasing_id().alias(POSITION)] if position else [])
        return made[key]

    def _selected(self, wanted: Mapping[int, Reader], place: list[Column]) -> DataFrame:
        return self.given.select(*(reader.column().alias(column_name(name)) for name, reader in wanted.items()), *place)


_SELECTED: WeakKeyDictionary[DataFrame, dict[object, DataFrame]] = WeakKeyDictionary()
"""Frames that were asked for before: a frame never changes, and to write one down takes a while."""
_MOST_SELECTED = 64


class UnsupportedType(Exception):
    """A Spark type that has no counterpart in a chart."""


def always(name: str) -> bool:
    """Any column may be read."""
    return True


def scan_table(
    name: str,
    given: DataFrame,
    planning: Planning,
    *,
    used: Callable[[str], bool] = always,
    position: Column | None = None,
    never_null: Collection[str] = (),
    count: int | None = None,
    extents: Mapping[str, Extent] | None = None,
    spans: Mapping[str, Extent] | None = None,
    distinct: Callable[[Sequence[str]], Mapping[str, int]] | None = None,
    texts: Callable[[str], Texts | None] | None = None,
) -> Scan:
    """A scan of a frame: numbers become doubles, instants milliseconds; NULL is null. Of two columns with one name the later wins.

    A column whose type has no counterpart is left out, unless the chart has a use for it: that is a RunFailure.
    """
    fields: dict[str, Field] = {}
    columns: dict[int, Reader] = {}
    numbered, found = _numbered(given)
    for index, described in enumerate(found):
        missing = NULL if described.nullable and described.name not in never_null else NEVER
        try:
            of, column = _reader(f"k{index}", described.dataType, missing)
        except UnsupportedType as problem:
            if used(described.name):
                raise _unsupported(name, described.name, str(problem)) from problem
            continue
        number = planning.column()
        fields[described.name] = Field(described.name, number, of)
        columns[number] = Reader(index, missing, column)
    known, around = (
        {fields[name].column: ends for name, ends in (stated or {}).items() if name in fields} for stated in (extents, spans)
    )
    names = {field.column: name for name, field in fields.items()}
    told = None if distinct is None else partial(_distinct, distinct, names)
    every = unknown if texts is None else partial(_texts, texts, names)
    table = Table(numbered, columns, position, known, told, every, around)
    return Scan(Source(name, place=table, count=count), Schema(tuple(fields.values())))


def _distinct(
    ask: Callable[[Sequence[str]], Mapping[str, int]], names: Mapping[int, str], columns: Sequence[int]
) -> dict[int, int]:
    found = ask([names[column] for column in columns])
    return {column: found[names[column]] for column in columns if names[column] in found}


def _texts(ask: Callable[[str], Texts | None], names: Mapping[int, str], column: int) -> Texts | None:
    return ask(names[column]) if column in names else None


_NUMBERED: WeakKeyDictionary[DataFrame, tuple[DataFrame, list[StructField]]] = WeakKeyDictionary()


def _numbered(given: DataFrame) -> tuple[DataFrame, list[StructField]]:
    """The frame with its columns called k0, k1, …, for names may hold dots, repeat, or differ by case alone; and what they are.

    A frame never changes, and to ask about it takes a while: the answer is remembered as long as the frame is there.
    """
    if given not in _NUMBERED:
        fields = given.schema.fields
        _NUMBERED[given] = (given.toDF(*(f"k{index}" for index in range(len(fields)))), fields)
    return _NUMBERED[given]


def _reader(name: str, of: DataType, missing: Missing) -> tuple[ColumnType, Callable[[], Column]]:
    """The type of a column, and how it is read."""
    plain = _plain_type(of, missing)
    if plain is None:
        nested, column = _nested(F.col(name), of, missing)
        return nested, lambda: column
    return plain, lambda: read_column(F.col(name), of, missing)[1]


def _plain_type(of: DataType, missing: Missing) -> ColumnType | None:
    kind = of.typeName()
    if kind == "void":
        return Nothing(NULL)
    if kind in _NUMBERS or kind.startswith("decimal"):
        return Plain("number", missing)
    if kind.startswith(("string", "varchar", "char")):
        return Plain("text", missing)
    if kind in ("timestamp", "timestamp_ntz", "date"):
        return Plain("date", missing)
    return Plain("boolean", missing) if kind == "boolean" else None


def _unsupported(dataset: str, column: str, kind: str) -> RunFailure:
    return RunFailure(
        f"the column `{column}` has the type {kind}, which has no counterpart in a chart",
        dataset=dataset,
        help="cast the column to a number, text, a date or a timestamp before the chart reads it, or leave it out",
    )


def read_column(column: Column, of: DataType, missing: Missing = NULL) -> tuple[ColumnType, Column]:
    """A column of a Spark type as a plan's column. A time without a zone counts as universal time, as in Arrow files."""
    plain = _plain_type(of, missing)
    return _nested(column, of, missing) if plain is None else (plain, _plain_column(column, of))


def _plain_column(column: Column, of: DataType) -> Column:
    match of.typeName():
        case "boolean" | "double":
            return column
        case "timestamp":
            return F.unix_millis(column).cast("double")
        case "timestamp_ntz":
            return _milliseconds_without_zone(column)
        case "date":
            return F.unix_date(column).cast("double") * _MILLISECONDS_OF_A_DAY
        case "string" if of.simpleString() == "string":  # without a collation, by which texts were the same that differ
            return column
        case kind:
            return column.cast("double" if kind in _NUMBERS or kind.startswith("decimal") else "string")


def _milliseconds_without_zone(column: Column) -> Column:
    # A cast to a timestamp would take the time for one in the session's zone.
    day = F.unix_date(column.cast("date")).cast("double") * _MILLISECONDS_OF_A_DAY
    seconds = F.hour(column) * 3600 + F.minute(column) * 60 + F.second(column)
    return day + seconds.cast("double") * 1000.0 + F.date_format(column, "SSS").cast("double")


def _nested(column: Column, of: DataType, missing: Missing) -> tuple[ColumnType, Column]:
    from pyspark.sql.types import ArrayType, StructType

    if isinstance(of, StructType):
        return _record(column, of, missing)
    if isinstance(of, ArrayType):
        found: list[ColumnType] = []

        def element(item: Column) -> Column:
            inner, made = read_column(item, of.elementType, NULL if of.containsNull else NEVER)
            found.append(inner)
            return made

        transformed = F.transform(column, element)
        return List(found[0], missing), transformed
    raise UnsupportedType(of.simpleString())


def _record(column: Column, of: StructType, missing: Missing) -> tuple[ColumnType, Column]:
    from pyspark.sql.types import StructField, StructType

    # A cast of structs goes by place: names may differ by case alone, which not every session tells apart.
    plain = StructType([StructField(f"f{index}", field.dataType, field.nullable) for index, field in enumerate(of.fields)])
    renamed = column.cast(plain)
    members: dict[str, tuple[ColumnType, Column]] = {}
    for index, inner in enumerate(of.fields):
        members[inner.name] = read_column(renamed[f"f{index}"], inner.dataType, NULL if inner.nullable else NEVER)
    made = F.struct(*(member.alias(f"f{index}") for index, (_, member) in enumerate(members.values())))
    fields = tuple((name, member) for name, (member, _) in members.items())
    return Record(fields, missing), made if missing is NEVER else F.when(column.isNotNull(), made)
