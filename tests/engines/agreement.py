"""Do Spark, the reference engine and Vega make the same rows of random pipelines over random data?

    python -m engines.agreement --count 3000 --seed 1 [--vega-home DIR] [--laws 1000] [--expressions 20000] [--tables 1000] [--only TYPE]

A spec is named by its seed; specs SEED to SEED + COUNT - 1 are tried, each with its rows in 1, 2 or 7 partitions, in any physical
order, with ANSI mode on or off, some with generated code. With DIR, which holds node_modules with vega, they are compared with
Vega's answers too. `--laws`, `--expressions` and `--tables` (charts over a table that Spark reads) are how many of those are tried. Every seed that differs is printed with a smaller
spec. The exit code is 1 if there is any.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from engines.expressions import expression_campaign
from engines.laws import law_campaign
from engines.table_charts import table_campaign
from engines.tallies import Engines
from engines.trials import Outcome, Trial, outcome, random_trial
from engines.variations import small_job_session
from fuzzing.smaller_case import smaller_case
from fuzzing.spec_verdict import Case
from fuzzing.transform_specs import TYPES
from fuzzing.transforms import Answer, vega_answers
from sheliak.engines.spark.session import end_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_BATCH = 250
_TOLD = 12


@dataclass(slots=True)
class Campaign:
    """Random specs on one session, and what was found."""

    session: SparkSession
    vega_home: Path | None
    tally: Counter[str] = field(default_factory=Counter)
    engines: Engines = field(default_factory=Engines)
    failures: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def run(self, seeds: Sequence[int], only: str | None) -> None:
        for start in range(0, len(seeds), _BATCH):
            batch = {seed: random_trial(seed, only) for seed in seeds[start : start + _BATCH]}
            answers = self._asked(batch)
            for index, (seed, trial) in enumerate(batch.items()):
                self._try(seed, trial, answers.get(seed))
                self._progress(start + index + 1, len(seeds))

    def _asked(self, batch: Mapping[int, Trial]) -> dict[int, Answer]:
        """Vega's answers, by seed."""
        found: dict[int, Answer] = {}
        for zone in sorted({trial.zone for trial in batch.values()}) if self.vega_home is not None else ():
            seeds = [seed for seed, trial in batch.items() if trial.zone == zone]
            assert self.vega_home is not None
            found.update(zip(seeds, vega_answers([batch[seed].spec for seed in seeds], self.vega_home, zone), strict=True))
        return found

    def _try(self, seed: int, trial: Trial, vega: Answer | None) -> None:
        result = outcome(trial, self.session)
        self._count(result, vega)
        found = result.differences or ([] if vega is None else result.differences_from(vega))
        if found:
            self.tally["differences"] += 1
            self.failures.append(f"seed {seed}, {trial.zone}, {trial.variation}\n  {found[0]}\n  {self._smaller(trial, result)}")
            print(self.failures[-1], flush=True)

    def _count(self, result: Outcome, vega: Answer | None) -> None:
        self.tally["specs"] += 1
        self.tally["compared with Vega"] += vega is not None
        if isinstance(result.spark, str):
            self.tally["faults"] += 1
            return
        self.tally["stopped by an error" if result.spark.errors else "with rows"] += 1
        self.engines.add(result.spark)

    def _smaller(self, trial: Trial, result: Outcome) -> str:
        """A smaller spec whose engines differ; the spec itself where only Vega differs, or after many failures."""
        if not result.differences or len(self.failures) >= _TOLD:
            return json.dumps(trial.spec)
        case = smaller_case(Case(json.dumps(trial.spec).encode()), lambda case: self._differs(trial, case))
        spec = json.loads(case.content)
        return f"{json.dumps(spec)}\n  {outcome(trial.of(spec), self.session).differences[0]}"

    def _differs(self, trial: Trial, case: Case) -> bool:
        try:
            spec = json.loads(case.content)
        except ValueError:
            return False
        return isinstance(spec, dict) and bool(outcome(trial.of(spec), self.session).differences)

    def _progress(self, done: int, total: int) -> None:
        if done % 50 == 0 or done == total:
            spent = time.monotonic() - self.started
            print(
                f"  {done} of {total} specs, {self.tally['differences']} differences, {spent:.0f} s", file=sys.stderr, flush=True
            )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="engines.agreement", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vega-home", type=Path)
    parser.add_argument("--laws", type=int, default=0)
    parser.add_argument("--expressions", type=int, default=0)
    parser.add_argument("--tables", type=int, default=0)
    parser.add_argument("--only", choices=TYPES)
    options = parser.parse_args(arguments)
    session = small_job_session("agreement")
    campaign = Campaign(session, options.vega_home)
    with contextlib.suppress(KeyboardInterrupt):
        campaign.run(range(options.seed, options.seed + options.count), options.only)
    failures = [*campaign.failures]
    laws = law_campaign(options.laws, options.seed, session) if options.laws else None
    expressions = expression_campaign(options.expressions, options.seed, session) if options.expressions else None
    tables = table_campaign(options.tables, options.seed, session) if options.tables else None
    end_session(session)
    for other in (laws, expressions, tables):
        failures += other.failures if other is not None else []
    if options.count:
        print("\n".join(campaign.engines.lines()))
        print(f"{campaign.tally['specs']} specs: {dict(campaign.tally)}, {campaign.tally['differences']} differences")
    for other in (laws, expressions, tables):
        if other is not None:
            print(other.summary())
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
