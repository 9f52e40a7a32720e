"""Writes the `rows` and `error` fences of Markdown pages anew, with what Vega makes of their cases.

    python -m fuzzing.page_rows --vega-home DIR PAGE.md ...

A case that has neither fence is left alone; to record a new one, give it an empty `rows` fence.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

from fuzzing.transforms import Answer, vega_answers
from literate import Case, cases_of, spec_of

_ANSWER = re.compile(r"^```(rows|error)\n.*?^```\n", re.MULTILINE | re.DOTALL)


def is_recorded(case: Case) -> bool:
    return not spec_of(case).schemas and (case.text("rows") is not None or case.text("error") is not None)


def fence_of(answer: Answer) -> str:
    """The answer as a fence."""
    if "error" in answer:
        return f"```error\n{answer['error']}\n```\n"
    rows = answer["rows"]
    assert isinstance(rows, list)
    text = ",\n ".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"```rows\n[{text}]\n```\n"


def recorded(page: Path, vega_home: Path) -> str:
    """The page's text with Vega's answers."""
    cases = [case for case in cases_of(page) if is_recorded(case)]
    answers = vega_answers([spec_of(case).json() for case in cases], vega_home, "UTC")
    parts = re.split(r"^(?=## )", page.read_text("utf-8"), flags=re.MULTILINE)
    for case, answer in zip(cases, answers, strict=True):
        place = next(index for index, part in enumerate(parts) if part.startswith(f"## {case.title}\n"))
        fence = fence_of(answer)
        parts[place] = _ANSWER.sub(lambda _, fence=fence: fence, parts[place], count=1)
    return "".join(parts)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="fuzzing.page_rows")
    parser.add_argument("--vega-home", type=Path, required=True)
    parser.add_argument("pages", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    for page in options.pages:
        text = recorded(page, options.vega_home)
        if text != page.read_text("utf-8"):
            page.write_text(text, "utf-8")
            print(f"{page} has new rows")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
