"""From a transform's JSON, its signals replaced by their values, to a Transform that can run.

Where `_elaborate` types fields and reports mistakes, this only follows Vega's parser: what it takes is taken, what stops it
raises RunError.
"""

from __future__ import annotations

import json

from sheliak.expressions.field_paths import FieldPathError, accessor_name, split_path
from sheliak.source.tree import Node
from sheliak.transforms import transform_class
from sheliak.transforms._contract import ExprRef, FieldRef, Param, SortKey, Transform
from sheliak.transforms._running import RunError
from sheliak.types.shapes import UNKNOWN


def read_transform(node: Node) -> Transform:
    """The transform that the JSON describes."""
    name = node.get("type")
    cls = transform_class(name.text or "") if name is not None else None
    if cls is None:
        raise RunError(f"Unrecognized transform type: {json.dumps(None if name is None else name.value)}")
    return _read(cls, node)


def _read(cls: type[Transform], node: Node) -> Transform:
    values: dict[str, object] = {}
    for param in cls.params:
        given = node.get(param.name)
        if given is not None:
            values[param.attribute] = _parameter(param, given)
        elif param.required and param.kind != "param":
            raise RunError(f'Missing required "{cls.type}" parameter: "{param.name}"')
    return cls(node=node, **values)


def _parameter(param: Param, given: Node) -> object:
    if param.kind == "compare":
        return _sort_keys(given)
    if not param.array:
        return _one(param, given)
    if not given.is_array:
        raise RunError("value.map is not a function")
    return tuple(_one(param, element) for element in given.elements())


def _one(param: Param, given: Node) -> object:
    match param.kind:
        case "field":
            return _field(given)
        case "expr":
            return _expression(given)
        case "param":
            return _variant(param, given)
        case "string" | "number" | "boolean" | "enum":
            return given.value
        case _:
            return given


def _field(given: Node) -> FieldRef | None:
    """A field. No name at all, as null and "" have none, is no field."""
    value = given.value
    if isinstance(value, str):
        return _named(value, None, given) if value else None
    if isinstance(value, dict) and value.get("expr"):
        return FieldRef("undefined", UNKNOWN, (), given.place, given)
    if isinstance(value, dict) and value.get("field"):
        inner, name = value["field"], value.get("as")
        if isinstance(inner, str):
            return _named(inner, name if isinstance(name, str) and name else None, given)
    if value is None:
        return None
    raise RunError(f"Unsupported field reference: {json.dumps(value, default=str)}")


def _named(text: str, name: str | None, given: Node) -> FieldRef:
    try:
        return FieldRef(name or accessor_name(text), UNKNOWN, (split_path(text),), given.place, given)
    except FieldPathError as problem:
        raise RunError(str(problem)) from None


def _expression(given: Node) -> ExprRef:
    inner = given if given.is_string else given.get("expr")
    if inner is None or not inner.is_string:
        raise RunError("Expression references can not be signals.")
    return ExprRef(UNKNOWN, inner)


def _variant(param: Param, given: Node) -> Transform:
    key = given.get(param.key)
    cls = param.variants.get(key.text or "") if key is not None else None
    if cls is None:
        raise RunError(f"Unsupported parameter: {json.dumps(given.value, default=str)}")
    return _read(cls, given)


def _sort_keys(given: Node) -> tuple[SortKey, ...]:
    """The fields of a `sort` with their orders. A field that is null is passed over, its order with it."""
    fields, orders = _listed(given.get("field")), _listed(given.get("order"))
    keys = []
    for index, node in enumerate(fields):
        field = _field(node)
        if field is not None:
            order = orders[index].text if index < len(orders) else None
            keys.append(SortKey(field, "descending" if order == "descending" else "ascending"))
    return tuple(keys)


def _listed(node: Node | None) -> list[Node]:
    if node is None or node.value is None:
        return []
    return list(node.elements()) if node.is_array else [node]
