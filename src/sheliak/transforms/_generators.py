"""Transforms that make rows of nothing: what is there before them."""

from __future__ import annotations

from sheliak.transforms._contract import Checking
from sheliak.types.operations import join_records
from sheliak.types.shapes import Record


def beside(generated: Record, datum: Record, checking: Checking) -> Record:
    """T ⊔ T', or T' alone for a dataset that has no rows of its own."""
    return generated if _has_no_rows(datum, checking) else join_records(datum, generated)


def _has_no_rows(datum: Record, checking: Checking) -> bool:
    """Nothing is loaded and nothing was made before: a running chart could insert rows, but then not beside generated ones."""
    own = datum.unseen is not None and datum.unseen.dataset == checking.dataset_name
    return not datum.fields and (own or not datum.open) and not checking.steps
