"""T-eBuiltin: Σ(builtin) = (T₁, …, Tₙ) ⇒ T, and the names that some functions take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sheliak.diagnostics import expressions as findings
from sheliak.diagnostics.names import UnknownMark, UnknownProjection, UnknownScale, unknown_dataset
from sheliak.diagnostics.parameters import InvalidFieldPath
from sheliak.expressions import operators, strict
from sheliak.expressions.derivation import REPORTED, Derivation, spoken
from sheliak.expressions.field_paths import FieldPathError, Reading, split_path, type_of_path
from sheliak.expressions.functions import FUNCTIONS, Parameter, Signature
from sheliak.expressions.nodes import Call, Expression, Identifier, Literal, Member, ObjectLiteral, static_name
from sheliak.types import shapes
from sheliak.types.operations import all_texts, may_be_number, options_of, without_missing
from sheliak.types.shapes import (
    BOOLEAN,
    DATE,
    NULL,
    NUMBER,
    STRING,
    TEXTS,
    UNDEFINED,
    UNKNOWN,
    Array,
    Record,
    Type,
    Unknown,
)


def type_of_call(deriving: Derivation, e: Call, arguments: tuple[Type, ...]) -> Type:
    """T-eBuiltin over the types of the arguments; a dataset's name counts as the dataset's datum."""
    signature = _signature_of(deriving, e)
    if signature is None:
        return REPORTED
    if signature.purity == "event" and deriving.scope.variable("event") is None:
        place = deriving.place_of(e.callee)
        deriving.report(findings.EventOutOfScope(place=place, variable="event", used_by=signature.name))
        return REPORTED
    if not _counts(deriving, e, signature):
        return REPORTED
    arguments = _checked(deriving, e, signature, arguments)
    result = signature.result
    return result(arguments) if callable(result) else result


def _signature_of(deriving: Derivation, e: Call) -> Signature | None:
    callee = e.callee
    if not isinstance(callee, Identifier):
        deriving.report(_illegal_call(deriving, callee))
        return None
    signature = FUNCTIONS.get(callee.name)
    if signature is None:
        place = deriving.place_of(callee)
        deriving.report(findings.UnknownFunction(place=place, name=callee.name, known=tuple(FUNCTIONS)))
    return signature


def _illegal_call(deriving: Derivation, callee: Expression) -> findings.IllegalCall:
    if not isinstance(callee, Member):
        return findings.IllegalCall(place=deriving.place_of(callee), method=None)
    place = deriving.scope.place(callee.property.start, callee.property.end)
    return findings.IllegalCall(place=place, method=static_name(callee), holder=spoken(callee.object))


def _counts(deriving: Derivation, e: Call, signature: Signature) -> bool:
    """The number of arguments; Vega itself counts those of `if` and `clamp` only, and ignores what is too much."""
    given = len(e.arguments)
    if signature.least <= given and (signature.most is None or given <= signature.most):
        return True
    deriving.report(
        findings.WrongArity(
            place=deriving.place_of(e),
            function=signature.name,
            usage=signature.usage(),
            given=given,
            least=signature.least,
            most=signature.most,
            counted=signature.strict_arity,
        )
    )
    return given >= signature.least


# Arguments


def _checked(deriving: Derivation, e: Call, signature: Signature, arguments: tuple[Type, ...]) -> tuple[Type, ...]:
    """The arguments' types, after each was put to its parameter's kind."""
    first: Type | None = None
    for index, (node, of) in enumerate(zip(e.arguments, arguments, strict=True)):
        parameter = signature.parameter(index)
        if parameter is None or parameter.kind == "any":
            continue
        if parameter.literal and not isinstance(node, Literal):
            place = deriving.place_of(node)
            deriving.report(findings.LiteralNeeded(place=place, function=signature.name, parameter=parameter.name))
            first = first if index else UNKNOWN
        elif parameter.kind == "dataset":
            first = _dataset(deriving, signature, node, of)
        elif parameter.kind == "field":
            _check_field(deriving, node, of, first if first is not None else arguments[0])
        elif (check := _NAMES.get(parameter.kind)) is not None:
            check(deriving, node, of, _looks_elsewhere(signature, len(arguments)))
        else:
            _check_kind(deriving, e, signature, parameter, node, of)
    further = _FURTHER.get(signature.name)
    if further is not None:
        further(deriving, e, arguments)
    return arguments if first is None else (first, *arguments[1:])


def _check_conversion(deriving: Derivation, e: Call, arguments: tuple[Type, ...]) -> None:
    operators.converted(deriving, e.arguments[0], arguments[0], "toNumber")


def _check_range(deriving: Derivation, e: Call, arguments: tuple[Type, ...]) -> None:
    bounds = arguments[1]
    if isinstance(bounds, Array):
        operators.check_range(deriving, e.arguments[0], arguments[0], e.arguments[1], bounds.element)


_FURTHER = {"toNumber": _check_conversion, "inrange": _check_range}


def _looks_elsewhere(signature: Signature, given: int) -> bool:
    """A group is given: a scale or projection is looked up in that group's scope, not in this one."""
    return any(parameter.kind == "item" for parameter in signature.parameters[1:given])


