"""What a caller gives for datasets: frames, tables, files, Arrow, pandas, polars, rows."""

import datetime
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import dataset, parquet
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from sheliak.engines.failures import RunFailure
from sheliak.engines.reference.inputs import Surroundings
from sheliak.engines.spark.engine import SparkEngine
from sheliak.engines.spark.given import frames_of, record_of_given
from sheliak.engines.spark.reading import arrow_frames
from sheliak.expressions.values import Date, Row
from sheliak.loading.folders import DataFolders
from sheliak.source.tree import Node


def rows_given(what: object, spark: SparkSession, *transforms: dict[str, object]) -> list[Row]:
    """The rows of a dataset that is given something."""
    spec = {"data": [{"name": "t", "url": "ignored.csv", "transform": [*transforms]}]}
    result = SparkEngine(spark, Surroundings(DataFolders(None)), frames_of({"t": what}, spark)).run(Node(spec))
    rows = result.datasets["t"].rows
    assert rows is not None
    return rows


@contextmanager
def setting(spark: SparkSession, name: str, value: str) -> Iterator[None]:
    before = spark.conf.get(name)
    assert before is not None
    spark.conf.set(name, value)
    try:
        yield
    finally:
        spark.conf.set(name, before)


TABLE = pa.table({"a": [1, 2], "b": ["x", None]})
ROWS: list[Row] = [{"a": 1.0, "b": "x"}, {"a": 2.0, "b": None}]

WAYS: dict[str, Callable[[Path, SparkSession], object]] = {
    "a frame": lambda folder, spark: spark.createDataFrame(TABLE),
    "an Arrow table": lambda folder, spark: TABLE,
    "batches": lambda folder, spark: TABLE.to_reader(),
    "one batch": lambda folder, spark: TABLE.to_batches()[0],
    "a data set": lambda folder, spark: dataset.dataset(TABLE),
    "rows": lambda folder, spark: [{"a": 1, "b": "x"}, {"a": 2, "b": None}],
}


@pytest.mark.parametrize("way", WAYS)
def test_data_in_memory(way: str, tmp_path: Path, interpreted: SparkSession) -> None:
    assert rows_given(WAYS[way](tmp_path, interpreted), interpreted) == ROWS


def test_pandas(interpreted: SparkSession) -> None:
    pandas = pytest.importorskip("pandas")
    assert rows_given(pandas.DataFrame({"a": [1, 2], "b": ["x", None]}), interpreted) == ROWS
    by_name = pandas.DataFrame({"a": [1]}, index=pandas.Index(["x"], name="k"))
    assert rows_given(by_name, interpreted) == [{"a": 1.0, "k": "x"}]


