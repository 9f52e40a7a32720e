"""How values flow: signals in their order, datasets that read each other, triggers, errors that stop a run."""

from __future__ import annotations

from collections.abc import Iterator

from reference.case import Case, dataset, formula, signals

_ROWS = [{"a": 3, "g": "x"}, {"a": 1, "g": "y"}, {"a": 2, "g": "x"}]
_COUNT = {"type": "aggregate"}


def cases() -> Iterator[Case]:
    yield from _signals()
    yield from _parameters()
    yield from _reading()
    yield from _derived()
    yield from _sorted_lists()
    yield from _triggers()
    yield from _errors()
    yield from _chance()


def _signals() -> Iterator[Case]:
    yield Case("signals that refer to later ones", {"signals": signals(a="b + 1", b="c * 2", c="3")})
    yield Case("a signal that refers to itself", {"signals": [{"name": "a", "value": 1, "update": "a + 1"}]})
    yield Case("init and update", {"signals": [{"name": "a", "init": "2 + 2"}, {"name": "b", "update": "a * 2"}]})
    yield Case("a value that an update replaces", {"signals": [{"name": "a", "value": 9, "update": "'new'"}]})
    yield Case("a signal without anything", {"signals": [{"name": "a"}, {"name": "b", "update": "isDefined(a)"}]})
    values: list[object] = [None, 0, "", [], {"a": [1, None]}, True]
    kinds = [{"name": f"s{index}", "value": value} for index, value in enumerate(values)]
    yield Case("values of all kinds", {"signals": kinds})
    sizes = {
        "width": 300,
        "height": {"signal": "width / 2"},
        "padding": {"left": 5, "top": "x"},
        "autosize": "none",
        "background": "red",
    }
    yield Case(
        "the spec's own properties",
        {**sizes, "signals": signals(w="width + height", p="padding.left + padding.right", k="autosize.type")},
    )
    yield Case("no properties", {"signals": signals(w="width", p="padding", k="autosize", b="background")})
    yield Case(
        "a property defined again", {"width": 300, "signals": [{"name": "width", "update": "50"}, {"name": "height", "value": 7}]}
    )
    config = {"signals": [{"name": "c", "value": 4}, {"name": "a", "value": 5}], "padding": 3, "width": 11}
    yield Case(
        "signals of the config",
        {"config": config, "signals": [{"name": "a", "value": 1}, *signals(b="a + c + width + padding.top")]},
    )
    handler = [{"events": {"signal": "a"}, "update": "a + 100"}]
    yield Case(
        "a handler waits for a change", {"signals": [{"name": "a", "update": "1"}, {"name": "b", "value": 5, "on": handler}]}
    )
    deaf = [{"name": "a", "react": False, "update": "isDefined(b)"}, {"name": "b", "update": "a"}]
    yield Case("a signal that does not react", {"signals": deaf})
    yield Case("a cycle", {"signals": signals(a="b", b="a")})
    yield Case("an unknown name", {"signals": signals(a="zz + 1"), "data": [dataset("t", [1])]})
    yield Case("the words of JavaScript", {"signals": signals(a="undefined")})
    yield Case(
        "a signal that is no identifier",
        {
            "signals": [{"name": "a-b", "value": 2}],
            "data": [dataset("t", None, {"type": "sequence", "start": 0, "stop": {"signal": "a-b"}})],
        },
    )
    yield Case(
        "signals over datasets",
        {"data": [dataset("t", _ROWS)], "signals": signals(n="length(data('t'))", first="data('t')[0].a", none="data('zz')")},
    )


