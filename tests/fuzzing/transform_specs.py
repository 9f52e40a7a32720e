"""Random pipelines of transforms over random rows: gaps, NaN, mixed kinds, dates, odd names, parameters of every kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Object: TypeAlias = dict[str, Json]
from fuzzing.transform_expressions import SIGNALS, quoted, random_expression
from fuzzing.transform_words import MARKS, NAMES, OPERATIONS, SECOND, UNITS, WORDS, YEAR
from sheliak.transforms._operations import WINDOW_ONLY


class Specs:
    """A source of random specs."""

    def __init__(self, seed: int, only: str | None = None, words: Sequence[str] = NAMES, types: Sequence[str] = ()) -> None:
        self.random = Random(seed)
        self.only = only
        self.words = [*words]
        """The names of fields; the same seed with other names gives the same spec but for its names."""
        self.types = types or TYPES
        self.marks = [*MARKS]
        self.names: list[str] = []
        self.kinds: dict[str, str] = {}
        self.signals = 0

    # Choices

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, choices: list[Json]) -> Json:
        return self.random.choice(choices)

    def some(self, make: Callable[[], Json], least: int, most: int) -> list[Json]:
        return [make() for _ in range(self.random.randint(least, most))]

    def number(self) -> Json:
        kinds: list[Callable[[], Json]] = [
            lambda: self.random.randint(-3, 6),
            lambda: self.random.randint(0, 3),
            lambda: round(self.random.uniform(-50, 50), self.random.randint(0, 3)),
            lambda: self.random.uniform(-1, 1) * 10 ** self.random.randint(-8, 12),
        ]
        return self.random.choice(kinds)()

    def instant(self) -> Json:
        """Milliseconds: often whole days of a few years, sometimes far away."""
        if self.chance(0.1):
            return self.random.randint(-80 * YEAR, 200 * YEAR)
        day = self.random.randint(15_000, 19_800) * 86_400 * SECOND
        return day + (self.random.randint(0, 86_400 * SECOND) if self.chance(0.5) else 0)

    # Rows

    def value(self, kind: str) -> Json:
        if kind == "mixed":
            kind = self.random.choice(["number", "word", "digits", "flag", "null", "list", "object"])
        match kind:
            case "number":
                return self.number()
            case "few":
                return self.random.randint(1, 3)
            case "small":
                return round(self.random.uniform(-20, 20), 1)
            case "word":
                return self.random.choice(WORDS)
            case "digits":
                return str(self.number())
            case "date" | "time":
                return self.instant()
            case "flag":
                return self.chance(0.5)
            case "list":
                return self.some(lambda: self.value(self.random.choice(["number", "word", "null"])), 0, 4)
            case "object":
                return {"p": self.number(), "q": self.value("word")}
            case _:
                return None

    def rows(self, kinds: dict[str, str], most: int = 90) -> list[Json]:
        gaps = self.random.choice([0.0, 0.0, 0.15, 0.4])
        rows: list[Json] = []
        for _ in range(min(most, self.random.choice([0, 1, 2, 3, 5, 8, 12, 12, 20, 40, 90]))):
            row: Object = {}
            for name, kind in kinds.items():
                if not self.chance(gaps):
                    row[name] = self.value(kind)
                elif self.chance(0.6):
                    row[name] = self.random.choice([None, None, "", "?NaN", self.random.choice(self.marks)])
            rows.append(row)
        return rows

    def dataset(self, name: str, kinds: dict[str, str], most: int = 90) -> Object:
        """Rows, and formulas that make of them what JSON cannot hold."""
        rows = self.rows(kinds, most)
        steps: list[Json] = []
        for field, kind in kinds.items():
            read = f"datum[{quoted(field)}]"
            made = f"isNumber({read}) ? datetime({read}) : {read}" if kind == "date" else read
            for mark, meaning in MARKS.items():
                if any(isinstance(row, dict) and row.get(field) == mark for row in rows):
                    made = f"{read} === '{mark}' ? {meaning} : {made}"
            if made != read:
                steps.append({"type": "formula", "as": field, "expr": made})
        return {"name": name, "values": rows, "transform": steps}

    # Fields

    def path(self, name: str) -> str:
        """A name as a field parameter must write it."""
        return "".join("\\" + c if c in ".[]'\"\\" else c for c in name)

    def name(self) -> str:
        return self.random.choice(self.names) if self.chance(0.93) else self.random.choice([*self.words, "gone"])

    def field(self) -> Json:
        roll = self.random.random()
        if roll < 0.86:
            return self.path(self.name())
        if roll < 0.92:
            return {"field": self.path(self.name()), "as": self.random.choice([*self.words, "new"])}
        if roll < 0.96:
            return {"expr": self.expression()}
        return f"{self.path(self.name())}.{self.random.choice(['p', 'q', 'length'])}" if self.chance(0.5) else "o.p"

    def field_of(self, *kinds: str, certainly: bool = False) -> Json:
        """Mostly a field of one of the kinds, if there is one."""
        fitting = [name for name, kind in self.kinds.items() if kind in kinds]
        return self.path(self.random.choice(fitting)) if fitting and (certainly or self.chance(0.7)) else self.field()

    def measure(self) -> Json:
        return self.field_of("number", "small", "few", "digits")

    def expression(self) -> str:
        return random_expression(self.random, self.name(), self.name(), self.kinds)

    def fields(self, least: int, most: int) -> list[Json]:
        return self.some(self.field, least, most)

    def sort(self) -> Json:
        count = self.random.randint(1, 2)
        fields: list[Json] = [self.path(self.name()) for _ in range(count)]
        orders = self.some(lambda: self.random.choice(["ascending", "descending"]), 0, count)
        return {"field": fields, "order": orders} if count > 1 or self.chance(0.5) else {"field": fields[0], **_first(orders)}

    def outputs(self, count: int) -> Object:
        if self.chance(0.4):
            return {}
        made: list[Json] = [self.random.choice([*self.words, "u", "v", "w"]) for _ in range(count)]
        self.names += [name for name in made if isinstance(name, str)]
        return {"as": made}

    def grouped(self, share: float = 0.6) -> Object:
        return {"groupby": self.fields(0, 2)} if self.chance(share) else {}

    def optional(self, **parameters: Callable[[], Json]) -> Object:
        return {name: make() for name, make in parameters.items() if self.chance(0.35)}

    def measures(self, operations: list[str], count: int) -> Object:
        ops = [self.random.choice(operations) for _ in range(count)]
        fields: list[Json] = [self.measure() for _ in ops]
        names: list[Json] = [self.random.choice([None, f"m{index}", f"m{index}", self.name()]) for index in range(count)]
        self.names += [f"m{index}" for index in range(count)]
        chosen: list[Json] = [*ops]
        return {"ops": chosen, "fields": fields, **({"as": names} if self.chance(0.8) else {})}

    # Transforms

    def transform(self, *, first: bool) -> Object:
        """Pairs are made of the first rows only: there would be too many of them otherwise."""
        kind = self.only if self.only is not None and self.chance(0.6) else self.random.choice(self.types)
        if kind == "cross" and not first:
            kind = "collect"
        return {"type": kind, **_TRANSFORMS[kind](self)}

    def spec(self) -> Object:
        """A dataset `t`, another `other` to look up in, and pipelines over them."""
        names = self.random.sample(self.words, self.random.randint(2, 5))
        kinds = {
            name: self.random.choice(
                ["number", "number", "small", "few", "few", "word", "digits", "mixed", "date", "time", "flag", "list"]
            )
            for name in names
        }
        if self.chance(0.3):
            kinds["o"] = "object"
        self.names = [*kinds]
        self.kinds = kinds
        self.signals = 0
        pipeline: list[Object] = []
        for index in range(self.random.choice([1, 1, 1, 2, 2, 3, 4])):
            pipeline.append(self.transform(first=index == 0))
            if pipeline[-1]["type"] in _CURVES:
                break  # groups of computed coordinates hang on their last bits, in which engines differ
        # A running mean is NaN behind an infinite number; on Spark it is the sum by the count (decision 0001).
        means = any(op in str(pipeline) for op in ("'mean'", "'average'"))
        self.marks = [mark for mark in MARKS if not means or "Infinity" not in mark]
        most = 12 if any(step["type"] == "cross" for step in pipeline) else 90
        first = self.dataset("t", kinds, most)
        others = [self.dataset("other", {"id": "mixed", "n": "number"})] if "other" in str(pipeline) else []
        data: list[Json] = [*others, first]
        steps = first["transform"]
        assert isinstance(steps, list)
        if self.chance(0.3):
            data.append({"name": "u", "source": "t", "transform": [*pipeline]})
        else:
            steps.extend(pipeline)
        if self.chance(0.06):
            data.append({"name": "both", "source": ["t", data[-1]["name"]], "transform": [self.transform(first=False)]})  # type: ignore[call-overload, index, list-item]
        return {**self.named_signals(str(data)), "data": data}

    def named_signals(self, text: str) -> Object:
        """The signals that a spec names, with any of their values."""
        named: list[Json] = [
            {"name": name, "value": self.random.choice(values)}  # type: ignore[dict-item]
            for name, values in SIGNALS
            if f" {name}" in text
        ]
        return {"signals": named} if named else {}


def _first(orders: list[Json]) -> Object:
    return {"order": orders[0]} if orders else {}


def _aggregate(specs: Specs) -> Object:
    count = specs.random.randint(0, 5)
    measures = specs.measures(OPERATIONS, count) if count else specs.optional(fields=lambda: [None], ops=lambda: ["count"])
    grouped = specs.grouped()
    extra = specs.optional(cross=lambda: specs.chance(0.5), drop=lambda: specs.chance(0.5))
    rates = {"aggregate_params": [specs.random.choice([0.5, 0.9, None, 0]) for _ in range(count)]} if specs.chance(0.3) else {}
    key: Object = {"key": specs.path(specs.name())} if specs.chance(0.08) else {}
    return {**grouped, **measures, **extra, **rates, **key}


def _joinaggregate(specs: Specs) -> Object:
    return {**specs.grouped(), **specs.measures(OPERATIONS, specs.random.randint(1, 4))}


def _extent(specs: Specs) -> Object:
    specs.signals += 1
    return {"field": specs.field(), "signal": f"e{specs.signals}"}


def _bin(specs: Specs) -> Object:
    low = specs.random.uniform(-60, 20)
    high = low + specs.random.choice([0, 1, 10, 37.5, 1000, -5])
    extent: Json = [round(low, 2), round(high, 2)]
    if specs.signals and specs.chance(0.8):
        extent = {"signal": f"e{specs.signals}"}
    return {
        "field": specs.field(),
        "extent": extent,
        **specs.optional(
            interval=lambda: specs.chance(0.5),
            anchor=lambda: specs.random.uniform(-3, 3),
            maxbins=lambda: specs.random.choice([1, 2, 5, 7, 20, 100]),
            base=lambda: specs.random.choice([2, 10, 3]),
            divide=lambda: specs.random.choice([[2], [5, 2], [3], []]),
            span=lambda: specs.random.choice([0, 5, 100]),
            step=lambda: specs.random.choice([0, 0.1, 3, 7.5]),
            steps=lambda: specs.random.choice([[1, 2, 5, 10], [0.5], [100, 1]]),
            minstep=lambda: specs.random.choice([0, 0.5, 2]),
            nice=lambda: specs.random.choice([True, False, None]),
        ),
        **specs.outputs(2),
    }


def _curve(specs: Specs) -> Object:
    return specs.optional(
        extent=lambda: [specs.random.randint(-10, 0), specs.random.randint(1, 10)],
        steps=lambda: specs.random.choice([1, 2, 5, 10, 0]),
        minsteps=lambda: specs.random.choice([2, 5, 25]),
        maxsteps=lambda: specs.random.choice([5, 30, 100]),
    )


def _kde(specs: Specs) -> Object:
    return {
        "field": specs.measure(),
        **specs.grouped(0.5),
        **_curve(specs),
        **specs.optional(
            cumulative=lambda: specs.chance(0.5),
            counts=lambda: specs.chance(0.5),
            bandwidth=lambda: specs.random.choice([0, 0.5, 3]),
            resolve=lambda: specs.random.choice(["shared", "independent", "Shared"]),
        ),
        **specs.outputs(2),
    }


def _simple_distribution(specs: Specs) -> Object:
    kind = specs.random.choice(["normal", "lognormal", "uniform", "kde"])
    if kind == "kde":
        source: Object = {"from": "other"} if specs.chance(0.4) else {}
        field: Json = "n" if source else specs.measure()
        return {"function": kind, "field": field, **source, **specs.optional(bandwidth=lambda: specs.random.choice([0, 1, 2.5]))}
    names = ("min", "max") if kind == "uniform" else ("mean", "stdev")
    return {"function": kind, **{name: specs.random.choice([0, 0.5, 1, 2, -1]) for name in names if specs.chance(0.6)}}


def _density(specs: Specs) -> Object:
    distribution = _simple_distribution(specs)
    if specs.chance(0.25):
        parts: list[Json] = [_simple_distribution(specs) for _ in range(specs.random.randint(1, 3))]
        distribution = {"function": "mixture", "distributions": parts, **specs.optional(weights=lambda: [1, 2.5])}
    extent: Object = {"extent": [specs.random.randint(-5, 0), specs.random.randint(1, 6)]} if specs.chance(0.8) else {}
    return {
        "distribution": distribution,
        **_curve(specs),
        **extent,
        **specs.optional(method=lambda: specs.random.choice(["pdf", "cdf"])),
        **specs.outputs(2),
    }


def _impute(specs: Specs) -> Object:
    return {
        "field": specs.field(),
        "key": specs.field(),
        **specs.grouped(),
        **specs.optional(
            keyvals=lambda: specs.some(lambda: specs.value(specs.random.choice(["few", "word"])), 0, 4),
            method=lambda: specs.random.choice(["value", "mean", "median", "max", "min"]),
            value=lambda: specs.random.choice([None, 5, "none", False]),
        ),
    }


def _lookup(specs: Specs) -> Object:
    fields = specs.fields(1, 2)
    values: Object = {"values": specs.random.choice([["n"], ["n", "id"], ["gone"]])} if specs.chance(0.7) else {}
    wanted = len(fields) * (len(values["values"]) if isinstance(values.get("values"), list) else 1)  # type: ignore[arg-type]
    names: list[Json] = [f"l{index}" for index in range(wanted)]
    into: Object = {"as": names} if not values or len(fields) > 1 or specs.chance(0.5) else {}
    default: Object = specs.optional(default=lambda: specs.random.choice([0, None, "?", False]))
    return {"from": "other", "key": specs.random.choice(["id", "n"]), "fields": fields, **values, **into, **default}


def _regression(specs: Specs) -> Object:
    """Polynomials run over numbers of one size and of many values: otherwise they hang on the last bit of a power, in which engines differ."""
    certain = "small" in specs.kinds.values()
    methods = ["constant", "linear", "log", "exp", "pow", "quad", *(["poly"] if certain else [])]
    return {
        "x": specs.field_of("small" if certain else "few", certainly=True),
        "y": specs.field_of("small", "few", certainly=True),
        **specs.grouped(0.4),
        **specs.optional(
            method=lambda: specs.random.choice(methods),
            order=lambda: specs.random.choice([0, 1, 2, 3]),
            extent=lambda: [specs.random.randint(-2, 2), specs.random.randint(3, 10)],
            params=lambda: specs.chance(0.5),
        ),
        **specs.outputs(2),
    }


def _timeunit(specs: Specs) -> Object:
    units: Object = {"units": [*specs.random.choice(UNITS)]} if specs.chance(0.75) else {}
    return {
        "field": specs.field_of("date", "time"),
        **units,
        **specs.optional(
            interval=lambda: specs.chance(0.5),
            step=lambda: specs.random.choice([1, 2, 3, 5, 10]),
            maxbins=lambda: specs.random.choice([3, 10, 100]),
            extent=lambda: [specs.instant(), specs.instant()],
            timezone=lambda: specs.random.choice(["utc", "local", "UTC"]),
        ),
        **({"inferUnits": True} if specs.chance(0.1) else {}),
        **specs.outputs(2),
    }


def _window(specs: Specs) -> Object:
    measures = specs.measures([*OPERATIONS, *WINDOW_ONLY, *WINDOW_ONLY], specs.random.randint(1, 4))
    numbers: list[Json] = [specs.random.choice([1, 2, 3, 1, None, 0]) for _ in range(4)]
    bounds: list[Json] = [None, 0, -1, -2, 1, 2]
    return {
        **measures,
        **({"sort": specs.sort()} if specs.chance(0.7) else {}),
        **specs.grouped(),
        **({"params": numbers} if specs.chance(0.8) else {}),
        **({"frame": [specs.pick(bounds), specs.pick(bounds)]} if specs.chance(0.5) else {}),
        **specs.optional(ignorePeers=lambda: specs.chance(0.5), aggregate_params=lambda: [0.5, 0.9]),
    }


def _formula(specs: Specs) -> Object:
    name = specs.random.choice([*specs.words, "f"])
    text = specs.expression()
    specs.names.append(name)
    return {"expr": text, "as": name}


_TRANSFORMS: dict[str, Callable[[Specs], Object]] = {
    "aggregate": _aggregate,
    "bin": _bin,
    "collect": lambda specs: {"sort": specs.sort()} if specs.chance(0.9) else {},
    "countpattern": lambda specs: {
        "field": specs.field_of("word", "digits"),
        **specs.optional(
            case=lambda: specs.random.choice(["upper", "lower", "mixed", "Upper"]),
            pattern=lambda: specs.random.choice(["[a-z]+", "\\d", "\\w+", ".", "x|1", ""]),
            stopwords=lambda: specs.random.choice(["(x|y)", "1.*", "U", ""]),
        ),
        **specs.outputs(2),
    },
    "cross": lambda specs: {
        **specs.outputs(2),
        **specs.optional(filter=lambda: specs.random.choice(["datum.a", "datum.b !== datum.a", "0"])),
    },
    "density": _density,
    "dotbin": lambda specs: {
        "field": specs.measure(),
        **specs.grouped(0.4),
        **specs.optional(step=lambda: specs.random.choice([0, 0.5, 2, 10]), smooth=lambda: specs.chance(0.6)),
        **specs.optional(**{"as": lambda: "dots"}),
    },
    "extent": _extent,
    "filter": lambda specs: {"expr": specs.expression()},
    "flatten": lambda specs: {
        "fields": specs.some(lambda: specs.field_of("list", "word"), 1, 2),
        **specs.optional(index=lambda: "nr"),
        **specs.outputs(specs.random.randint(0, 2)),
    },
    "fold": lambda specs: {"fields": specs.fields(0, 3), **specs.outputs(2)},
    "formula": _formula,
    "identifier": lambda specs: {"as": specs.random.choice(["id", specs.name()])},
    "impute": _impute,
    "joinaggregate": _joinaggregate,
    "kde": _kde,
    "loess": lambda specs: {
        "x": specs.measure(),
        "y": specs.measure(),
        **specs.grouped(0.4),
        **specs.optional(bandwidth=lambda: specs.random.choice([0, 0.3, 0.7, 1, 1.5])),
        **specs.outputs(2),
    },
    "lookup": _lookup,
    "pivot": lambda specs: {
        "field": specs.field(),
        "value": specs.field(),
        **specs.grouped(),
        **specs.optional(op=lambda: specs.random.choice(OPERATIONS), limit=lambda: specs.random.choice([0, 1, 2, 5])),
    },
    "project": lambda specs: {
        **({"fields": specs.fields(0, 3)} if specs.chance(0.9) else {}),
        **specs.outputs(specs.random.randint(0, 3)),
    },
    "quantile": lambda specs: {
        "field": specs.field(),
        **specs.grouped(0.5),
        **specs.optional(probs=lambda: [0.5, 0, 1, 0.333], step=lambda: specs.random.choice([0.1, 0.25, 0.3, 0])),
        **specs.outputs(2),
    },
    "regression": _regression,
    "sample": lambda specs: {"size": specs.random.choice([0, 1, 3, 10, 100])} if specs.chance(0.9) else {},
    "sequence": lambda specs: {
        "start": specs.random.choice([0, -3, 0.5, 10]),
        "stop": specs.random.choice([0, 4, 7.3]),
        **specs.optional(step=lambda: specs.random.choice([0, 1, 0.7, -2])),
        **specs.optional(**{"as": lambda: specs.random.choice(["s", specs.name()])}),
    },
    "stack": lambda specs: {
        **specs.optional(offset=lambda: specs.random.choice(["zero", "center", "normalize", "Zero"])),
        **({"field": specs.field()} if specs.chance(0.9) else {}),
        **specs.grouped(),
        **({"sort": specs.sort()} if specs.chance(0.6) else {}),
        **specs.outputs(2),
    },
    "timeunit": _timeunit,
    "window": _window,
}
TYPES = tuple(sorted(_TRANSFORMS))
_CURVES = ("density", "kde", "loess", "regression")
