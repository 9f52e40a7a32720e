"""On the fragment of the paper, `--strict` and the calculus agree.

    python -m checker.agreement --count 100000 --seed 1

Random µVega specifications, well-typed ones and spoiled ones, are typed by the calculus and, written as Vega, by the checker. The
calculus has a derivation exactly where the checker finds no error; every dataset that it can type has the same record in both; and
the first error is in the dataset at which the derivation fails.

What is not compared, because Vega has a rule of its own there:
- the names "" (Vega takes it for no name), `__proto__` and `constructor` (Vega's parser reads these texts as identifiers, so that an
  expression cannot name such a field): fields and datasets have other names here;
- an input without fields is given a schema: rows without any field say nothing about their source;
- a nested group key with a dot or a bracket in one of its names (the calculus drops Vega's escapes), and `datum` as a key (Vega's
  fields have no way to say it): `NotInVega`;
- `length` of an array, `min` and `max` of any number of numbers, and the elements of arrays and texts (`datum.tags[0]`): Vega has
  them, the calculus does not.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar, assert_never, cast

from checker.vega_of_calculus import JsonObject, NotInVega, grown_record, written_spec
from sheliak.calculus.no_derivation import NoDerivation, NotARecord, WrongArguments
from sheliak.calculus.spec_typing import extend_context
from sheliak.calculus.syntax import Arr, Bool, Data, Datum, Expr, Filter, Num, Obj, Spec, Str
from sheliak.calculus.type_syntax import ArrayType, EmptyArrayType, Primitive, RecordType, Type
from sheliak.checker.check import Checked, CheckOptions, check_document
from sheliak.checker.report import Finding, Report
from sheliak.diagnostics.registry import Severity
from sheliak.expressions.strict import plain
from sheliak.loading import DataFolders
from sheliak.source.json_reader import read_document
from sheliak.source.text import Source
from sheliak.types.render import render_record
from sheliak.types.shapes import Record
from soundness.choices import Choices, Seeded
from soundness.mutations import mutation
from soundness.specs import Bounds, typed_spec
from soundness.types_and_values import STRINGS

Types = Mapping[str, RecordType]
X = TypeVar("X")
_OTHER_NAMES = {"": "nameless", "__proto__": "proto", "constructor": "maker"}
_WIDE = 1000


@dataclass(frozen=True, slots=True)
class Program:
    """Γ₀ and a specification; some inputs have rows, the others a schema."""

    inputs: Types
    spec: Spec
    rows: Mapping[str, list[object]]


def program(choices: Choices) -> Program:
    """Well-typed in two of five cases."""
    printed = choices.pick((*((),) * 8, ("E12",), ("E14",)))
    typed = typed_spec(choices, Bounds(as_printed=frozenset(printed)))
    spec = typed.spec
    kind = choices.below(5)
    if kind in (2, 3) and not printed:
        spec = mutation(choices, typed, frozenset(range(1000))).spec
    elif kind == 4:
        spec = _with_filter(choices, spec, choices.pick(_WITHOUT_TYPE))
    inputs = {_named(name): _named(of) for name, of in typed.inputs.items()}
    rows = {name: [witness(choices, of) for _ in range(2)] for name, of in inputs.items() if of.fields and choices.below(4) == 0}
    return Program(inputs, _named(spec), rows)


# Rejected by the calculus, though they do no harm when they run.
_WITHOUT_TYPE: tuple[Expr, ...] = (
    Arr((Num(1.0), Str("a"))),
    Arr((Arr(()), Arr((Bool(True),)))),
    Arr((Obj((("a", Num(1.0)),)), Obj((("b", Num(1.0)),)))),
    Obj((("a", Num(1.0)), ("b", Num(2.0)), ("a", Num(3.0)))),
)


def _with_filter(choices: Choices, spec: Spec, e: Expr) -> Spec:
    number = choices.below(len(spec))
    d = spec[number]
    at = choices.below(len(d.transforms) + 1)
    longer = Data(d.source, d.name, (*d.transforms[:at], Filter(e), *d.transforms[at:]))
    return (*spec[:number], longer, *spec[number + 1 :])


def _named(part: X) -> X:
    """The same syntax or type, with other names in the place of those that Vega cannot take."""
    named: object
    match part:
        case str():
            named = _OTHER_NAMES.get(part, part)
        case tuple():
            named = tuple([_named(inner) for inner in part])
        case RecordType(fields):
            named = RecordType({_named(f): _named(T) for f, T in fields.items()})
        case Str() | Num() | Bool() | Datum() | Primitive() | EmptyArrayType():
            named = part
        case _:
            fields = [field.name for field in dataclasses.fields(cast("Data", part)) if not field.kw_only]
            named = type(part)(*[_named(getattr(part, name)) for name in fields])
    return cast("X", named)


def witness(choices: Choices, T: Type) -> object:
    """A value that shows its type: a finite number, an array with elements."""
    match T:
        case Primitive.NUMBER:
            return choices.pick((0, 1, -2.75, 100))
        case Primitive.STRING:
            return choices.pick(STRINGS)
        case Primitive.BOOLEAN:
            return choices.below(2) == 1
        case RecordType(fields):
            return {f: witness(choices, T_f) for f, T_f in fields.items()}
        case ArrayType(element):
            return [witness(choices, element) for _ in range(1 + choices.below(2))]
        case EmptyArrayType():
            return []
        case _:
            assert_never(T)


# What the two say


@dataclass(frozen=True, slots=True)
class Derived:
    """The types that the calculus derives, and where and why it stops."""

    types: Types
    refused: int | None = None
    """The number of the dataset without a type."""
    why: NoDerivation | None = None


def derived(of: Program) -> Derived:
    types: Mapping[str, Type] = of.inputs
    for number, d in enumerate(of.spec):
        try:
            types = extend_context(types, d)
        except NoDerivation as why:
            return Derived(cast("Types", types), number, why)
    return Derived(cast("Types", types))


def checked(of: Program) -> Checked:
    """The checker's view of the program. Raises NotInVega."""
    inputs: list[object] = [_written_input(of, name) for name in of.inputs]
    datasets = written_spec(of.spec)["data"]
    assert isinstance(datasets, list)
    schemas = {name: grown_record(T, name) for name, T in of.inputs.items() if name not in of.rows}
    source = Source("program.vg.json", json.dumps({"data": inputs + datasets}))
    return check_document(read_document(source), CheckOptions(DataFolders(None), schemas, strict=True))


