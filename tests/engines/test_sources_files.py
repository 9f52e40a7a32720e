"""Files that Spark reads hold the rows that the driver would have read: the reference engine is the judge."""

import datetime
import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

from sheliak.engines.protocol import RunResult
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.spark.engine import run_spark
from sheliak.engines.spark.reading import conversion, files
from sheliak.expressions.values import UNDEFINED
from sheliak.expressions.zones import UTC
from sheliak.loading import batches
from sheliak.loading.folders import DataFolders
from sheliak.loading.formats import Format


@pytest.fixture(autouse=True)
def every_file_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGE", 0)
    monkeypatch.setattr(files, "_LEAST", 3)


def check(folder: Path, contents: Mapping[str, tuple[str | bytes, object]], spark: SparkSession, zone: str = "UTC") -> RunResult:
    """Writes the files, and runs a spec that has each of them as a dataset on both engines."""
    data = []
    for name, (content, format) in contents.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        data.append({"name": name, "url": name, **({"format": format} if format else {})})
    meant = run_reference({"data": data}, DataFolders(folder), timezone=zone)
    found = run_spark({"data": data}, spark, DataFolders(folder), timezone=zone)
    assert found.warnings == meant.warnings
    for name, dataset in meant.datasets.items():
        assert shown(found, name) == shown(meant, name), f"{name}: {contents[name]}"
        assert dataset.rows is not None
    return found


def shown(result: RunResult, name: str) -> list[str]:
    rows: list[object] = [*(result.datasets[name].rows or [])]
    return [_shown(row) for row in rows]


def _shown(row: object) -> str:
    """A field that is undefined is as good as absent."""
    if not isinstance(row, dict):
        return repr(row)
    return repr(sorted((name, value) for name, value in row.items() if value is not UNDEFINED))


CSV = {"type": "csv"}
AUTO = {"type": "csv", "parse": "auto"}

DELIMITED: dict[str, tuple[str | bytes, object]] = {
    "plain": ("a,b,c\n1,2,x\n3,,y\n", CSV),
    "short and long lines, a blank one": ("a,b,c\n1,2\n\n4,5,6,7\n", CSV),
    "no end": ("a,b\n1,2", CSV),
    "two ends": ("a,b\n1,2\n\n", CSV),
    "all kinds of line ends": ("a,b\r\n1,2\r\n3,4\r5,6\n\r", CSV),
    "odd names": ("a,a.b,`q`,,😀,A,a\n1,2,3,4,5,6,7\n", AUTO),
    "quotes in lines": ('a,"b"\n"1","x,y"\n"he ""said""",5" pipe\n"4"5,x"y\n"",\n', AUTO),
    "a quoted cell with line ends": ('a,b\n1,"x\ny"\n2,"p\r\n""q"""\n', AUTO),
    "a quoted name with a line end": ('a,"b\nc"\n1,2\n', AUTO),
    "a quote without an end": ('a,b\n1,"x\n2,y\n', CSV),
    "not UTF-8": (b"\xef\xbb\xbfa,\xc3\xa9\n1,2\n\xff,\xc3\n\xe2\x82,\xf0\x9f\x98\x80\n", CSV),
    "tabs": ("a\tb\n1\tx,y\n", {"type": "tsv", "parse": "auto"}),
    "bars": ("a|b\n1|2\n", {"type": "dsv", "delimiter": "|", "parse": "auto"}),
    "a long delimiter": ("a;b\n1;2\n", {"type": "dsv", "delimiter": ";x"}),
    "a given header": ("1,2\n3,4\n", {"type": "csv", "header": ["p", "q r"], "parse": "auto"}),
    "only a header": ("a,b\n", CSV),
}


def test_delimited_text(tmp_path: Path, interpreted: SparkSession) -> None:
    found = check(tmp_path, DELIMITED, interpreted)
    assert {dataset.engine for dataset in found.datasets.values()} == {"spark"}


