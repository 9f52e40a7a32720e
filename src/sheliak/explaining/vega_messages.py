"""The warnings and errors of Vega that people meet, what each means, and which findings can be behind it.

The patterns are facts about Vega 6; the part called `name` is what the message speaks of. JavaScript's own errors are here
too, because they are all that many mistakes show.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_FIELDS = ("unknown-field", "dropped-field")
_SOURCES = (
    *("format-type-missing", "format-type-mismatch", "unknown-format-type", "unknown-parse-type", "malformed-format"),
    *("missing-data-property", "missing-delimiter", "missing-topojson-feature", "unknown-topojson-object"),
    *("unreadable-data", "values-not-json", "values-not-text", "parse-of-plain-values", "null-row"),
)
_DATASETS = ("unknown-dataset", "dataset-used-too-early")
_NAME = r"""["'`]?(?P<name>[^"'`]*)["'`]?"""


class VegaMessage(NamedTuple):
    """One kind of message."""

    pattern: str
    meaning: str
    """What it says, with `{name}` for what it speaks of."""
    codes: tuple[str, ...]
    """The findings that can be behind it, the likeliest first."""


class Recognised(NamedTuple):
    """A message that was recognised, and the name it holds."""

    message: VegaMessage
    name: str | None

    @property
    def is_about_extent(self) -> bool:
        return self.message is INFINITE_EXTENT

    @property
    def meaning(self) -> str:
        return self.message.meaning.format(name=self.name or "…")


INFINITE_EXTENT = VegaMessage(
    r"""Infinite extent(?: for field (?:["'`](?P<name>[^"'`]*)["'`]|(?P<bare>[^:"'`]+)))?""",
    "Vega looked for the smallest and the largest value of `{name}` and found no finite number: the field is missing, its "
    "values are no numbers, or there are no rows.",
    (*_FIELDS, "text-in-scale", "infinite-value", "field-of-a-value", *_SOURCES),
)

MESSAGES = (
    INFINITE_EXTENT,
    VegaMessage(
        rf"(?:Undefined data set name|Can not find data set|Unrecognized data set):? {_NAME}",
        "Something reads the dataset `{name}`, which is not defined there.",
        _DATASETS,
    ),
    VegaMessage(
        rf"Unrecognized signal name: {_NAME}",
        "An expression uses the bare name `{name}`, which is no signal.",
        ("unknown-signal",),
    ),
    VegaMessage(
        r"Unrecognized scale name: (?P<name>undefined)$",
        "Something that needs a scale names none.",
        ("incomplete-definition", "unknown-scale"),
    ),
    VegaMessage(
        rf"Unrecognized scale (?:name|or projection): {_NAME}",
        "Something uses the scale or projection `{name}`, which is not defined there.",
        ("unknown-scale", "unknown-projection"),
    ),
    VegaMessage(
        rf"Duplicate (?:signal|scale or projection|data set) name: {_NAME}",
        "`{name}` is defined twice in one scope.",
        ("duplicate-name",),
    ),
    VegaMessage(r"Cycle detected in dataflow graph", "Definitions need each other.", ("cycle",)),
    VegaMessage(r"Expression parse error: (?P<name>.*)", "Vega cannot read the expression `{name}`.", ("expression-syntax",)),
    VegaMessage(r"Unrecognized function: (?P<name>\S+)", "Vega has no function `{name}`.", ("unknown-function",)),
    VegaMessage(r"Illegal callee type", "Something is called that is not a function's name.", ("illegal-call",)),
    VegaMessage(r"Illegal (?:identifier|property): (?P<name>\S+)", "The name `{name}` is forbidden.", ("illegal-name",)),
    VegaMessage(
        r"(?:Missing|Too many) arguments to (?P<name>\w+) function",
        "`{name}` is called with the wrong number of arguments.",
        ("wrong-arity",),
    ),
    VegaMessage(
        r"(?:First|Second) argument to .* must be a string literal",
        "A name that must be written out is computed.",
        ("literal-needed",),
    ),
    VegaMessage(
        r"(?P<name>datum|event|item) is not defined",
        "An expression uses `{name}` where there is none.",
        ("datum-out-of-scope", "event-out-of-scope", "item-out-of-scope"),
    ),
    VegaMessage(
        r"(?:Empty|Invalid|Unmatched|Expected|Between) .*(?:selector|brace|bracket|throttle)",
        "Vega cannot read an event selector.",
        ("selector-syntax",),
    ),
    VegaMessage(
        r"Access path missing .*: (?P<name>.*)", "Vega cannot read the field reference `{name}`.", ("invalid-field-path",)
    ),
    VegaMessage(rf"Unrecognized transform type: {_NAME}", "Vega has no transform `{name}`.", ("unknown-transform",)),
    VegaMessage(
        r'Missing required "(?P<owner>.*)" parameter: "(?P<name>.*)"',
        "A transform has no `{name}`.",
        ("missing-parameter",),
    ),
    VegaMessage(
        rf"(?:Unrecognized|Unsupported|Invalid) (?:\w+ )?(?:type|method|format|scheme name|scale range value|operation)s?: {_NAME}",
        "`{name}` is not among the words that can stand there.",
        ("unknown-option", "unknown-format-type", "wrong-kind"),
    ),
    VegaMessage(r"(?P<name>\w+)\[op\] is not a function", "An operation is named that Vega does not have.", ("unknown-option",)),
    VegaMessage(
        r"Unmatched number of fields|Multi-field lookup requires|too few output field names|Missing output field names",
        "Two lists that belong together have different lengths.",
        ("mismatched-lengths", "short-as"),
    ),
    VegaMessage(
        r"Mark transforms should not generate new data|requires an? (?:tree|upstream) data source|Domain array",
        "A transform stands where it cannot work.",
        ("transform-not-allowed",),
    ),
    VegaMessage(r"Log scale domain includes zero", "The logarithm of zero is not finite.", ("zero-on-log-scale",)),
    VegaMessage(
        r"Loading failed:? *(?P<name>\S*)",
        "The file `{name}` could not be fetched, so the dataset is empty: the path is wrong, or the server refused.",
        ("unreadable-data", "format-type-missing"),
    ),
    VegaMessage(
        r"Data ingestion failed:? *(?P<name>\S*)",
        "The file `{name}` was fetched, but it could not be read in the format that the spec gives.",
        _SOURCES,
    ),
    VegaMessage(
        rf"(?:Unknown data format type|Illegal format pattern|Invalid TopoJSON object): *{_NAME}",
        "A part of `format` cannot be used: `{name}`.",
        ("unknown-format-type", "unknown-parse-type", "unknown-topojson-object", "malformed-format"),
    ),
    VegaMessage(r"Missing TopoJSON", "The format does not say which object to read.", ("missing-topojson-feature",)),
    VegaMessage(
        r"Signals can not include both|mutually exclusive", "Two properties exclude each other.", ("conflicting-properties",)
    ),
    VegaMessage(
        r"(?:Facet must|Missing valid scale|Signal update missing|No field provided|Projection type must|Missing time unit)",
        "A definition lacks something that it needs.",
        ("incomplete-definition", "missing-parameter", "wrong-kind"),
    ),
    VegaMessage(
        r"Invalid (?:field reference|property|signal update|stream|time unit|date)|Unsupported (?:object|parameter|field reference)",
        "Vega cannot use a value of the spec: it is of the wrong kind.",
        ("wrong-kind", "invalid-field-path", "unknown-option", "incomplete-definition", "selector-syntax"),
    ),
    VegaMessage(r"Input Vega specification must be an object", "The spec is not an object.", ("not-a-spec",)),
    VegaMessage(
        r"Cannot read propert(?:y|ies) of (?:undefined|null) \(reading '(?P<name>charCodeAt|Symbol\(vega_id\))'\)",
        "Vega could not take in the rows of a dataset.",
        ("missing-delimiter", "null-row", *_SOURCES),
    ),
    VegaMessage(
        r"""Cannot read propert(?:y '(?P<bare>[^']*)'|ies) of (?:undefined|null)(?: \(reading ['"](?P<name>[^'"]*)['"]\))?""",
        "Something that is missing was asked for its `{name}`.",
        (*_FIELDS, *_DATASETS, "unknown-scale", "unknown-signal", "field-of-a-value", "wrong-argument", *_SOURCES),
    ),
    VegaMessage(
        r"is not iterable|Cannot convert undefined or null to object|Cannot create property|is not a function",
        "Vega met a value of another kind than it can use.",
        ("wrong-kind", "missing-data-property", "parse-of-plain-values", "unknown-option", "wrong-argument", *_SOURCES),
    ),
    VegaMessage(
        r"Unexpected (?:token|end|string|number)|is not valid JSON|in JSON at position|Expected .* in JSON",
        "Some text is not JSON: the spec itself, or data that are read as JSON.",
        ("invalid-json", "format-type-missing", "values-not-json", "unreadable-data"),
    ),
)


def recognise(text: str) -> Recognised | None:
    """The kind of a message; what stands before it, such as `WARN` or `Error:`, does not matter."""
    for message in MESSAGES:
        found = re.search(message.pattern, text.strip())
        if found is not None:
            named = found.groupdict()
            return Recognised(message, named.get("name") or named.get("bare") or None)
    return None
