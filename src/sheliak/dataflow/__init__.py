"""Names and scopes of a spec: which dataset, signal, scale, projection or mark a word stands for."""
