"""Keys of groups that follow from other keys: the end of a bin from its start, the end of a day from its beginning.

Rows are not looked up by them, and they are computed once for each group. A key may be left out if no two groups differ in it alone: so it
is made of a key before it by operations to which the two zeros are one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

from sheliak.plan.column_types import Plain
from sheliak.plan.expressions import Apply, Choose, Constant, PlanExpression, Read, parts_of
from sheliak.plan.operators import Fresh, Group, Keep, Output, Plan, Project
from sheliak.plan.rewrite.fused_projections import made_by
from sheliak.plan.rewrite.own_keys import is_first
from sheliak.plan.rewrite.rebuilding import Rebuilding, Signatures, Substitution, reads_replaced

_ALIKE_FOR_ZEROS = frozenset(
    {
        *(
            "and",
            "known",
            "missing",
            "fill",
            "number.add",
            "number.multiply",
            "number.less",
            "number.less_or_equal",
            "number.is_nan",
        ),
        *("number.bin_end", "number.date", "date.number", "date.clip", "date.floor", "date.second", "date.local", "date.instant"),
    }
)


def following_keys(plans: Sequence[Plan]) -> list[Plan]:
    """The plans without keys that follow from others, and without first values that do."""
    return list(map(Rebuilding(_changed), plans))


def _changed(plan: Plan) -> Plan:
    if not isinstance(plan, Group) or not plan.keys:
        return plan
    over_scan = _over_scan(plan.upstream)
    kept = _Kept()
    following: dict[int, PlanExpression] = {}
    for key in plan.keys:
        value = over_scan(key.value)
        told = kept.told(value)
        if told is None:
            kept.add(key, value)
        else:
            following[key.column] = told
    firsts = {one.column: over_scan(one.summary.operands[0]) for one in plan.summaries if is_first(one)}
    following |= {column: told for column, value in firsts.items() if (told := kept.told(value)) is not None}
    if not following:
        return plan
    summaries = tuple(one for one in plan.summaries if one.column not in following)
    group = replace(plan, keys=tuple(kept.keys), summaries=summaries)
    outputs = (Output("", field.column, following.get(field.column, field.read())) for field in plan.schema.fields)
    return Project(group, tuple(outputs))


def _over_scan(plan: Plan) -> Substitution:
    """Expressions over a plan as expressions over what its projections are made of."""
    below: list[Project] = []
    while isinstance(plan, Project | Keep | Fresh):
        if isinstance(plan, Project):
            below.append(plan)
        plan = plan.upstream
    values: dict[int, PlanExpression] = {}
    for project in reversed(below):
        over = reads_replaced(values)
        values |= {column: over(value) for column, value in made_by(project).items()}
    return reads_replaced(values)


@dataclass(slots=True)
class _Kept:
    """The keys that stay, and what stands for their values in others."""

    keys: list[Output] = field(default_factory=list)
    reads: dict[Hashable, PlanExpression] = field(default_factory=dict)
    signature: Signatures = field(default_factory=Signatures)

    def add(self, key: Output, value: PlanExpression) -> None:
        self.keys.append(key)
        if not isinstance(value.of, Plain) or value.of.kind not in ("number", "date"):
            return
        read = Read(key.column, key.value.of)
        self.reads[self.signature(value)] = read
        match value:
            case Apply("number.date", (number,)):
                self.reads[self.signature(number)] = Apply("date.number", (read,), number.of)

    def told(self, value: PlanExpression) -> PlanExpression | None:
        """A value as it follows from the keys; None where it does not."""
        if not self.reads or isinstance(value, Constant | Read):
            return None
        made = Substitution(lambda e: self.reads.get(self.signature(e)))(value)
        columns = {key.column for key in self.keys}
        reads = [part for part in parts_of(made) if isinstance(part, Read)]
        follows = bool(reads) and all(read.column in columns for read in reads)
        return made if follows and all(map(_is_alike_for_zeros, parts_of(made))) else None


def _is_alike_for_zeros(e: PlanExpression) -> bool:
    match e:
        case Apply(operation):
            return operation in _ALIKE_FOR_ZEROS or operation.startswith("calendar.")
        case Read() | Constant() | Choose():
            return True
        case _:
            return False
