"""bin: the start and the end of the interval that a number falls into."""

from __future__ import annotations

from sheliak.diagnostics.parameters import ShortAs
from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, whole_name, with_names
from sheliak.types.shapes import NUMBER, STRING, Array, Record, Type


@transform("bin")
class Bin(Transform):
    """Nothing is taken from the data: `extent` must be given, by an `extent` transform's signal for example."""

    field: FieldRef = param("field", required=True, demands="number")
    interval: Value = param("boolean", default=True)
    anchor: Value = param("number")
    maxbins: Value = param("number", default=20)
    base: Value = param("number", default=10)
    divide: tuple[Value, ...] = param("number", array=True, default=(5, 2))
    extent: tuple[Value, ...] = param("number", array=True, required=True, length=2)
    span: Value = param("number")
    step: Value = param("number")
    steps: tuple[Value, ...] = param("number", array=True)
    minstep: Value = param("number", default=0)
    nice: Value = param("boolean", default=True)
    name: Value = param("string")
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", default=("bin0", "bin1"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tBin: T ⊢ p : T' and T' is read as a number give T ∪ {f₀: number, f₁: number}.

        Beyond the paper: the default names are `bin0` and `bin1`; with `interval` false there is only the first; a single
        name in `as` leaves the second to a field called `undefined`. Numeric text and dates are coerced.
        """
        wanted = 1 if self.interval is False else 2
        if len(self.into) < wanted:
            written = "a field called `undefined`"
            finding = ShortAs(place=self.place("as"), owner=self.owner, given=len(self.into), wanted=wanted, written=written)
            checking.report(finding)
        return with_names(datum, [(whole_name(self.into, index), NUMBER) for index in range(wanted)])

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        """The binning function, with the start, the stop and the step as its properties."""
        return _BINNING


_BINNING = Record(
    {
        "start": NUMBER,
        "stop": NUMBER,
        "step": NUMBER,
        "fname": STRING,
        "fields": Array(STRING),
        "name": STRING,
        "length": NUMBER,
    }
)
