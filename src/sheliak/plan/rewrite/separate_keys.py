"""Groups without asking of every row what is known of all of them.

Vega compares the keys of a group as one text: `a|b` beside `c` is the group of `a` beside `b|c`. So every row is looked at for the sign between
keys; and as a missing key is compared as `null`, the first row of that group says whether it shows `null` or nothing. Of columns of which every text
is known it is known as well whether one holds the sign, and whether one is `null`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sheliak.plan.coercion import FALSE, and_, not_, or_
from sheliak.plan.column_types import BOOLEAN
from sheliak.plan.expressions import Apply, Choose, Constant, PlanExpression, Read, constant
from sheliak.plan.known_texts import KnownTexts, Texts, unknown
from sheliak.plan.operators import Group, Output, Plan, Project, Summarized
from sheliak.plan.rewrite.known_codes import Spans, span_of
from sheliak.plan.rewrite.rebuilding import Rebuilding
from sheliak.plan.rewrite.whole_keys import texts_of


def separate_keys(plans: Sequence[Plan], texts: KnownTexts, spans: Spans = unknown) -> list[Plan]:
    """The plans without looking for signs that no text holds, and without comparing what lies on one side of a number."""
    return list(map(Rebuilding(_Separating(texts, spans)), plans))


@dataclass(slots=True)
class _Separating:
    """Knows the texts of columns, and those of the keys that groups have of them."""

    texts: KnownTexts
    spans: Spans
    keys: dict[int, Texts] = field(default_factory=dict)

    def known(self, column: int) -> Texts | None:
        return self.keys.get(column) or self.texts(column)

    def __call__(self, plan: Plan) -> Plan:
        fold = Folding(self.known, self.spans)
        match plan:
            case Group():
                return self._group(plan, fold)
            case Project(_, outputs):
                return replace(plan, outputs=tuple(replace(one, value=fold(one.value)) for one in outputs))
            case _:
                return plan

    def _group(self, plan: Group, fold: Folding) -> Plan:
        keys = tuple(replace(key, value=fold(key.value)) for key in plan.keys)
        summaries = tuple(_with(one, fold) for one in plan.summaries)
        gaps: dict[int, PlanExpression] = {}
        for key in keys:
            known = texts_of(key.value, self.known)
            if known is None:
                continue
            self.keys[key.column] = known
            match key.value:
                case Apply("fill", (Read(column), Constant(str(text)))) if not known.may_hold(text):
                    self.keys[key.column] = replace(known, unused=known.unused - {text})
                    gaps[column] = Apply("text.equal", (key.field.read(), constant(text)), BOOLEAN)
        told = {one.column: gap for one in summaries if (gap := _gap(one, gaps)) is not None}
        group = replace(plan, keys=keys, summaries=tuple(one for one in summaries if one.column not in told))
        if not told:
            return group
        return Project(group, tuple(Output("", one.column, told.get(one.column, one.read())) for one in plan.schema.fields))


def _gap(made: Summarized, gaps: Mapping[int, PlanExpression]) -> PlanExpression | None:
    """Whether the key is missing in the first row of a group, where its text tells: gaps of columns by these."""
    if made.summary.function != "first":
        return None
    match made.summary.operands:
        case (Apply("missing", (Read(column),)),):
            return gaps.get(column)
        case (Apply("missing", (Read(column),)), Apply("missing", (Read(other),))) if other == column:
            return gaps.get(column)
        case _:
            return None


def _with(made: Summarized, fold: Folding) -> Summarized:
    return replace(made, summary=replace(made.summary, operands=tuple(map(fold, made.summary.operands))))


class Folding:
    """Expressions without tests whose answer is known."""

    def __init__(self, texts: KnownTexts, spans: Spans = unknown) -> None:
        self.texts = texts
        self.spans = spans
        self.done: dict[int, tuple[PlanExpression, PlanExpression]] = {}

    def __call__(self, e: PlanExpression) -> PlanExpression:
        if id(e) not in self.done:
            self.done[id(e)] = (e, self._folded(e))
        return self.done[id(e)][1]

    def _folded(self, e: PlanExpression) -> PlanExpression:
        match e:
            case Apply("text.contains", (text,), _, (str(part),)):
                known = texts_of(text, self.texts)
                return e if known is None or any(part in value for value in known.values) else FALSE
            case Apply("text.equal", (text, Constant(str(value)))):
                return e if self._may_be(text, value) else FALSE
            case Apply("number.less" | "number.less_or_equal" as operation, (one, other)):
                return e if self._may_be_less(one, other, or_equal=operation != "number.less") else FALSE
            case Apply("and" | "or" as operation, (one, other)):
                return (and_ if operation == "and" else or_)(self(one), self(other))
            case Apply("not", (test,)):
                return not_(self(test))
            case Apply(_, operands):
                made = tuple(map(self, operands))
                return e if all(one is other for one, other in zip(made, operands, strict=True)) else replace(e, operands=made)
            case Choose(test, consequent, alternate):
                answer = self(test)
                if isinstance(answer, Constant):
                    return self(consequent if answer.value else alternate)
                return replace(e, test=answer, consequent=self(consequent), alternate=self(alternate))
            case _:
                return e

    def _may_be_less(self, one: PlanExpression, other: PlanExpression, *, or_equal: bool) -> bool:
        low, high = span_of(one, self.spans), span_of(other, self.spans)
        return low is None or high is None or low[0] < high[1] or (or_equal and low[0] == high[1])

    def _may_be(self, text: PlanExpression, value: str) -> bool:
        known = texts_of(text, self.texts)
        if known is None or known.may_hold(value):
            return True
        match text:
            case Apply("fill", (_, Constant(instead))):
                return instead == value
            case _:
                return False
