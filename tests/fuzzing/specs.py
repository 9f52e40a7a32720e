"""Does anything that is fed to the checker make it fail, hang, or point to a place that is not there?

    python -m fuzzing.specs --count 20000 --seed 1 [--specs DIR] [--data DIR] [--vega-lite] [--only NUMBER]

Sound specs (of DIR, and the repository's own) are broken at random; each is checked, told of in every format and repaired. With
`--vega-lite` they are those of the Vega-Lite tests.
Failures are printed with their seed and number and with a smaller case; the exit code is 1 if there are any.
`--only` looks at one case and prints it. `--digest` ends with digits of everything that was said: they depend on nothing but the
seed, the count and the code.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from fuzzing.expressions import corpus_folder
from fuzzing.odd_files import make_odd_files
from fuzzing.smaller_case import smaller_case
from fuzzing.spec_cases import Cases
from fuzzing.spec_seeds import own_specs, specs_below, vega_lite_specs
from fuzzing.spec_verdict import CPU_LIMIT, Case, Examiner, Failure

_MOST_SHOWN = 10


@dataclass
class Campaign:
    """Cases by number, and what came of them."""

    cases: Cases
    examiner: Examiner
    failures: dict[str, dict[int, Failure]] = field(default_factory=dict)
    """Kind of a failure -> the cases with it."""
    slowest: tuple[float, int] = (0.0, 0)

    def run(self, numbers: range) -> None:
        for number in numbers:
            started = time.process_time()
            failure = self.examiner.failure(self.cases.case(number))
            self.slowest = max(self.slowest, (time.process_time() - started, number))
            if failure is not None:
                self.failures.setdefault(failure.kind, {})[number] = failure

    def shrunk(self, number: int) -> Case:
        """A smaller case that fails in the same way."""
        case = self.cases.case(number)
        failure = self.examiner.failure(case)
        return smaller_case(case, lambda smaller: _kind(self.examiner.failure(smaller)) == _kind(failure))


def _kind(failure: Failure | None) -> str | None:
    return None if failure is None else failure.kind


def new_campaign(
    seed: int,
    folder: Path,
    specs: list[str] | None = None,
    data: Path | None = None,
    *,
    few_large: bool = False,
    limit: float = CPU_LIMIT,
) -> Campaign:
    """A campaign whose odd files are made in an empty folder; of the repository's own specs unless others are given."""
    urls = make_odd_files(folder)
    return Campaign(Cases(seed, specs or own_specs(), urls, few_large=few_large), Examiner(folder, data, limit))


def digest(campaign: Campaign, numbers: range) -> str:
    """Digits of everything that is said about some cases."""
    said = hashlib.sha256()
    for number in numbers:
        for line in campaign.examiner.answer(campaign.cases.case(number)):
            said.update(line.encode())
    return said.hexdigest()


def show(campaign: Campaign, seed: int, number: int) -> None:
    """One failure with its smaller case."""
    failure = campaign.examiner.failure(campaign.cases.case(number))
    small = campaign.shrunk(number) if failure is not None else campaign.cases.case(number)
    print(f"--- seed {seed}, case {number}{', strict' if small.strict else ''}: {failure.kind if failure else 'all is well'}")
    print(f"{failure.detail if failure else ''}\n{small.content[:3000]!r}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="fuzzing.specs")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--specs", type=Path, default=corpus_folder() if corpus_folder().is_dir() else None)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--vega-lite", action="store_true")
    parser.add_argument("--only", type=int)
    parser.add_argument("--digest", action="store_true")
    options = parser.parse_args(arguments)
    data = options.data or (options.specs.parent if options.specs else None)
    with tempfile.TemporaryDirectory() as folder:
        specs = vega_lite_specs() if options.vega_lite else own_specs() + specs_below(options.specs)
        campaign = new_campaign(options.seed, Path(folder), specs, data, few_large=options.vega_lite)
        if options.only is not None:
            show(campaign, options.seed, options.only)
            return 0
        if options.digest:
            print(digest(campaign, range(options.count)))
            return 0
        campaign.run(range(options.count))
        for numbers in list(campaign.failures.values())[:_MOST_SHOWN]:
            show(campaign, options.seed, min(numbers))
    total, seconds = sum(map(len, campaign.failures.values())), campaign.slowest
    for kind, numbers in campaign.failures.items():
        print(f"{len(numbers):6}  {kind}: cases {', '.join(map(str, list(numbers)[:_MOST_SHOWN]))}")
    print(f"specs: {options.count} cases, seed {options.seed}, {len(campaign.cases.specs)} sound specs, {total} failures")
    print(f"the slowest case, {seconds[1]}, took {seconds[0]:.2f} s")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
