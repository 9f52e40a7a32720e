"""Sheliak: finds the mistakes of a Vega chart before it is drawn, and runs its data pipeline on Spark."""

__version__ = "0.1.0"
