"""Laws between runs on Spark, each tried by turns."""

from pyspark.sql import SparkSession

from engines.laws import Laws, check_law


def test_laws(interpreted: SparkSession) -> None:
    laws = Laws()
    for number in range(30):
        check_law(number, 1, interpreted, laws)
    assert laws.failures == []
    assert laws.tally.total() > 50
    assert set(laws.tally) == {"partition", "renaming", "counting", "identity", "splitting"}
