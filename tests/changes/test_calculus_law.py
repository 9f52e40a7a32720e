"""Reference engine = calculus, on the calculus' four transforms."""

from __future__ import annotations

from changes.calculus_law import Tally, check_seed


def test_the_engine_sends_what_the_calculus_sends() -> None:
    tally = Tally()
    for seed in range(400):
        check_seed(seed, tally)
    assert tally.differences == []
    assert tally.compared > 250
    assert tally.changes > 1000


def test_rounding_of_an_average_that_is_a_key() -> None:
    """Vega keeps a running mean, the calculus divides an exact sum: the last digit may differ, and with it the key of a group."""
    tally = Tally()
    for seed in (3350, 3751):
        check_seed(seed, tally)
    assert (tally.compared, tally.differences) == (2, [])
