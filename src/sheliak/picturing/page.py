"""The picture as an HTML page on which it can be moved and made larger; nothing else may run there, and nothing is loaded."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from sheliak.picturing.markup import escaped
from sheliak.picturing.picture import Picture
from sheliak.picturing.stylesheet import stylesheet
from sheliak.picturing.svg import THEMES, svg_of
from sheliak.rendering.visible import visible

_STYLE = (
    "html,body{margin:0;height:100%;background:#fff}svg{display:block;width:100%;height:100%;cursor:grab;touch-action:none}"
    "@media (prefers-color-scheme:dark){html,body{background:#14181d}}"
)
# Wheel: larger or smaller around the pointer. Drag: move. Double click: everything again.
_SCRIPT = """
const svg = document.querySelector("svg"), box = svg.viewBox.baseVal;
const whole = [box.x, box.y, box.width, box.height];
const at = event => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
const show = (x, y, width, height) => { box.x = x; box.y = y; box.width = width; box.height = height; };
svg.addEventListener("wheel", event => {
  event.preventDefault();
  const point = at(event), scale = Math.min(Math.max(Math.exp(event.deltaY / 500), 0.5), 2);
  const width = box.width * scale;
  if (width < 40 || width > 8 * whole[2]) return;
  show(point.x + (box.x - point.x) * scale, point.y + (box.y - point.y) * scale, width, box.height * scale);
}, {passive: false});
let held = null;
svg.addEventListener("pointerdown", event => { held = at(event); svg.setPointerCapture(event.pointerId); });
svg.addEventListener("pointerup", () => { held = null; });
svg.addEventListener("pointermove", event => {
  if (!held) return;
  const point = at(event);
  show(box.x + held.x - point.x, box.y + held.y - point.y, box.width, box.height);
});
svg.addEventListener("dblclick", () => show(...whole));
"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{svg}<script>{script}</script>
</body>
</html>
"""


def page_of(picture: Picture) -> str:
    """The page; its policy lets run exactly what is written here."""
    styles = " ".join(_hash(text) for text in (_STYLE, stylesheet(THEMES)))
    policy = f"default-src 'none'; script-src {_hash(_SCRIPT)}; style-src {styles}; base-uri 'none'; form-action 'none'"
    title = escaped(visible(picture.title))
    return _PAGE.format(policy=escaped(policy), title=title, style=_STYLE, svg=svg_of(picture), script=_SCRIPT)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
