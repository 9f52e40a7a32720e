"""The parallel lists `ops`, `fields` and `as`: which fields they write, of which types, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from sheliak.diagnostics.parameters import MismatchedLengths, MissingParameter, WrongKind
from sheliak.source.place import PathKey, Place
from sheliak.transforms._contract import COMPUTED, Checking, Computed, FieldRef, Name
from sheliak.transforms._demands import demand, report_text_order
from sheliak.transforms._operations.declaration import Operation
from sheliak.types.operations import all_texts, join
from sheliak.types.shapes import UNKNOWN, Literal, Record, Type


class Measuring(Protocol):
    """A transform with parallel lists of operations and fields."""

    @property
    def owner(self) -> str: ...
    @property
    def ops(self) -> tuple[Name, ...]: ...
    @property
    def fields(self) -> tuple[FieldRef | None, ...]: ...
    @property
    def into(self) -> tuple[Name | None, ...]: ...
    def given(self, name: str) -> bool: ...
    def place(self, *path: PathKey) -> Place: ...


def parallel(measuring: Measuring, checking: Checking) -> bool:
    """Whether there is one field for every operation: Vega stops otherwise. Reported if not."""
    operations, fields = len(measuring.ops), len(measuring.fields)
    if operations == fields:
        return True
    for name in ("ops", "fields"):
        if not measuring.given(name):
            checking.report(MissingParameter(place=measuring.place(), name=name, owner=measuring.owner))
            return False
    checking.report(
        MismatchedLengths(
            place=measuring.place("fields"),
            owner=measuring.owner,
            first="ops",
            first_length=operations,
            second="fields",
            second_length=fields,
        )
    )
    return False


def reads_no_field(name: str, index: int, given: Mapping[str, object], operations: Mapping[str, Operation]) -> bool:
    """Whether element `index` of `fields` belongs to an operation, such as count, that reads none; it only lends its name."""
    ops = given.get("ops", ("count",))
    assert isinstance(ops, tuple)
    operation = operations.get(ops[index]) if name == "fields" and index < len(ops) and isinstance(ops[index], str) else None
    return operation is not None and operation.operand == "none"


def measures(
    measuring: Measuring, datum: Record, rows: Record, operations: Mapping[str, Operation], checking: Checking
) -> Iterator[tuple[Name, Type]]:
    """The output of each operation: its name and its type. Fields are read from the datum; `rows` is what `values` holds."""
    for index, op in enumerate(measuring.ops):
        field = _field_at(measuring, index)
        candidates = _candidates(op, operations)
        if all(_readable(measuring, index, operation, field, checking) for operation in candidates):
            of = [type_of_operation(operation, field, datum, rows, checking) for operation in candidates]
        else:
            of = []
        given = measuring.into[index] if index < len(measuring.into) else None
        yield given or default_name(op, field), join(of)


def default_name(op: Name, field: FieldRef | None) -> Name:
    """`<op>_<field>`, or the operation alone where the field has no name."""
    if field is None or field.is_expression or field.name == "":
        return op
    if isinstance(op, str) and isinstance(field.name, str):
        return f"{op}_{field.name}"
    ops, names = _options(op), _options(field.name)
    return Computed(join(Literal(f"{one}_{name}") for one in ops for name in names)) if ops and names else COMPUTED


def _options(name: Name) -> tuple[str, ...]:
    return (name,) if isinstance(name, str) else all_texts(name.of) or ()


def type_of_operation(operation: Operation, field: FieldRef | None, datum: Record, rows: Record, checking: Checking) -> Type:
    """The type of one output; a field whose values the operation cannot use is reported."""
    if field is not None:
        owner = f"`{operation.name}`"
        if operation.operand == "number":
            demand(field, "number", owner, checking)
        elif operation.operand == "order":
            report_text_order(field, datum, owner, checking)
    return operation.result(UNKNOWN if field is None else field.of, rows)


def _field_at(measuring: Measuring, index: int) -> FieldRef | None:
    """The field of an operation; null, absent and empty text are the same to Vega."""
    field = measuring.fields[index] if index < len(measuring.fields) else None
    return None if field is None or field.name == "" else field


def _candidates(op: Name, operations: Mapping[str, Operation]) -> list[Operation]:
    """The operation, or all that a signal with options may choose; none where only the running signal knows."""
    return [operations[name] for name in _options(op) if name in operations]


def _readable(measuring: Measuring, index: int, operation: Operation, field: FieldRef | None, checking: Checking) -> bool:
    """An operation that reads a field has one: Vega stops otherwise. Reported if not."""
    if field is not None or operation.operand == "none":
        return True
    owner = f"`{operation.name}` in {measuring.owner}"
    if not measuring.given("fields"):
        checking.report(MissingParameter(place=measuring.place("ops", index), name="fields", owner=owner))
    else:
        found = "null" if index < len(measuring.fields) else "left out"
        place = measuring.place("fields", index) if found == "null" else measuring.place("fields")
        checking.report(WrongKind(place=place, owner=f"the field of {owner}", expected="a field name", found=found))
    return False
