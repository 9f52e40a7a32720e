"""The corpus of real specs and known faults (../shared): silent where all is right, one finding at the right place where not."""

import collections

import pytest

from corpus.scoring import Corpus, mutated, near, new_findings
from sheliak.diagnostics.registry import Severity

pytestmark = pytest.mark.needs_shared


@pytest.fixture(scope="module")
def corpus(shared):
    return Corpus(shared / "corpus")


@pytest.fixture(scope="module")
def findings_of_valid(corpus):
    return {name: corpus.check(corpus.spec(name)) for name in corpus.index}


def test_no_valid_spec_has_an_error_and_few_have_a_warning(corpus, findings_of_valid):
    clean = [name for name, entry in corpus.index.items() if entry.get("expect_zero_errors")]
    with_errors = {
        name: [finding.message for finding in findings_of_valid[name]]
        for name in clean
        if any(finding.severity is Severity.ERROR for finding in findings_of_valid[name])
    }
    assert with_errors == {}
    assert sum(bool(findings_of_valid[name]) for name in clean) <= 0.03 * len(clean)


def test_mutants_are_found_at_the_right_place(corpus, findings_of_valid):
    found, located, total = collections.Counter(), collections.Counter(), collections.Counter()
    for mutant in corpus.lines("mutants.jsonl"):
        after = corpus.check(mutated(corpus.spec(mutant["base"]), mutant["edits"]))
        new = list(new_findings(findings_of_valid[mutant["base"]], after))
        places = [mutant["pointer"], *mutant.get("accept", [])]
        total[mutant["op"]] += 1
        found[mutant["op"]] += bool(new)
        located[mutant["op"]] += any(near(finding.pointer, place) for finding in new for place in places)
    assert found.total() >= 0.97 * total.total()
    assert located.total() >= 0.95 * found.total()
    assert {op: found[op] / total[op] for op in total if found[op] < 0.9 * total[op]} == {}


def test_published_specs_that_read_a_field_no_row_has_are_found(corpus):
    missed = []
    for entry in corpus.natural:
        if entry["natural"]["cls"] != "real":
            continue
        natural = entry["natural"]
        places = natural.get("pointers") or [place for fault in natural["faults"] for place in fault["pointers"]]
        findings = corpus.check(corpus.spec(entry["id"], "natural"))
        if not any(near(finding.pointer, place) for finding in findings for place in places):
            missed.append(entry["id"])
    assert missed == []


def test_mistakes_that_people_reported_are_found_once_and_their_repair_is_silent(corpus):
    tally = collections.Counter()
    for case in corpus.lines("real-errors.jsonl"):
        fixed = corpus.check(case["fixed_fragment"])
        new = list(new_findings(fixed, corpus.check(case["spec_fragment"])))
        places = [case["expected_error_json_pointer"], *case.get("also_acceptable_pointers", [])]
        errors = sum(finding.severity is Severity.ERROR for finding in new)
        tally["cases"] += 1
        tally["found"] += bool(new)
        tally["located"] += any(near(finding.pointer, place) for finding in new for place in places)
        tally["one root"] += bool(new) and errors <= (case.get("expected_error_count_max") or 99)
        tally["silent after repair"] += not any(finding.severity is Severity.ERROR for finding in fixed)
    assert tally["found"] >= 38
    assert tally["located"] >= 37
    assert tally["one root"] >= 37
    assert tally["silent after repair"] == tally["cases"]


def test_look_alikes_of_mistakes_are_not_reported(corpus):
    rank = {Severity.ERROR: 2, Severity.WARNING: 1, Severity.HINT: 0}
    allowed = {"error": 2, "warning": 1}
    loud = [
        case["id"]
        for case in corpus.lines("real-nonerrors.jsonl")
        if any(rank[finding.severity] > allowed.get(case["max_severity"], 0) for finding in corpus.check(case["spec"]))
    ]
    assert loud == []
