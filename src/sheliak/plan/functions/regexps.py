"""regexps"""

from __future__ import annotations

from sheliak.plan.scope import ColumnFunction

FUNCTIONS: dict[str, ColumnFunction] = {}
