"""cross: every row paired with every row, itself included."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.transforms._contract import Checking, ExprRef, Name, Transform, param, transform, whole_name, with_names
from sheliak.types.shapes import EMPTY_RECORD, Array, Record, Type

_NAMES = ("a", "b")


@transform("cross", generates=True, keeps_input=False)
class Cross(Transform):
    """The two rows of a pair are nested under the two names; `filter` sees the pair."""

    # Vega lists `filter` first; what it sees is known once `as` is.
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2, default=_NAMES)
    filter: ExprRef | None = param("expr", signals=False)

    @classmethod
    def reads(cls, name: str, datum: Type, given: Mapping[str, object], checking: Checking) -> Type:
        """`filter` is evaluated over the pair."""
        names = given.get("into", _NAMES)
        assert isinstance(names, tuple)
        return _pair(datum, names) if name == "filter" else datum

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tCross: T gives {f₀: T, f₁: T}; the filter is typed over that, {f₀: T, f₁: T} ⊢ e : T'.

        Beyond the paper: the default names are `a` and `b`; a single name in `as` leaves the second row to a field called
        `undefined`.
        """
        return _pair(datum, self.into)

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(_pair(datum, self.into))


def _pair(of: Type, names: tuple[Name | None, ...]) -> Record:
    return with_names(EMPTY_RECORD, [(whole_name(names, 0), of), (whole_name(names, 1), of)])
