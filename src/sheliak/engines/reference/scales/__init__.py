"""Scales, as far as expressions about data ask for them; whatever depends on colour schemes is left to the renderer."""

from sheliak.engines.reference.scales.building import build_scale

__all__ = ["build_scale"]
