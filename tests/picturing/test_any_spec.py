"""A spec may hold anything anywhere: there is a picture all the same, with nothing over anything else."""

import copy
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from picturing.specs import FACETS, PIPELINE, pictured
from picturing.test_svg import check_markup, check_places
from sheliak.picturing.arranging import arranged
from sheliak.picturing.formats import written
from sheliak.picturing.svg import svg_of

Path = tuple[str | int, ...]
ODD: tuple[object, ...] = (
    *(None, True, 0, -1, 1e308, "", "books", "cell", [], {}, [None], [[]]),
    *({"signal": "least"}, {"field": "kind"}, {"expr": "datum.a"}, {"data": "totals", "field": 3}),
)


def paths(value: object, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from paths(member, (*path, key))


def put(spec: object, path: Path, value: object) -> None:
    """Puts a value at a path, unless an earlier one has taken the way there."""
    *way, last = path
    for key in way:
        if not is_in(spec, key):
            return
        spec = spec[key]  # type: ignore[index]
    if isinstance(spec, dict) or is_in(spec, last):
        spec[last] = copy.deepcopy(value)  # type: ignore[index]


def is_in(value: object, key: str | int) -> bool:
    return (isinstance(value, dict) and key in value) or (isinstance(value, list) and key in range(len(value)))


@settings(max_examples=60)
@given(st.data())
def test_a_spec_with_odd_values_has_a_picture(data: st.DataObject) -> None:
    spec = copy.deepcopy(data.draw(st.sampled_from([PIPELINE, FACETS])))
    places = st.sampled_from(list(paths(spec)))
    for path, value in data.draw(st.lists(st.tuples(places, st.sampled_from(ODD)), min_size=1, max_size=4)):
        put(spec, path, value)
    picture = pictured(spec)
    check_markup(svg_of(picture))
    check_places(arranged(picture))
    for name in ("text", "mermaid", "dot", "json"):
        assert written(picture, name)
