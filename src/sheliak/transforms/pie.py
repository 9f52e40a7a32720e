"""pie: the start and end angle of each row's slice."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, all_names, param, transform, with_names
from sheliak.types.shapes import NUMBER, Array, Record, Type


@transform("pie", writes=True)
class Pie(Transform):
    """The slices divide the range of angles in proportion to `field`; without it they are equal."""

    field: FieldRef | None = param("field", demands="number")
    startAngle: Value = param("number")
    endAngle: Value = param("number")
    sort: Value = param("boolean")
    into: tuple[Name | None, ...] = param("string", array=True, length=2, vega_name="as")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tPie: T ⊢ p : number gives T ∪ {startAngle: number, endAngle: number}.

        Beyond the paper: one missing value makes every later angle NaN; `sort` orders the slices, not the rows.
        """
        return with_names(datum, [(name, NUMBER) for name in all_names(self.into, ("startAngle", "endAngle"))])

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(self.field.of if self.field is not None else NUMBER)