class Exporter:
    """Hands out an Arrow stream, as polars' frames do."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return pa.table({"a": pa.array([1, 2], pa.uint64()), "b": pa.array(["x", None], pa.large_string())}).__arrow_c_stream__()


def test_an_arrow_stream(interpreted: SparkSession) -> None:
    assert rows_given(Exporter(), interpreted) == ROWS


def test_arrow_types_that_spark_does_not_take(interpreted: SparkSession) -> None:
    table = pa.table(
        {
            "category": pa.array(["x", "y", "x"]).dictionary_encode(),
            "nanoseconds": pa.array([1_500_999_999, None, -1], pa.timestamp("ns")),
            "time": pa.array([1, None, 2], pa.time32("s")),
            "duration": pa.array([1500, None, -1], pa.duration("us")),
            "half": pa.array([1.5, None, 2.0], pa.float16()),
            "milliseconds of days": pa.array([86_400_000, None, 0], pa.date64()),
            "view": pa.array(["p", None, "q"], pa.string_view()),
            "lists": pa.array([[1], None, []], pa.large_list(pa.uint8())),
        }
    )
    first, second, third = rows_given(table, interpreted)
    assert first["nanoseconds"] == Date(1500.0)
    assert third["nanoseconds"] == Date(-1.0)
    assert [first["time"], first["duration"], first["half"], third["duration"]] == [1000.0, 1.5, 1.5, -0.001]
    assert [first["milliseconds of days"], first["view"], first["lists"], third["lists"]] == [Date(86_400_000.0), "p", [1.0], []]
    assert [row["category"] for row in (first, second, third)] == ["x", "y", "x"]
    assert all(value is None for name, value in second.items() if name != "category")


def test_many_rows_go_through_a_file_that_is_removed(interpreted: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow_frames, "MANY_ROWS", 10)
    given = frames_of({"t": pa.table({"n": range(100)})}, interpreted)
    assert len(arrow_frames._FOLDERS) == 1
    spec = {"data": [{"name": "t", "transform": [{"type": "aggregate", "fields": ["n"], "ops": ["sum"], "as": ["s"]}]}]}
    result = SparkEngine(interpreted, Surroundings(DataFolders(None)), given).run(Node(spec))
    assert result.datasets["t"].rows == [{"s": 4950.0}]
    arrow_frames.remove_all()
    assert arrow_frames._FOLDERS == set()


def test_files(tmp_path: Path, interpreted: SparkSession) -> None:
    (tmp_path / "part").mkdir()
    for index, row in enumerate(ROWS):
        parquet.write_table(pa.Table.from_pylist([row], TABLE.schema), tmp_path / "part" / f"{index}.parquet")
    parquet.write_table(TABLE, tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_text("a,b\n1,x\n2,\n")
    (tmp_path / "t.json").write_text(json.dumps(ROWS))
    for name in ("part", "t.parquet", "t.csv", "t.json"):
        assert rows_given(tmp_path / name, interpreted) == ROWS, name
        assert rows_given(str(tmp_path / name), interpreted) == ROWS, name


def test_a_given_file_is_read_as_the_spec_says(tmp_path: Path, interpreted: SparkSession) -> None:
    (tmp_path / "t.tsv").write_text("a\tb\n1\t2\n")
    format = {"type": "csv", "parse": {"b": "number"}}
    spec = {"data": [{"name": "t", "url": "ignored.csv", "format": format}]}
    given = frames_of({"t": tmp_path / "t.tsv"}, interpreted)
    result = SparkEngine(interpreted, Surroundings(DataFolders(None)), given).run(Node(spec))
    assert result.datasets["t"].rows == [{"a": "1", "b": 2.0}]


def test_a_view_of_the_session(interpreted: SparkSession) -> None:
    interpreted.createDataFrame(TABLE).createOrReplaceTempView("sources_view")
    assert rows_given("table:sources_view", interpreted) == ROWS


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("table:no_such_table", "dataset `t`: the table `no_such_table` cannot be read"),
        ("/no/such/file.csv", "dataset `t`: there is no file"),
        (__file__, "not known from its ending"),
        (Path(__file__).parent, "holds no Parquet files"),
        (42, "builtins.int is no data"),
        ([1, 2], "a row is a dict, not int"),
    ],
)
def test_what_cannot_be_given(what: object, message: str, interpreted: SparkSession) -> None:
    with pytest.raises(RunFailure, match=message) as caught:
        frames_of({"t": what}, interpreted)
    assert "\n" not in str(caught.value)


def test_every_type_with_a_counterpart(interpreted: SparkSession) -> None:
    when = datetime.datetime(2020, 1, 2, 3, 4, 5, 678901)
    schema = StructType.fromDDL(
        "byte tinyint, short smallint, whole int, long bigint, real float, double double, decimal decimal(20, 3), "
        "flag boolean, text string, zoned timestamp, local timestamp_ntz, day date, "
        "list array<int>, record struct<a: int, A: string>, nothing void"
    )
    assert isinstance(schema, StructType)
    zoned = when.replace(tzinfo=datetime.UTC)
    values = (1, 2, 3, 2**53 + 1, 1.5, 2.5, Decimal("4.125"), True, "x", zoned, when, when.date(), [1, None], (1, "y"), None)
    frame = interpreted.createDataFrame([values], schema)
    (row,) = rows_given(frame, interpreted)
    instant, midnight = Date(1577934245678.0), Date(1577923200000.0)
    numbers = {"byte": 1.0, "short": 2.0, "whole": 3.0, "long": 9007199254740992.0, "real": 1.5, "double": 2.5, "decimal": 4.125}
    plain = {"flag": True, "text": "x", "zoned": instant, "local": instant, "day": midnight, "nothing": None}
    assert row == {**numbers, **plain, "list": [1.0, None], "record": {"a": 1.0, "A": "y"}}


def test_a_time_without_zone_counts_as_utc_whatever_the_session_thinks(interpreted: SparkSession) -> None:
    frame = interpreted.createDataFrame(pa.table({"t": pa.array([1500], pa.timestamp("ms"))}))
    with setting(interpreted, "spark.sql.session.timeZone", "Asia/Tokyo"):
        assert rows_given(frame, interpreted) == [{"t": Date(1500.0)}]


@pytest.mark.parametrize("sensitive", ["true", "false"])
def test_odd_names(interpreted: SparkSession, sensitive: str) -> None:
    names = ["a.b", "`q`", "x y", "*", "😀", "c", "C", "twice", "twice", "", "${env:HOME}"]
    frame = interpreted.createDataFrame(pa.table({str(index): [index] for index in range(len(names))})).toDF(*names)
    with setting(interpreted, "spark.sql.caseSensitive", sensitive):
        (row,) = rows_given(frame, interpreted, {"type": "formula", "expr": "datum['c'] + datum['a.b']", "as": "sum"})
    assert row == {**{name: float(index) for index, name in enumerate(names)}, "sum": 5.0}


UNSUPPORTED = {
    "binary": lambda: F.lit(b"x"),
    "map<string,int>": lambda: F.create_map(F.lit("a"), F.lit(1)),
    "interval day to second": lambda: F.make_dt_interval(F.lit(1)),
    "variant": lambda: F.parse_json(F.lit("1")),
}


@pytest.mark.parametrize("kind", UNSUPPORTED)
def test_a_type_without_a_counterpart_is_an_error_only_where_the_column_is_used(kind: str, interpreted: SparkSession) -> None:
    frame = interpreted.createDataFrame(TABLE).select("a", UNSUPPORTED[kind]().alias("odd"))
    assert rows_given(frame, interpreted) == [{"a": 1.0}, {"a": 2.0}]
    with pytest.raises(RunFailure, match=f"dataset `t`: the column `odd` has the type {kind}"):
        rows_given(frame, interpreted, {"type": "filter", "expr": "datum.odd > 1"})


def test_the_check_is_told_the_columns(tmp_path: Path, interpreted: SparkSession) -> None:
    parquet.write_table(TABLE, tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_text("a,b\n1,x\n2,\n")
    for what in (TABLE, tmp_path / "t.parquet", tmp_path, tmp_path / "t.csv", ROWS):
        record = record_of_given("t", frames_of({"t": what}, interpreted)["t"])
        assert record is not None
        assert list(record.fields) == ["a", "b"]
