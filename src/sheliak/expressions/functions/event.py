"""Events, the items under the pointer, lassos; and the browser's window."""

from __future__ import annotations

from sheliak.expressions.functions.results import ANYTHING, NUMBERS
from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import BOOLEAN, NUMBER, OPEN_RECORD, STRING, UNKNOWN

FUNCTIONS = (
    signature("group", "name?:mark", UNKNOWN, "event"),
    signature("item", "", UNKNOWN, "event"),
    signature("view", "", UNKNOWN, "event"),
    signature("x", "item?:mark", NUMBER, "event"),
    signature("y", "item?:mark", NUMBER, "event"),
    signature("xy", "item?:mark", NUMBERS, "event"),
    signature("inScope", "item:item", BOOLEAN, "view"),
    signature("intersect", "bounds:any options?:marks group?:item", ANYTHING, "view"),
    signature("intersectLasso", "markname:mark lasso:any unit:item", ANYTHING, "view"),
    signature("lassoAppend", "lasso:any x:number y:number minDist?:number", ANYTHING),
    signature("lassoPath", "lasso:any", STRING),
    signature("pinchAngle", "event:object", NUMBER),
    signature("pinchDistance", "event:object", NUMBER),
    signature("containerSize", "", NUMBERS, "environment"),
    signature("screen", "", OPEN_RECORD, "environment"),
    signature("windowSize", "", NUMBERS, "environment"),
)