def _parameters() -> Iterator[Case]:
    extent, step = (
        {"type": "extent", "field": "a", "signal": "e"},
        {"type": "bin", "field": "a", "extent": {"signal": "e"}, "signal": "b"},
    )
    yield Case(
        "an extent for a bin",
        {"data": [dataset("t", _ROWS, extent, step)], "signals": signals(s="b.step", start="b.start", stop="b.stop")},
    )
    yield Case(
        "a signal published later",
        {
            "data": [
                dataset("t", _ROWS, {"type": "bin", "field": "a", "extent": {"signal": "e"}}),
                dataset("u", [{"a": 0}, {"a": 9}], extent),
            ]
        },
    )
    by_name = {
        "type": "aggregate",
        "groupby": [{"signal": "key"}],
        "fields": [{"signal": "'a'"}],
        "ops": ["sum"],
        "as": [{"signal": "'total'"}],
    }
    yield Case("names given by signals", {"signals": [{"name": "key", "value": "g"}], "data": [dataset("t", _ROWS, by_name)]})
    whole = {
        "type": "aggregate",
        "groupby": {"signal": "keys"},
        "ops": {"signal": "['count', 'max']"},
        "fields": {"signal": "[null, 'a']"},
    }
    yield Case("lists given by signals", {"signals": [{"name": "keys", "value": ["g"]}], "data": [dataset("t", _ROWS, whole)]})
    sort = {"type": "collect", "sort": {"field": {"signal": "f"}, "order": {"signal": "o"}}}
    yield Case(
        "a sort order given by signals",
        {"signals": [{"name": "f", "value": "a"}, {"name": "o", "value": "descending"}], "data": [dataset("t", _ROWS, sort)]},
    )
    yield Case(
        "a whole sort given by a signal",
        {
            "signals": [{"name": "s", "value": {"field": "a"}}],
            "data": [dataset("t", _ROWS, {"type": "collect", "sort": {"signal": "s"}})],
        },
    )
    yield from _odd_parameters()


def _odd_parameters() -> Iterator[Case]:
    nothing = {
        "type": "bin",
        "field": "a",
        "extent": [0, 10],
        "maxbins": {"signal": "m"},
        "step": {"signal": "n"},
        "nice": {"signal": "k"},
    }
    yield Case(
        "signals without a value",
        {
            "signals": [{"name": "m"}, {"name": "n", "value": None}, {"name": "k", "value": False}],
            "data": [dataset("t", _ROWS, nothing)],
        },
    )
    yield Case(
        "a range given by a signal",
        {
            "signals": signals(r="[2, 5]"),
            "data": [dataset("t", None, {"type": "sequence", "start": {"signal": "r[0]"}, "stop": {"signal": "r[1]"}})],
        },
    )
    yield Case(
        "unknown parameters hold no references",
        {"data": [dataset("t", _ROWS, {"type": "filter", "expr": "true", "note": {"signal": "zz"}})]},
    )


def _reading() -> Iterator[Case]:
    of_t = formula("n", "length(data('t'))")
    yield Case("data() of an earlier dataset", {"data": [dataset("t", _ROWS), dataset("u", [{}], of_t)]})
    yield Case("data() of a later dataset", {"data": [dataset("u", [{}], formula("n", "data('t')")), dataset("t", _ROWS)]})
    yield Case("data() of an unknown dataset", {"data": [dataset("u", [{}], formula("n", "data('zz')"))]})
    late = formula("n", "s + (data('t') ? length(data('t')) : -1)")
    yield Case(
        "data() of a later dataset that runs earlier",
        {"data": [dataset("u", [{}], late), dataset("t", _ROWS)], "signals": signals(s="length(data('t'))")},
    )
    yield Case(
        "indata",
        {
            "data": [
                dataset("t", _ROWS),
                dataset("u", [{"k": "x"}, {"k": "z"}, {"k": None}], formula("n", "indata('t', 'g', datum.k)")),
            ]
        },
    )
    yield Case(
        "indata of a later dataset", {"data": [dataset("u", [{}], formula("n", "indata('t', 'g', 1)")), dataset("t", _ROWS)]}
    )
    look = {"type": "lookup", "from": "t", "key": "g", "fields": ["k"], "values": ["a"], "as": ["found"], "default": -1}
    yield Case(
        "a lookup in another dataset",
        {"data": [dataset("t", _ROWS, formula("a", "datum.a * 10")), dataset("u", [{"k": "x"}, {"k": "q"}], look)]},
    )
    yield Case(
        "whole rows looked up show later fields",
        {
            "data": [
                dataset("t", _ROWS, formula("z", "1")),
                dataset("u", [{"k": "y"}], {"type": "lookup", "from": "t", "key": "g", "fields": ["k"], "as": ["row"]}),
            ]
        },
    )
    yield Case(
        "isTuple",
        {"data": [dataset("t", [{"o": {"p": 1}}], formula("row", "isTuple(datum)"), formula("inner", "isTuple(datum.o)"))]},
    )


