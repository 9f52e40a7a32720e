"""The pages about loading hold: one test for each case."""

from __future__ import annotations

from pathlib import Path

import pytest

from literate import Case, cases
from loading.pages import check_page_case

PAGES = Path(__file__).parent


@pytest.mark.parametrize("case", cases(PAGES), ids=str)
def test_case(case: Case, tmp_path: Path) -> None:
    check_page_case(case, tmp_path)
