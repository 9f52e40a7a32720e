"""Vega's expression language and its event selectors: syntax, types, values."""
