"""Random specifications that have a type, one typing rule of Fig. 6 at each step, with the type that the rule gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from sheliak.calculus.spec_typing import name_of_key
from sheliak.calculus.syntax import Agg, Avg, Builtin, Count, Cross, Data, Filter, Formula, Operator, Path, Spec, Sum, Transform
from sheliak.calculus.type_syntax import NUMBER, RecordType, Type
from soundness.choices import Choices
from soundness.expressions import Names, Scope, expression, path, wanted_type
from soundness.types_and_values import name, new_name, record_type

Kind: TypeAlias = Literal["filter", "agg", "cross", "formula"]
# Of twelve transforms; cross is the rarest, since it multiplies the work of all that follow.
KINDS: Final[tuple[Kind, ...]] = (
    *("filter", "filter", "filter", "agg", "agg", "agg", "agg", "cross"),
    *("formula", "formula", "formula", "formula"),
)
NOW: Final = Builtin("now", ())


@dataclass(frozen=True, slots=True)
class Bounds:
    """How large a case may get."""

    inputs: int = 2
    fields: int = 3
    numbers_of_datasets: tuple[int, ...] = (1, 1, 1, 1, 2, 2, 3)
    numbers_of_transforms: tuple[int, ...] = (0, 1, 1, 1, 1, 1, 1, 2, 2, 3)  # of a dataset; none makes it a second name
    kinds: tuple[Kind, ...] = KINDS
    crosses: int = 2  # on the way from an input to a dataset
    depth: int = 2  # of an expression
    changes: int = 7
    # Errata whose correction is not observed: E10 an impure builtin, E12 names given twice, E13 `datum` as a key, E14 datasets
    # defined twice, E18 updates that change the trace, E24 tuples that do not have the type of their input.
    as_printed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Typed:
    """A specification and the contexts Γ₀ ⊢ spec : Γ that it was built for."""

    inputs: Mapping[str, RecordType]
    spec: Spec
    types: Mapping[str, RecordType]
    crosses: int = field(compare=False)  # the most on the way to a dataset; streams are the shorter for it


def typed_spec(choices: Choices, bounds: Bounds) -> Typed:
    """Γ₀ and a specification over it, by T-spec."""
    inputs: dict[str, RecordType] = {}
    for _ in choices.turns((*[1] * 7, bounds.inputs)):
        inputs[new_name(choices, list(inputs))] = record_type(choices, bounds.fields)
    types, crosses = dict(inputs), dict.fromkeys(inputs, 0)
    spec: list[Data] = []
    for _ in choices.turns(bounds.numbers_of_datasets):
        source = choices.pick(list(types))
        output = name(choices) if "E14" in bounds.as_printed else new_name(choices, list(types))
        pipeline = Pipeline(choices, bounds, types[source], crosses[source])
        spec.append(Data(source, output, pipeline.transforms()))
        types[output], crosses[output] = pipeline.datum, pipeline.crosses
    return Typed(inputs, tuple(spec), types, max(crosses.values()))


class Pipeline:
    """T-dData: each transform over the type that the one before gives."""

    def __init__(self, choices: Choices, bounds: Bounds, datum: RecordType, crosses: int) -> None:
        self.choices = choices
        self.bounds = bounds
        self.datum = datum
        self.crosses = crosses

    def transforms(self) -> tuple[Transform, ...]:
        return tuple([self._transform() for _ in self.choices.turns(self.bounds.numbers_of_transforms)])

    def _transform(self) -> Transform:
        scope = Scope(self.datum)
        kind = self.choices.pick(self.bounds.kinds)
        if kind == "filter":
            return self._filter(scope)
        if kind == "agg":
            return self._agg(scope)
        if kind == "cross" and (self.crosses == 0 or (self.crosses < self.bounds.crosses and self.choices.below(10) == 9)):
            return self._cross()
        return self._formula(scope)

    def _filter(self, scope: Scope) -> Filter:
        """T-tFilter."""
        return Filter(expression(self.choices, scope, wanted_type(self.choices, scope), self.bounds.depth))

    def _formula(self, scope: Scope) -> Formula:
        """T-tFormula; the field may be one that is there."""
        T, f = wanted_type(self.choices, scope), name(self.choices)
        self.datum = self.datum.extended(f, T)
        if T is NUMBER and "E10" in self.bounds.as_printed:
            return Formula(NOW, f)
        return Formula(expression(self.choices, scope, T, self.bounds.depth), f)

    def _cross(self) -> Cross:
        """T-tCross."""
        a = name(self.choices)
        b = name(self.choices) if "E12" in self.bounds.as_printed else new_name(self.choices, (a,))
        self.crosses += 1
        self.datum = RecordType({a: self.datum, b: self.datum})
        return Cross(a, b)

    def _agg(self, scope: Scope) -> Agg:
        """T-tAgg; keys that would get the same name are passed over."""
        fields: dict[str, Type] = {}
        keys = self._keys(scope, fields)
        operators = [self._operator(scope, fields) for _ in self.choices.turns((0, 1, 1, 2, 3))]
        self.datum = RecordType(fields)
        return Agg(tuple(keys), tuple(operators))

    def _keys(self, scope: Scope, fields: dict[str, Type]) -> list[Path]:
        keys: list[Path] = []
        candidates: list[tuple[Names, Type]] = scope.paths_with_name()
        if "E13" in self.bounds.as_printed:
            return [path(self.choices.pick([(), *(names for names, _ in candidates)]))]
        for _ in self.choices.turns((0, 1, 1, 1, 2, 3) if candidates else (0,)):
            names, T = self.choices.pick(candidates)
            p = path(names)
            if name_of_key(p) not in fields or "E12" in self.bounds.as_printed:
                fields[name_of_key(p)] = T
                keys.append(p)
        return keys

    def _operator(self, scope: Scope, fields: dict[str, Type]) -> Operator:
        """T-opSum, T-opAvg, T-opCount."""
        f = name(self.choices) if "E12" in self.bounds.as_printed else new_name(self.choices, list(fields))
        fields[f] = NUMBER
        numbers = scope.primitives[NUMBER]
        if numbers and (kind := self.choices.below(3)) < 2:
            p = path(self.choices.pick(numbers))
            return Sum(p, f) if kind == 0 else Avg(p, f)
        return Count(f)
