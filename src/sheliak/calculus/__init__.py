"""The µVega calculus of the paper, executable: one module per figure, one function per judgement.

Letters, as in the paper: T a type, Γ a context (dataset name to type), e an expression, p a path, t a transform,
d a dataset definition, v and w data tuples, g and h groups, u a change, R a trace, st a transform's local state.
`Erratum En` in a comment marks a rule that differs from the printed one; `as_printed` holds the printed variants.
"""
