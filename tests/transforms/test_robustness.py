"""No parameter, however wrong, makes a rule fail: the user's mistakes are findings."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sheliak.source.tree import Node
from sheliak.transforms import NAMES, transform_class
from sheliak.transforms._elaborate import elaborate
from sheliak.types.operations import join
from sheliak.types.shapes import OPEN_RECORD, Literal, Record
from transforms.checking import PipelineChecking, record_of

ROWS = [
    {"n": 1, "t": "ten", "d": "2020-01-31", "x": "10", "r": {"n": 1, "a.b": 2}, "l": [1, 2], "b": True},
    {"n": None, "t": "x", "d": "2020-02-28", "x": "9", "r": {"n": 2}, "l": [], "o": 5},
]
RECORDS: list[Record] = [record_of(ROWS), OPEN_RECORD, Record({})]
SIGNALS = {"chosen": join((Literal("n"), Literal("gone"), Literal("a["))), "one": Literal("t")}

texts = st.sampled_from(
    [
        "n",
        "t",
        "d",
        "x",
        "r.n",
        "r",
        "l",
        "l[0]",
        "a[",
        "",
        "gone",
        "sum",
        "max",
        "rank",
        "lag",
        "count",
        "values",
        "other",
        "year",
    ]
)
leaves = st.none() | st.booleans() | st.integers(-2, 3) | texts
special = st.builds(lambda name: {"signal": name}, st.sampled_from(["chosen", "one", "who", "a b", ""]))
fields = st.builds(lambda field, name: {"field": field, "as": name}, texts, texts) | st.builds(lambda e: {"expr": e}, texts)
values = st.recursive(
    leaves | special | fields,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["field", "order", "function", "force"]), inner),
    max_leaves=6,
)


@st.composite
def transforms(draw: st.DrawFn) -> dict[str, object]:
    """A transform whose parameters have any value at all."""
    name = draw(st.sampled_from(sorted(NAMES)))
    cls = transform_class(name)
    assert cls is not None
    parameters = {param.name: draw(values) for param in cls.params if draw(st.booleans()) or param.required}
    return {"type": name, **parameters}


@settings(max_examples=600)
@given(transforms(), st.sampled_from(RECORDS))
def test_any_parameters(transform: dict[str, object], record: Record) -> None:
    checking = PipelineChecking(datasets={"other": record_of(ROWS)}, signals=SIGNALS)
    cls = transform_class(str(transform["type"]))
    assert cls is not None
    made = elaborate(cls, Node(transform), record, checking)
    output = made.output_type(record, checking) if made is not None else cls.uncertain_type(record)
    assert isinstance(output, Record)
    if made is not None:
        made.signal_type(record, checking)
        made.renamed()
        made.rewrites(output)
    assert all(finding.message() for finding in checking.findings)
