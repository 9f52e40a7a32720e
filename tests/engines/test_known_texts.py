"""Columns of which the files tell every text: which those are, and that groups by their codes are the groups by their texts."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

from engines.large_tables import Charts, opened_over, spec_of, watched_plans
from sheliak.dataflow.graph import Vertex
from sheliak.engines.failures import RunFailure
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.spark.failures import as_failure
from sheliak.engines.spark.pipeline import Pipeline
from sheliak.engines.spark.reading import parquet as reading
from sheliak.engines.spark.reading.dictionaries import _all_in_dictionary, texts_in
from sheliak.engines.spark.reading.paths import local_paths
from sheliak.engines.spark.reading.thrift import ThriftReader
from sheliak.expressions.values import Row
from sheliak.plan.known_texts import Texts

WORDS = ("AA", "B6", "", "null", "naïve", "🚀", "x" * 300)


def written(path: Path, cells: Sequence[str | None], **options: object) -> Path:
    parquet.write_table(pa.table({"t": pa.array(cells, pa.string()), "n": range(len(cells))}), path, **options)
    return path


def texts(path: Path, *, most: int = 2000, name: str = "t") -> set[str] | None:
    return texts_in([path], name, most)


# What files tell


@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "brotli", "zstd", "lz4"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_file_tells_every_text_of_a_column(tmp_path: Path, codec: str, version: str) -> None:
    cells = [None if index % 7 == 3 else WORDS[index // 100 % len(WORDS)] for index in range(1000)]
    path = written(tmp_path / "a.parquet", cells, compression=codec, data_page_version=version, row_group_size=90)
    assert texts(path) == set(WORDS)


def test_files_that_spark_writes_tell_it_too(spark: SparkSession, tmp_path: Path) -> None:
    rows = spark.range(0, 5000, 1, 3).selectExpr("concat('w', cast(id % 40 as string)) as t", "if(id < 9, null, 'one') as u")
    rows.write.parquet(str(tmp_path / "rows"))
    files = local_paths(spark.read.parquet(str(tmp_path / "rows")).inputFiles())
    assert files is not None and len(files) == 3
    assert texts_in(files, "t", 2000) == {f"w{number}" for number in range(40)}
    assert texts_in(files, "u", 2000) == {"one"}


def test_parts_without_rows_or_values_tell_that_they_have_none(tmp_path: Path) -> None:
    assert texts(written(tmp_path / "none.parquet", [])) == set()
    assert texts(written(tmp_path / "null.parquet", [None] * 10)) == set()
    assert texts(written(tmp_path / "half.parquet", [None] * 10 + ["a"], row_group_size=10)) == {"a"}


def test_texts_outside_of_dictionaries_are_not_known(tmp_path: Path) -> None:
    cells = [f"text {index}" for index in range(3000)]
    assert texts(written(tmp_path / "plain.parquet", cells, use_dictionary=False), most=5000) is None
    # The writer gives up its dictionary when that becomes too large: the first pages have it, the last have not.
    full = written(tmp_path / "full.parquet", cells, dictionary_pagesize_limit=2000, data_page_size=1000)
    assert parquet.read_metadata(full).row_group(0).column(0).has_dictionary_page
    assert texts(full, most=5000) is None


def test_of_more_texts_than_wanted_none_is_known(tmp_path: Path) -> None:
    path = written(tmp_path / "many.parquet", [f"{index % 50}" for index in range(1000)], row_group_size=20)
    assert texts(path, most=50) == {f"{number}" for number in range(50)}
    assert texts(path, most=49) is None


def test_numbers_and_members_of_records_are_no_texts(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    record = pa.array([{"t": "inside"}], pa.struct([("t", pa.string())]))
    parquet.write_table(pa.table({"r": record, "n": [1.5], "r.t": ["outside"]}), path)
    assert texts(path, name="n") is None
    assert texts(path, name="r.t") == {"outside"}


def test_a_wide_table_in_many_parts_is_not_asked(tmp_path: Path) -> None:
    wide = pa.table({f"column {number}": ["a", "b"] * 200 for number in range(300)})
    parquet.write_table(wide, tmp_path / "wide.parquet", row_group_size=20)
    assert texts(tmp_path / "wide.parquet", name="column 3") is None
    parquet.write_table(wide, tmp_path / "whole.parquet")
    assert texts(tmp_path / "whole.parquet", name="column 3") == {"a", "b"}


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    assert texts(written(path, ["a"])) == {"a"}
    assert texts(written(path, ["b", "c"])) == {"b", "c"}


def test_broken_files_tell_nothing(tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.parquet", list(WORDS) * 20, row_group_size=30).read_bytes()
    broken, random = tmp_path / "broken.parquet", Random("broken files")
    for _ in range(600):
        damaged = bytearray(whole)
        for _ in range(random.choice([1, 2, 30])):
            damaged[random.randrange(len(damaged))] = random.randrange(256)
        if random.random() < 0.3:
            del damaged[random.randrange(len(damaged)) :]
        broken.write_bytes(bytes(damaged))
        found = texts(broken)
        assert found is None or len(found) <= 2000
    assert texts(tmp_path / "is not there.parquet") is None
    assert texts_in([], "t", 2000) is None and texts_in(None, "t", 2000) is None


@pytest.mark.parametrize(
    "data", [b"", b"\x15", b"\x1c" * 40, b"\x19\xfc\xff\xff\xff\xff\x0f", b"\x15" + b"\xff" * 20, b"\x1d\x00"]
)
def test_what_is_no_structure_of_thrift_is_a_mistake(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        ThriftReader(data).structure()


def test_files_of_writers_that_count_no_pages_tell_by_their_encodings() -> None:
    plain, dictionary, levels, deltas = 0, 2, 3, 7
    assert _all_in_dictionary({2: [dictionary, levels]})
    assert not _all_in_dictionary({2: [dictionary, levels, plain]})
    assert not _all_in_dictionary({2: [dictionary, levels, deltas]})
    assert not _all_in_dictionary({2: [levels]}) and not _all_in_dictionary({})


def test_only_files_of_this_machine_are_looked_at() -> None:
    assert local_paths(["file:///a%20b/c.parquet", "file:/d"]) == [Path("/a b/c.parquet"), Path("/d")]
    assert local_paths(["file:///a", "s3a://bucket/b"]) is None
    assert local_paths(["file://elsewhere/a"]) is None


# Groups by codes

COUNT: dict[str, object] = {"type": "aggregate", "ops": ["count"], "fields": [None], "as": ["n"]}
CHARTS: Charts = {
    "one": [{**COUNT, "groupby": ["a"]}],
    "gaps": [{**COUNT, "groupby": ["b"]}],
    "two": [{**COUNT, "groupby": ["a", "b"]}],
    "only gaps": [{**COUNT, "groupby": ["e"]}],
    "gaps beside": [{**COUNT, "groupby": ["a", "e"]}],
    "gaps and gaps": [{**COUNT, "groupby": ["e", "b"]}],
    "gaps and signs": [{**COUNT, "groupby": ["e", "c", "a"]}],
    "as lists": [{"type": "quantile", "field": "x", "groupby": ["e"], "probs": [0.5]}],
    "as lists of two": [{"type": "quantile", "field": "x", "groupby": ["e", "b"], "probs": [0.5]}],
    "missing": [{"type": "aggregate", "groupby": ["e"], "ops": ["missing", "valid", "distinct"], "fields": ["b", "e", "a"]}],
    "columns": [{"type": "pivot", "field": "e", "value": "x", "groupby": ["a"], "op": "count"}],
    "signs": [{**COUNT, "groupby": ["a", "c"]}],
    "many": [{**COUNT, "groupby": ["d"]}],
    "within": [{"type": "filter", "expr": "datum.a > 'a2' && datum.b != 'b1'"}, {**COUNT, "groupby": ["b", "a"]}],
    "sorted": [{**COUNT, "groupby": ["a"]}, {"type": "collect", "sort": {"field": "a", "order": "descending"}}],
    "again": [
        {**COUNT, "groupby": ["a", "b"]},
        {"type": "formula", "expr": "upper(datum.a)", "as": "u"},
        {**COUNT, "groupby": ["u"]},
    ],
    "stacked": [{**COUNT, "groupby": ["a", "b"]}, {"type": "stack", "groupby": ["a"], "field": "n", "sort": {"field": "b"}}],
}


def rows_of_table(table: pa.Table) -> list[Row]:
    return [dict(row) for row in table.to_pylist()]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Row]]:
    """`b` has gaps, and the text that Vega compares them as, `e` gaps alone; texts of `c` hold the sign between keys; `d` has many."""
    random = Random("known texts")
    rows = 4000
    made = pa.table(
        {
            "a": [random.choice([f"a{number}" for number in range(9)]) for _ in range(rows)],
            "b": pa.array([random.choice([None, "null", "b1", "b2", ""]) for _ in range(rows)], pa.string()),
            "c": [random.choice(["c", "c|d", "|"]) for _ in range(rows)],
            "d": [f"d{index * 7 % 2500}" for index in range(rows)],
            "e": pa.array([random.choice([None, "e1", "e2"]) for _ in range(rows)], pa.string()),
            "x": [random.random() for _ in range(rows)],
        }
    )
    path = tmp_path_factory.mktemp("texts") / "t.parquet"
    parquet.write_table(made, path, row_group_size=500)
    return path, rows_of_table(made)


def only(*names: str) -> Charts:
    return {name: CHARTS[name] for name in names}


@pytest.fixture
def opened(spark: SparkSession, table: tuple[Path, list[Row]]) -> Iterator[Pipeline]:
    with opened_over(table[0], spark, CHARTS) as pipeline:
        yield pipeline


@pytest.mark.parametrize("chart", CHARTS)
def test_groups_are_those_of_the_reference_engine(opened: Pipeline, table: tuple[Path, list[Row]], chart: str) -> None:
    spec = {"data": [{"name": "t"}, {"name": chart, "source": "t", "transform": CHARTS[chart]}]}
    assert opened.dataset(chart).rows == run_reference(spec, data={"t": table[1]}).datasets[chart].rows


def test_several_charts_at_once_are_too(opened: Pipeline, table: tuple[Path, list[Row]]) -> None:
    meant = run_reference(spec_of(CHARTS), data={"t": table[1]}).datasets
    found = opened.everything().datasets
    assert {name: found[name].rows for name in CHARTS} == {name: meant[name].rows for name in CHARTS}


@pytest.mark.parametrize("chart", ["one", "only gaps", "gaps beside", "again"])
def test_no_text_is_looked_up_for_a_row(
    spark: SparkSession, table: tuple[Path, list[Row]], chart: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below the first exchange there are hashes; no text is a key, is looked at for a sign, or says which row comes first."""
    plans = watched_plans(monkeypatch)
    with opened_over(table[0], spark, only(chart)) as pipeline:
        pipeline.dataset(chart)
    (plan,) = plans
    below = plan[plan.rindex("Exchange") :]
    assert "xxhash64(" in below
    assert "Contains" not in below and "min_by" not in below
    assert re.search(r"HashAggregate\(keys=\[(_groupingexpression#\d+L(, )?)+\]", below)


@pytest.mark.parametrize("charts", [["sorted"], ["one", "gaps"]])
def test_a_text_that_no_dictionary_named_ends_the_run(
    spark: SparkSession, table: tuple[Path, list[Row]], charts: list[str]
) -> None:
    """On Spark, and where cells are at hand."""
    known = Texts(("a1", "a2", "null"), (5, 6, 7), 42)
    told = patch.object(reading.Opened, "texts_of", lambda opened, name: known)
    with told, opened_over(table[0], spark, only(*charts)) as pipeline:
        run = pipeline.run
        with pytest.raises(RunFailure, match="other texts"), as_failure():
            run.fetched({vertex: run.plans[vertex] for vertex in map(partial(Vertex, "dataset"), charts)}, "they are compared")
