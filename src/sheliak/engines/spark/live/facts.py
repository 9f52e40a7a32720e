"""What a later process has to know of a live spec besides the rows: signals, the clock, the types of columns, what could not be loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sheliak.engines.reference.inputs import Inputs, Surroundings
from sheliak.engines.spark.live.column_json import text_of_types, types_of_text
from sheliak.engines.spark.live.moments import Moment
from sheliak.engines.spark.live.run import Types
from sheliak.engines.spark.live.store import Draft, Store
from sheliak.expressions.values import Json, decode, encode

_FACTS = "live"


def write_facts(draft: Draft, moment: Moment, inputs: Inputs) -> None:
    around = moment.around
    facts: dict[str, Json] = {
        "types": {name: text_of_types(types) for name, types in moment.standing.run.types.items()},
        "now": around.now,
        "signals": {name: encode(value) for name, value in around.signals.items()},
        "reasons": dict(inputs.reasons),
        "warnings": list(inputs.warnings),
    }
    draft.set_facts(_FACTS, facts)


def read_facts(store: Store) -> Known:
    return Known(store.facts(_FACTS))


@dataclass(frozen=True, slots=True)
class Known:
    """What was written."""

    facts: Mapping[str, Json]

    def inputs(self) -> Inputs:
        warnings = self.facts["warnings"]
        assert isinstance(warnings, list)
        return Inputs(reasons=self._texts("reasons"), warnings=[str(text) for text in warnings])

    def around(self, surroundings: Surroundings) -> Surroundings:
        now, signals = self.facts["now"], self.facts["signals"]
        assert isinstance(now, (int, float)) and isinstance(signals, dict)
        return replace(surroundings, now=float(now), signals={name: decode(value) for name, value in signals.items()})

    def types(self) -> dict[str, Types]:
        """What the columns of sources hold; a state of an earlier version does not tell."""
        return {name: types_of_text(text) for name, text in self._texts("types").items()}

    def _texts(self, name: str) -> dict[str, str]:
        given = self.facts.get(name, {})
        assert isinstance(given, dict)
        return {key: str(text) for key, text in given.items()}
