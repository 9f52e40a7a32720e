"""Vega-Lite specs: compiled to Vega by Vega-Lite itself, checked as Vega, and told of as the Vega-Lite that was written.

Nothing is imported here: `recognise` is asked for every spec, the rest is loaded for Vega-Lite only.
"""
