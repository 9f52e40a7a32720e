"""The theorem as a property: 50 000 random runs with a new seed every time, and Hypothesis, which shrinks what it finds.

SHELIAK_SEED repeats a seed; `make soundness` does a million. The second half is about the equipment: a law that could not
break, or a generator that left out a rule, would prove nothing.
"""

import math
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sheliak.calculus.change_typing import is_well_formed, value_has_type
from sheliak.calculus.changes import Add, Change, Remove, Update, Value, identical
from sheliak.calculus.no_derivation import NoDerivation
from sheliak.calculus.spec_typing import type_of_spec
from soundness.__main__ import report
from soundness.campaign import (
    BOUNDS,
    COSTLY,
    EVERY,
    LARGE,
    STREAMS_PER_SPEC,
    Tally,
    campaign,
    case_choices,
    check_run,
    check_spec,
    plainest,
    reached_by,
)
from soundness.choices import Choices, Draw, Drawn, Seeded
from soundness.derivations import Derivation, Rules
from soundness.from_scratch import total
from soundness.laws import built
from soundness.mutations import mutation
from soundness.smaller import Case, edits_of, from_edits
from soundness.specs import Typed, typed_spec
from soundness.streams import Stream, merged, pulses, reordered, stream, survivors
from soundness.types_and_values import record, record_type

ROOT = Path(__file__).resolve().parents[2]
RUNS = 50_000
PARTS = 10


@pytest.fixture(scope="session")
def seed(testrun_uid: str) -> int:
    """One for all workers of a test run."""
    return int(os.environ.get("SHELIAK_SEED", zlib.crc32(testrun_uid.encode())))


@pytest.mark.parametrize("part", range(PARTS))
def test_every_law_holds_on_random_runs(part: int, seed: int, capfd: pytest.CaptureFixture[str]) -> None:
    specs = RUNS // STREAMS_PER_SPEC // PARTS
    tally = campaign(seed, range(part * specs, (part + 1) * specs))
    if part == 0:
        with capfd.disabled():
            print(f"\nsoundness: {RUNS:,} runs, seed {seed}", file=sys.stderr, flush=True)
    assert tally.broken == []
    assert tally.runs == RUNS // PARTS
    assert min(tally.costly.values()) >= tally.runs // EVERY - 1


@st.composite
def drawn_choices(draw: Draw) -> Choices:
    return Drawn(draw)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(drawn_choices())
def test_every_law_holds_on_what_hypothesis_draws(choices: Choices) -> None:
    typed = typed_spec(choices, BOUNDS)
    b = check_spec(typed, Tally(), unique=True)
    events = stream(choices, typed, BOUNDS)
    for turn in COSTLY:
        check_run(choices, b, events, turn, Tally())


# The equipment


def drawn(number: int) -> tuple[Choices, Typed, Stream]:
    """A case of the campaign with seed 0; every fourth is large."""
    choices = case_choices(0, number)
    bounds = LARGE if number % 4 == 0 else BOUNDS
    typed = typed_spec(choices, bounds)
    return choices, typed, stream(choices, typed, bounds)


def rules_of(derivation: Derivation) -> set[str]:
    return {derivation.rule}.union(*map(rules_of, derivation.premises))


def test_the_generator_uses_every_typing_rule() -> None:
    used: set[str] = set()
    for number in range(300):
        _, typed, _ = drawn(number)
        for _, chains in Rules().spec(typed.inputs, typed.spec):
            used.update(*map(rules_of, chains[0]))
    literals = {"T-eBool", "T-eNum", "T-eStr"}
    paths = {"T-eDatum", "T-eField"}
    compounds = {"T-eArithNum", "T-eAddStrL", "T-eAddStrR", "T-eArr", "T-eObj", "T-eBuiltin"}
    operators = {"T-opSum", "T-opAvg", "T-opCount"}
    transforms = {"T-tFilter", "T-tFormula", "T-tCross", "T-tAgg"}
    assert used == literals | paths | compounds | operators | transforms


def values_in(v: Value) -> list[Value]:
    parts = v if isinstance(v, tuple) else v.values() if isinstance(v, dict) else ()
    return [v, *(inner for part in parts for inner in values_in(part))]


