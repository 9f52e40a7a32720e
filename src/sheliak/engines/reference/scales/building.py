"""From a scale's definition, its signals replaced by their values, to the scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, floor, isfinite, isnan, log, log2, log10

from sheliak.engines.protocol import Unavailable
from sheliak.engines.reference.scales.continuous import (
    LINEAR,
    Bending,
    ContinuousScale,
    Unknown,
    logarithmic,
    power,
    symmetric,
)
from sheliak.engines.reference.scales.discrete import BandScale, OrdinalScale, band_space, distinct
from sheliak.engines.reference.scales.discretizing import IdentityScale, SteppedScale
from sheliak.engines.reference.scales.domains import DomainData, distinct_of, extent_of, readings, values_of
from sheliak.engines.reference.scales.ticks import nice_between, nice_linear, power_of
from sheliak.engines.reference.scales.time_nice import nice_interval, nice_time
from sheliak.expressions.environment import Scale
from sheliak.expressions.intervals import INTERVALS
from sheliak.expressions.values import UNDEFINED, EvaluationError, Value, divided, less_than, to_boolean, to_number
from sheliak.expressions.zones import UTC, Zone
from sheliak.loading.rows import value_of_json

_DISCRETE = frozenset({"ordinal", "band", "point", "bin-ordinal"})
_LINEAR_LIKE = frozenset({"linear", "pow", "sqrt"})
_SYMBOLS = "circle square triangle-up cross diamond triangle-right triangle-down triangle-left"
_SCHEMES = frozenset({"category", "ordinal", "ramp", "heatmap", "diverging"})


@dataclass(frozen=True, slots=True)
class Definition:
    """A scale's definition without signals, and what it needs besides."""

    given: Mapping[str, object]
    ranges: Mapping[str, object]
    """The named ranges of the spec's config."""
    data: DomainData
    size: Callable[[str], Value]
    """The values of `width` and `height`."""
    zone: Zone

    @property
    def type(self) -> str:
        return str(self.given.get("type") or "linear")

    def number(self, name: str, default: float) -> float:
        value = self.given.get(name)
        return default if value is None else to_number(value_of_json(value))

    def flag(self, name: str) -> bool:
        return to_boolean(value_of_json(self.given.get(name)))


def build_scale(definition: Definition) -> Scale:
    """The scale; raises EvaluationError where Vega stops."""
    kind = definition.type
    domain = _domain(definition)
    if kind in ("band", "point"):
        return _band(definition, domain or [])
    if kind == "ordinal":
        outputs = _range(definition, len(domain or []))
        return OrdinalScale(distinct(domain or []), outputs, implicit=domain is None or definition.flag("domainImplicit"))
    if kind in ("quantize", "quantile", "threshold", "bin-ordinal"):
        return _stepped(definition, domain)
    if kind == "identity":
        return IdentityScale([to_number(value) for value in domain or [0.0, 1.0]])
    return _continuous(definition, domain)


# Domains


def _domain(definition: Definition) -> list[Value] | None:
    """The domain before zero, minimum, maximum and nice; None when there is none."""
    raw = definition.given.get("domainRaw")
    if to_boolean(value_of_json(raw)):
        return _as_list(value_of_json(raw))
    domain = definition.given.get("domain")
    if isinstance(domain, dict):
        return _domain_from_data(definition, domain)
    return None if not to_boolean(value_of_json(domain)) else _as_list(value_of_json(domain))


def _as_list(value: Value) -> list[Value]:
    if not isinstance(value, list):
        raise EvaluationError("domain.slice is not a function")
    return value


def _domain_from_data(definition: Definition, domain: Mapping[str, object]) -> list[Value]:
    sources = readings(dict(domain), definition.data)
    if definition.type in _DISCRETE:
        return distinct_of(sources, domain.get("sort"), definition.data)
    return values_of(sources) if definition.type == "quantile" else extent_of(sources)


def _adjusted(definition: Definition, domain: list[Value]) -> list[Value]:
    """The domain with zero, `domainMin`, `domainMax` and `domainMid` taken in."""
    if to_boolean(value_of_json(definition.given.get("domainRaw"))):
        return domain
    given = definition.given
    zero = definition.flag("zero") if "zero" in given else definition.type in _LINEAR_LIKE
    domain = list(domain)
    last = len(domain) - 1 or 1
    if zero and domain:
        domain[0] = 0.0 if less_than(0.0, domain[0]) else domain[0]
        if last < len(domain) and less_than(domain[last], 0.0):
            domain[last] = 0.0
    for name, index in (("domainMin", 0), ("domainMax", last)):
        if given.get(name) is not None:
            domain += [UNDEFINED] * (index + 1 - len(domain))
            domain[index] = value_of_json(given[name])
    if given.get("domainMid") is not None:
        middle = value_of_json(given["domainMid"])
        low, high = (domain[index] if index < len(domain) else UNDEFINED for index in (0, last))
        domain.insert(last + 1 if less_than(high, middle) else 0 if less_than(middle, low) else last, middle)
    return domain


