"""Whether a chart has a use for a column of some name, as far as its texts tell."""

from __future__ import annotations

import re
from collections.abc import Callable

from sheliak.compiler.mentions import texts_below


def uses_of(spec: object) -> Callable[[str], bool]:
    """A test for names: it holds when a text of the spec contains the name as a word."""

    def used(name: str) -> bool:
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        return any(word.search(text) for _, text in texts_below(spec))

    return used
