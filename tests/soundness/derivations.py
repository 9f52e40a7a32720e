"""Fig. 5 and 6 read as relations: every rule is tried on every judgement, and all derivations are listed.

`type_of_expression` takes the first rule that fits. The uniqueness lemma says that no other would; here it is put to the test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from sheliak.calculus.builtin_functions import BUILTINS
from sheliak.calculus.spec_typing import name_of_key
from sheliak.calculus.syntax import (
    Agg,
    Arith,
    Arr,
    Avg,
    Bool,
    Builtin,
    Count,
    Cross,
    Datum,
    Expr,
    Field,
    Filter,
    Formula,
    Num,
    Obj,
    Operator,
    Spec,
    Str,
    Sum,
    Transform,
)
from sheliak.calculus.type_syntax import BOOLEAN, NUMBER, STRING, ArrayType, EmptyArrayType, Primitive, RecordType, Type


class Derivation(NamedTuple):
    rule: str
    conclusion: Type
    premises: tuple[Derivation, ...] = ()


Found: TypeAlias = Iterator[Derivation]
ExpressionRule: TypeAlias = Callable[[Type, Expr], Found]


class Rules:
    """The rules of Fig. 5 and 6.

    Errata E6 and E12 can be undone: with `empty_arrays` [] has each of these array types instead of the type of its own, and
    without `distinct` a record may be given a field twice, and then has either type.
    """

    def __init__(self, empty_arrays: Sequence[Type] | None = None, distinct: bool = True) -> None:
        self.empty_arrays = empty_arrays
        self.distinct = distinct

    # Fig. 5

    def expression(self, T: Type, e: Expr) -> list[Derivation]:
        """All derivations of T ⊢ e : T', for any T'."""
        rules: tuple[ExpressionRule, ...] = (
            *(self._literal, self._datum, self._field, self._arith_num, self._add_str_l, self._add_str_r),
            *(self._arr, self._obj, self.builtin),
        )
        return [derivation for rule in rules for derivation in rule(T, e)]

    def _literal(self, T: Type, e: Expr) -> Found:
        if isinstance(e, Bool):
            yield Derivation("T-eBool", BOOLEAN)
        if isinstance(e, Num):
            yield Derivation("T-eNum", NUMBER)
        if isinstance(e, Str):
            yield Derivation("T-eStr", STRING)

    def _datum(self, T: Type, e: Expr) -> Found:
        if isinstance(e, Datum):
            yield Derivation("T-eDatum", T)

    def _field(self, T: Type, e: Expr) -> Found:
        if isinstance(e, Field):
            for premise in self.expression(T, e.path):
                if isinstance(premise.conclusion, RecordType) and e.name in premise.conclusion.fields:
                    yield Derivation("T-eField", premise.conclusion.fields[e.name], (premise,))

    def _operands(self, T: Type, e: Expr) -> Iterator[tuple[Derivation, Derivation]]:
        if isinstance(e, Arith):
            yield from product(self.expression(T, e.left), self.expression(T, e.right))

    def _arith_num(self, T: Type, e: Expr) -> Found:
        for e1, e2 in self._operands(T, e):
            if e1.conclusion is NUMBER and e2.conclusion is NUMBER:
                yield Derivation("T-eArithNum", NUMBER, (e1, e2))

    def _add_str_l(self, T: Type, e: Expr) -> Found:
        for e1, e2 in self._operands(T, e):
            if isinstance(e, Arith) and e.operator == "+" and e1.conclusion is STRING and isinstance(e2.conclusion, Primitive):
                yield Derivation("T-eAddStrL", STRING, (e1, e2))

    def _add_str_r(self, T: Type, e: Expr) -> Found:
        for e1, e2 in self._operands(T, e):
            if isinstance(e, Arith) and e.operator == "+" and e1.conclusion in (NUMBER, BOOLEAN) and e2.conclusion is STRING:
                yield Derivation("T-eAddStrR", STRING, (e1, e2))

    def _arr(self, T: Type, e: Expr) -> Found:
        if isinstance(e, Arr) and e.items:
            for premises in product(*(self.expression(T, item) for item in e.items)):
                if all(premise.conclusion == premises[0].conclusion for premise in premises):
                    yield Derivation("T-eArr", ArrayType(premises[0].conclusion), premises)
        elif isinstance(e, Arr) and self.empty_arrays is None:
            yield Derivation("T-eArr", EmptyArrayType())
        elif isinstance(e, Arr):
            yield from (Derivation("T-eArr", ArrayType(element)) for element in self.empty_arrays or ())

    def _obj(self, T: Type, e: Expr) -> Found:
        if isinstance(e, Obj):
            yield from self._record("T-eObj", [f for f, _ in e.fields], [self.expression(T, value) for _, value in e.fields])

    def builtin(self, T: Type, e: Expr) -> Found:
        if isinstance(e, Builtin) and e.name in BUILTINS:
            signature = BUILTINS[e.name]
            for premises in product(*(self.expression(T, argument) for argument in e.arguments)):
                if tuple(premise.conclusion for premise in premises) == signature.arguments:
                    yield Derivation("T-eBuiltin", signature.result, premises)

    def _record(self, rule: str, names: Sequence[str], parts: Sequence[list[Derivation]]) -> Found:
        """The records that the parts can make."""
        if self.distinct and len(set(names)) < len(names):
            return
        for premises in product(*parts):
            fields = list(zip(names, premises, strict=True))
            for chosen in product(*([(f, d.conclusion) for g, d in fields if g == f] for f in dict.fromkeys(names))):
                yield Derivation(rule, RecordType(dict(chosen)), premises)

    # Fig. 6

    def operator(self, T: Type, op: Operator) -> Found:
        match op:
            case Sum(p) | Avg(p):
                rule = "T-opSum" if isinstance(op, Sum) else "T-opAvg"
                yield from (Derivation(rule, NUMBER, (d,)) for d in self.expression(T, p) if d.conclusion is NUMBER)
            case Count():
                yield Derivation("T-opCount", NUMBER)

    def transform(self, T: Type, t: Transform) -> Found:
        """All derivations of T ⊢ t : T', for any T'."""
        match t:
            case Filter(e):
                yield from (Derivation("T-tFilter", T, (d,)) for d in self.expression(T, e))
            case Formula(e, f) if isinstance(T, RecordType):
                yield from (Derivation("T-tFormula", T.extended(f, d.conclusion), (d,)) for d in self.expression(T, e))
            case Cross(a, b):
                yield from self._record("T-tCross", (a, b), [[Derivation("T-eDatum", T)]] * 2)
            case Agg(keys, operators) if not any(isinstance(p, Datum) for p in keys):
                names = [name_of_key(p) for p in keys] + [op.output for op in operators]
                parts = [self.expression(T, p) for p in keys] + [list(self.operator(T, op)) for op in operators]
                yield from self._record("T-tAgg", names, parts)

    def pipeline(self, T: Type, transforms: Sequence[Transform]) -> list[tuple[Derivation, ...]]:
        """All chains T ⊢ t₁ : T₁, T₁ ⊢ t₂ : T₂, …"""
        chains: list[tuple[Type, tuple[Derivation, ...]]] = [(T, ())]
        for t in transforms:
            chains = [(d.conclusion, (*chain, d)) for T_i, chain in chains for d in self.transform(T_i, t)]
        return [chain for _, chain in chains]

    def spec(self, types: Mapping[str, Type], spec: Spec) -> Iterator[tuple[str, list[tuple[Derivation, ...]]]]:
        """Each dataset and all chains that derive its type; a later one builds on the first chain of an earlier one."""
        known = dict(types)
        for d in spec:
            chains = self.pipeline(known[d.source], d.transforms) if d.source in known else []
            yield d.name, chains
            if not chains:
                return
            known[d.name] = chains[0][-1].conclusion if chains[0] else known[d.source]