def _check_kind(deriving: Derivation, e: Call, signature: Signature, parameter: Parameter, node: Expression, of: Type) -> None:
    """Told of when no alternative of the argument's type can be used."""
    kind = parameter.kind
    if isinstance(of, Unknown) and kind in _DEMANDS:
        deriving.demand(of, _DEMANDS[kind])
    if deriving.strict and kind in _EXACT:
        strict.takes(deriving, node, of, f"`{signature.name}`", _WANTED[kind], _EXACT[kind])
        return
    usable, present = _USABLE.get(kind), without_missing(of)
    if usable is None or usable(present) or present in (NULL, UNDEFINED) or (kind == "formatted" and _prints_characters(e)):
        return
    deriving.report(
        findings.WrongArgument(
            place=deriving.place_of(node),
            function=signature.name,
            argument=spoken(node),
            of=present,
            wanted=_WANTED[kind],
            throws=signature.throws,
        )
    )


def _prints_characters(e: Call) -> bool:
    """`format(text, 'c')` hands text on; a specifier that is computed may do so too."""
    specifier = e.arguments[1] if len(e.arguments) > 1 else None
    return not (isinstance(specifier, Literal) and isinstance(specifier.value, str)) or specifier.value.endswith("c")


def _is_text(option: Type) -> bool:
    return option in TEXTS or (isinstance(option, shapes.Literal) and isinstance(option.value, str))


def _may_be_plain_number(of: Type) -> bool:
    return any(isinstance(option, Unknown) or _is_plain_number(option) for option in options_of(of))


def _is_plain_number(option: Type) -> bool:
    return option == NUMBER or (isinstance(option, shapes.Literal) and type(option.value) in (int, float))


def _may_be_array(of: Type) -> bool:
    return any(isinstance(option, Array | Unknown) for option in options_of(of))


def _may_be_sequence(of: Type) -> bool:
    return any(isinstance(option, Array | Unknown) or _is_text(option) for option in options_of(of))


_USABLE: Mapping[str, Callable[[Type], bool]] = {
    "number": may_be_number,
    "formatted": may_be_number,
    "instant": may_be_number,
    "finite": _may_be_plain_number,
    "array": _may_be_array,
    "sequence": _may_be_sequence,
}
_WANTED: Mapping[str, str] = {
    "number": "a number",
    "formatted": "a number",
    "instant": "a date or a number",
    "date": "a date or a number",
    "finite": "a number, and converts nothing",
    "tested": "a number",
    "array": "an array",
    "sequence": "an array or text",
    "text": "text",
    "string": "text",
    "boolean": "true or false",
    "object": "an object",
}
_EXACT: Mapping[str, Callable[[Type], bool]] = {
    "number": strict.is_number,
    "formatted": strict.is_number,
    "finite": strict.is_number,
    "tested": strict.is_number,
    "instant": lambda option: option in (NUMBER, DATE),
    "date": lambda option: option in (NUMBER, DATE),
    "text": strict.is_text,
    "string": strict.is_text,
    "boolean": lambda option: option == BOOLEAN,
    "array": lambda option: isinstance(option, Array),
    "sequence": lambda option: isinstance(option, Array) or option in TEXTS,
    "object": lambda option: isinstance(option, Record),
}
_DEMANDS: Mapping[str, Type] = {
    "number": NUMBER,
    "formatted": NUMBER,
    "finite": NUMBER,
    "instant": DATE,
    "date": DATE,
    "string": STRING,
    "array": Array(UNKNOWN),
}