def _written_input(of: Program, name: str) -> JsonObject:
    return {"name": name, "values": of.rows[name]} if name in of.rows else {"name": name}


def disagreement(of: Program) -> str | None:
    """How the two differ; None if they agree. Raises NotInVega."""
    by_calculus, by_checker = derived(of), checked(of)
    report = Report(by_checker.document.source, by_checker)
    errors = [finding for finding in report.diagnostics if finding.severity is Severity.ERROR]
    if by_calculus.refused is None and errors:
        return f"only the checker refuses: {_told(errors[0])}"
    if by_calculus.refused is not None:
        if _is_vegas_own(by_calculus.why):
            raise NotInVega
        if not errors:
            return f"only the calculus refuses: {by_calculus.why}"
        expected = f"/data/{len(of.inputs) + by_calculus.refused}/"
        if not errors[0].pointer.startswith(expected):
            return f"the calculus refuses {expected} ({by_calculus.why}), the checker {_told(errors[0])}"
    return _different_record(by_calculus.types, by_checker)


def _is_vegas_own(why: NoDerivation | None) -> bool:
    """Elements by their number, and builtins that take more in Vega than Σ says."""
    match why:
        case NotARecord(field=name, found=T):
            return name.isdigit() and (T is Primitive.STRING or isinstance(T, ArrayType | EmptyArrayType))
        case WrongArguments(name="min" | "max", found=Ts):
            return all(T is Primitive.NUMBER for T in Ts)
        case WrongArguments(name="length", found=(T,)):
            return isinstance(T, ArrayType | EmptyArrayType)
        case _:
            return False


def _told(finding: Finding) -> str:
    return f"{finding.pointer} {finding.code}: {finding.message}"


def _different_record(expected: Types, by_checker: Checked) -> str | None:
    found = {stage.place.path[1]: stage.record for stage in by_checker.stages}
    for number, (name, T) in enumerate(expected.items()):
        record = plain(found[number])
        if record != grown_record(T):
            shown = render_record(record, _WIDE) if isinstance(record, Record) else str(record)
            return f"dataset {name!r} is {render_record(grown_record(T), _WIDE)} in the calculus, {shown} in the checker"
    return None


# Campaign


@dataclass
class Outcome:
    """How often the calculus accepted, refused, and was not asked; and the disagreements by the number of their case."""

    accepted: int = 0
    refused: int = 0
    not_in_vega: int = 0
    disagreements: dict[int, str] = dataclasses.field(default_factory=dict)


def campaign(count: int, seed: int) -> Outcome:
    outcome = Outcome()
    for number in range(count):
        of = program(Seeded(seed * 1_000_003 + number))
        try:
            differs = disagreement(of)
        except NotInVega:
            outcome.not_in_vega += 1
            continue
        if derived(of).refused is None:
            outcome.accepted += 1
        else:
            outcome.refused += 1
        if differs is not None:
            outcome.disagreements[number] = differs
    return outcome


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="checker.agreement")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    outcome = campaign(options.count, options.seed)
    for number, differs in list(outcome.disagreements.items())[:20]:
        print(f"case {number}: {differs}")
    kinds = Counter(differs.partition(":")[0] for differs in outcome.disagreements.values())
    for kind, times in kinds.most_common(20):
        print(f"{times:6}  {kind[:100]}")
    print(
        f"agreement: {options.count} programs, seed {options.seed}: {outcome.accepted} accepted, {outcome.refused} refused, "
        f"{outcome.not_in_vega} not in Vega, {len(outcome.disagreements)} disagreements"
    )
    return 1 if outcome.disagreements else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