def test_the_generator_makes_odd_numbers_and_names() -> None:
    changes = [u for number in range(300) for _, u in drawn(number)[2]]
    records = [u.tuple.fields for u in changes if isinstance(u, Add)]
    numbers = [v for fields in records for v in values_in(fields) if isinstance(v, float)]
    names = {f for fields in records for part in values_in(fields) if isinstance(part, dict) for f in part}
    assert all(any(identical(x, y) for y in numbers) for x in (0.0, -0.0, math.nan, math.inf, -math.inf, 0.5))
    assert names >= {"a", "a.b", "", "__proto__", "x y", "😀", 'say "hi"', "μ"}


def test_the_generator_makes_every_kind_of_change_and_uses_traces_again() -> None:
    kinds: set[type[Change]] = set()
    again = 0
    for number in range(300):
        events = drawn(number)[2]
        kinds.update(type(u) for _, u in events)
        added = [(source, u.tuple.trace) for source, u in events if isinstance(u, Add)]
        again += len(added) - len(set(added))
    assert kinds == {Add, Update, Remove} and again > 0


@pytest.mark.parametrize("number", range(20))
def test_a_stream_is_well_formed_however_it_is_rearranged(number: int) -> None:
    choices, typed, events = drawn(number)
    cut = pulses(choices, events)
    assert tuple(event for pulse in cut for event in pulse) == events
    together = [event for pulse in cut for event in merged(pulse)]
    for other in (events, tuple(together), merged(events), reordered(choices, events), from_edits(edits_of(events))):
        assert all(is_well_formed([u for source, u in other if source == n]) for n in typed.inputs)
        assert survivors(typed.inputs, other) == survivors(typed.inputs, events)


def test_the_changes_of_one_tuple_keep_their_order() -> None:
    _, _, events = drawn(1)
    assert sorted(map(str, reordered(Seeded(0), events))) == sorted(map(str, events))
    assert from_edits(edits_of(events)) == events


@pytest.mark.parametrize("number", range(50))
def test_a_random_value_has_the_type_it_was_made_for(number: int) -> None:
    choices = Seeded(number)
    T = record_type(choices, 4)
    assert value_has_type(record(choices, T), T)


@pytest.mark.parametrize("number", range(100))
def test_a_spoiled_specification_is_well_typed_no_longer(number: int) -> None:
    choices, typed, events = drawn(number)
    spoiled = mutation(choices, typed, reached_by(built(typed), events))
    assert type_of_spec(typed.inputs, typed.spec) == typed.types
    with pytest.raises(NoDerivation):
        type_of_spec(typed.inputs, spoiled.spec)


@pytest.mark.parametrize(
    "numbers, expected",
    [
        ([-0.0], -0.0),
        ([-0.0, -0.0], -0.0),
        ([-0.0, 0.0], 0.0),
        ([1.0, -1.0], 0.0),
        ([1.0, 1e16, -1e16], 1.0),
        ([math.inf, 1.0], math.inf),
        ([math.inf, -math.inf], math.nan),
        ([math.nan, 1.0], math.nan),
        ([1e308, 1e308, -1e308], 1e308),
        ([1e308, 1e308], math.inf),
    ],
)
def test_the_sum_from_scratch_is_exact(numbers: list[float], expected: float) -> None:
    assert identical(total(numbers), expected)


def test_the_same_seed_gives_the_same_case() -> None:
    assert str(drawn(7)[1:]) == str(drawn(7)[1:]) != str(drawn(8)[1:])


def test_a_case_that_breaks_nothing_is_told_as_it_is() -> None:
    _, typed, events = drawn(3)
    case = Case(typed.inputs, typed.spec, events)
    assert plainest(case) is case


def test_the_report_tells_count_seed_and_what_broke() -> None:
    text = report(5, Tally(specs=25, runs=100, broken=["the case"]), 1.0)
    assert "100 runs of 25 specifications, seed 5" in text and "the case\n1 broken" in text


def test_the_command_tells_its_seed_and_counts_every_law() -> None:
    command = [sys.executable, "-m", "soundness", "--runs", "400", "--seed", "11", "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}", "PYTHONIOENCODING": "utf-8"}
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, env=environment)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "400 runs of 100 specifications, seed 11" in ended.stdout and "every law holds" in ended.stdout
    assert all(name in ended.stdout for name, _ in COSTLY.values())