# Names


def _texts(node: Expression, of: Type) -> tuple[str, ...]:
    """The names an argument may be: the literal, or every text that the type of the expression allows."""
    if isinstance(node, Literal):
        return (node.value if isinstance(node.value, str) else node.raw,) if node.value is not None else ()
    return all_texts(of) or ()


# The functions that take a dataset they do not find for an empty one.
_TOLERANT = frozenset({"data", "treePath", "treeAncestors"})


def _dataset(deriving: Derivation, signature: Signature, node: Expression, of: Type) -> Type:
    """The datum of the dataset that an argument names."""
    scope = deriving.scope
    for name in _texts(node, of):
        record = scope.dataset(name)
        if record is not None:
            return record
        place, exact = deriving.name_place(node)
        deriving.report(
            unknown_dataset(
                place,
                name,
                tuple(scope.dataset_names()),
                defined_later=scope.defined_later(name),
                replaceable=exact,
                counts_as_empty=signature.name in _TOLERANT,
            )
        )
        return REPORTED
    return UNKNOWN


def _check_field(deriving: Derivation, node: Expression, of: Type, source: Type) -> None:
    """`indata` and `pluck` read an access path from the rows of a dataset, an array or one object."""
    while isinstance(source, Array):
        source = source.element
    if not isinstance(source, Record):
        return
    place, exact = deriving.name_place(node)
    for text in _texts(node, of):
        try:
            path = split_path(text)
        except FieldPathError as error:
            deriving.report(InvalidFieldPath(place=place, reason=str(error)))
            return
        type_of_path(source, path, Reading(deriving, place, replaceable=exact and len(path) == 1))


def _check_scale(deriving: Derivation, node: Expression, of: Type, elsewhere: bool) -> None:
    scope = deriving.scope
    for name in _missing(node, of, scope.has_scale):
        known = tuple(scope.scale_names_anywhere() if elsewhere else scope.scale_names())
        if not elsewhere or name not in known:
            place, exact = deriving.name_place(node)
            deriving.report(UnknownScale(place=place, name=name, known=known, replaceable=exact))


def _check_projection(deriving: Derivation, node: Expression, of: Type, elsewhere: bool) -> None:
    scope = deriving.scope
    for name in _missing(node, of, scope.has_projection):
        known = tuple(scope.scale_names_anywhere() if elsewhere else scope.projection_names())
        if not elsewhere or name not in known:
            place, exact = deriving.name_place(node)
            deriving.report(UnknownProjection(place=place, name=name, known=known, replaceable=exact))


def _check_mark(deriving: Derivation, node: Expression, of: Type, elsewhere: bool) -> None:
    scope = deriving.scope
    for name in _missing(node, of, scope.has_mark):
        place, exact = deriving.name_place(node)
        deriving.report(UnknownMark(place=place, name=name, known=tuple(scope.mark_names()), replaceable=exact))


def _check_marks(deriving: Derivation, node: Expression, of: Type, elsewhere: bool) -> None:
    """`{markname: 'a'}` or `{markname: ['a', 'b']}`."""
    if not isinstance(node, ObjectLiteral) or not isinstance(of, Record):
        return
    for entry in node.properties:
        if entry.name == "markname":
            named = of.fields["markname"]
            _check_mark(deriving, entry.value, named.element if isinstance(named, Array) else named, elsewhere)


def _missing(node: Expression, of: Type, has: Callable[[str], bool]) -> Iterable[str]:
    return [name for name in _texts(node, of) if not has(name)]


_NAMES: Mapping[str, Callable[[Derivation, Expression, Type, bool], None]] = {
    "scale": _check_scale,
    "projection": _check_projection,
    "mark": _check_mark,
    "marks": _check_marks,
}
