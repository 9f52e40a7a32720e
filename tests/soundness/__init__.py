"""The soundness theorem as a game: random well-typed specifications, random well-formed streams, laws that must hold.

`choices` draws, `types_and_values`, `expressions`, `specs` and `streams` build from the typing rules, `laws` and `campaign` check.
"""
