"""Scales and projections, by name; panning and zooming of domains."""

from __future__ import annotations

from sheliak.expressions.functions.results import ANYTHING, NUMBER_OR_UNDEFINED, NUMBERS
from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import NUMBER, OPEN_RECORD, UNKNOWN

_OF_SHAPE = "projection:projection geojson:geojson group?:item"
_ZOOM = "domain:array anchor:number scale:number"

FUNCTIONS = (
    signature("scale", "name:scale value group?:item", UNKNOWN, "view"),
    signature("invert", "name:scale value group?:item", UNKNOWN, "view"),
    signature("copy", "name:scale group?:item", UNKNOWN, "view"),
    signature("domain", "name:scale group?:item", ANYTHING, "view"),
    signature("range", "name:scale group?:item", ANYTHING, "view"),
    signature("bandwidth", "name:scale group?:item", NUMBER, "view"),
    signature("bandspace", "count:number paddingInner?:number paddingOuter?:number", NUMBER),
    signature("gradient", "name:scale p0:array p1:array count?:number group?:item", OPEN_RECORD, "view"),
    signature("panLinear", "domain:array delta:number", NUMBERS),
    signature("panLog", "domain:array delta:number", NUMBERS),
    signature("panPow", "domain:array delta:number exponent:number", NUMBERS),
    signature("panSymlog", "domain:array delta:number constant:number", NUMBERS),
    signature("zoomLinear", _ZOOM, NUMBERS),
    signature("zoomLog", _ZOOM, NUMBERS),
    signature("zoomPow", f"{_ZOOM} exponent:number", NUMBERS),
    signature("zoomSymlog", f"{_ZOOM} constant:number", NUMBERS),
    signature("geoArea", _OF_SHAPE, NUMBER_OR_UNDEFINED, "view"),
    signature("geoBounds", _OF_SHAPE, UNKNOWN, "view"),
    signature("geoCentroid", _OF_SHAPE, UNKNOWN, "view"),
    signature("geoShape", _OF_SHAPE, UNKNOWN, "view"),
    signature("geoScale", "projection:projection group?:item", NUMBER_OR_UNDEFINED, "view"),
    signature("geoTranslate", "projection:projection group?:item", UNKNOWN, "view"),
    signature("pathShape", "path:string", UNKNOWN),
    # What Vega itself writes into the expressions of encode entries.
    signature("_bandwidth", "name:scale", NUMBER, "view"),
    signature("_range", "name:scale", ANYTHING, "view"),
    signature("_scale", "name:scale value", UNKNOWN, "view"),
)
