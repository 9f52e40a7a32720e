"""Copies of a spec that differ in one place; what they share with the original they share in memory."""

from __future__ import annotations

from collections.abc import Callable

from sheliak.source.place import PathKey


def with_value(spec: object, path: tuple[PathKey, ...], value: object) -> object:
    """A copy of a spec with another value at a path, whose last step may be new to an object."""
    if not path:
        return value
    if len(path) == 1 and isinstance(spec, dict):
        return {**spec, path[0]: value}
    return _rebuilt(spec, path[0], lambda inner: with_value(inner, path[1:], value))


def with_key(spec: object, path: tuple[PathKey, ...], key: str) -> object:
    """A copy of a spec with another key at the end of a path."""
    if len(path) > 1:
        return _rebuilt(spec, path[0], lambda inner: with_key(inner, path[1:], key))
    return {key if name == path[0] else name: inner for name, inner in spec.items()} if isinstance(spec, dict) else spec


def without(spec: object, path: tuple[PathKey, ...]) -> object:
    """A copy of a spec without the member or element at a path."""
    if len(path) > 1:
        return _rebuilt(spec, path[0], lambda inner: without(inner, path[1:]))
    if isinstance(spec, dict):
        return {name: inner for name, inner in spec.items() if name != path[0]}
    return [inner for index, inner in enumerate(spec) if index != path[0]] if isinstance(spec, list) else spec


def _rebuilt(spec: object, key: PathKey, change: Callable[[object], object]) -> object:
    if isinstance(spec, dict) and key in spec:
        return {**spec, key: change(spec[key])}
    if isinstance(spec, list) and isinstance(key, int) and key < len(spec):
        return [*spec[:key], change(spec[key]), *spec[key + 1 :]]
    return spec
