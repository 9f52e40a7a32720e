"""The formats for other programs, as those programs read them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sheliak.checker.check import CheckOptions
from sheliak.loading import DataFolders
from sheliak.project.front_end import check_source
from sheliak.project.outcome import Outcome
from sheliak.project.output_formats import OUTPUT_FORMATS
from sheliak.project.selection import Selection
from sheliak.rendering.formats import MODULES, machine_lines
from sheliak.source.text import Source

HOSTILE = "a%b,c:d\\n<x>&\\u0001\\u001b"
SPEC = (
    '{"data": [{"name": "t", "values": [{"Words": 1}], "transform": [\n'
    '{"type": "formula", "expr": "datum.words * 2 + datum.words", "as": "a"},\n'
    f'{{"type": "extent", "field": "{HOSTILE}"}},\n'
    '{"type": "aggregate", "groupBy": ["a"]}]}],\n'
    '"marks": [{"type": "symbol", "from": {"data": "日本"}}]}\n'
)
CLEAN = '{"width": 200}'


def outcomes(*files: tuple[str, str]) -> Iterator[Outcome]:
    for name, text in files:
        report = check_source(Source(name, text), CheckOptions(DataFolders(None)))
        yield Outcome(report, Selection().told(report))


def written(format: str, *files: tuple[str, str]) -> str:
    return "\n".join(machine_lines(format, outcomes(*(files or (("charts/my chart.vg.json", SPEC), ("b.vg.json", CLEAN))))))


def test_every_format_has_its_module() -> None:
    assert {*MODULES, "full", "concise"} == set(OUTPUT_FORMATS)


@pytest.mark.parametrize("format", sorted(MODULES))
def test_the_output_is_plain_ascii_wherever_a_spec_is_hostile(format: str) -> None:
    text = written(format)
    assert format == "github" or text.isascii()
    assert not any(ord(character) < 32 and character != "\n" for character in text)


# SARIF


def test_sarif_has_the_members_that_the_standard_requires() -> None:
    log = json.loads(written("sarif"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "sheliak"
    assert run["columnKind"] == "unicodeCodePoints"
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        assert result["level"] in ("error", "warning", "note")
        (location,) = result["locations"]
        region = location["physicalLocation"]["region"]
        assert all(region[key] >= 1 for key in ("startLine", "startColumn", "endLine", "endColumn"))
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])


def test_sarif_describes_every_rule_that_is_used() -> None:
    (run,) = json.loads(written("sarif"))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["unknown-dataset", "unknown-field", "unknown-parameter"]
    for rule in rules:
        assert rule["shortDescription"]["text"] and rule["help"]["markdown"].startswith(f"# {rule['id']}")
        assert rule["defaultConfiguration"]["level"] in ("error", "warning")


def test_sarif_locates_with_uris_that_need_no_blank() -> None:
    (run,) = json.loads(written("sarif"))["runs"]
    uris = {
        location["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"] for location in result["locations"]
    }
    assert uris == {"charts/my%20chart.vg.json"}
    (run,) = json.loads(written("sarif", ("/tmp/ü.vg.json", SPEC)))["runs"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "file:///tmp/%C3%BC.vg.json"


def test_sarif_offers_the_repair_that_fix_makes() -> None:
    (run,) = json.loads(written("sarif"))["runs"]
    (fix,) = next(result["fixes"] for result in run["results"] if "fixes" in result)
    (change,) = fix["artifactChanges"]
    for replacement in change["replacements"]:
        region = replacement["deletedRegion"]
        assert SPEC[region["charOffset"] : region["charOffset"] + region["charLength"]] == "words"
        assert replacement["insertedContent"] == {"text": "Words"}


def test_sarif_fingerprints_tell_findings_apart() -> None:
    (run,) = json.loads(written("sarif", ("a.vg.json", SPEC), ("b.vg.json", SPEC)))["runs"]
    prints = [result["partialFingerprints"]["sheliak/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints) > 4


def test_sarif_without_findings_is_still_a_log() -> None:
    (run,) = json.loads(written("sarif", ("b.vg.json", CLEAN)))["runs"]
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])


# GitHub

COMMAND = re.compile(r"::(error|warning|notice) ((?:\w+=[^,:\n]*,?)+)::([^\n]*)")


def commands() -> list[tuple[str, dict[str, str], str]]:
    found = [COMMAND.fullmatch(line) for line in written("github").split("\n")]
    assert all(found)
    return [
        (match[1], dict(pair.split("=", 1) for pair in match[2].split(",")), match[3]) for match in found if match is not None
    ]


def unescaped(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_github_gets_one_command_for_each_finding() -> None:
    kinds = [kind for kind, _, _ in commands()]
    assert (kinds.count("error"), kinds.count("warning")) == (len(kinds) - 1, 1)


def test_github_finds_the_place_and_the_text() -> None:
    _, properties, text = commands()[0]
    assert properties["file"] == "charts/my chart.vg.json"
    assert (properties["line"], properties["col"], properties["title"]) == ("2", "36", "sheliak (unknown-field)")
    assert unescaped(text).split("\n")[0] == "the datum has no field `words`"


def test_github_keeps_what_would_end_a_command() -> None:
    assert any("a%b,c:d\\x0a<x>&" in unescaped(text) for _, _, text in commands())


# GitLab


def test_gitlab_gets_what_a_code_quality_report_needs() -> None:
    entries = json.loads(written("gitlab"))
    for entry in entries:
        assert entry["description"] and entry["check_name"]
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert entry["location"]["path"] == "charts/my chart.vg.json"
        assert entry["location"]["lines"]["begin"] >= 1
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)


def test_gitlab_fingerprints_do_not_change_when_lines_move() -> None:
    moved = SPEC.replace('{"data": [', '{\n\n"data": [{"name": "first", "values": []}, ')
    before, after = (json.loads(written("gitlab", ("a.vg.json", text))) for text in (SPEC, moved))
    assert [entry["fingerprint"] for entry in before] == [entry["fingerprint"] for entry in after]
    assert [entry["location"] for entry in before] != [entry["location"] for entry in after]


# JUnit


def test_junit_has_a_suite_for_each_file_and_a_case_for_each_finding() -> None:
    root = ElementTree.fromstring(written("junit"))
    first, second = root
    assert (root.tag, first.attrib["name"], second.attrib["name"]) == ("testsuites", "charts/my chart.vg.json", "b.vg.json")
    assert int(root.attrib["tests"]) == len(first) + len(second)
    assert int(root.attrib["failures"]) == len(first) == len(first.findall("testcase/failure"))
    assert [case.attrib["name"] for case in second] == ["no findings"]


def test_junit_shows_what_xml_cannot_say_in_another_way() -> None:
    failures = ElementTree.fromstring(written("junit")).findall("testsuite/testcase/failure")
    assert any("a%b,c:d\n<x>&\ufffd\ufffd" in (failure.text or "") for failure in failures)


# Files that are not there any more do not matter: positions come from what was read.


def test_every_format_works_on_a_file_with_broken_json(tmp_path: Path) -> None:
    for format in MODULES:
        assert "invalid-json" in written(format, (str(tmp_path / "gone.vg.json"), '{"width": }'))
