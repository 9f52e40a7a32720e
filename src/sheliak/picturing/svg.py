"""The picture as SVG: one file that needs nothing else, readable on light and on dark, every text of the spec escaped."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.picturing.arranging import Arrangement, PlacedBox, PlacedFrame, Point, Stroke, arranged
from sheliak.picturing.boxes import LINE, PADDING, SIZE, TITLE_LINE, Row, problem_text
from sheliak.picturing.markup import escaped
from sheliak.picturing.picture import Picture, is_wrong
from sheliak.picturing.stylesheet import stylesheet
from sheliak.picturing.text_width import shortened, shortened_to, text_width
from sheliak.rendering.visible import visible

_MARGIN = 14.0
_ARROW = 7.0
_LEAST_WIDTH = 420.0
_MOST_CAPTIONS = 6
_LONGEST_TITLE = 2000
_LEGEND = (
    ("on-spark", "runs on Spark"),
    ("on-renderer", "stays with the renderer"),
    ("signal", "signal"),
    ("drawing", "marks and scales"),
)


THEMES = ("light", "dark")


def svg_of(picture: Picture, *, themes: tuple[str, ...] = THEMES) -> str:
    """The picture; with two themes the reader's own choice decides, with one it is fixed."""
    return "".join(_document(picture, arranged(picture), themes))


def _document(picture: Picture, at: Arrangement, themes: tuple[str, ...]) -> Iterator[str]:
    captions = list(_captions(picture, at))
    head = len(captions) * LINE + (6.0 if captions else 0.0)
    legend = list(_legend(picture))
    legend_width = sum(24.0 + text_width(text, SIZE) + 12.0 for _, text in legend)
    caption_width = max((text_width(row.left, SIZE) for row in captions), default=0.0)
    width = max(at.width, legend_width, caption_width) + 2 * _MARGIN
    height = head + at.height + (LINE + 8.0 if legend else 0.0) + 2 * _MARGIN
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}" role="img">\n'
    )
    yield f"<title>{escaped(visible(picture.title))}</title>\n<style>{stylesheet(themes)}</style>\n"
    yield f'<rect class="paper" width="{_n(width)}" height="{_n(height)}"/>\n'
    for number, row in enumerate(captions):
        yield _text(_MARGIN, _MARGIN + LINE * number + 11.0, row.left, f"caption {row.look}", row.title)
    yield f'<g transform="translate({_n(_MARGIN)} {_n(_MARGIN + head)})">\n'
    yield from _contents(at)
    yield "</g>\n"
    yield from _legend_row(legend, height - _MARGIN - 4.0)
    yield "</svg>\n"


def _contents(at: Arrangement) -> Iterator[str]:
    for frame in at.frames:
        yield _frame(frame)
    for stroke in at.strokes:
        yield _line(stroke, is_across=at.is_across)
    for frame in at.frames:
        yield from _frame_title(frame)
    for placed in at.boxes:
        yield from _box(placed)
    for stroke in at.strokes:
        yield _arrow(stroke, is_across=at.is_across)


def _n(value: float) -> str:
    """A coordinate with as many digits as anybody can see."""
    return f"{value:.1f}".removesuffix(".0")


def _captions(picture: Picture, at: Arrangement) -> Iterator[Row]:
    """Findings that no box shows, and the errors of those that do; or that there is nothing in the picture."""
    widest = max(at.width, _LEAST_WIDTH)
    found = [("", problem) for problem in picture.problems]
    found += [(owner, problem) for owner, problem in picture.placed_problems() if problem.severity == "error"]
    for owner, problem in found[:_MOST_CAPTIONS]:
        text = (f"{visible(owner)}: " if owner else "") + problem_text((problem,))
        yield Row(shortened(text, SIZE, widest), look="error" if problem.severity == "error" else "warning", title=text)
    if len(found) > _MOST_CAPTIONS:
        yield Row(f"+ {len(found) - _MOST_CAPTIONS} more findings", look="faint")
    if at.left_out:
        yield Row(f"{at.left_out} arrows are left out: they would pass too many boxes", look="faint")
    if not picture.nodes:
        yield Row("the spec has no datasets", look="faint")


def _legend(picture: Picture) -> Iterator[tuple[str, str]]:
    """Only of what occurs."""
    steps = [step for node in picture.nodes for step in node.steps]
    kinds = {node.kind for node in picture.nodes}
    shown = {
        "on-spark": any(step.on_spark for step in steps),
        "on-renderer": any(not step.on_spark for step in steps),
        "signal": "signal" in kinds,
        "drawing": "drawing" in kinds,
    }
    yield from ((look, text) for look, text in _LEGEND if shown[look])
    if any(problem.severity == "error" for _, problem in picture.placed_problems()):
        yield "error", "error"


