"""Changes: their model, the lifted meanings, the live reference engine, and the laws that hold them together."""
