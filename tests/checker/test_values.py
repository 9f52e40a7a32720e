"""Values of a type that the place cannot take, and JavaScript's coercions that are fine."""

import pytest

from checker.specs import found


def scaled(values: list[object], scale_type: str = "linear", parse: object = None) -> dict[str, object]:
    data = {"name": "t", "values": [{"v": value} for value in values], **({"format": {"parse": parse}} if parse else {})}
    return {
        "data": [data],
        "scales": [{"name": "s", "type": scale_type, "domain": {"data": "t", "field": "v"}, "range": "width"}],
    }


CASES = {
    "numbers on a linear scale": (scaled([1, 2]), []),
    "numeric text on a linear scale is coerced": (scaled(["1", "23"]), []),
    "words on a linear scale": (scaled(["a", "b"]), ["text-in-scale"]),
    "words on a band scale": (scaled(["a", "b"], "band"), []),
    "date text on a time scale is not parsed": (scaled(["2020-01-01", "2020-02-01"], "time"), ["text-in-scale"]),
    "parsed dates on a time scale": (scaled(["2020-01-01"], "time", {"v": "date"}), []),
    "words among numbers": (scaled([1, "n/a"]), []),
    "zero on a log scale": (scaled([0, 10], "log"), ["zero-on-log-scale"]),
    "an infinite value": (scaled([1, float("inf")]), ["infinite-value"]),
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_scales(case):
    spec, expected = CASES[case]
    import json

    text = json.dumps(spec).replace("Infinity", "1e999")
    assert [code for code, _ in found(text)] == expected


def channel(entry: object, mark: str = "rect") -> dict[str, object]:
    data = {"name": "t", "values": [{"w": "word", "n": 1, "s": "12", "rows": [{"a": 1}]}]}
    name = "text" if mark == "text" else "x"
    return {"data": [data], "marks": [{"type": mark, "from": {"data": "t"}, "encode": {"enter": {name: entry}}}]}


CHANNELS = {
    "a number": (channel({"field": "n"}), []),
    "numeric text": (channel({"field": "s"}), []),
    "words": (channel({"field": "w"}), ["text-in-channel"]),
    "words computed": (channel({"signal": "datum.w"}), ["text-in-channel"]),
    "rows as text": (channel({"field": "rows"}, "text"), ["object-as-text"]),
    "words as text": (channel({"field": "w"}, "text"), []),
    "a text in place of a value reference is ignored": (channel("left"), ["wrong-kind"]),
}


@pytest.mark.parametrize("case", CHANNELS, ids=str)
def test_channels(case):
    spec, expected = CHANNELS[case]
    assert [code for code, _ in found(spec)] == expected
