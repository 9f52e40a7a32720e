"""What is written in each box, and how large the box must be for it."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.picturing.dataset_boxes import FILLED, few
from sheliak.picturing.picture import Node, Problem, Step, is_wrong
from sheliak.picturing.text_width import shortened, shortened_inside, shortened_to, text_width
from sheliak.rendering.visible import visible
from sheliak.source.declared import dataclass

TITLE_SIZE, SIZE = 13.0, 11.0
LINE, TITLE_LINE = 16.0, 24.0
PADDING = 10.0
_WIDEST_TITLE, _WIDEST_NAME, _WIDEST_TYPE = 220.0, 130.0, 130.0
_WIDEST_STEP, _WIDEST_LINE, _WIDEST_DETAIL = 320.0, 260.0, 190.0
_COLUMN_GAP = 14.0
_LONGEST_TITLE = 1000
_MOST_MARKS, _MOST_SCALES, _MOST_SIGNALS, _MOST_STEPS = 6, 6, 8, 12


@dataclass(frozen=True, slots=True)
class Row:
    """A line of text: what stands at its left, what at its right, and its look."""

    left: str
    right: str = ""
    look: str = "row"
    title: str = ""
    """The whole text where it was shortened, and findings."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box with its text; `looks` are the classes it is drawn with."""

    id: str
    width: float
    height: float
    heading: str
    rows: tuple[Row, ...]
    looks: tuple[str, ...]
    title: str = ""


def box_of(node: Node) -> Box:
    """The box of a node."""
    heading = shortened_inside(visible(node.name), TITLE_SIZE, _WIDEST_TITLE, True) if node.kind != "signal" else ""
    rows = tuple(_rows(node))
    looks = (node.kind, *(["spark"] if node.on_spark else []), *_problem_looks(node.problems))
    title = "\n".join([visible(node.name) + (f" ({visible(node.detail)})" if node.detail else ""), *_told(node.problems)])
    return _sized(node.id, heading, rows, looks, title)


def steps_box(node: Node) -> Box:
    """The transforms of a dataset, which stand on the arrow to it."""
    shown = node.steps[:_MOST_STEPS]
    rows = [_step_row(step) for step in shown]
    rows += _more(len(node.steps) - len(shown), "transform")
    return _sized(f"steps:{node.id}", "", tuple(rows), ("steps",), "")


def _step_row(step: Step) -> Row:
    text = visible(step.text)
    looks = ["step", "on-spark" if step.on_spark else "on-renderer", *_problem_looks(step.problems)]
    where = "runs on Spark" if step.on_spark else "stays with the renderer"
    title = "\n".join([f"{text}\n{where}", *_told(step.problems)])
    return Row(shortened(text, SIZE, _WIDEST_STEP), look=" ".join(looks), title=title)


def _rows(node: Node) -> Iterator[Row]:
    match node.kind:
        case "signal":
            yield from _signal_rows(node)
        case "drawing":
            yield from _lines(node.marks, _MOST_MARKS, "mark")
            yield from _scale_rows(node)
        case _:
            if node.detail:
                yield _row(node.detail, _WIDEST_DETAIL, "faint")
            yield from _field_rows(node)


def _signal_rows(node: Node) -> Iterator[Row]:
    for name, detail in node.signals[:_MOST_SIGNALS]:
        left, right = visible(name), visible(detail)
        title = f"{left} {right}".strip()
        yield Row(shortened_inside(left, SIZE, _WIDEST_NAME), shortened(right, SIZE, _WIDEST_TYPE), title=title)
    yield from _more(len(node.signals) - _MOST_SIGNALS, "signal")


def _field_rows(node: Node) -> Iterator[Row]:
    if node.keeps_fields:
        count = len(node.fields)
        yield Row(f"the same {count} field{'s' if count > 1 else ''}", look="faint", title=_names(node))
        return
    shown = few(node.fields)
    for one in shown:
        name, type_ = visible(one.name), visible(one.type)
        look = "made" if one.is_made else "row"
        yield Row(shortened_inside(name, SIZE, _WIDEST_NAME), shortened(type_, SIZE, _WIDEST_TYPE), look, f"{name}: {type_}")
    left_out = len(node.fields) - len(shown)
    if left_out:
        yield Row(f"+ {left_out} more{', and columns not looked at' if node.is_open else ''}", look="faint")
    elif node.is_open and (shown or node.detail != FILLED):
        yield Row("… columns not looked at" if shown else "columns not looked at", look="faint")


def _scale_rows(node: Node) -> Iterator[Row]:
    for name, what in node.scales[:_MOST_SCALES]:
        left, right = visible(name), visible(what)
        text = f"{shortened_inside(left, SIZE, _WIDEST_NAME)}: {right}"
        yield Row(shortened(text, SIZE, _WIDEST_LINE), look="scale", title=f"{left}: {right}")
    yield from _more(len(node.scales) - _MOST_SCALES, "scale")


def _names(node: Node) -> str:
    return visible(", ".join(one.name for one in node.fields))


def _lines(lines: tuple[str, ...], most: int, look: str) -> Iterator[Row]:
    for line in lines[:most]:
        yield _row(line, _WIDEST_LINE, look)
    yield from _more(len(lines) - most, look)


def _row(text: str, widest: float, look: str) -> Row:
    whole = visible(text)
    return Row(shortened(whole, SIZE, widest), look=look, title=whole)


def _more(count: int, what: str) -> Iterator[Row]:
    if count > 0:
        yield Row(f"+ {count} more {what}{'s' if count > 1 else ''}", look="faint")


def _sized(id: str, heading: str, rows: tuple[Row, ...], looks: tuple[str, ...], title: str) -> Box:
    left = max((text_width(row.left, SIZE) for row in rows if row.right), default=0.0)
    right = max((text_width(row.right, SIZE) for row in rows if row.right), default=0.0)
    alone = max((text_width(row.left, SIZE) for row in rows if not row.right), default=0.0)
    columns = left + _COLUMN_GAP + right if right else 0.0
    bar = 10.0 if "steps" in looks else 0.0
    width = max(columns, alone + bar, text_width(heading, TITLE_SIZE, True)) + 2 * PADDING
    height = (TITLE_LINE if heading else 4.0) + LINE * len(rows) + (6.0 if rows else 2.0)
    return Box(id, round(width), round(height), heading, rows, looks, title)


def _problem_looks(problems: tuple[Problem, ...]) -> tuple[str, ...]:
    return () if not problems else ("error",) if is_wrong(problems) else ("warning",)


def _told(problems: tuple[Problem, ...]) -> Iterator[str]:
    for problem in problems:
        yield f"{problem.severity}[{problem.code}] {shortened_to(visible(problem.message), _LONGEST_TITLE)}"


def problem_text(problems: tuple[Problem, ...]) -> str:
    """The findings of one part, one a line."""
    return shortened_to("\n".join(_told(problems)), 2 * _LONGEST_TITLE)
