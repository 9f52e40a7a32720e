"""countpattern: counts the pieces of text that match a pattern, words by default."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, whole_name, with_names
from sheliak.types.shapes import EMPTY_RECORD, NUMBER, STRING, Record

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.expressions.values import Value as RunValue
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


_WORDS = "[\\w']+"


@transform("countpattern", generates=True, keeps_input=False)
class CountPattern(Transform):
    """`pattern` and `stopwords` are regular expressions; without `pattern` a piece is letters, digits, `_` and apostrophes."""

    field: FieldRef = param("field", required=True, demands="text")
    case: Name = param("enum", options=("upper", "lower", "mixed"), enforced=False, default="mixed")
    pattern: Value = param("string", default=_WORDS)
    stopwords: Value = param("string", default="")
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2, default=("text", "count"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tCountPattern: T ⊢ p : string gives {f₀: string, f₁: number}.

        Beyond the paper: the default names are `text` and `count`; a value that is not text stops the run.
        """
        return with_names(EMPTY_RECORD, [(whole_name(self.into, 0), STRING), (whole_name(self.into, 1), NUMBER)])

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦countpattern⟧: a row for each piece of text and how often it occurs; whole numbers first, then as they came.

        A piece is passed over if `stopwords` matches all of it, whatever its case.
        """
        from sheliak.transforms._grouping import in_property_order
        from sheliak.transforms._running import getter, ingest

        get, (text_name, count_name) = getter(self.field, running), self.parameters().names("text", "count")
        counts: dict[str, int] = {}
        for row in rows:
            for piece in self._pieces(get(row)):
                counts[piece] = counts.get(piece, 0) + 1
        running.publish(None)
        return [ingest({text_name: piece, count_name: float(counts[piece])}) for piece in in_property_order(counts)]

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._planning import read_field, start
        from sheliak.transforms._plans.words import counted_pieces

        pattern, stopwords = self._patterns()
        case, names = self.parameters().value("case"), self.parameters().names("text", "count")
        value = read_field(self.field, start(upstream, planning))
        return counted_pieces(upstream, value, (pattern, stopwords), case if isinstance(case, str) else "", names, planning)

    def _pieces(self, value: RunValue) -> Iterator[str]:
        """What the pattern matches in a text, without the stop words."""
        from sheliak.expressions.patterns import matcher_of
        from sheliak.expressions.values import joined

        pattern, stopwords = self._patterns()
        found, stop = matcher_of(pattern, "g"), matcher_of(f"^{stopwords}$", "i")
        for match in found.run.finditer(found.form(self._cased(value))):
            piece = joined(match[0])
            if not stop.run.search(stop.form(piece)):
                yield piece

    def _patterns(self) -> tuple[str, str]:
        from sheliak.expressions.values import to_boolean, to_text

        pattern, stopwords = self.parameters().value("pattern"), self.parameters().value("stopwords")
        return to_text(pattern) if to_boolean(pattern) else _WORDS, to_text(stopwords) if to_boolean(stopwords) else ""

    def _cased(self, value: RunValue) -> str:
        """The text in the case that is asked for; what is no text ends the run."""
        from sheliak.expressions.properties import property_of
        from sheliak.transforms._running import RunError

        case = self.parameters().value("case")
        method = {"upper": "toUpperCase", "lower": "toLowerCase"}.get(case if isinstance(case, str) else "", "match")
        if not isinstance(value, str):
            property_of(value, method)  # there is nothing to read below null and undefined
            raise RunError(f"text.{method} is not a function")
        return value.upper() if case == "upper" else value.lower() if case == "lower" else value
