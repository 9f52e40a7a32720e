"""pyspark's column functions, imported when the first of them is called: loading our own modules loads no engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import functions as F
else:

    class _Functions:
        def __getattr__(self, name: str) -> object:
            from pyspark.sql import functions

            found = getattr(functions, name)
            setattr(self, name, found)
            return found

    F = _Functions()

__all__ = ["F"]