def _legend_row(legend: list[tuple[str, str]], y: float) -> Iterator[str]:
    x = _MARGIN
    for look, text in legend:
        yield f'<rect class="key {look}" x="{_n(x)}" y="{_n(y - 9)}" width="12" height="10" rx="2"/>'
        yield _text(x + 18.0, y, text, "faint")
        x += 24.0 + text_width(text, SIZE) + 12.0


def _frame(placed: PlacedFrame) -> str:
    look = "frame" + (" error" if is_wrong(placed.frame.problems) else " warning" if placed.frame.problems else "")
    return (
        f'<rect class="{look}" x="{_n(placed.x)}" y="{_n(placed.y)}" width="{_n(placed.width)}" '
        f'height="{_n(placed.height)}" rx="6"/>\n'
    )


def _frame_title(placed: PlacedFrame) -> Iterator[str]:
    whole = visible(placed.frame.title)
    text = shortened(whole, SIZE, placed.width - 24.0)
    width = text_width(text, SIZE) + 8.0
    # Lines that come in from above pass behind the title.
    yield f'<rect class="behind" x="{_n(placed.x + 6)}" y="{_n(placed.y + 3)}" width="{_n(width)}" height="17"/>'
    told = problem_text(placed.frame.problems)
    yield _text(placed.x + 10.0, placed.y + 16.0, text, "frame-title", f"{whole}\n{told}" if told else whole)


def _box(placed: PlacedBox) -> Iterator[str]:
    box, x, y = placed.box, placed.x, placed.y
    yield f'<g class="{" ".join(("box", *box.looks))}">'
    if box.title:
        yield f"<title>{escaped(shortened_to(box.title, _LONGEST_TITLE))}</title>"
    rounding = "11" if "signal" in box.looks else "5"
    yield (f'<rect class="shape" x="{_n(x)}" y="{_n(y)}" width="{_n(box.width)}" height="{_n(box.height)}" rx="{rounding}"/>\n')
    top = y + 4.0
    if box.heading:
        yield _text(x + PADDING, y + 17.0, box.heading, "heading")
        top = y + TITLE_LINE
        if box.rows:
            yield f'<path class="rule" d="M{_n(x)} {_n(top)}H{_n(x + box.width)}"/>\n'
    for number, row in enumerate(box.rows):
        yield from _row(row, x, top + LINE * number + 13.0, box.width)
    yield "</g>\n"


def _row(row: Row, x: float, baseline: float, width: float) -> Iterator[str]:
    start = x + PADDING
    if "step" in row.look.split():
        yield f'<rect class="bar {row.look}" x="{_n(start - 3)}" y="{_n(baseline - 11)}" width="4" height="14"/>'
        start += 7.0
    yield _text(start, baseline, row.left, row.look, row.title)
    if row.right:
        yield _text(x + width - PADDING, baseline, row.right, "type end")


def _text(x: float, y: float, text: str, look: str, title: str = "") -> str:
    told = f"<title>{escaped(shortened_to(title, _LONGEST_TITLE))}</title>" if title and title != text else ""
    return f'<text class="{look}" x="{_n(x)}" y="{_n(y)}">{told}{escaped(text)}</text>\n'


def _line(stroke: Stroke, *, is_across: bool) -> str:
    """Straight out of the box, a curve to the next layer, straight through it."""
    turn, bend = stroke.turn, stroke.bend
    if is_across:
        middle = (turn[0] + bend[0]) / 2
        first, second = (middle, turn[1]), (middle, bend[1])
    else:
        middle = (turn[1] + bend[1]) / 2
        first, second = (turn[0], middle), (bend[0], middle)
    path = f"M{_p(stroke.start)}L{_p(turn)}C{_p(first)} {_p(second)} {_p(bend)}L{_p(stroke.end)}"
    return f'<path class="line {stroke.role}" d="{path}"/>\n'


def _p(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _arrow(stroke: Stroke, *, is_across: bool) -> str:
    if not stroke.arrow:
        return ""
    (x, y), back = (stroke.end, -_ARROW) if stroke.arrow == "end" else (stroke.start, _ARROW)
    side = _ARROW / 2
    corners = ((x + back, y - side), (x + back, y + side)) if is_across else ((x - side, y + back), (x + side, y + back))
    return f'<path class="arrow {stroke.role}" d="M{_p((x, y))}L{_p(corners[0])}L{_p(corners[1])}Z"/>\n'
