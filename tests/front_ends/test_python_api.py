"""`import sheliak`: the functions a program calls."""

import subprocess
import sys
from pathlib import Path

import pytest

import sheliak
from front_ends.commands import CLEAN, MISSING_FIELD, write

SPEC: dict[str, object] = {
    "data": [{"name": "t", "values": [{"a": 1}], "transform": [{"type": "formula", "expr": "datum.b + 1", "as": "c"}]}]
}


class Chart:
    """What a chart of Altair looks like from here."""

    def __init__(self, field: str) -> None:
        self._field = field

    def to_dict(self) -> dict[str, object]:
        return {
            "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
            "data": {"values": [{"words": 12100}]},
            "mark": "point",
            "encoding": {"x": {"field": self._field, "type": "quantitative"}},
        }


def test_a_dict() -> None:
    report = sheliak.check(SPEC)
    assert [(finding.code, finding.pointer) for finding in report.diagnostics] == [("unknown-field", "/data/0/transform/0/expr")]
    assert not report.ok


def test_json_text_and_a_path(tmp_path: Path) -> None:
    path = write(tmp_path, chart_vg_json=MISSING_FIELD) / "chart.vg.json"
    for spec in (MISSING_FIELD, "\n " + MISSING_FIELD, path, str(path)):
        assert [finding.code for finding in sheliak.check(spec).diagnostics] == ["unknown-field"]
    assert sheliak.check(CLEAN).ok


def test_a_chart() -> None:
    assert sheliak.check(Chart("words")).ok
    (finding,) = sheliak.check(Chart("word")).diagnostics
    assert (finding.code, finding.pointer) == ("unknown-field", "/encoding/x/field")


def test_what_is_no_spec_is_refused() -> None:
    with pytest.raises(TypeError, match="a spec is a dict, JSON text, a path or a chart, not int"):
        sheliak.check(3)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        sheliak.check("absent.vg.json")


def test_the_report_is_shown_as_the_command_shows_it() -> None:
    assert str(sheliak.check(SPEC)) == (
        "error[unknown-field]: the datum has no field `b`\n"
        "  --> <dict>:13:26\n"
        "   |\n"
        '13 |           "expr": "datum.b + 1",\n'
        "   |                          ^\n"
        "   = note: the fields here are `a`\n"
        "\n"
        "1 error in 1 file"
    )
    assert repr(sheliak.check(CLEAN)) == "<sheliak.Report of <text>: 0 findings>"


def test_the_report_as_data() -> None:
    (finding,) = sheliak.check(SPEC).to_dicts()
    assert (finding["code"], finding["line"], finding["severity"]) == ("unknown-field", 13, "error")


def test_what_a_spec_asks_to_leave_out_is_left_out() -> None:
    assert sheliak.check({**SPEC, "usermeta": {"sheliak": {"ignore": ["unknown-field"]}}}).ok


def test_shapes_by_dataset() -> None:
    shapes = sheliak.shapes(SPEC)
    assert list(shapes) == ["t"]
    assert str(shapes["t"]).startswith("{a: number, c: ")
    assert [step.name for step in shapes["t"].steps] == ["values", "formula"]
    assert shapes["t"].steps[1].added == ("c",)


def test_two_datasets_of_one_name_are_told_apart() -> None:
    spec = {
        "data": [{"name": "t", "values": [{"a": 1}]}],
        "marks": [{"type": "group", "data": [{"name": "t", "values": [{"b": 1}]}]}],
    }
    assert {name: list(shape.fields) for name, shape in sheliak.shapes(spec).items()} == {"t": ["a"], "t (/marks/0)": ["b"]}


UNSEEN: dict[str, object] = {
    "data": [{"name": "t", "url": "data.json", "transform": [{"type": "formula", "expr": "datum.b + 1", "as": "c"}]}]
}


def test_schemas_and_folders_show_what_data_have(tmp_path: Path) -> None:
    assert sheliak.check(UNSEEN).ok
    schema = {"type": "object", "properties": {"a": {"type": "number"}}}
    assert not sheliak.check(UNSEEN, schemas={"t": schema}).ok
    (tmp_path / "data.json").write_text('[{"a": 1}]', encoding="utf-8")
    assert not sheliak.check(UNSEEN, data_dir=tmp_path).ok
    assert not sheliak.check(UNSEEN, data_dir=[str(tmp_path)]).ok


def test_a_schema_of_arrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    assert not sheliak.check(UNSEEN, schemas={"t": pyarrow.schema([("a", pyarrow.int32())])}).ok
    assert sheliak.check(UNSEEN, schemas={"t": pyarrow.schema([("b", pyarrow.int32())])}).ok


def test_a_schema_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be used"):
        sheliak.check(UNSEEN, schemas={"t": tmp_path / "absent.json"})
    with pytest.raises(ValueError, match="it describes no rows"):
        sheliak.check(UNSEEN, schemas={"t": {"type": "string"}})


def test_strict() -> None:
    assert not sheliak.check(UNSEEN, strict=True).ok


def test_explain() -> None:
    assert sheliak.explain("unknown-field").startswith("# unknown-field\n")
    with pytest.raises(ValueError, match="no finding has the code 'unknown-feild'; a similar code exists: unknown-field"):
        sheliak.explain("unknown-feild")


def test_importing_is_light() -> None:
    program = "import sheliak, sys; print(*[name for name in sys.modules if name.startswith('sheliak')])"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout == "sheliak\n"
