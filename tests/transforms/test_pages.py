"""The pages of the transforms hold: one page for each, one test for each case."""

from __future__ import annotations

from pathlib import Path

import pytest

from literate import Case, cases, check_case

PAGES = Path(__file__).parent


@pytest.mark.parametrize("case", cases(PAGES), ids=str)
def test_case(case: Case) -> None:
    check_case(case)
