"""Whose state a folder holds: a spec and what its rows depend on besides their sources."""

from __future__ import annotations

import hashlib
import json

from sheliak.engines.reference.inputs import Surroundings
from sheliak.expressions.values import encode
from sheliak.source.tree import Node

FORMAT = 1
"""Another number for every change of what the state consists of."""


def identity_of(root: Node, surroundings: Surroundings) -> str:
    """Equal for equal specs, zones and values of signals. Where the sources are does not count: the state holds their rows."""
    signals = {name: encode(value) for name, value in sorted(surroundings.signals.items())}
    parts = [FORMAT, root.value, surroundings.zone.name, surroundings.seed, signals]
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
