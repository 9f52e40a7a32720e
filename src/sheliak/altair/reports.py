"""What is found in a chart of Altair, at places of its code and in its words."""

from __future__ import annotations

from functools import cached_property

from sheliak.altair.charts import Converted
from sheliak.altair.code import code_of
from sheliak.altair.code_writer import Code
from sheliak.checker.check import Checked
from sheliak.checker.report import Edit, Finding, Location, Report
from sheliak.diagnostics.registry import Diagnostic
from sheliak.diagnostics.vegalite import FieldNotInAggregate, TextInQuantitative
from sheliak.source.declared import replace
from sheliak.source.place import Place
from sheliak.source.text import Source
from sheliak.types.operations import is_date_like


class ChartReport(Report):
    """The report on a chart. Pointers are those of its spec, positions those of its code."""

    def __init__(self, converted: Converted, checked: Checked) -> None:
        self._code = code_of(converted.spec, converted.chart)
        super().__init__(Source(converted.name, self._code.text), checked)

    @cached_property
    def diagnostics(self) -> tuple[Finding, ...]:
        """The findings in the order of the code, each with its repair in Altair's words."""
        return tuple(replace(finding, help=help_in_code(finding.diagnostic)) for finding in super().diagnostics)

    @property
    def code(self) -> Code:
        return self._code

    def locate(self, place: Place) -> Location:
        return self.located(self._code.span_of(place), place)

    def _edits(self, diagnostic: Diagnostic, repeats: tuple[Place, ...]) -> tuple[Edit, ...]:
        # The code is ours; the author's file is somewhere else.
        return ()


def help_in_code(found: Diagnostic) -> str | None:
    """The likeliest repair, as one writes it in Altair."""
    match found:
        case TextInQuantitative():
            letter, what = ("T", "dates") if is_date_like(found.of) else ("N", "text")
            return f"write `{found.field}:{letter}` for {what}"
        case FieldNotInAggregate():
            return f"add `detail='{found.field}'` to the encoding, or aggregate the field too, as in `max({found.field})`"
        case _:
            return found.help()
