"""What can be wrong with a text before anybody asks what it means."""

from typing import Literal

from sheliak.source.declared import dataclass
from sheliak.source.place import PathKey
from sheliak.source.text import Span

ProblemKind = Literal["syntax", "empty", "depth", "duplicate-key", "constant", "encoding"]
"""After a problem of the first three kinds there is no value; after the others the spec can still be checked."""

DEPTH_LIMIT = 512
"""The deepest nesting that is read, so that code which recurses over a spec stays far from Python's limit of 1000."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A located fault of the text. `path` is the value or member it was met in, `related` the other place it is about."""

    message: str
    span: Span
    path: tuple[PathKey, ...]
    kind: ProblemKind
    related: Span | None = None
