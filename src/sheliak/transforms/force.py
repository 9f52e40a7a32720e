"""force: places the rows by simulating forces between them."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.diagnostics.parameters import TextInTransform, UnknownParameter
from sheliak.transforms._contract import Checking, Computed, FieldRef, Rewrite, Transform, Value, param, transform, variant
from sheliak.transforms._defaults import read_by_default
from sheliak.types.operations import extended, is_text, without_missing
from sheliak.types.shapes import NUMBER, UNKNOWN, Record, Type

_OUTPUTS = ("x", "y", "vx", "vy")

_FORCES: dict[str, type[Transform]] = {}


@variant("center", "the `center` force", "force", _FORCES)
class Center(Transform):
    """Moves all nodes so that their centre is at x, y."""

    x: Value = param("number")
    y: Value = param("number")


@variant("collide", "the `collide` force", "force", _FORCES)
class Collide(Transform):
    """Keeps nodes with a radius apart."""

    radius: FieldRef | Value = param("number", accessor=True, demands="number")
    strength: Value = param("number")
    iterations: Value = param("number")


@variant("nbody", "the `nbody` force", "force", _FORCES)
class NBody(Transform):
    """Lets all nodes attract or repel each other."""

    strength: FieldRef | Value = param("number", accessor=True, demands="number")
    theta: Value = param("number")
    distanceMin: Value = param("number")
    distanceMax: Value = param("number")


@variant("link", "the `link` force", "force", _FORCES)
class Link(Transform):
    """Keeps linked nodes at a distance; `links` is a dataset with `source` and `target`."""

    links: Record | Computed | None = param("data")
    id: FieldRef | None = param("field")
    distance: FieldRef | Value = param("number", accessor=True, demands="number")
    strength: FieldRef | Value = param("number", accessor=True, demands="number")
    iterations: Value = param("number")

    @classmethod
    def reads(cls, name: str, datum: Type, given: Mapping[str, object], checking: Checking) -> Type:
        """`distance` and `strength` read the link, whose ends are nodes by then; `id` reads the node."""
        links = given.get("links")
        if name in ("distance", "strength") and isinstance(links, Record) and isinstance(datum, Record):
            return _linked(links, placed(datum))
        return datum

    @property
    def links_name(self) -> str | None:
        """The name of the dataset of the links."""
        links = self.node.get("links")
        return links.text if links is not None else None

    def check_ends(self, checking: Checking) -> None:
        """Each end must be the `id` of a node, or its position in the dataset; Vega aborts at an end that is no node."""
        if not isinstance(self.links, Record):
            return
        place = self.place("links")
        why = "a `link` force reads `source` and `target` of each link"
        ids = NUMBER if self.id is None else without_missing(self.id.of)
        for end in ("source", "target"):
            of = without_missing(read_by_default(self.links, (end,), place, why, self.links_name, checking))
            if of is UNKNOWN:
                return
            if {_kind(of), _kind(ids)} == {"number", "text"}:
                wanted = "the number of a node" if self.id is None else f"the `{self.id.text}` of a node"
                checking.report(TextInTransform(place=place, field=end, owner=self.owner, of=of, wanted=wanted))
                return


@variant("x", "the `x` force", "force", _FORCES)
class ForceX(Transform):
    """Pulls each node towards an x of its own."""

    strength: Value = param("number")
    x: FieldRef | None = param("field", demands="number")


@variant("y", "the `y` force", "force", _FORCES)
class ForceY(Transform):
    """Pulls each node towards a y of its own."""

    strength: Value = param("number")
    y: FieldRef | None = param("field", demands="number")


@transform("force", writes=True)
class Force(Transform):
    """`forces` are simulated together; without `static` the rows move on after the first drawing."""

    static: Value = param("boolean")
    restart: Value = param("boolean")
    iterations: Value = param("number")
    alpha: Value = param("number")
    alphaMin: Value = param("number")
    alphaTarget: Value = param("number")
    velocityDecay: Value = param("number")
    forces: tuple[Transform | None, ...] = param("param", array=True, key="force", variants=_FORCES)
    into: tuple[Value, ...] = param("string", array=True, vega_name="as")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tForce: T gives T ∪ {x: number, y: number, vx: number, vy: number, index: number}.

        Beyond the paper: `as` is accepted and ignored; a `link` force rewrites the dataset of the links (see `rewrites`).
        """
        if self.into != _OUTPUTS[: len(self.into)]:
            key = self.node.get("as")
            assert key is not None
            known = tuple(declared.name for declared in self.params if declared.name != "as")
            checking.report(UnknownParameter(place=key.key_place, name="as", owner=self.owner, known=known))
        for force in self.forces:
            if isinstance(force, Link):
                force.check_ends(checking)
        return placed(datum)

    def rewrites(self, rows: Record) -> tuple[Rewrite, ...]:
        """A `link` force puts the nodes themselves in place of the `source` and `target` of every link, and numbers the links."""
        return tuple(
            Rewrite(dataset, _linked(force.links, rows))
            for force in self.forces
            if isinstance(force, Link) and isinstance(force.links, Record) and (dataset := force.node.get("links")) is not None
        )


def placed(node: Record) -> Record:
    """A node of the simulation."""
    return extended(node, dict.fromkeys((*_OUTPUTS, "index"), NUMBER))


def _linked(link: Record, node: Record) -> Record:
    return extended(link, {"source": node, "target": node, "index": NUMBER})


def _kind(of: Type) -> str | None:
    """What JavaScript calls the values, where all are alike: the ends of links are compared without coercion."""
    return "number" if of == NUMBER else "text" if is_text(of) else None