def _derived() -> Iterator[Case]:
    source = dataset("t", _ROWS, {"type": "collect", "sort": {"field": "a"}})
    steps: dict[str, list[object]] = {
        "formula": [formula("z", "datum.a * 2")],
        "filter": [{"type": "filter", "expr": "datum.a > 1"}],
        "aggregate then formula": [{"type": "aggregate", "groupby": ["g"]}, formula("z", "datum.count")],
        "nothing": [],
        "stack": [{"type": "stack", "field": "a", "groupby": ["g"]}],
        "filter then formula": [{"type": "filter", "expr": "datum.a != 2"}, formula("z", "1")],
        "sequence then formula": [{"type": "sequence", "start": 0, "stop": 2}, formula("z", "5")],
    }
    for name, transforms in steps.items():
        yield Case(
            f"derived with {name}",
            {"data": [source, {"name": "u", "source": "t", "transform": transforms}, {"name": "v", "source": "u"}]},
        )
    held = {"type": "joinaggregate", "groupby": ["g"], "ops": ["values"], "fields": ["a"], "as": ["all"]}
    yield Case(
        "rows that hold rows",
        {
            "data": [
                dataset(
                    "t",
                    [{"a": 1, "g": "x"}, {"a": 2, "g": "y"}],
                    held,
                    {"type": "project", "fields": ["a", "all"], "as": ["a", "all"]},
                )
            ]
        },
    )


def _sorted_lists() -> Iterator[Case]:
    """A `collect` sorts the list that it is given, which others read later."""
    down = {"type": "collect", "sort": {"field": "a", "order": "descending"}}
    passing = {"type": "filter", "expr": "true"}
    readers = [
        passing,
        {"type": "aggregate", "groupby": ["a"]},
        {"type": "identifier", "as": "id"},
        {"type": "collect"},
        {"type": "project", "fields": ["a"]},
        {"type": "sequence", "start": 0, "stop": 1},
        {"type": "sample", "size": 9},
        {"type": "fold", "fields": ["a"]},
        {"type": "countpattern", "field": "g"},
        {"type": "cross"},
        {"type": "quantile", "field": "a", "groupby": ["a"], "probs": [0.5]},
        {"type": "extent", "field": "a"},
    ]
    read = [dataset(f"r{index}", None, reader, source="t") for index, reader in enumerate(readers)]
    sorter = dataset("u", None, down, source="t")
    yield Case("who reads a list that was sorted", {"data": [dataset("t", _ROWS), sorter, *read]})
    yield Case("who read a list before it was sorted", {"data": [dataset("t", _ROWS), read[0], sorter]})
    both = [dataset("b", source=["t", "u"]), dataset("c", None, formula("z", "datum.a"), source=["u", "t"])]
    yield Case("a sorted list beside another", {"data": [dataset("t", _ROWS), sorter, *both]})
    handed_on = [dataset("s", _ROWS), dataset("t", source="s"), sorter, dataset("v", None, passing, source="s")]
    yield Case("a list that is handed on and sorted", {"data": handed_on})
    folded = dataset("t", _ROWS, {"type": "fold", "fields": ["a"]}, formula("z", "1"))
    yield Case("a list that is the dataset itself", {"data": [folded, sorter, *read[:4], dataset("v", source="t")]})
    made, gone = dataset("t", _ROWS, {"type": "fold", "fields": ["a"]}), {"type": "collect", "sort": {"field": "gone"}}
    yield Case(
        "rows made before later rows of the spec",
        {"data": [made, dataset("s", _ROWS), dataset("u", None, gone, source=["s", "t"])]},
    )
    counted = dataset("t", _ROWS, {"type": "aggregate", "groupby": ["g"]})
    some = dataset("f", None, {"type": "filter", "expr": "datum.a > 1"}, source="s")
    yield Case(
        "groups, and some of later rows",
        {"data": [counted, dataset("s", _ROWS), some, dataset("u", None, gone, source=["t", "f", "s"])]},
    )
    copied = dataset("u", None, formula("z", "1"), down, source="t")
    yield Case("a copy of a list that is sorted", {"data": [dataset("t", _ROWS), copied, read[0]]})


