"""Walks a spec in Vega's own order, applies the typing rules and gathers what they find."""
