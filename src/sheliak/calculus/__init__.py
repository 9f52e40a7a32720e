"""The µVega calculus of the paper, executable: one module per figure, one function per judgement.

    Fig. 4   syntax                   §5.2     expression_evaluation   (builtin_functions, number_text)
    §4       type_syntax              Fig. 10  transform_semantics     (exact_sum)
    Fig. 5   expression_typing        §5.4     propagation
    Fig. 6   spec_typing              Fig. 11  change_typing
    Fig. 8   graph_building           as_printed: the rules that cannot be taken literally, as they are printed
    Fig. 9   changes                  no_derivation: why there is none

The rest makes it usable: `surface` (`tokens`) and `printer` for programs, `program_check` and `rendering` for findings,
`change_lines` (`positioned_json`), `program_run` and `run_rendering` for runs.

Letters, as in the paper: T a type, Γ a context (dataset name to type), e an expression, p a path, t a transform,
d a dataset definition, v and w data tuples, g a group, u a change, R a trace, st a transform's local state.
`Erratum En` marks a rule that differs from the printed one.
"""
