"""The process that draws: `python -m sheliak.running.draw svg|png|pdf [HOST]... < spec > picture`."""

from __future__ import annotations

import re
import sys

# The drawing of an image reads files of this machine: only images that stand in the spec itself are left.
_IMAGE = re.compile(r'(<image\b[^>]*?\b(?:xlink:)?href=")(?!data:)[^"]*(")')


def drawn(spec: str, kind: str, hosts: list[str]) -> bytes:
    """The picture as a file holds it."""
    import vl_convert

    allowed = [f"{scheme}://{host}/" for host in hosts for scheme in ("https", "http")]
    svg: str = vl_convert.vega_to_svg(spec, allowed_base_urls=allowed)
    if kind == "svg":
        return svg.encode()
    safe = _IMAGE.sub(r"\1\2", svg)
    picture: bytes = vl_convert.svg_to_png(safe, scale=2) if kind == "png" else vl_convert.svg_to_pdf(safe)
    return picture


if __name__ == "__main__":
    try:
        sys.stdout.buffer.write(drawn(sys.stdin.buffer.read().decode(), sys.argv[1], sys.argv[2:]))
    except ValueError as problem:
        sys.exit(str(problem))
