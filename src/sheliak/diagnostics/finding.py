"""The base of findings whose fields are plain annotations.

Making one dataclass costs about a millisecond at start-up, and there are many findings of which a run shows few. A subclass of
`Finding` is declared like a keyword-only frozen dataclass and type-checked as one, but costs only the reading of its annotations.
"""

from __future__ import annotations

from typing import ClassVar, Self, dataclass_transform

from sheliak.diagnostics.registry import Diagnostic
from sheliak.source.place import Place


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Finding(Diagnostic):
    """A finding; what it knows is given by keyword, compared and shown field by field."""

    __match_args__ = ()
    _fields: ClassVar[tuple[str, ...]] = ("place",)
    _required: ClassVar[frozenset[str]] = frozenset({"place"})

    def __init_subclass__(cls) -> None:
        own = tuple([name for name, of in cls.__annotations__.items() if not str(of).startswith("ClassVar")])
        cls._fields += own
        cls._required |= {name for name in own if name not in cls.__dict__}

    def __init__(self, **given: object) -> None:
        if not (self._required <= given.keys() <= set(self._fields)):
            wrong = sorted(self._required - given.keys()) or sorted(given.keys() - set(self._fields))
            raise TypeError(f"{type(self).__name__}: {', '.join(wrong)}")
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def _values(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self._fields])

    def moved(self, place: Place) -> Self:
        """The same finding at another place."""
        given = {name: getattr(self, name) for name in self._fields}
        return type(self)(**{**given, "place": place})

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Finding) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self.place))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self._values(), strict=True))
        return f"{type(self).__name__}({shown})"
