"""countpattern: counts the pieces of text that match a pattern, words by default."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, whole_name, with_names
from sheliak.types.shapes import EMPTY_RECORD, NUMBER, STRING, Record


@transform("countpattern", generates=True, keeps_input=False)
class CountPattern(Transform):
    """`pattern` and `stopwords` are regular expressions; without `pattern` a piece is letters, digits, `_` and apostrophes."""

    field: FieldRef = param("field", required=True, demands="text")
    case: Name = param("enum", options=("upper", "lower", "mixed"), enforced=False, default="mixed")
    pattern: Value = param("string", default="[\\w']+")
    stopwords: Value = param("string", default="")
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2, default=("text", "count"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tCountPattern: T ⊢ p : string gives {f₀: string, f₁: number}.

        Beyond the paper: the default names are `text` and `count`; a value that is not text stops the run.
        """
        return with_names(EMPTY_RECORD, [(whole_name(self.into, 0), STRING), (whole_name(self.into, 1), NUMBER)])
