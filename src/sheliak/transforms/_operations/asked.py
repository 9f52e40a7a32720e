"""The parallel lists `ops`, `fields`, `as` and `aggregate_params`, read for a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheliak.expressions.values import Value, to_boolean, to_text
from sheliak.transforms._contract import FieldRef, Transform
from sheliak.transforms._operations.cells import Measured, measured
from sheliak.transforms._operations.declaration import Operation
from sheliak.transforms._running import Getter, RunError, Running, getter, name_of


def operations_of(names: Sequence[Value], known: Mapping[str, Operation]) -> list[Operation]:
    """The operations of a list of names."""
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise RunError("AggregateOps[op] is not a function")
    return [known[name] for name in names if isinstance(name, str)]


def output_names(operations: Sequence[Operation], fields: Sequence[FieldRef | None], given: Sequence[Value]) -> list[str]:
    """Each name of `as`, or else `<op>_<field>`."""
    names = []
    for index, operation in enumerate(operations):
        field = name_of(fields[index]) if index < len(fields) else None
        wanted = given[index] if index < len(given) else None
        names.append(to_text(wanted) if to_boolean(wanted) else f"{operation.name}_{field}" if field else operation.name)
    return names


def measured_by(
    transform: Transform, fields: Sequence[FieldRef | None], known: Mapping[str, Operation], running: Running
) -> Measured:
    """What `aggregate` and `joinaggregate` ask of a group: one field for each operation; without any, a count."""
    parameters = transform.parameters()
    operations = operations_of(parameters.elements("ops") or ["count"], known)
    if parameters.elements("ops") == []:
        operations = []
    if len(operations) != len(fields):
        raise RunError("Unmatched number of fields and aggregate ops.")
    names = output_names(operations, fields, parameters.elements("as") or [])
    return measured(operations, named_getters(fields, running), names, parameters.elements("aggregate_params") or [])


def named_getters(fields: Sequence[FieldRef | None], running: Running) -> list[tuple[str | None, Getter | None]]:
    return [(name_of(field), None if field is None else getter(field, running)) for field in fields]
