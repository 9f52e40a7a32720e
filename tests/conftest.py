"""What all tests share: the corpus beside the repository, where there is one, and one Spark session for each process."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parent.parent


def find_shared() -> Path | None:
    """The folder `shared` beside the repository; SHELIAK_SHARED names another, or none if it is empty."""
    given = os.environ.get("SHELIAK_SHARED")
    if given == "":
        return None
    folder = Path(given) if given else ROOT.parent / "shared"
    return folder if (folder / "corpus").is_dir() else None


SHARED = find_shared()
ABSENT = "the corpus is not here (../shared, or the folder SHELIAK_SHARED names)"

# How long one example takes says more about the machine than about the law.
settings.register_profile("sheliak", deadline=None)
settings.load_profile("sheliak")


LONG_FILES = (
    "test_kills.py",
    "test_connect.py",
    "test_spark_campaign.py",
    "test_laws.py",
    "test_agreement.py",
    "test_notebook.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Two processes share the files: the longest go first, so that neither waits for the other at the end.
    items.sort(key=lambda item: item.path.name not in LONG_FILES)
    for item in items:
        if SHARED is None and item.get_closest_marker("needs_shared"):
            item.add_marker(pytest.mark.skip(reason=ABSENT))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The corpus folder; a test that takes it is skipped where there is none."""
    if SHARED is None:
        pytest.skip(ABSENT)
    return SHARED


@pytest.fixture(scope="session")
def spark() -> Iterator["SparkSession"]:
    """The one Spark session of a process, started by the first test that takes it and ended after the last."""
    from sheliak.engines.spark.session import end_session, local_session

    session = local_session("sheliak tests")
    yield session
    end_session(session)


# A test of meaning on a few rows would spend its time on Spark's compiler.
_INTERPRETED = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}


@pytest.fixture
def interpreted(spark: "SparkSession") -> Iterator["SparkSession"]:
    """The session of the process, with every expression interpreted."""
    before = {name: spark.conf.get(name) for name in _INTERPRETED}
    for name, value in _INTERPRETED.items():
        spark.conf.set(name, value)
    yield spark
    for name, value in before.items():
        spark.conf.set(name, str(value))
