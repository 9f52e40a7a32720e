"""Datasets. What changes them, or looks into trees and selections, is for the environment to answer."""

from __future__ import annotations

from typing import cast

from sheliak.expressions.environment import Environment
from sheliak.expressions.functions.evaluation.meaning import Meanings, asked, declared
from sheliak.expressions.values import UNDEFINED, Value, key_text, to_text

MEANINGS: Meanings = {}
surrounded = declared(MEANINGS, "environment")


@surrounded("data")
def data(environment: Environment, name: Value) -> Value:
    """The rows themselves, not a copy of the list: it is asked for at every row of some other dataset."""
    return cast("list[Value] | None", environment.dataset(to_text(name)))


@surrounded("indata")
def indata(environment: Environment, name: Value, field: Value, value: Value) -> Value:
    """How many rows have a value in a field, compared as text; undefined if none has."""
    count = environment.counts(to_text(name), to_text(field)).get(key_text(value, environment.timezone))
    return UNDEFINED if count is None else float(count)


asked(MEANINGS, "setdata", "modify", "encode", "treePath", "treeAncestors")
asked(MEANINGS, "vlSelectionTest", "vlSelectionIdTest", "vlSelectionResolve", "vlSelectionTuples")
