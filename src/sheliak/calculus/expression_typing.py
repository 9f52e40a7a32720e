"""Fig. 5: T ⊢ e : T'."""

from __future__ import annotations

from typing import assert_never

from sheliak.calculus import no_derivation as no
from sheliak.calculus.builtin_functions import BUILTINS
from sheliak.calculus.syntax import Arith, Arr, Bool, Builtin, Datum, Expr, Field, Node, Num, Obj, Str
from sheliak.calculus.type_syntax import BOOLEAN, NUMBER, STRING, ArrayType, EmptyArrayType, Primitive, RecordType, Type


def type_of_expression(T: Type, e: Expr) -> Type:
    """T ⊢ e : T', or NoDerivation. Every e has at most one type (Lemma 2)."""
    match e:
        case Bool():  # T-eBool
            return BOOLEAN
        case Num():  # T-eNum
            return NUMBER
        case Str():  # T-eStr
            return STRING
        case Datum():  # T-eDatum
            return T
        case Field(p, f):  # T-eField
            return _type_of_field(e, type_of_expression(T, p), f)
        case Arith(op, e1, e2):
            match op, type_of_expression(T, e1), type_of_expression(T, e2):
                case _, Primitive.NUMBER, Primitive.NUMBER:  # T-eArithNum
                    return NUMBER
                case "+", Primitive.STRING, Primitive():  # T-eAddStrL
                    return STRING
                case "+", Primitive.NUMBER | Primitive.BOOLEAN, Primitive.STRING:  # T-eAddStrR
                    return STRING
                case _, T1, T2:
                    raise no.WrongOperands("T-eArithNum, T-eAddStrL, T-eAddStrR" if op == "+" else "T-eArithNum", e, op, T1, T2)
        case Arr(items):  # T-eArr
            return _type_of_array(e, [type_of_expression(T, item) for item in items])
        case Obj(fields):  # T-eObj
            require_distinct("T-eObj", e, [f for f, _ in fields])
            return RecordType({f: type_of_expression(T, value) for f, value in fields})
        case Builtin(name, arguments):  # T-eBuiltin; Erratum E8: the rule uses T for the datum and for the result
            return _type_of_builtin(e, name, tuple([type_of_expression(T, argument) for argument in arguments]))
        case _:
            assert_never(e)


def _type_of_field(e: Field, T: Type, f: str) -> Type:
    if not isinstance(T, RecordType):
        raise no.NotARecord("T-eField", e, f, T)
    if f not in T.fields:
        raise no.UnknownField("T-eField", e, f, T)
    return T.fields[f]


def _type_of_array(e: Arr, Ts: list[Type]) -> Type:
    if not Ts:  # Erratum E6
        return EmptyArrayType()
    for item, T in zip(e.items, Ts, strict=True):
        if T != Ts[0]:
            raise no.MixedArray("T-eArr", item, Ts[0], T)
    return ArrayType(Ts[0])


def _type_of_builtin(e: Builtin, name: str, Ts: tuple[Type, ...]) -> Type:
    if name not in BUILTINS:
        raise no.UnknownBuiltin("T-eBuiltin", e, name, tuple(BUILTINS))
    signature = BUILTINS[name]
    if signature.arguments != Ts:
        raise no.WrongArguments("T-eBuiltin", e, name, signature.arguments, Ts)
    return signature.result


def require_distinct(rule: str, node: Node, names: list[str]) -> None:
    """Erratum E12: a record has each field once; the rules that build one from a list of names do not ask for it."""
    for i, name in enumerate(names):
        if name in names[:i]:
            raise no.RepeatedField(rule, node, name)
