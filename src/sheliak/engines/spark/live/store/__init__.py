"""The state of a live spec: tables of immutable files, whose next version becomes visible at once or not at all."""

from sheliak.engines.spark.live.store.manifest import TableFile
from sheliak.engines.spark.live.store.store import Draft, Store, open_store

__all__ = ["Draft", "Store", "TableFile", "open_store"]
