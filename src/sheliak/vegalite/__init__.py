"""Vega-Lite specs: compiled to Vega by Vega-Lite itself, checked as Vega, and told of as the Vega-Lite that was written."""

from sheliak.vegalite.check import check_vega_lite
from sheliak.vegalite.compiling import VegaLiteUnavailable
from sheliak.vegalite.recognise import is_vega_lite

__all__ = ["VegaLiteUnavailable", "check_vega_lite", "is_vega_lite"]
