"""Our parsers give the answers that Vega's own parsers gave (recorded by `fuzzing.expressions --record`)."""

import json
from pathlib import Path

import pytest

from fuzzing.expressions import KINDS

RECORDED = [json.loads(line) for line in Path(__file__).with_name("recorded.jsonl").read_text("ascii").splitlines()]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_recorded_text_gets_the_answer_of_vega(kind: str) -> None:
    answer = KINDS[kind][2]
    texts = [(text, theirs) for recorded_kind, text, theirs in RECORDED if recorded_kind == kind]
    assert len(texts) >= 1000
    assert [(text, theirs) for text, theirs in texts if answer(text) != theirs] == []


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_half_of_the_recorded_texts_are_accepted(kind: str) -> None:
    answers = [theirs is None for recorded_kind, _, theirs in RECORDED if recorded_kind == kind]
    assert answers.count(True) == answers.count(False)