# Continuous scales


def _continuous(definition: Definition, domain: list[Value] | None) -> Scale:
    kind = definition.type.removeprefix("sequential-").removeprefix("diverging-")
    temporal = kind in ("time", "utc")
    default: list[Value] = [946684800000.0, 946771200000.0] if temporal else [1.0, 10.0] if kind == "log" else [0.0, 1.0]
    outputs = _range(definition, 0)
    numbers = [to_number(value) for value in (default if domain is None else _adjusted(definition, domain))]
    if not temporal and domain is not None and len(numbers) in (2, 3) and outputs and all(isinstance(v, str) for v in outputs):
        outputs = Unknown("colours are mixed by the renderer")
    bending = _bending(definition, kind, numbers)
    numbers = _padded(definition, bending, numbers, outputs)
    if domain is not None and not to_boolean(value_of_json(definition.given.get("domainRaw"))):
        numbers = _nice(definition, kind, numbers)
    return ContinuousScale(
        _bending(definition, kind, numbers),
        tuple(numbers),
        outputs,
        clamp=definition.flag("clamp"),
        rounded=definition.flag("round"),
        temporal=temporal,
    )


def _bending(definition: Definition, kind: str, domain: list[float]) -> Bending:
    match kind:
        case "log":
            return logarithmic(negative=bool(domain) and domain[0] < 0)
        case "sqrt":
            return power(0.5)
        case "pow":
            return power(definition.number("exponent", 1.0))
        case "symlog":
            return symmetric(definition.number("constant", 1.0))
        case _:
            return LINEAR


def _padded(definition: Definition, bending: Bending, domain: list[float], outputs: list[Value]) -> list[float]:
    """`padding`: the domain is widened by so many pixels at either end."""
    padding = definition.number("padding", 0.0)
    if not padding or not domain or domain[0] == domain[-1] or definition.type.startswith("sequential"):
        return domain
    if isinstance(outputs, Unknown) or not outputs:
        raise Unavailable("the range of the scale is known to the renderer only")
    span = abs(to_number(outputs[-1]) - to_number(outputs[0]))
    share = span / (span - 2 * padding)
    low, high = bending.forward(domain[0]), bending.forward(domain[-1])
    middle = (low + high) / 2
    ends = [bending.backward(middle + (end - middle) * share) for end in (low, high)]
    return [ends[0], *domain[1:-1], ends[1]]


def _nice(definition: Definition, kind: str, domain: list[float]) -> list[float]:
    nice = definition.given.get("nice")
    if not to_boolean(value_of_json(nice)) or not domain:
        return domain
    if kind in ("time", "utc"):
        return _nice_time(nice, domain, definition.zone if kind == "time" else UTC)
    if kind == "log":
        return _nice_log(domain, definition.number("base", 10.0))
    if isinstance(nice, (str, dict)):
        raise EvaluationError("Only time and utc scales accept interval strings.")
    count = 10.0 if nice is True else to_number(value_of_json(nice))
    return nice_linear(domain, count or 10.0) if not any(map(isnan, domain)) else domain


def _nice_time(nice: object, domain: list[float], zone: Zone) -> list[float]:
    name = nice.get("interval") if isinstance(nice, dict) else nice
    step = nice.get("step") if isinstance(nice, dict) else None
    if isinstance(name, str) and name in INTERVALS:
        if step:
            raise Unavailable("multiples of an interval are left to the renderer")
        return nice_interval(domain, INTERVALS[name], zone)
    count = 10.0 if isinstance(nice, (bool, str, dict)) else to_number(value_of_json(nice))
    return nice_time(domain, count or 10.0, zone)


def _nice_log(domain: list[float], base: float) -> list[float]:
    sign = -1.0 if domain[0] < 0 else 1.0

    def exponent(value: float) -> float:
        value = sign * value
        if value <= 0 or not isfinite(value):
            return float("nan")
        if base <= 0:
            return float("nan")
        return log10(value) if base == 10 else log2(value) if base == 2 else divided(log(value), log(base))

    def rounded(value: float, up: bool) -> float:
        found = exponent(value)
        if not isfinite(found):
            return value
        whole = ceil(found) if up == (sign > 0) else floor(found)
        return sign * power_of(base, whole)

    return nice_between(domain, lambda value: rounded(value, up=False), lambda value: rounded(value, up=True))


