"""Datasets, trees, and the selections that Vega-Lite keeps in datasets."""

from __future__ import annotations

from sheliak.expressions.functions.results import ANYTHING, NUMBER_OR_UNDEFINED, rows_of_dataset, rows_or_undefined
from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import BOOLEAN, NUMBER, OPEN_RECORD, UNKNOWN

_CHANGES = "insert? remove? toggle? modify? values?:object"

FUNCTIONS = (
    signature("data", "name:dataset!", rows_of_dataset, "view"),
    signature("indata", "name:dataset! field:field! value", NUMBER_OR_UNDEFINED, "view"),
    signature("setdata", "name:dataset tuples:array", NUMBER, "effect"),
    signature("modify", f"name:dataset {_CHANGES}", NUMBER, "effect"),
    signature("encode", "item:item name:string retval?", UNKNOWN, "effect"),
    signature("treePath", "name:dataset! source target", rows_or_undefined, "view"),
    signature("treeAncestors", "name:dataset! node", rows_or_undefined, "view"),
    # A selection test is the number 0 when nothing is selected yet.
    signature("vlSelectionTest", "name:dataset! datum op?:string", UNKNOWN, "view"),
    signature("vlSelectionIdTest", "name:dataset! datum op?:string", BOOLEAN, "view"),
    signature("vlSelectionResolve", "name:dataset! op?:string isMulti?:boolean vl5?:boolean", OPEN_RECORD, "view"),
    signature("vlSelectionTuples", "items:array base:object", ANYTHING, throws=True),
)
