#!/usr/bin/env bash
# What action.yml runs: one check that marks lines, one that writes JSON for later steps, perhaps one for code scanning.
set -u -o pipefail
set -f # a pattern is Sheliak's to expand
read -r -a paths <<<"${PATHS:-}"
read -r -a arguments <<<"${ARGUMENTS:-}"
given=(${arguments[@]+"${arguments[@]}"} -- ${paths[@]+"${paths[@]}"})

if [ -n "${SARIF_FILE:-}" ]; then
    sheliak check --exit-zero --output-format sarif "${given[@]}" >"$SARIF_FILE"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
    {
        echo "findings<<end-of-findings"
        sheliak check --exit-zero --output-format json "${given[@]}" 2>/dev/null |
            python -c 'import json, sys; print(json.dumps(json.load(sys.stdin)[:500]))' || echo "[]"
        echo "end-of-findings"
    } >>"$GITHUB_OUTPUT"
fi
sheliak check --output-format github "${given[@]}"
