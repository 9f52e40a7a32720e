"""What is known of the values in a column of data at hand."""

from __future__ import annotations

from sheliak.types.shapes import Record

_DROPPING = frozenset({"filter", "sample", "aggregate", "pivot", "countpattern", "flatten", "lookup"})


def distinct_texts(record: Record, name: str, *, all_rows: bool = False) -> frozenset[str] | None:
    """Every text that may stand in a field, if it is still the column of a source at hand; None where that is not known.

    Steps that drop rows keep the column: the answer may then hold texts that no row has any more. With `all_rows` such a step
    makes the answer unknown, so that every text of the answer is in some row.
    """
    of = record.fields.get(name)
    while of is not None and record.lineage is not None:
        step = record.lineage
        if step.distinct is not None:
            return step.distinct(name)
        if all_rows and step.step in _DROPPING:
            return None
        # A step that writes the field, or reads it from another name, makes another column of it.
        if step.before is None or name in step.added or name in step.renamed.values() or step.before.fields.get(name) is not of:
            return None
        record = step.before
    return None
