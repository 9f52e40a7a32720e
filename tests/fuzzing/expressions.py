"""Do our parsers and Vega's agree, on which texts to accept and on the trees?

    python -m fuzzing.expressions --count 100000 --seed 1 --vega-home DIR [--kind selector|code|pattern] [--record FILE]

DIR holds node_modules with vega-expression and vega-event-selector. Differences are printed; the exit code is 1 if there are any.
Kind `code` asks whether an accepted expression can be run, `pattern` about regular expressions alone.
`--record` writes a sample of all kinds with Vega's answers, for the tests that run without node.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from fuzzing.expression_forms import Form, code_form, expression_form, selector_form
from fuzzing.expression_texts import Texts
from fuzzing.vega_oracle import vega_forms
from sheliak.expressions.regex_syntax import regex_problem

_BATCH = 20_000
_EXPRESSION_KEYS = frozenset({"expr", "update", "init", "signal", "test", "filter"})


def corpus_texts(keys: frozenset[str], folder: Path) -> list[str]:
    """The distinct texts under the given keys in all specs of a folder; none where the folder is absent."""
    found: set[str] = set()
    for path in sorted(folder.glob("*.json")):
        found.update(_texts(json.loads(path.read_text("utf-8")), keys))
    return sorted(text for text in found if len(text) <= 400)


def _texts(value: object, keys: frozenset[str]) -> Iterator[str]:
    if isinstance(value, dict):
        yield from [inner for key, inner in value.items() if key in keys and isinstance(inner, str)]
        for key, inner in value.items():
            if key != "values":
                yield from _texts(inner, keys)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, keys)


def corpus_folder() -> Path:
    shared = os.environ.get("SHELIAK_SHARED", Path(__file__).parents[2].parent / "shared")
    return Path(shared) / "corpus" / "valid"


Source: TypeAlias = Callable[[Texts], str]


def stream_of(make: Source, texts: Texts) -> Iterator[str]:
    """Distinct texts without end."""
    seen: set[int] = set()
    while True:
        text = texts.joined(make(texts))
        if hash(text) not in seen:
            seen.add(hash(text))
            yield text


def pattern_form(text: str) -> Form:
    return None if regex_problem(text, "") else True


# For each kind: how a text is made, the keys in specs whose texts are varied too, what we say of a text.
KINDS: dict[str, tuple[Source, frozenset[str], Callable[[str], Form]]] = {
    "expression": (Texts.text, _EXPRESSION_KEYS, expression_form),
    "code": (Texts.text, _EXPRESSION_KEYS, code_form),
    "selector": (Texts.selector, frozenset({"events"}), selector_form),
    "pattern": (Texts.pattern, frozenset(), pattern_form),
}


def campaign(kind: str, count: int, seed: int, vega_home: Path) -> tuple[int, list[tuple[str, Form, Form]]]:
    """How many texts Vega accepted, and every text where we differ, with our form and Vega's."""
    make, keys, our_form = KINDS[kind]
    stream = stream_of(make, Texts(seed, corpus_texts(keys, corpus_folder()) if keys else ()))
    accepted, differences = 0, []
    for start in range(0, count, _BATCH):
        texts = list(islice(stream, min(_BATCH, count - start)))
        for text, theirs in zip(texts, vega_forms(kind, texts, vega_home), strict=True):
            accepted += theirs is not None
            if (ours := our_form(text)) != theirs:
                differences.append((text, ours, theirs))
    return accepted, differences


def record(count: int, seed: int, vega_home: Path, target: Path) -> None:
    """Store texts of every kind, none of them from the corpus, with Vega's answers: one JSON array [kind, text, answer] per line."""
    lines = []
    for kind, (make, _, _) in KINDS.items():
        texts = list(islice((text for text in stream_of(make, Texts(seed)) if len(text) <= 100), 10 * count))
        answered = list(zip(texts, vega_forms(kind, texts, vega_home), strict=True))
        accepted = [(text, answer) for text, answer in answered if answer is not None][: count // 2]
        rejected = [(text, answer) for text, answer in answered if answer is None][: count - len(accepted)]
        lines += [json.dumps([kind, text, answer], separators=(",", ":")) for text, answer in accepted + rejected]
    target.write_text("\n".join(lines) + "\n", "ascii")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="fuzzing.expressions")
    parser.add_argument("--kind", choices=sorted(KINDS), default="expression")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vega-home", type=Path, required=True)
    parser.add_argument("--record", type=Path)
    options = parser.parse_args(arguments)
    if options.record:
        record(options.count, options.seed, options.vega_home, options.record)
        return 0
    accepted, differences = campaign(options.kind, options.count, options.seed, options.vega_home)
    for text, ours, theirs in differences[:40]:
        print(f"{text!r}\n  ours  {json.dumps(ours)}\n  Vega's {json.dumps(theirs)}")
    print(
        f"{options.kind}: {options.count} texts, seed {options.seed}, {accepted} accepted by Vega, {len(differences)} differences"
    )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
