"""Where something stands in a spec, said without its text: a path, and perhaps a part of the string found there."""

from sheliak.source.declared import dataclass

PathKey = str | int
"""A member's name or an element's index."""


@dataclass(frozen=True, slots=True)
class Place:
    """A value of a spec, the key it stands under, or a stretch of a string value.

    `start` and `end` count code points of the decoded string, so an identifier inside an expression can be named
    without knowing how the expression was escaped in the file.
    """

    path: tuple[PathKey, ...]
    on_key: bool = False
    start: int | None = None
    end: int | None = None

    @property
    def pointer(self) -> str:
        """The path as a JSON Pointer (RFC 6901); the root is the empty text."""
        return "".join(f"/{_escaped(key)}" for key in self.path)

    def within(self, start: int, end: int) -> "Place":
        """The code points `start` to `end` of the string at this place."""
        return Place(self.path, self.on_key, start, end)


def _escaped(key: PathKey) -> str:
    return key.replace("~", "~0").replace("/", "~1") if isinstance(key, str) else str(key)
