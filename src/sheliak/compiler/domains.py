"""Datasets that only give scales their domains: a continuous scale needs the ends of a field, a discrete one its different values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sheliak.compiler.mentions import mentioned, objects_below

_DISCRETE = frozenset({"ordinal", "band", "point", "bin-ordinal"})
_ALL_VALUES = frozenset({"quantile", "identity"})
# One row for each value sorts as all of its rows do, for operations whose value for one row is that row's.
_SORTING = frozenset({"min", "max", "mean", "average", "median", "sum"})
_PATH = set(".[]\\'\"")


@dataclass(frozen=True, slots=True)
class Domain:
    """What scales need of a dataset: both ends of some fields, or the different values of one."""

    kind: Literal["extents", "distinct values"]
    fields: tuple[str, ...]
    sorting: tuple[str, str] | None = None
    """By what distinct values are sorted: an operation and a field."""

    def transform(self) -> dict[str, object]:
        """The transform that computes it."""
        if self.kind == "distinct values":
            op, field = self.sorting or ("count", None)
            return {"type": "aggregate", "groupby": [*self.fields], "ops": [op], "fields": [field], "as": [field or "count"]}
        names = [name for field in self.fields for name in (field, field)]
        made = [f"{end}{number}" for number in range(len(self.fields)) for end in ("low", "high")]
        return {"type": "aggregate", "ops": ["min", "max"] * len(self.fields), "fields": names, "as": made}


def only_domains(name: str, drawn: object, others: Sequence[object]) -> Domain | None:
    """What scales need of the dataset, if nothing else needs it; None if something does."""
    if mentioned(list(others), {name}):
        return None
    uses = list(_uses(name, drawn))
    if not uses or None in uses or name in mentioned(_without_domains(name, drawn), {name}):
        return None
    return _merged([use for use in uses if use is not None])


def _merged(uses: list[Domain]) -> Domain | None:
    if all(use.kind == "extents" for use in uses):
        return Domain("extents", tuple(dict.fromkeys(field for use in uses for field in use.fields)))
    return uses[0] if all(use == uses[0] for use in uses) else None


def _uses(name: str, drawn: object) -> Iterator[Domain | None]:
    """What each scale needs of the dataset."""
    for scale in _scales(drawn):
        domain = scale.get("domain")
        for owner, field in _parts(domain):
            if owner.get("data") == name:
                yield _use(str(scale.get("type", "linear")), field, _sort(domain))


def _scales(drawn: object) -> Iterator[dict[str, object]]:
    for owner in objects_below(drawn):
        scales = owner.get("scales")
        if isinstance(scales, list):
            yield from (scale for scale in scales if isinstance(scale, dict))


def _parts(domain: object) -> Iterator[tuple[dict[str, object], object]]:
    """The datasets and fields of a domain."""
    if not isinstance(domain, dict):
        return
    fields = domain.get("fields")
    if not isinstance(fields, list):
        yield domain, domain.get("field")
        return
    for field in fields:
        yield (field, field.get("field")) if isinstance(field, dict) else (domain, field)


def _sort(domain: object) -> object:
    return domain.get("sort") if isinstance(domain, dict) else None


def _use(scale: str, field: object, sort: object) -> Domain | None:
    if not isinstance(field, str) or not field or set(field) & _PATH or scale in _ALL_VALUES:
        return None
    if scale not in _DISCRETE:
        return Domain("extents", (field,))
    if sort is None or isinstance(sort, bool) or (isinstance(sort, dict) and not set(sort) - {"order"}):
        return Domain("distinct values", (field,))
    if not isinstance(sort, dict) or not isinstance(sort.get("field"), str) or sort.get("op") not in _SORTING:
        return None
    by = str(sort["field"])
    return Domain("distinct values", (field,), (str(sort["op"]), by)) if by != field and not set(by) & _PATH else None


def _without_domains(name: str, value: object) -> object:
    """The same without the domains that take from the dataset, for everything else that may mention it."""
    if isinstance(value, list):
        return [_without_domains(name, element) for element in value]
    if not isinstance(value, dict):
        return value
    kept = value
    if isinstance(value.get("scales"), list):
        kept = {**value, "scales": [_without_domain(name, scale) for scale in value["scales"]]}
    return {key: _without_domains(name, part) for key, part in kept.items()}


def _without_domain(name: str, scale: object) -> object:
    if not isinstance(scale, dict):
        return scale
    if not any(owner.get("data") == name for owner, _ in _parts(scale.get("domain"))):
        return scale
    # Another dataset of the same domain is none of ours.
    return {key: part for key, part in scale.items() if key != "domain"}
