"""Findings about sources of data: formats, parse types, properties, files that cannot be read."""

from __future__ import annotations

from sheliak.diagnostics.registry import Diagnostic, Repair, Severity, diagnostic
from sheliak.diagnostics.suggest import closest, listed

FORMAT_TYPES = ("json", "csv", "tsv", "dsv", "topojson", "arrow", "parquet")
PARSE_TYPES = ("boolean", "number", "integer", "date", "string", "unknown")


@diagnostic("unknown-format-type", "a data format that does not exist")
class UnknownFormatType(Diagnostic):
    """`format.type` names no reader."""

    type: str

    def message(self) -> str:
        return f"`{self.type}` is not a data format"

    def notes(self) -> tuple[str, ...]:
        return (f"the formats are {listed(FORMAT_TYPES)}",)

    def help(self) -> str | None:
        if self.type.casefold() == "geojson":
            return 'GeoJSON is read as JSON, one row per feature with `"format": {"type": "json", "property": "features"}`'
        similar = closest(self.type, FORMAT_TYPES)
        return f"a format with a similar name exists: `{similar}`" if similar else None

    def repair(self) -> Repair | None:
        similar = closest(self.type, FORMAT_TYPES)
        if similar is None or similar != self.type.casefold():
            return None
        return Repair(self.place, similar, f"write `{similar}` for `{self.type}`")


@diagnostic("unknown-parse-type", "a parse type that does not exist")
class UnknownParseType(Diagnostic):
    """An entry of `format.parse` names no parser: Vega stops with "Illegal format pattern"."""

    column: str
    type: str

    def message(self) -> str:
        return f"`{self.type}` is not a parse type, so the column `{self.column}` cannot be read"

    def notes(self) -> tuple[str, ...]:
        return (f"the parse types are {listed(PARSE_TYPES)}, `date:'%Y-%m-%d'` and `utc:'%Y-%m-%d'` with a pattern",)

    def help(self) -> str | None:
        word = self.type.partition(":")[0].strip()
        if word in ("utc", "date"):
            return f"`{word}` with a pattern is written `{word}:'%Y-%m-%d'`"
        similar = closest(self.type, PARSE_TYPES) or _OTHER_NAMES.get(self.type.casefold())
        return f"the parse type for this is `{similar}`" if similar else None


_OTHER_NAMES = {
    "bool": "boolean",
    "datetime": "date",
    "double": "number",
    "float": "number",
    "int": "number",
    "nominal": "string",
    "ordinal": "string",
    "quantitative": "number",
    "str": "string",
    "temporal": "date",
    "text": "string",
    "time": "date",
    "timestamp": "date",
}


@diagnostic("parse-of-absent-column", "a parse entry for a column that no row has", Severity.WARNING)
class ParseOfAbsentColumn(Diagnostic):
    """`format.parse` names a column that is not in the data: Vega adds it, null in every row."""

    column: str
    columns: tuple[str, ...]

    def message(self) -> str:
        return f"the data has no column `{self.column}` to parse: Vega adds it, null in every row"

    def notes(self) -> tuple[str, ...]:
        return (f"the columns are {listed(self.columns)}",)

    def help(self) -> str | None:
        similar = closest(self.column, self.columns)
        if similar is not None:
            return f"a column with a similar name exists: `{similar}`"
        outer = self.column.partition(".")[0]
        if outer != self.column and outer in self.columns:
            return f"`parse` does not reach into `{outer}`: convert the nested field with a `formula`"
        return None

    def repair(self) -> Repair | None:
        similar = closest(self.column, self.columns)
        if similar is None or similar.casefold() != self.column.casefold():
            return None
        return Repair(self.place, similar, f"write `{similar}` for `{self.column}`")


@diagnostic("missing-data-property", "a `format.property` that the document does not have")
class MissingDataProperty(Diagnostic):
    """`format.property` leads nowhere in the document."""

    property: str
    missing: str
    """The first step of the path that is not there."""
    under: str
    """The steps before it; empty at the top of the document."""
    there: tuple[str, ...]
    """The members where `missing` was looked for."""
    found: str = "nothing"
    """What stands where the path ends, if it ends at something without rows."""

    def message(self) -> str:
        if self.found == "null":
            return f"`{self.property}` is null in the data, so there are no rows to read"
        where = f"`{self.under}` in the data" if self.under else "the data"
        return f"{where} has no property `{self.missing}`"

    def notes(self) -> tuple[str, ...]:
        if not self.there:
            return ()
        return (f"the properties there are {listed(self.there)}",)

    def help(self) -> str | None:
        if len(self.there) == 1:
            return f"the only property there is `{self.there[0]}`"
        similar = closest(self.missing, self.there)
        return f"a property with a similar name exists: `{similar}`" if similar else None


@diagnostic("unknown-topojson-object", "a TopoJSON object that does not exist")
class UnknownTopojsonObject(Diagnostic):
    """`feature` or `mesh` names an object that the topology does not have."""

    name: str
    objects: tuple[str, ...] | None
    """None when the document is not a topology at all."""

    def message(self) -> str:
        if self.objects is None:
            return "the data is not TopoJSON: it has no `objects`"
        return f"the topology has no object `{self.name}`"

    def notes(self) -> tuple[str, ...]:
        return (f"its objects are {listed(self.objects)}",) if self.objects else ()

    def help(self) -> str | None:
        objects = self.objects or ()
        similar = objects[0] if len(objects) == 1 else closest(self.name, objects)
        return f"the object is called `{similar}`" if similar else None


