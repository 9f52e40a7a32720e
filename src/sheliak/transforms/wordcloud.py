"""wordcloud: places the rows' texts as a cloud of words."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, all_names, param, transform, with_names
from sheliak.types.shapes import NUMBER, STRING, Record, Type

_OUTPUTS = ("x", "y", "font", "fontSize", "fontStyle", "fontWeight", "angle")


@transform("wordcloud", writes=True)
class Wordcloud(Transform):
    """`font`, `fontStyle`, `fontWeight`, `fontSize`, `rotate` and `padding` are constants, `{field}` or `{expr}`."""

    size: tuple[Value, ...] = param("number", array=True, length=2)
    font: FieldRef | Value = param("string", accessor=True)
    fontStyle: FieldRef | Value = param("string", accessor=True)
    fontWeight: FieldRef | Value = param("string", accessor=True)
    fontSize: FieldRef | Value = param("number", accessor=True, demands="number")
    fontSizeRange: tuple[Value, ...] = param("number", array=True, length=2)
    rotate: FieldRef | Value = param("number", accessor=True, demands="number")
    text: FieldRef | None = param("field")
    spiral: Value = param("enum", options=("archimedean", "rectangular"))
    padding: FieldRef | Value = param("number", accessor=True, demands="number")
    into: tuple[Name | None, ...] = param("string", array=True, length=7, vega_name="as")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tWordcloud: T gives T ∪ {x, y: number, font: string, fontSize: number, fontStyle, fontWeight: string, angle: number}.

        Beyond the paper: a style that comes from a field keeps its type; a word that finds no room has fontSize 0 and NaN
        for x and y; the field of `fontSize` is scaled only where `fontSizeRange` is given.
        """
        types = (
            NUMBER,
            NUMBER,
            _type_of(self.font, STRING),
            NUMBER,
            _type_of(self.fontStyle, STRING),
            _type_of(self.fontWeight, STRING),
            _type_of(self.rotate, NUMBER),
        )
        return with_names(datum, zip(all_names(self.into, _OUTPUTS), types, strict=True))


def _type_of(style: FieldRef | Value, otherwise: Type) -> Type:
    if isinstance(style, FieldRef):
        return style.of
    return NUMBER if isinstance(style, int | float) else otherwise
