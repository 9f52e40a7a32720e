"""Events and lassos. What is under the pointer, and what the page looks like, is for the environment to answer."""

from __future__ import annotations

from sheliak.expressions.arithmetic import angle, hypotenuse
from sheliak.expressions.functions.evaluation.meaning import Meanings, asked, declared
from sheliak.expressions.properties import item_of, property_of
from sheliak.expressions.time_units import listed
from sheliak.expressions.values import UNDEFINED, EvaluationError, Undefined, Value, to_number, to_text
from sheliak.expressions.zones import UTC, Zone

MEANINGS: Meanings = {}
pure, local = declared(MEANINGS, "nothing"), declared(MEANINGS, "zone")

asked(MEANINGS, "group", "item", "view", "x", "y", "xy", "inScope", "intersect", "intersectLasso")


# Without a page there is no size and no screen; Vega says so itself when it runs on a server.


@pure("containerSize", "windowSize")
def size() -> Value:
    return [UNDEFINED, UNDEFINED]


@pure("screen")
def screen() -> Value:
    return {}


def _apart(event: Value) -> tuple[float, float]:
    """How far the first finger is from the second, across and down."""
    touches = property_of(event, "touches")
    first, second = item_of(touches, 0.0, UTC), item_of(touches, 1.0, UTC)
    across = to_number(property_of(first, "clientX")) - to_number(property_of(second, "clientX"))
    return across, to_number(property_of(first, "clientY")) - to_number(property_of(second, "clientY"))


@pure("pinchDistance")
def pinch_distance(event: Value) -> Value:
    return hypotenuse(*_apart(event))


@pure("pinchAngle")
def pinch_angle(event: Value) -> Value:
    across, down = _apart(event)
    return angle(down, across)


@pure("lassoAppend")
def lasso_append(lasso: Value, x: Value, y: Value, apart: Value) -> Value:
    """The lasso with one more point, if that is far enough from the last one."""
    points = listed(lasso)
    last = points[-1] if points else UNDEFINED
    if not isinstance(last, Undefined):
        across = to_number(item_of(last, 0.0, UTC)) - to_number(x)
        down = to_number(item_of(last, 1.0, UTC)) - to_number(y)
        if not hypotenuse(across, down) > (5.0 if isinstance(apart, Undefined) else to_number(apart)):
            return points
    return [*points, [x, y]]


@local("lassoPath")
def lasso_path(zone: Zone, lasso: Value) -> Value:
    """The lasso as an SVG path; its last point only closes it."""
    points = listed(lasso)
    last = to_number(property_of(lasso, "length")) - 1 if points else 0.0
    return "".join([_step(point, index, last, zone) for index, point in enumerate(points)])


def _step(point: Value, index: int, last: float, zone: Zone) -> str:
    if not isinstance(point, (list, str)):
        raise EvaluationError(f"{to_text(point, zone)} is not iterable")
    x, y = [to_text(value, zone) for value in [*point, UNDEFINED, UNDEFINED][:2]]
    if index == 0:
        return f"M {x},{y} "
    return " Z" if index == last else f"L {x},{y} "
