"""Fields that Vega reads although the spec does not name them: a finding about one must say why it is read."""

from __future__ import annotations

from sheliak.diagnostics.fields import UnknownDefaultField, UnknownField
from sheliak.diagnostics.registry import Diagnostic
from sheliak.expressions.field_paths import Reading, type_of_path
from sheliak.source.declared import dataclass
from sheliak.source.place import Place
from sheliak.transforms._contract import Checking
from sheliak.types.shapes import Type, Unseen


@dataclass(slots=True)
class _Explaining:
    """Hands findings on, with the reason for the reading."""

    strict: bool
    checking: Checking
    why: str

    def report(self, finding: Diagnostic) -> None:
        if type(finding) is UnknownField:
            finding = UnknownDefaultField(
                place=finding.place,
                field=finding.field,
                record=finding.record,
                dataset=finding.dataset,
                site=finding.site,
                replaceable=finding.replaceable,
                why=self.why,
            )
        self.checking.report(finding)

    def require(self, unseen: Unseen, demanded: Type) -> None:
        self.checking.require(unseen, demanded)


def read_by_default(of: Type, path: tuple[str, ...], place: Place, why: str, dataset: str | None, checking: Checking) -> Type:
    """T ⊢ p for a path that the spec does not write; `why` says what reads it."""
    return type_of_path(of, path, Reading(_Explaining(checking.strict, checking, why), place, dataset, replaceable=False))
