"""linkpath: the line from a source to a target, as the text of an SVG path."""

from __future__ import annotations

from sheliak.diagnostics.parameters import UnknownOption
from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, with_names
from sheliak.transforms._defaults import read_by_default
from sheliak.types.shapes import STRING, UNKNOWN, Record

_ORIENTS = ("horizontal", "vertical", "radial")


@transform("linkpath", writes=True)
class LinkPath(Transform):
    """The ends are read from `source.x`, `source.y`, `target.x` and `target.y` unless the spec names other fields."""

    sourceX: FieldRef | None = param("field", demands="number")
    sourceY: FieldRef | None = param("field", demands="number")
    targetX: FieldRef | None = param("field", demands="number")
    targetY: FieldRef | None = param("field", demands="number")
    orient: Value = param("string")
    shape: Value = param("enum", options=("line", "arc", "curve", "diagonal", "orthogonal"))
    require: object = param("any")
    into: Name = param("string", vega_name="as", default="path")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tLinkPath: T ⊢ source.x, source.y, target.x, target.y : number gives T ∪ {path: string}.

        Beyond the paper: an unknown `orient` aborts the run where the shape depends on it, and means vertical elsewhere.
        """
        self._read_defaults(datum, checking)
        self._check_orient(checking)
        return with_names(datum, [(self.into, STRING)])

    def _read_defaults(self, datum: Record, checking: Checking) -> None:
        """An end that the spec does not name is read all the same; the first that is missing is reported."""
        ends = (("sourceX", self.sourceX), ("sourceY", self.sourceY), ("targetX", self.targetX), ("targetY", self.targetY))
        for name, field in ends:
            path = (name[:-1], name[-1].lower())
            why = f"`linkpath` without `{name}` reads `{'.'.join(path)}`"
            place, dataset = self.place("type"), checking.dataset_name
            if field is None and read_by_default(datum, path, place, why, dataset, checking) is UNKNOWN:
                return

    def _check_orient(self, checking: Checking) -> None:
        if isinstance(self.orient, str) and self.orient not in _ORIENTS:
            owner, ignored = f"`orient` of {self.owner}", self.shape not in ("diagonal", "orthogonal")
            place = self.place("orient")
            checking.report(UnknownOption(place=place, value=self.orient, owner=owner, options=_ORIENTS, ignored=ignored))
