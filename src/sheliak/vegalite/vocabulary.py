"""The words of Vega-Lite up to version 6.4."""

from __future__ import annotations

import re


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


MARKS = _words("arc area bar boxplot circle errorband errorbar geoshape image line point rect rule square text tick trail")
CHANNELS = _words("""
    angle color column description detail facet fill fillOpacity href key latitude latitude2 longitude longitude2 opacity order
    radius radius2 row shape size stroke strokeDash strokeOpacity strokeWidth text theta theta2 time tooltip url
    x x2 xError xError2 xOffset y y2 yError yError2 yOffset
""")
TYPES = ("quantitative", "temporal", "ordinal", "nominal", "geojson")
OPERATIONS = _words("""
    argmax argmin average ci0 ci1 count distinct exponential exponentialb max mean median min missing product q1 q3 stderr stdev
    stdevp sum valid values variance variancep
""")
WINDOW_OPERATIONS = _words("""
    row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
""")
SCALES = _words("""
    band bin-ordinal identity linear log ordinal point pow quantile quantize sequential sqrt symlog threshold time utc
""")
TRANSFORMS = _words("""
    aggregate bin calculate density extent filter flatten fold impute joinaggregate loess lookup pivot quantile regression sample
    stack timeUnit window
""")
NEEDED = {
    "bin": ("field", "as"),
    "calculate": ("as",),
    "extent": ("param",),
    "impute": ("key",),
    "loess": ("on",),
    "lookup": ("from",),
    "pivot": ("value",),
    "regression": ("on",),
    "stack": ("as",),
    "timeUnit": ("field", "as"),
}
"""The other members that a transform cannot do without."""

SELECTIONS = ("point", "interval")
REPEATED = ("repeat", "row", "column", "layer")
TIME_UNITS = _words("year quarter month week dayofyear date day hours minutes seconds milliseconds")
JOINED_TIME_UNITS = _words("""
    yearquarter yearquartermonth yearmonth yearmonthdate yearweek yearweekday yeardayofyear quartermonth monthdate weekday
    yearmonthdatehours yearmonthdatehoursminutes hoursminutes hoursminutesseconds minutesseconds secondsmilliseconds
""")
"""Some of the units that are put together of others."""

TIME_UNIT = re.compile(rf"(?:binned)?(?:utc)?(?:{'|'.join(TIME_UNITS)})+")
"""Units may be put together, and be local or universal, computed or already in the data."""

MADE_UP = re.compile(
    rf"__.*|_vgsid_|bin_.*|(?:{TIME_UNIT.pattern}|{'|'.join(OPERATIONS)})_.*|.*_(?:start|end|mid|range|bins|geojson)"
)
"""The names that Vega-Lite gives to fields of its own making, and names that look like them."""