# Ranges


def _range(definition: Definition, count: int) -> list[Value]:
    """The range as a list; Unknown where a colour scheme gives it."""
    found = _named_range(definition, definition.given.get("range"))
    if isinstance(found, dict) and found.get("step") is not None:
        return _stepped_range(definition, to_number(value_of_json(found["step"])), count)
    if isinstance(found, dict) and definition.type in _DISCRETE and found.get("scheme") is None:
        return _domain_from_data(definition, found)
    if isinstance(found, dict) and found.get("scheme") is None:
        raise EvaluationError("Unsupported range type")
    if isinstance(found, dict):
        return Unknown("colour schemes belong to the renderer")
    values = value_of_json(found)
    if values is None or values is UNDEFINED:
        return [0.0, 1.0] if definition.type not in _DISCRETE else []
    if not isinstance(values, list):
        raise EvaluationError("range is not an array")
    return values[::-1] if definition.flag("reverse") else values


def _named_range(definition: Definition, found: object) -> object:
    """What a name stands for: a range of the config, the size of the chart, or one of Vega's own."""
    if not isinstance(found, str):
        return found
    if found in definition.ranges:
        return _named_range(definition, definition.ranges[found])
    if found == "width":
        return [0.0, definition.size("width")]
    if found == "height":
        height = definition.size("height")
        return [0.0, height] if definition.type in _DISCRETE else [height, 0.0]
    if found == "symbol":
        return _SYMBOLS.split()
    if found in _SCHEMES:
        return {"scheme": found}
    raise EvaluationError(f'Unrecognized scale range value: "{found}"')


def _stepped_range(definition: Definition, step: float, count: int) -> list[Value]:
    padding = definition.number("padding", 0.0)
    inner = 1.0 if definition.type == "point" else definition.number("paddingInner", padding)
    return [0.0, step * band_space(count, inner, definition.number("paddingOuter", padding))]


def _band(definition: Definition, domain: list[Value]) -> Scale:
    values = distinct(domain)
    outputs = _range(definition, len(values))
    if isinstance(outputs, Unknown):
        raise Unavailable(outputs.reason)
    ends = [to_number(value) for value in (outputs or [0.0, 1.0])[:2]]
    scale = BandScale(values, (ends[0], ends[-1]), rounded=definition.flag("round"))
    if definition.type == "point":
        scale.inner = 1.0
    # The properties are set in the order in which they are written: `padding` sets both paddings.
    for name in definition.given:
        amount = max(0.0, min(1.0, definition.number(name, 0.0))) if name in _BAND_PROPERTIES else 0.0
        if name == "align":
            scale.align = amount
        if name in ("padding", "paddingOuter"):
            scale.outer = amount
        if definition.type == "band" and name in ("padding", "paddingInner"):
            scale.inner = amount
    return scale


_BAND_PROPERTIES = frozenset({"align", "padding", "paddingInner", "paddingOuter"})


# Scales in steps


def _bins(bins: Value) -> list[Value] | None:
    """The ends of bins: a list of them, or `{start, stop, step}` (of a scale without domain, whose numbers go from 0 to 1)."""
    if not isinstance(bins, dict):
        return bins if isinstance(bins, list) else None
    step = to_number(bins.get("step", UNDEFINED))
    if not step or isnan(step):
        raise EvaluationError("Scale bins parameter missing step property.")
    start, stop = (to_number(bins.get(name, UNDEFINED)) for name in ("start", "stop"))
    count = (stop + step / 2 - start) / step
    if count > _MOST_BINS:
        raise EvaluationError(f"more than {_MOST_BINS} bins of a scale are not made")
    return [start + step * index for index in range(max(0, ceil(count)))] if isfinite(count) else []


_MOST_BINS = 1_000_000


def _stepped(definition: Definition, domain: list[Value] | None) -> Scale:
    kind = definition.type
    if kind == "bin-ordinal" and domain is None:
        domain = _bins(value_of_json(definition.given.get("bins")))
    numbers = [to_number(value) for value in _adjusted(definition, domain if domain is not None else [0.0, 1.0])]
    outputs = _range(definition, len(numbers))
    match kind:
        case "quantile":
            # Quantiles are of numbers: what is missing does not count.
            kept = zip(domain or [], numbers, strict=False)
            found = sorted(number for value, number in kept if value is not None and not isnan(number))
            return SteppedScale("quantile", found, outputs)
        case "quantize":
            return SteppedScale("quantize", _nice(definition, "linear", numbers), outputs)
        case "threshold":
            return SteppedScale("threshold", numbers, outputs)
        case _:
            return SteppedScale("bin-ordinal", numbers, outputs)
