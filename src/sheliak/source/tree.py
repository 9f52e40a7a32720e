"""A cursor into decoded JSON. A node knows its parent, so its path costs nothing until somebody asks for it."""

from collections.abc import Iterator

from sheliak.source.place import PathKey, Place


class Node:
    """A value, the node it was reached from, and the key or index it stands under (the root has neither).

    A node is always true, even around `null`, `0` and `[]`: `if node := spec.get("name")` asks for presence.
    """

    __slots__ = ("key", "parent", "value")

    def __init__(self, value: object, parent: "Node | None" = None, key: PathKey = "") -> None:
        self.value = value
        self.parent = parent
        self.key = key

    def __repr__(self) -> str:
        return f"Node({self.place.pointer!r})"

    @property
    def path(self) -> tuple[PathKey, ...]:
        keys: list[PathKey] = []
        node = self
        while node.parent is not None:
            keys.append(node.key)
            node = node.parent
        keys.reverse()
        return tuple(keys)

    @property
    def place(self) -> Place:
        return Place(self.path)

    @property
    def key_place(self) -> Place:
        """The member's key rather than its value; for the root and for an element, the same as `place` in the text."""
        return Place(self.path, on_key=True)

    def get(self, name: str) -> "Node | None":
        """The member called `name`; None when it is absent or this is not an object."""
        value = self.value
        if isinstance(value, dict) and name in value:
            return Node(value[name], self, name)
        return None

    def at(self, index: int) -> "Node":
        """The element at `index`, counted from the start; IndexError when there is none."""
        value = self.value
        if not isinstance(value, list) or not 0 <= index < len(value):
            raise IndexError(f"{self!r} has no element {index}")
        return Node(value[index], self, index)

    def descend(self, *path: PathKey) -> "Node | None":
        """The node at `path` below this one; None as soon as a step is absent."""
        node: Node | None = self
        for key in path:
            if node is None:
                return None
            node = node._step(key)
        return node

    def _step(self, key: PathKey) -> "Node | None":
        if isinstance(key, str):
            return self.get(key)
        value = self.value
        return Node(value[key], self, key) if isinstance(value, list) and 0 <= key < len(value) else None

    def members(self) -> Iterator[tuple[str, "Node"]]:
        """The members of an object in their order; nothing for any other value."""
        value = self.value
        if isinstance(value, dict):
            for name, member in value.items():
                yield name, Node(member, self, name)

    def elements(self) -> Iterator["Node"]:
        """The elements of an array in their order; nothing for any other value."""
        value = self.value
        if isinstance(value, list):
            for index, element in enumerate(value):
                yield Node(element, self, index)

    @property
    def is_object(self) -> bool:
        return isinstance(self.value, dict)

    @property
    def is_array(self) -> bool:
        return isinstance(self.value, list)

    @property
    def is_string(self) -> bool:
        return isinstance(self.value, str)

    @property
    def is_number(self) -> bool:
        """True for numbers only: in Python a bool is an int, in JSON it is not a number."""
        value = self.value
        return isinstance(value, (int, float)) and not isinstance(value, bool)

    @property
    def is_boolean(self) -> bool:
        return isinstance(self.value, bool)

    @property
    def is_null(self) -> bool:
        return self.value is None

    @property
    def text(self) -> str | None:
        """The string itself; None when the value is not a string."""
        value = self.value
        return value if isinstance(value, str) else None

    @property
    def number(self) -> int | float | None:
        """The number itself; None when the value is not a number."""
        value = self.value
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    @property
    def kind(self) -> str:
        """The value's kind as JSON calls it: object, array, string, number, boolean or null."""
        match self.value:
            case dict():
                return "object"
            case list():
                return "array"
            case str():
                return "string"
            case bool():
                return "boolean"
            case None:
                return "null"
            case _:
                return "number"
