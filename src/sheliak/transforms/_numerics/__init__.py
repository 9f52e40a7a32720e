"""The mathematics of the transforms, loaded when one of them runs. Results follow Vega's own order of operations."""
