"""`dataclass`, `field` and `replace` as this code base uses them, at a tenth of the cost of defining a class.

The standard library writes and compiles six methods for each class; a hundred classes make a tenth of a second that every start of
`sheliak check` would pay. Here only `__init__` is compiled; equality, hash and `repr` are shared. Classes are slotted. `frozen` is
what the type checker enforces; nothing checks it at run time, so that building an object costs no more than assigning its members.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
_ABSENT = object()


class Field:
    """How one member is given: its default, or what makes it, and whether it counts in comparisons and in `repr`."""

    __slots__ = ("compare", "default", "factory", "hash", "init", "repr")

    def __init__(self, default: object, factory: object, init: bool, compare: bool, hash: bool, repr: bool) -> None:
        self.default = default
        self.factory = factory
        self.init = init
        self.compare = compare
        self.hash = hash
        self.repr = repr


def field(
    *,
    default: Any = _ABSENT,
    default_factory: Any = _ABSENT,
    init: bool = True,
    compare: bool = True,
    hash: bool = True,
    repr: bool = True,
) -> Any:
    """Declares a member with more than a plain default."""
    return Field(default, default_factory, init, compare, hash, repr)


@dataclass_transform(field_specifiers=(field,))
def dataclass(*, frozen: bool = False, slots: bool = True) -> Callable[[type[T]], type[T]]:
    """Makes a slotted class whose members are its annotations, in order, those of its bases first."""

    def make(cls: type[T]) -> type[T]:
        own = {name: _field_of(cls, name) for name, of in cls.__annotations__.items() if not _is_class_variable(of)}
        fields: dict[str, Field] = {}
        for base in reversed(cls.__mro__[1:]):
            fields |= base.__dict__.get("_declared", {})
        inherited = frozenset(fields)
        fields |= own
        members = {
            name: value for name, value in cls.__dict__.items() if name not in own and name not in ("__dict__", "__weakref__")
        }
        members["__slots__"] = tuple(name for name in own if name not in inherited)
        members["__match_args__"] = tuple(name for name, member in fields.items() if member.init)
        members["_declared"] = fields
        members["_compared"] = tuple(name for name, member in fields.items() if member.compare)
        members["_hashed"] = tuple(name for name, member in fields.items() if member.compare and member.hash)
        members["__init__"] = _initializer(fields, post="__post_init__" in members)
        members.setdefault("__repr__", _repr)
        if "__eq__" not in members:
            members["__eq__"] = _equal
            members.setdefault("__hash__", _hash if frozen else None)
        made: Any = type(cls.__name__, cls.__bases__, members)
        remade: type[T] = made
        return remade

    return make


def replace(of: T, /, **changes: object) -> T:
    """A copy of an object with some members changed."""
    cls: Any = type(of)
    given = {name: getattr(of, name) for name, member in cls._declared.items() if member.init}
    made: T = cls(**{**given, **changes})
    return made


def _is_class_variable(annotation: object) -> bool:
    return str(annotation).startswith(("ClassVar", "typing.ClassVar"))


def _field_of(cls: type, name: str) -> Field:
    value = cls.__dict__.get(name, _ABSENT)
    return value if isinstance(value, Field) else Field(value, _ABSENT, True, True, True, True)


def _initializer(fields: dict[str, Field], *, post: bool) -> Callable[..., None]:
    """Compiles `__init__`: one assignment a member."""
    scope: dict[str, Any] = {"_ABSENT": _ABSENT}
    parameters, lines = ["self"], []
    for name, member in fields.items():
        if not member.init:
            continue
        if member.factory is not _ABSENT:
            scope[f"_make_{name}"] = member.factory
            parameters.append(f"{name}=_ABSENT")
            lines.append(f" self.{name} = _make_{name}() if {name} is _ABSENT else {name}")
            continue
        if member.default is not _ABSENT:
            scope[f"_default_{name}"] = member.default
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        lines.append(f" self.{name} = {name}")
    lines.append(" self.__post_init__()" if post else " pass")
    # The text is made of the members' own names, which are identifiers of this code base.
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines), scope)  # noqa: S102
    made: Callable[..., None] = scope["__init__"]
    return made


def _equal(self: Any, other: Any) -> Any:
    if self is other:
        return True
    if other.__class__ is not self.__class__:
        return NotImplemented
    for name in self._compared:
        if getattr(self, name) != getattr(other, name):
            return False
    return True


def _hash(self: Any) -> int:
    return hash((type(self).__name__, *[getattr(self, name) for name in self._hashed]))


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name, member in self._declared.items() if member.repr)
    return f"{type(self).__name__}({shown})"
