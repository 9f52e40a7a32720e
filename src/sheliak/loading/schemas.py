"""`--schema NAME=FILE`: a record stated rather than seen. JSON Schema, Spark's schema JSON, Table Schema, Arrow and Parquet.

A JSON Schema lets every object have further members unless it forbids them; whoever hands us a schema means the columns it
lists. So a record is closed unless the schema says `additionalProperties` itself. A schema without `required` describes
every row in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from sheliak.loading.columnar import ARROW_MAGIC, PARQUET_MAGIC, is_installed, read_columnar
from sheliak.loading.columns import MAX_DEPTH, Column, type_of_column
from sheliak.loading.data_file import DataFile, Unreadable
from sheliak.loading.json_text import LIMIT, decode
from sheliak.source.declared import replace
from sheliak.types.operations import join, opened
from sheliak.types.shapes import (
    BOOLEAN,
    DATE,
    DATE_TEXT,
    NULL,
    NUMBER,
    OPEN_RECORD,
    STRING,
    UNKNOWN,
    Array,
    Lineage,
    Record,
    Type,
    Unseen,
)

_ARROW_EXTENSIONS = (".arrow", ".arrows", ".feather", ".ipc", ".parquet", ".pq")


class SchemaError(Exception):
    """A schema file that cannot be used; the text says why."""


def read_schema(path: Path, dataset: str) -> Record:
    """The record that the file states for the rows of a dataset; raises SchemaError."""
    try:
        record = _read_record(path)
    except Unreadable as error:
        raise SchemaError(f"the schema `{path}` cannot be used: {error}") from error
    unseen = Unseen(dataset) if record.open else None
    return replace(record, unseen=unseen, lineage=Lineage("schema", dataset=dataset))


def _read_record(path: Path) -> Record:
    with DataFile(path) as file:
        opening = file.bytes_at(0, 8)
        columnar = opening.startswith((PARQUET_MAGIC, ARROW_MAGIC)) or path.suffix.lower() in _ARROW_EXTENSIONS
        if not columnar and file.size > LIMIT:
            raise Unreadable("it is larger than 20 MB")
        text = "" if columnar else file.text()
    if not columnar:
        return record_of_schema(decode(text))
    if not is_installed():
        raise Unreadable("reading an Arrow or Parquet file needs pyarrow")
    return read_columnar(path)[0]


def record_of_schema(schema: object) -> Record:
    """The record of a decoded schema: the rows' own, or that of the elements of an array."""
    if not isinstance(schema, dict):
        raise Unreadable("a schema is a JSON object")
    if isinstance(schema.get("schema"), dict) and "fields" not in schema and "properties" not in schema:
        return record_of_schema(schema["schema"])
    if isinstance(schema.get("fields"), list):
        return _record_of_fields(schema["fields"], 0)
    of = _JsonSchema(schema).type_of(schema, 0)
    while isinstance(of, Array):
        of = of.element
    if not isinstance(of, Record):
        raise Unreadable("it describes no rows: neither `properties`, nor `items` with `properties`, nor `fields`")
    return of


def _record_of_fields(fields: list[object], depth: int) -> Record:
    """Spark's struct, or a Table Schema: a list of names and types."""
    found: dict[str, Type] = {}
    for field in fields:
        if not isinstance(field, dict) or not isinstance(field.get("name"), str):
            raise Unreadable("an entry of `fields` has no name")
        of = _spark_type(field.get("type", "any"), depth + 1)
        found[field["name"]] = join((of, NULL)) if field.get("nullable") is True else of
    return Record(found)


_SPARK_TYPES: Mapping[str, Type] = {
    "boolean": BOOLEAN,
    "null": NULL,
    "void": NULL,
    **dict.fromkeys(("byte", "short", "integer", "int", "long", "bigint", "float", "double", "number", "duration"), NUMBER),
    **dict.fromkeys(("string", "char", "varchar"), STRING),
    **dict.fromkeys(("date", "timestamp", "timestamp_ntz", "timestamp_ltz", "datetime"), DATE),
    "object": OPEN_RECORD,
    "array": Array(UNKNOWN),
}


def _spark_type(of: object, depth: int) -> Type:
    if depth >= MAX_DEPTH:
        return UNKNOWN
    if isinstance(of, str):
        name = of.partition("(")[0].strip().lower()
        return NUMBER if name == "decimal" else _SPARK_TYPES.get(name, UNKNOWN)
    if not isinstance(of, dict):
        return UNKNOWN
    if of.get("type") == "struct" and isinstance(of.get("fields"), list):
        return _record_of_fields(of["fields"], depth)
    if of.get("type") == "array":
        element = _spark_type(of.get("elementType"), depth + 1)
        return Array(join((element, NULL)) if of.get("containsNull") is True else element)
    return OPEN_RECORD if of.get("type") == "map" else UNKNOWN


class _JsonSchema:
    """A JSON Schema, read for types only: limits and patterns of values do not change a shape."""

    def __init__(self, root: dict[str, object]) -> None:
        self.root = root

    def type_of(self, schema: object, depth: int) -> Type:
        """The join of what the schema allows."""
        if not isinstance(schema, dict) or depth >= MAX_DEPTH:
            return UNKNOWN
        if isinstance(schema.get("$ref"), str):
            return self.type_of(self._target(schema["$ref"]), depth + 1)
        if "const" in schema:
            return type_of_column(Column(([schema["const"]],)), depth)
        if isinstance(schema.get("enum"), list):
            return type_of_column(Column((schema["enum"],)), depth)
        for word in ("anyOf", "oneOf"):
            if isinstance(schema.get(word), list):
                return join(self.type_of(option, depth + 1) for option in schema[word])
        return join(self._named_types(schema, depth))

    def _target(self, reference: str) -> object:
        """What a reference within the same document points to."""
        value: object = self.root
        for step in reference.removeprefix("#").split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            value = value.get(step) if isinstance(value, dict) else None
        return value if reference.startswith("#") else None

    def _named_types(self, schema: dict[str, object], depth: int) -> Iterator[Type]:
        named = schema.get("type")
        if named is None:
            named = "object" if "properties" in schema else "array" if "items" in schema else None
        for name in named if isinstance(named, list) else [named]:
            yield self._named_type(name, schema, depth)
        if schema.get("nullable") is True:
            yield NULL

    def _named_type(self, name: object, schema: dict[str, object], depth: int) -> Type:
        match name:
            case "object":
                return self._record(schema, depth)
            case "array":
                return Array(self.type_of(schema.get("items"), depth + 1))
            case "string":
                return DATE_TEXT if schema.get("format") in ("date", "date-time") else STRING
            case "number" | "integer":
                return NUMBER
            case "boolean":
                return BOOLEAN
            case "null":
                return NULL
            case _:
                return UNKNOWN

    def _record(self, schema: dict[str, object], depth: int) -> Record:
        properties, required = schema.get("properties"), schema.get("required")
        names = properties if isinstance(properties, dict) else {}
        fields = {name: self.type_of(member, depth + 1) for name, member in names.items()}
        optional = frozenset(fields) - frozenset(required) if isinstance(required, list) else frozenset()
        record = Record(fields, optional)
        more = schema.get("additionalProperties") or schema.get("patternProperties")
        return opened(record) if more or not isinstance(properties, dict) else record
