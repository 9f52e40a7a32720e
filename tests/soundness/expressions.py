"""Random expressions of a wanted type, one typing rule of Fig. 5 at each node."""

from __future__ import annotations

from collections import deque
from typing import Final, assert_never

from sheliak.calculus.syntax import Arith, Arr, Bool, Builtin, Datum, Expr, Field, Num, Obj, Path, Simple, Str
from sheliak.calculus.type_syntax import BOOLEAN, NUMBER, STRING, ArrayType, EmptyArrayType, Primitive, RecordType, Type
from soundness.choices import Choices
from soundness.types_and_values import NUMBERS, PRIMITIVES, STRINGS, type_of_field

DATUM: Final = Datum()
MOST_PATHS: Final = 30

LITERALS: Final[dict[Primitive, tuple[Simple, ...]]] = {
    NUMBER: tuple(map(Num, NUMBERS)),
    STRING: tuple(map(Str, STRINGS)),
    BOOLEAN: (Bool(True), Bool(False)),
}

Names = tuple[str, ...]


def path(names: Names) -> Path:
    """datum.f₁.….fₙ"""
    p: Path = DATUM
    for f in names:
        p = Field(p, f)
    return p


class Scope:
    """What a datum of a type offers: its paths, shortest first, by the type found there. Very wide types are cut off."""

    def __init__(self, datum: RecordType) -> None:
        self.datum = datum
        self.primitives: dict[Primitive, list[Names]] = {NUMBER: [], STRING: [], BOOLEAN: []}
        self.compounds: list[tuple[Names, Type]] = []
        self.size = 0
        waiting: deque[tuple[Names, Type]] = deque([((), datum)])
        while waiting and self.size < MOST_PATHS:
            names, T = waiting.popleft()
            self.size += 1
            if isinstance(T, Primitive):
                self.primitives[T].append(names)
                continue
            self.compounds.append((names, T))
            if isinstance(T, RecordType):
                waiting.extend([((*names, f), T_f) for f, T_f in T.fields.items()])

    def paths_of(self, T: Type) -> list[Names]:
        """The paths p with datum ⊢ p : T."""
        if isinstance(T, Primitive):
            return self.primitives[T]
        return [names for names, found in self.compounds if found == T]

    def paths_with_name(self) -> list[tuple[Names, Type]]:
        """The paths that can be group keys."""
        flat: list[tuple[Names, Type]] = [(names, T) for T, found in self.primitives.items() for names in found]
        return flat + self.compounds[1:]


def wanted_type(choices: Choices, scope: Scope) -> Type:
    """A type to build an expression of: mostly numbers, else whatever a path or an expression can have."""
    kind = choices.below(10)
    if kind < 4:
        return NUMBER
    if kind < 7:
        return choices.pick(PRIMITIVES)
    if kind < 8 and scope.size < MOST_PATHS:
        return choices.pick(scope.compounds)[1]
    if kind < 9:
        return type_of_field(choices, 2, 1)
    return EmptyArrayType()


def expression(choices: Choices, scope: Scope, T: Type, depth: int) -> Expr:
    """An e with datum ⊢ e : T, of at most `depth` operations on one another."""
    match T:
        case Primitive():
            return simple(choices, scope, T, depth)
        case _:
            paths = scope.paths_of(T)
            if paths and choices.below(5) < 3:
                return path(choices.pick(paths))  # T-eDatum, T-eField
            return _constructed(choices, scope, T, depth)


def _constructed(choices: Choices, scope: Scope, T: RecordType | ArrayType | EmptyArrayType, depth: int) -> Expr:
    match T:
        case RecordType(fields):
            return Obj(tuple([(f, expression(choices, scope, T_f, depth - 1)) for f, T_f in fields.items()]))  # T-eObj
        case ArrayType(element):
            items = [expression(choices, scope, element, depth - 1) for _ in choices.turns((1, 2))]
            return Arr(tuple(items))  # T-eArr
        case EmptyArrayType():
            return Arr(())  # T-eArr
        case _:
            assert_never(T)


def simple(choices: Choices, scope: Scope, T: Primitive, depth: int) -> Simple:
    if depth <= 0 or choices.below(9) < 4:
        paths = scope.primitives[T]
        if paths and choices.below(10) < 7:
            return path(choices.pick(paths))  # T-eDatum, T-eField
        return choices.pick(LITERALS[T])  # T-eNum, T-eStr, T-eBool
    match T:
        case Primitive.NUMBER:
            return _number(choices, scope, depth - 1)
        case Primitive.STRING:
            return _string(choices, scope, depth - 1)
        case Primitive.BOOLEAN:
            return _boolean(choices, scope, depth - 1)
        case _:
            assert_never(T)


def _number(choices: Choices, scope: Scope, depth: int) -> Simple:
    kind = choices.below(10)
    if kind < 7:
        operands = simple(choices, scope, NUMBER, depth), simple(choices, scope, NUMBER, depth)
        return Arith(choices.pick(("+", "-", "×", "/")), *operands)  # T-eArithNum
    if kind == 7:
        return Builtin(choices.pick(("abs", "ceil", "floor", "round")), (simple(choices, scope, NUMBER, depth),))
    if kind == 8:
        arguments = simple(choices, scope, NUMBER, depth), simple(choices, scope, NUMBER, depth)
        return Builtin(choices.pick(("min", "max")), arguments)
    return Builtin("length", (simple(choices, scope, STRING, depth),))  # T-eBuiltin


def _string(choices: Choices, scope: Scope, depth: int) -> Simple:
    kind = choices.below(8)
    if kind < 3:
        right = choices.pick(PRIMITIVES)
        return Arith("+", simple(choices, scope, STRING, depth), simple(choices, scope, right, depth))  # T-eAddStrL
    if kind < 6:
        left = choices.pick((NUMBER, BOOLEAN))
        return Arith("+", simple(choices, scope, left, depth), simple(choices, scope, STRING, depth))  # T-eAddStrR
    return Builtin(choices.pick(("lower", "upper")), (simple(choices, scope, STRING, depth),))


def _boolean(choices: Choices, scope: Scope, depth: int) -> Simple:
    if choices.below(2) == 0:
        return Builtin("isNaN", (simple(choices, scope, NUMBER, depth),))
    return Builtin("contains", (simple(choices, scope, STRING, depth), simple(choices, scope, STRING, depth)))
