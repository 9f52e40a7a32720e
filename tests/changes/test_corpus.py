"""The corpus' specs, live: they start with the rows of a run, and follow a change as a run does."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from changes.from_scratch import NOW, first_difference
from conftest import SHARED
from sheliak.changes.change import Add, Remove
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.reference.live import Live, open_live
from sheliak.loading.folders import DataFolders
from sheliak.source.json_reader import read_document
from sheliak.source.text import read_text

_SMALL = 6_000
_FEW = 400
SPECS = sorted(path for path in (SHARED / "corpus" / "valid").rglob("vg-*.json")) if SHARED is not None else []
CHOSEN = [path for path in SPECS if path.stat().st_size < _SMALL][::4]


@pytest.mark.needs_shared
def test_specs_of_the_corpus_follow_changes() -> None:
    followed = [path.name for path in CHOSEN if _follows(path)]
    assert len(followed) > 5


def _follows(path: Path) -> bool:
    """Whether there was something to follow; it is compared with runs before and after a change."""
    assert SHARED is not None
    document, folders = read_document(read_text(str(path))), DataFolders(path.parent, SHARED / "corpus" / "data")
    run = run_reference(document, folders, now=NOW)
    if run.errors or sum(map(len, run.rows.values())) > _FEW or '"identifier"' in path.read_text("utf-8"):
        return False
    live = open_live(document, folders, now=NOW)
    assert {name: first_difference(live.rows(name), rows) for name, rows in run.rows.items()} == dict.fromkeys(run.rows)
    if not _changed(live, Random(path.name)):
        return False
    data = {name: [dict(row) for row in live.source_table(name).listed()] for name in live.inputs}
    after = run_reference(document, folders, now=NOW, data=data)
    assert {name: first_difference(live.rows(name), rows) for name, rows in after.rows.items()} == dict.fromkeys(after.rows)
    return True


def _changed(live: Live, random: Random) -> bool:
    """One row goes, and comes again under another id."""
    filled = [name for name in live.inputs if live.source_table(name).order]
    if not filled:
        return False
    name = random.choice(filled)
    table = live.source_table(name)
    trace = random.choice(table.order)
    live.apply([(name, Remove(trace, table.rows[trace])), (name, Add("new", dict(table.rows[trace])))])
    return True
