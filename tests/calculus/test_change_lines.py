"""Changes as lines of JSON: what is read, what is refused and where."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheliak.calculus.change_lines import ChangeProblem, Pulse, read_changes
from sheliak.calculus.changes import Add, DataTuple, Remove, Update
from sheliak.calculus.surface import parse_type

INPUTS = {
    "a": parse_type("{n: number, s: string, tags: [string], r: {b: boolean}}"),
    "p": parse_type("{x: number}"),
    "": parse_type("{}"),
}


def read(text: str, check_types: bool = True) -> list[Pulse]:
    return read_changes(text, INPUTS, frozenset({"computed"}), check_types)


def problem(text: str) -> tuple[str, str, int, str]:
    with pytest.raises(ChangeProblem) as raised:
        read(text)
    found = raised.value
    return found.code, found.message, found.line, text.split("\n")[found.line][found.start : found.end]


def p(id: object, x: str) -> str:
    return f'{{"data": "p", "id": {id}, "add": {{"x": {x}}}}}'


class TestReading:
    def test_the_three_changes(self) -> None:
        old, new = DataTuple({"x": 1.0}, 7), DataTuple({"x": 2.0}, 7)
        lines = [p(7, "1"), '{"data": "p", "id": 7, "update": {"x": 2}}', '{"data": "p", "id": 7, "remove": true}']
        assert read("\n".join(lines)) == [(("p", Add(old)), ("p", Update(old, new)), ("p", Remove(new)))]

    def test_a_commit_ends_a_pulse_and_so_does_the_end(self) -> None:
        text = "\n".join([p(1, "1"), '{"commit": true}', '{"commit": true}', "", p(2, "2"), p(3, "3"), ""])
        assert [len(pulse) for pulse in read(text)] == [1, 0, 2]

    def test_nothing(self) -> None:
        assert read("") == read("\r\n  \n") == []

    def test_all_kinds_of_values(self) -> None:
        line = '{"data": "a", "id": "k", "add": {"r": {"b": true}, "n": -0, "s": "\\ud83d\\ude00", "tags": ["x", ""]}}'
        ((change,),) = read(line)
        assert change == ("a", Add(DataTuple({"n": -0.0, "s": "😀", "tags": ("x", ""), "r": {"b": True}}, "k")))

    def test_ids(self) -> None:
        text = "\n".join([p(1, "0"), p('"1"', "0"), p(1.5, "0"), p(9007199254740992, "0"), p(9007199254740993, "0")])
        assert len(read(text)[0]) == 5

    def test_an_id_belongs_to_its_dataset(self) -> None:
        assert len(read('{"data": "", "id": 1, "add": {}}\n' + p(1, "0"))[0]) == 2

    def test_a_removed_id_can_come_back(self) -> None:
        assert len(read("\n".join([p(1, "0"), '{"data": "p", "id": 1, "remove": true}', p(1, "0")]))[0]) == 3

    @pytest.mark.parametrize("name, value", [("NaN", math.nan), ("Infinity", math.inf), ("-Infinity", -math.inf)])
    def test_numbers_json_has_no_word_for(self, name: str, value: float) -> None:
        assert read(p(1, f'{{"$num": "{name}"}}')) == [(("p", Add(DataTuple({"x": value}, 1))),)]

    def test_types_need_not_be_checked(self) -> None:
        assert read('{"data": "p", "id": 1, "add": {"y": [1, "a"], "z": {}}}', check_types=False) == [
            (("p", Add(DataTuple({"y": (1.0, "a"), "z": {}}, 1))),)
        ]


FORM = 'a line is {"data": ..., "id": ..., "add" or "update": {...}}, {..., "remove": true} or {"commit": true}'


class TestRefusing:
    @pytest.mark.parametrize(
        "line, message, about",
        [
            ("[]", FORM, "[]"),
            ("{}", FORM, "{}"),
            ('{"data": "p", "id": 1}', FORM, '{"data": "p", "id": 1}'),
            ('{"id": 1, "remove": true}', FORM, '{"id": 1, "remove": true}'),
            ('{"data": "p", "id": 1, "set": {}}', f'the key "set" has no meaning here; {FORM}', '"set"'),
            ('{"commit": false}', 'a commit is {"commit": true} and nothing else', '{"commit": false}'),
            ('{"commit": true, "id": 1}', 'a commit is {"commit": true} and nothing else', '{"commit": true, "id": 1}'),
            ('{"data": 1, "id": 1, "remove": true}', "the name of a dataset is a string", "1"),
            ('{"data": "p", "id": null, "remove": true}', "an id is a number or a string", "null"),
            ('{"data": "p", "id": true, "remove": true}', "an id is a number or a string", "true"),
            ('{"data": "p", "id": 1e999, "remove": true}', "this number is too large for a double", "1e999"),
            (p(1, "1e999"), "this number is too large for a double", "1e999"),
            (p(1, '{"$num": "nan"}'), '"$num" is one of NaN, Infinity, -Infinity', '"nan"'),
            ('{"data": "p", ', "expected a key in double quotes", ""),
            ('{"data": "p" "id": 1}', "expected `,` or `}`", '"'),
            ('{"data" "p"}', "expected `:`", '"'),
            ("{'data': 1}", "expected a key in double quotes", "'"),
            ('{"data": p}', "expected a JSON value", "p"),
            (p(1, "NaN"), "expected a JSON value", "N"),
            (p(1, "01"), "expected a JSON value", "0"),
            ('{"data": "p}', "this string is not valid JSON", '"'),
            ('{"data": "p", "data": "p"}', 'the key "data" stands here twice', '"'),
            (p(1, "1") + " 2", "there is something after the end of the JSON value", "2"),
            (p(1, "[" * 10_000 + "]" * 10_000), "this is nested more than 150 deep", "["),
            (p(1, '{"a":' * 10_000 + "1" + "}" * 10_000), "this is nested more than 150 deep", "{"),
            ('{"data": "p", "id": 1, "add": {"x": [1, }}', "expected a JSON value", "}"),
        ],
    )
    def test_malformed(self, line: str, message: str, about: str) -> None:
        assert problem(p(0, "1") + "\n" + line) == ("malformed-change", message, 1, about)

    @pytest.mark.parametrize(
        "line, code, message, about",
        [
            ('{"data": "q", "id": 1, "remove": true}', "unknown-dataset", "`q` is no input; the inputs are `a`, `p`, ``", '"q"'),
            (
                '{"data": "computed", "id": 1, "remove": true}',
                "unknown-dataset",
                "`computed` is computed: changes go to an input; the inputs are `a`, `p`, ``",
                '"computed"',
            ),
            (p(0, "2"), "repeated-tuple", "a tuple 0 is in `p` already, since line 1", "0"),
            ('{"data": "p", "id": 5, "remove": true}', "unknown-tuple", "there is no tuple 5 in `p` to remove", "5"),
            ('{"data": "p", "id": "0", "update": {"x": 1}}', "unknown-tuple", 'there is no tuple "0" in `p` to update', '"0"'),
            (p(1, '"1"'), "ill-typed-tuple", "here is a string; the type asks for number", '"1"'),
            (p(1, "null"), "ill-typed-tuple", "null is not a value of the calculus", "null"),
            (p(1, "[]"), "ill-typed-tuple", "here is an array; the type asks for number", "[]"),
            (p(1, "{}"), "ill-typed-tuple", "here is an object; the type asks for number", "{}"),
            ('{"data": "p", "id": 1, "add": []}', "ill-typed-tuple", "here is an array; the type asks for {x: number}", "[]"),
            ('{"data": "p", "id": 1, "add": {}}', "ill-typed-tuple", "the field `x` is missing", "{}"),
            (
                '{"data": "p", "id": 1, "add": {"x": 1, "y": 1}}',
                "ill-typed-tuple",
                "there is no field `y` in the type; the fields are `x`",
                '"y"',
            ),
            (
                '{"data": "a", "id": 1, "add": {"n": 1, "s": "", "tags": ["x", 1], "r": {"b": true}}}',
                "ill-typed-tuple",
                "here is a number; the type asks for string",
                "1",
            ),
        ],
    )
    def test_findings(self, line: str, code: str, message: str, about: str) -> None:
        assert problem(p(0, "1") + "\n" + line) == (code, message, 1, about)

    def test_only_the_form_makes_a_line_unreadable(self) -> None:
        assert ChangeProblem("malformed-change", "", 0, 0).is_unreadable
        assert not ChangeProblem("unknown-tuple", "", 0, 0).is_unreadable

    def test_a_tuple_is_an_object_even_unchecked(self) -> None:
        with pytest.raises(ChangeProblem) as raised:
            read('{"data": "p", "id": 1, "add": 1}', check_types=False)
        assert raised.value.message == "a tuple is a JSON object"

    def test_a_remove_is_true(self) -> None:
        assert problem(p(0, "1") + '\n{"data": "p", "id": 0, "remove": 1}')[1] == 'a remove is {..., "remove": true}'


PIECES = [
    "{",
    "}",
    "[",
    "]",
    '"data"',
    ":",
    ",",
    '"p"',
    '"id"',
    "1",
    '"add"',
    '{"x": 1}',
    "true",
    "\n",
    '{"commit": true}\n',
    p(1, "1") + "\n",
    '"',
    "\\",
]


@given(st.lists(st.sampled_from(PIECES), max_size=20))
def test_any_text_is_read_or_refused(pieces: list[str]) -> None:
    text = "".join(pieces)
    try:
        read(text)
    except ChangeProblem as problem:
        assert 0 <= problem.start <= len(text.split("\n")[problem.line])
