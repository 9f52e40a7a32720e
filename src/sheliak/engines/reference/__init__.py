"""The reference engine: the meaning of a spec's data in Python, for small data."""

from sheliak.engines.reference.engine import ReferenceEngine, run_reference

__all__ = ["ReferenceEngine", "run_reference"]