def _triggers() -> Iterator[Case]:
    base = [{"name": "v", "value": 5}, {"name": "off", "value": False}, {"name": "o", "value": {"a": 1}}]
    parts: dict[str, dict[str, object]] = {
        "insert": {"trigger": "v", "insert": "{a: v}"},
        "insert a list": {"trigger": "v", "insert": "[{a: v}, v, 'text']"},
        "insert nothing": {"trigger": "off", "insert": "{a: v}"},
        "remove all": {"trigger": "v", "remove": True},
        "remove by pattern": {"trigger": "v", "remove": "o"},
        "toggle what is there": {"trigger": "v", "toggle": "{a: 1}"},
        "toggle what is not": {"trigger": "v", "toggle": "{a: v, q: [1, NaN]}"},
        "remove and insert": {"trigger": "v", "remove": True, "insert": "{a: 7}"},
        "modify a row": {"trigger": "v", "modify": "o", "values": "{b: 1}"},
    }
    for name, trigger in parts.items():
        yield Case(
            f"trigger: {name}",
            {
                "signals": base,
                "data": [
                    dataset("t", [{"a": 1}, {"a": 2}], formula("z", "datum.a * 2"), on=[trigger]),
                    {"name": "u", "source": "t", "transform": [_COUNT]},
                ],
            },
        )
        yield Case(f"trigger on an empty dataset: {name}", {"signals": base, "data": [{"name": "t", "on": [trigger]}]})
    late = {"trigger": "length(data('t'))", "remove": "o", "insert": "{a: 3}"}
    yield Case(
        "a trigger that runs after its dataset",
        {"signals": base, "data": [dataset("t", [{"a": 1}, {"a": 2}]), dataset("u", [{"a": 1}, {"a": 2}], on=[late])]},
    )
    changing = signals(m="modify('t', {a: 9}, true)", n="setdata('u', [{a: 1}, {a: 2}])")
    yield Case(
        "signals that change datasets",
        {"signals": changing, "data": [dataset("t", [{"a": 1}]), dataset("u", [{"a": 5}], formula("z", "1"))]},
    )
    yield Case(
        "setdata too late",
        {"signals": signals(n="setdata('u', [{a: length(data('t'))}])"), "data": [dataset("t", [1]), dataset("u", [{"a": 5}])]},
    )


def _errors() -> Iterator[Case]:
    broken = formula("z", "datum.q.r")
    yield Case("an error stops later datasets", {"data": [dataset("t", _ROWS), dataset("u", [{}], broken), dataset("v", [1])]})
    yield Case("an error over no rows is none", {"data": [dataset("t", [], broken), dataset("v", [1])]})
    yield Case("an error in a signal", {"signals": signals(a="length(null)"), "data": [dataset("t", [1])]})
    yield Case(
        "an error in a late signal",
        {"signals": signals(a="data('t')[5].a"), "data": [dataset("t", [1]), dataset("u", [{}], formula("z", "a"))]},
    )
    yield Case("datum in a signal", {"signals": signals(a="datum"), "data": [dataset("t", [1])]})
    yield Case("a flatten of nothing", {"data": [dataset("a", [{}], {"type": "flatten", "fields": ["q"]}), dataset("b", [1])]})
    refused: dict[str, dict[str, object]] = {
        "an unknown transform": {"type": "zz"},
        "a syntax error": {"type": "filter", "expr": "1 +"},
        "an unknown function": {"type": "filter", "expr": "foo(1)"},
        "a missing parameter": {"type": "filter"},
        "an unknown dataset": {"type": "lookup", "from": "zz", "key": "a", "fields": ["a"]},
    }
    for name, transform in refused.items():
        yield Case(f"refused: {name}", {"data": [dataset("t", [{"a": 1}]), dataset("u", [{"a": 1}], transform)]})
    yield Case("refused: two datasets of one name", {"data": [dataset("t", [1]), dataset("t", [2])]})
    yield Case(
        "refused: a published signal of a known name",
        {"signals": signals(e="1"), "data": [dataset("t", _ROWS, {"type": "extent", "field": "a", "signal": "e"})]},
    )


def _chance() -> Iterator[Case]:
    yield Case(
        "random numbers in order",
        {
            "data": [dataset("t", [1, 2], formula("r", "random()")), dataset("u", [1], formula("r", "random()"))],
            "signals": signals(s="random()", t="random() + length(data('t'))"),
        },
    )
    yield Case(
        "samples",
        {
            "data": [
                dataset("t", [{"i": i} for i in range(9)], {"type": "sample", "size": 4}),
                dataset("u", [{"i": i} for i in range(5)], {"type": "sample", "size": 3}, formula("r", "sampleNormal()")),
            ]
        },
    )
    numbers = {"type": "identifier", "as": "id"}
    yield Case("one counter for all", {"data": [dataset("t", [1, 2], numbers), dataset("u", [{"id": 7}, {}], numbers)]})
    yield Case("the clock", {"signals": signals(n="now()", d="datetime()")})