COLUMNS = {
    "booleans": ["true", "false", "true"],
    "numbers": ["1", " 0x10 ", ""],
    "nearly numbers": ["1", "2", "3x"],
    "days": ["2020-01-01", "2020-02-31", "2020-12"],
    "times": ["2020-01-01T10:00Z", "2020-06-01 23:59:59.1239", "1969-12-31T24:00:00"],
    "local times": ["2021-03-14 02:30:00", "2021-11-07T01:30", "0101-01-01 00:00"],
    "zones": ["2020-01-01T10:00:00+05:30", "2020-01-01T10:00-0800", "2020-01-01T10:00:00.5z"],
    "words with numbers": ["Sector 7", "Sector 8", "Sector 9"],
    "words": ["a", "b", ""],
    "spelled dates": ["Jan 5, 2020", "5 Feb 2021 10:00", "1/2/2020"],
    "nothing": ["", "", ""],
}


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_auto_infers_from_all_values(
    tmp_path: Path, interpreted: SparkSession, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    # The sample decides nothing by itself: only the first row is looked at.
    monkeypatch.setattr(files, "_SAMPLE", 1)
    contents: dict[str, tuple[str | bytes, object]] = {
        name: ("v,w\n" + "".join(f'"{value}",x\n' if "," in value else f"{value},x\n" for value in values), AUTO)
        for name, values in COLUMNS.items()
    }
    check(tmp_path, contents, interpreted, "America/New_York")


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_parsers(tmp_path: Path, interpreted: SparkSession, zone: str) -> None:
    text = "v,d,e\n1,2020-01-05,05/01/20 3:07 PM\nfalse,,x\n0,2020-06-01T10:00,31/12/99 12:00 am\n,1999-02-31, 1/ 2/03 11:59 pm\nno,0029-02-29,a\n"
    parsers: list[dict[str, str]] = [
        {"v": "number", "d": "date"},
        {"v": "boolean", "d": "date:'%Y-%m-%d'"},
        {"v": "string", "d": "utc:%Y-%m-%d", "e": "date:'%d/%m/%y %I:%M %p'"},
        {"v": "integer", "e": 'utc:"%d/%m/%y %H:%M %p"', "absent": "number", "gone": "string"},
        {"v": "unknown", "d": "date:'%Y-%b-%j%%'", "absent": "unknown"},
        {"d": "date:'%Y-%m-%dT%H:%M'", "v": "date"},
        {"d": "date:'%Q'", "e": "date:'%x'", "absent": "date:'%Y'"},
    ]
    check(tmp_path, {f"{index}": (text, {"type": "csv", "parse": how}) for index, how in enumerate(parsers)}, interpreted, zone)


def test_random_text(tmp_path: Path, interpreted: SparkSession) -> None:
    source = random.Random(7)
    pieces = [*"ab1", ",", ",", ",", '"', '""', '",', ',"', "\n", "\n", "\n", "\r\n", "true", "2020-01-01", "é"]
    contents: dict[str, tuple[str | bytes, object]] = {}
    for index in range(10):
        text = "a,b,c\n" + "".join(source.choice(pieces) for _ in range(source.randint(5, 40)))
        contents[f"{index}"] = (text, source.choice([CSV, AUTO, {"type": "csv", "parse": {"a": "number", "b": "boolean"}}]))
    check(tmp_path, contents, interpreted)


JSON: dict[str, tuple[str | bytes, object]] = {
    "ragged": (json.dumps([{"a": 1, "b": None}, {"a": "x", "c": True}, {}, {"b": 2.5, "c": None, "a b.c`": "q"}]), None),
    "nested": (json.dumps([{"p": {"q": [1, None], "r": "x"}, "l": []}, {"p": {"q": [], "s": {}}, "l": [[1]]}, {"p": 5}]), None),
    "property": (json.dumps({"other": [1], "rows": {"of": [{"a": 1}, {"a": 2}]}}), {"property": "rows.of"}),
    "plain values": (json.dumps([1, "x", True, 2.5]), None),
    "arrays": ("[[1, 2], [3]]", None),
    "null": ("[null, 1]", None),
    "one object": ('{"a": 1}', None),
    "broken": ('[{"a": 1}, {"a": 2]', None),
    "auto": (json.dumps([{"n": "5", "d": "2020-01-01", "m": True}, {"n": "6", "d": "2020-01-02", "m": 1}]), {"parse": "auto"}),
    "parsed": (json.dumps([{"n": "5"}, {"n": None}, {}, {"n": True}]), {"parse": {"n": "number", "z": "string"}}),
    "big numbers": ('[{"a": 123456789012345678901234567890, "b": 9007199254740993}, {"a": 1e400}]', None),
    "no rows": ("[ ]", None),
}


@pytest.mark.parametrize("size", [1, 20_000])
def test_json(tmp_path: Path, interpreted: SparkSession, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(batches, "ROWS", size)
    found = check(tmp_path, JSON, interpreted)
    driver = {name for name, dataset in found.datasets.items() if dataset.engine != "spark"}
    assert driver == {"arrays", "null", "one object", "broken", "no rows"}


def test_rows_of_new_types_are_read_twice_and_others_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[int | None] = []
    written = conversion._write

    def counted(*given: object) -> int | None:
        writes.append(written(*given))  # type: ignore[arg-type]
        return writes[-1]

    monkeypatch.setattr(conversion, "_write", counted)
    monkeypatch.setattr(batches, "ROWS", 2)
    for rows, passes in (([{"a": 1}] * 5, [5]), ([{"a": 1}] * 3 + [{"a": "x"}], [-1, 4])):
        path = tmp_path / "rows.json"
        path.write_text(json.dumps(rows))
        file = batches.FileBatches(path, Format(), UTC)
        conversion.convert("t", file, str(tmp_path / "out.parquet"), lambda path: Frames(), iter(range(9)).__next__)  # type: ignore[arg-type,return-value]
        assert writes == passes
        writes.clear()


class Frames:
    """Stands for the frame of a written file."""

    def toDF(self, *names: str) -> "Frames":
        return self


def some_table() -> pa.Table:
    when = datetime.datetime(2020, 1, 1, 1, 2, 3, 456789)
    early = datetime.datetime(1960, 1, 1, 0, 0, 0, 999)
    return pa.table(
        {
            "i": [1, 2, None],
            "long": pa.array([2**53 + 1, -(2**63), 2**63 - 1], pa.int64()),
            "s": ["a", None, "2020"],
            "local": pa.array([when, None, early], pa.timestamp("us")),
            "zoned": pa.array([1, None, -1500], pa.timestamp("us", "Europe/Paris")),
            "day": [datetime.date(2020, 1, 1), None, datetime.date(1950, 1, 1)],
            "list": [[1, 2], None, []],
            "record": [{"a.b": 1, "A.b": "x"}, None, {"a.b": None, "A.b": "y"}],
            "decimal": pa.array([1, 2, 3], pa.decimal128(20, 2)),
            "b.c`d": [True, False, None],
            "B.C`D": [1.5, float("nan"), None],
            "none": [None] * 3,
            "unsigned": pa.array([1, 2, 2**64 - 1], pa.uint64()),
            "small": pa.array([1.5, float("nan"), None], pa.float32()),
        }
    )


def test_parquet(tmp_path: Path, interpreted: SparkSession) -> None:
    parquet.write_table(some_table(), tmp_path / "t.parquet")
    content = (tmp_path / "t.parquet").read_bytes()
    flat = tmp_path / "flat.parquet"
    parquet.write_table(some_table().drop(["list", "record"]), flat)
    check(
        tmp_path,
        {
            "t.parquet": (content, {"type": "parquet"}),
            "without a format.parquet": (content, None),
            "parsed.parquet": (content, {"type": "parquet", "parse": {"s": "number", "i": "string", "absent": "date"}}),
            "auto.parquet": (flat.read_bytes(), {"type": "parquet", "parse": "auto"}),
        },
        interpreted,
    )


def test_arrow_files_are_converted(tmp_path: Path, interpreted: SparkSession) -> None:
    for name, opened in (("file.arrow", pa.ipc.new_file), ("stream.arrow", pa.ipc.new_stream)):
        with opened(tmp_path / name, some_table().schema) as writer:
            writer.write_table(some_table())
    contents = {name: ((tmp_path / name).read_bytes(), {"type": "arrow"}) for name in ("file.arrow", "stream.arrow")}
    found = check(tmp_path, contents, interpreted)
    assert {dataset.engine for dataset in found.datasets.values()} == {"spark"}


@pytest.fixture
def small_parts(interpreted: SparkSession) -> Iterator[SparkSession]:
    before = interpreted.conf.get("spark.sql.files.maxPartitionBytes")
    interpreted.conf.set("spark.sql.files.maxPartitionBytes", "2000b")
    yield interpreted
    interpreted.conf.set("spark.sql.files.maxPartitionBytes", before)


def test_rows_keep_their_order_over_the_parts_of_a_file(tmp_path: Path, small_parts: SparkSession) -> None:
    rows = [{"n": float(number), "s": "x" * (number % 17)} for number in range(1500)]
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "t.parquet", row_group_size=100)
    contents: dict[str, tuple[str | bytes, object]] = {
        "t.csv": ("n,s\n" + "".join(f"{row['n']},{row['s']}\n" for row in rows), AUTO),
        "t.parquet": ((tmp_path / "t.parquet").read_bytes(), {"type": "parquet"}),
        "t.json": (json.dumps(rows), None),
    }
    found = check(tmp_path, contents, small_parts)
    assert [row["n"] for row in found.datasets["t.csv"].rows or []] == [row["n"] for row in rows]
    assert small_parts.read.text(str(tmp_path / "t.csv")).rdd.getNumPartitions() > 3


NAMES = ["a[1]{2}*?.csv", "a b%20c#d.csv", "_hidden.csv", ".dot.csv", "packed.csv.gz", "näme\\.csv", "a:b,c.csv"]


def test_odd_file_names(tmp_path: Path, interpreted: SparkSession) -> None:
    check(tmp_path, {name: (f"a,b\n{index},x\n", AUTO) for index, name in enumerate(NAMES)}, interpreted)
    parquet.write_table(some_table(), tmp_path / "t")
    content = (tmp_path / "t").read_bytes()
    check(tmp_path, {name: (content, {"type": "parquet"}) for name in ("[x]*.parquet", "_y.parquet")}, interpreted)


def test_the_same_rows_after_transforms(tmp_path: Path, interpreted: SparkSession) -> None:
    lines = "".join(f"{number % 7},{number * 0.5},2020-0{number % 9 + 1}-01\n" for number in range(200))
    (tmp_path / "t.csv").write_text("k,v,d\n" + lines)
    steps: list[dict[str, object]] = [
        {"type": "filter", "expr": "datum.v > 3"},
        {"type": "aggregate", "groupby": ["k"], "ops": ["sum", "min", "distinct"], "fields": ["v", "d", "d"]},
        {"type": "collect", "sort": {"field": "sum_v", "order": "descending"}},
    ]
    spec = {
        "signals": [{"name": "file", "value": "t"}],
        "data": [
            {"name": "t", "url": "t.csv", "format": AUTO, "transform": steps},
            {"name": "by signal", "url": {"signal": "file + '.csv'"}, "format": AUTO, "transform": steps[1:]},
        ],
    }
    meant, found = run_reference(spec, DataFolders(tmp_path)), run_spark(spec, interpreted, DataFolders(tmp_path))
    for name in ("t", "by signal"):
        assert shown(found, name) == shown(meant, name)
        assert found.datasets[name].engine == "spark"