@diagnostic("missing-topojson-feature", "TopoJSON without `feature` or `mesh`")
class MissingTopojsonFeature(Diagnostic):
    """A topology holds several objects, so the format must say which one to read."""

    objects: tuple[str, ...] = ()

    def message(self) -> str:
        return "the format `topojson` needs `feature` or `mesh`: the name of the object to read"

    def notes(self) -> tuple[str, ...]:
        return (f"the topology's objects are {listed(self.objects)}",) if self.objects else ()

    def help(self) -> str | None:
        name = self.objects[0] if self.objects else "countries"
        return f'write `"format": {{"type": "topojson", "feature": "{name}"}}` with the name of the object'


@diagnostic("format-type-missing", "delimited text read as JSON")
class FormatTypeMissing(Diagnostic):
    """Vega never looks at a file's extension: without `format.type` it reads JSON, and delimited text becomes one row."""

    source: str
    """What is read, in words: a quoted url, or "the text of `values`"."""
    type: str
    """The format that was meant."""
    declared: bool = False
    """The spec says `json` rather than nothing."""
    seen: bool = True
    """The data are at hand; otherwise only their name tells what they are."""

    def message(self) -> str:
        because = 'the format says `"type": "json"`' if self.declared else "the format has no `type`"
        proof = "it is not JSON" if self.seen else f"by its name it is {self.type.upper()}"
        return f"{self.source} is read as JSON because {because}, and {proof}"

    def notes(self) -> tuple[str, ...]:
        return ("Vega does not look at the extension of a file: the whole text becomes one row with the field `data`",)

    def help(self) -> str | None:
        verb = "write" if self.declared else "add"
        return f'{verb} `"format": {{"type": "{self.type}"}}`'


@diagnostic("format-type-mismatch", "JSON read as delimited text")
class FormatTypeMismatch(Diagnostic):
    """The format says delimited text, the data are JSON."""

    source: str
    type: str

    def message(self) -> str:
        return f"the format says `{self.type}`, but {self.source} is JSON"

    def help(self) -> str | None:
        return 'write `"format": {"type": "json"}`'


@diagnostic("malformed-format", "a part of `format` that Vega cannot use")
class MalformedFormat(Diagnostic):
    """A member of `format` has the wrong kind of value."""

    part: str
    found: str
    """The kind of the value, as JSON calls it."""
    wanted: str
    advice: str | None = None

    def message(self) -> str:
        return f"`{self.part}` is {_indefinite(self.found)}; it must be {self.wanted}"

    def help(self) -> str | None:
        return self.advice


@diagnostic("missing-delimiter", "`dsv` without a delimiter")
class MissingDelimiter(Diagnostic):
    """The format `dsv` has no default delimiter."""

    def message(self) -> str:
        return "the format `dsv` needs a `delimiter`"

    def help(self) -> str | None:
        return 'write `"format": {"type": "dsv", "delimiter": "|"}` with the character that separates the columns'


@diagnostic("null-row", "a row that is null")
class NullRow(Diagnostic):
    """Vega marks every row it takes in, and cannot mark null: it stops."""

    row: int
    """Counted from one."""

    def message(self) -> str:
        return f"row {self.row} is null: Vega stops at it"

    def help(self) -> str | None:
        return "remove the null, or write an object"


@diagnostic("parse-of-plain-values", "a parse entry for rows that are not objects")
class ParseOfPlainValues(Diagnostic):
    """Plain numbers and texts are wrapped as `{data: value}` only after parsing, so Vega cannot set a field on them."""

    def message(self) -> str:
        return "`parse` sets fields, and the rows are plain values: Vega stops"

    def help(self) -> str | None:
        return 'write the rows as objects, for example `{"data": 1}`, or convert `datum.data` with a `formula`'


@diagnostic("values-not-text", "inline objects read as delimited text")
class ValuesNotText(Diagnostic):
    """`values` are objects, but the format wants one text with lines and delimiters: Vega reads no rows."""

    type: str
    found: str

    def message(self) -> str:
        return f"the format `{self.type}` reads one text, but `values` is {_indefinite(self.found)}: no row comes out"

    def help(self) -> str | None:
        return f'remove `"type": "{self.type}"`: inline objects need no format'


@diagnostic("values-not-json", "inline text that is not JSON")
class ValuesNotJson(Diagnostic):
    """`values` is text, which Vega reads as JSON unless the format says otherwise."""

    reason: str

    def message(self) -> str:
        return f"the text of `values` is not JSON: {self.reason}"

    def help(self) -> str | None:
        return "write the rows as an array of objects, or name the format of the text"


@diagnostic("unreadable-data", "a data file that cannot be read", Severity.WARNING)
class UnreadableData(Diagnostic):
    """The file was found, but its rows cannot be known."""

    file: str
    reason: str

    def message(self) -> str:
        return f"the data of `{self.file}` cannot be read: {self.reason}"

    def notes(self) -> tuple[str, ...]:
        return ("the columns of this dataset are taken to be unknown",)


def _indefinite(kind: str) -> str:
    """A JSON kind with its article."""
    if kind == "null":
        return kind
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
