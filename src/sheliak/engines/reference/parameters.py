"""A transform's parameters with every signal replaced by its value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sheliak.dataflow.definitions import Step
from sheliak.expressions.values import UNDEFINED, EvaluationError, Value
from sheliak.source.tree import Node
from sheliak.transforms._contract import Param, Transform

SignalValue: TypeAlias = Callable[[str], Value]
"""The value of a signal object, by its text."""


def with_values(step: Step, value_of: SignalValue) -> Node:
    """The transform's JSON with values instead of signal objects. What is no parameter is left as it is."""
    assert step.cls is not None and isinstance(step.node.value, dict)
    return Node(_members(step.cls, step.node.value, value_of), step.node.parent, step.node.key)


def _members(cls: type[Transform], given: dict[str, object], value_of: SignalValue) -> dict[str, object]:
    params = {param.name: param for param in cls.params}
    members: dict[str, object] = {}
    for name, value in given.items():
        param = params.get(name)
        if param is None:
            members[name] = value
        # Vega looks for signals in the parts of a sort order only: one for the whole is as good as nothing.
        elif param.kind != "compare" or not _is_signal(value):
            replaced = _of_param(param, value, value_of)
            if not _is_absent(param, value, replaced):
                members[name] = replaced
    return members


def _is_absent(param: Param, given: object, replaced: object) -> bool:
    """A signal that is undefined, or null where a list or a plain value is wanted, is as good as no parameter."""
    if replaced is None:
        return _is_signal(given) and param.kind != "any"
    return replaced is UNDEFINED


def _of_param(param: Param, value: object, value_of: SignalValue) -> object:
    if param.kind == "field":
        return replaced_signals(value, lambda text: _field_name(value_of(text)))
    if param.kind != "param":
        return replaced_signals(value, value_of)
    if isinstance(value, list):
        return [_of_variant(param, element, value_of) for element in value]
    return _of_variant(param, value, value_of)


def _field_name(value: Value) -> Value:
    """A signal that is to name a field; null names none, and stops the run."""
    for name in value if isinstance(value, list) else [value]:
        if name is None or name is UNDEFINED:
            raise EvaluationError(f"Cannot read properties of {'null' if name is None else 'undefined'} (reading 'length')")
    return value


def _of_variant(param: Param, value: object, value_of: SignalValue) -> object:
    chosen = value.get(param.key) if isinstance(value, dict) else None
    variant = param.variants.get(chosen) if isinstance(chosen, str) else None
    return _members(variant, value, value_of) if variant is not None and isinstance(value, dict) else value


def replaced_signals(value: object, value_of: SignalValue) -> object:
    """A value with every signal object in it replaced; undefined members of objects are left out."""
    if isinstance(value, list):
        return [replaced_signals(element, value_of) for element in value]
    if not isinstance(value, dict):
        return value
    if _is_signal(value):
        return value_of(value["signal"])
    members = {name: replaced_signals(member, value_of) for name, member in value.items()}
    return {name: member for name, member in members.items() if member is not UNDEFINED}


def scale_without_signals(scale: object, value_of: SignalValue) -> dict[str, object]:
    """A scale's definition with values instead of signals. Among the fields of a domain, a signal gives values, not a field."""
    if not isinstance(scale, dict):
        return {}
    domain = scale.get("domain")
    fields = domain.get("fields") if isinstance(domain, dict) else None
    if isinstance(domain, dict) and isinstance(fields, list):
        listed = [_values(value_of(field["signal"])) if _is_signal(field) else field for field in fields]
        scale = {**scale, "domain": {**domain, "fields": listed}}
    replaced = replaced_signals(scale, value_of)
    return replaced if isinstance(replaced, dict) else {}


def _values(value: Value) -> list[Value]:
    if isinstance(value, list):
        return value
    return [] if value is None or value is UNDEFINED else [value]


def _is_signal(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("signal"), str) and bool(value["signal"])
