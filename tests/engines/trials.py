"""One random spec at a time: Spark's answer beside the reference engine's."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING

from engines.comparing import MOST_WRITTEN, differences, written_size
from engines.variations import Variation, any_variation, varied
from fuzzing.transform_specs import Specs
from fuzzing.transforms import Answer, agree, encoded
from reference.verdicts import same
from sheliak.engines.protocol import RunResult
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.spark.engine import run_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NOW = 1_704_067_200_000.0
ZONES = ("UTC", "UTC", "America/New_York", "Asia/Kolkata")


@dataclass(frozen=True, slots=True)
class Trial:
    """A spec, where it runs, and how its rows lie."""

    spec: Mapping[str, object]
    zone: str = "UTC"
    variation: Variation = field(default_factory=Variation)

    def of(self, spec: Mapping[str, object]) -> Trial:
        return replace(self, spec=spec)


def random_trial(seed: int, only: str | None = None) -> Trial:
    """The trial that a seed names."""
    random = Random(f"trial {seed}")
    return Trial(Specs(seed, only).spec(), random.choice(ZONES), any_variation(random))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Both answers; a text is a fault, which no spec may cause."""

    spark: RunResult | str
    reference: RunResult | str

    @property
    def differences(self) -> list[str]:
        """Where Spark and the reference engine differ."""
        faults = [answer for answer in (self.spark, self.reference) if isinstance(answer, str)]
        if isinstance(self.spark, str) or isinstance(self.reference, str):
            return faults
        return differences(self.spark, self.reference)

    def differences_from(self, vega: Answer) -> list[str]:
        """Where either of them differs from Vega, which tells of the last dataset."""
        if isinstance(self.reference, RunResult) and not _is_writable(self.reference):
            return []
        theirs = str(vega.get("error") or "rows")
        reference = answer_of(self.reference)
        found = [] if agree(reference, vega) else [f"the reference differs from Vega: {told(reference)}\n    Vega  {told(vega)}"]
        ours = answer_of(self.spark)
        agrees = "error" in ours if "error" in vega else same(ours.get("rows"), vega["rows"])
        return found if agrees else [*found, f"Spark differs from Vega ({theirs}): {told(ours)}\n    Vega  {told(vega)}"]


def _is_writable(result: RunResult) -> bool:
    last = [*result.datasets.values()][-1].rows
    return last is None or written_size([*last]) <= MOST_WRITTEN


def told(answer: Answer) -> str:
    return ascii(answer)[:800]


def answer_of(result: RunResult | str) -> Answer:
    """A run's answer in the form of Vega's."""
    if isinstance(result, str):
        return {"fault": result}
    if result.errors:
        return {"error": result.errors[0]}
    last = list(result.datasets.values())[-1]
    return {"fault": last.reason} if last.rows is None else {"rows": [encoded(row) for row in last.rows]}


def outcome(trial: Trial, session: SparkSession) -> Outcome:
    """Runs a trial on both engines."""
    with varied(session, trial.variation) as changed:
        spark = answer(lambda: run_spark(trial.spec, changed, timezone=trial.zone, now=NOW))
    return Outcome(spark, answer(lambda: run_reference(trial.spec, timezone=trial.zone, now=NOW)))


def answer(run: Callable[[], RunResult]) -> RunResult | str:
    """What a run gives; a fault as a text."""
    try:
        return run()
    except Exception:  # noqa: BLE001 - a fault is a difference to be shown, not the end of the campaign
        return traceback.format_exc(limit=-5)[:2500]
