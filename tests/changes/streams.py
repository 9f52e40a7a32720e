"""Random changes for the datasets of random specs, as lines."""

from __future__ import annotations

import json
from random import Random
from typing import TypeAlias

from fuzzing.transform_specs import Json, Object, Specs

LineObject: TypeAlias = Object
PulseObjects: TypeAlias = "list[LineObject]"
_MARKS: dict[str, Json] = {
    "?NaN": {"$num": "NaN"},
    "?Infinity": {"$num": "Infinity"},
    "?-Infinity": {"$num": "-Infinity"},
    "?-0": {"$num": "-0"},
    "?undefined": {"$undefined": True},
}


class Streams:
    """Adds, updates and removes for the datasets of a spec that have values; ids come again after a remove."""

    def __init__(self, random: Random, specs: Specs, spec: Object, *, numbered: bool = False) -> None:
        self.random = random
        self.numbered = numbered
        """Every row is plain JSON with its id in the field `rid`, and an update changes fields without dropping any."""
        self.rows: dict[str, dict[int, Object]] = {}
        self.pools: dict[str, list[Object]] = {}
        self.free: dict[str, list[int]] = {}
        data = spec["data"]
        assert isinstance(data, list)
        for dataset in data:
            assert isinstance(dataset, dict)
            if "values" in dataset:
                self._begin(dataset, specs)

    def _begin(self, dataset: Object, specs: Specs) -> None:
        name, values = dataset["name"], dataset["values"]
        assert isinstance(name, str) and isinstance(values, list)
        kinds = specs.kinds if name == "t" else {"id": "mixed", "n": "number"}
        made = [row for row in specs.rows(kinds, 8) if isinstance(row, dict)]
        fresh = made if self.numbered else [_unmarked(row) for row in made]
        self.pools[name] = [*(row for row in values if isinstance(row, dict)), *fresh, {}]
        self.rows[name] = {number: row for number, row in enumerate(values, start=1) if isinstance(row, dict)}
        if self.numbered:
            for number, row in self.rows[name].items():
                row["rid"] = number
        self.free[name] = [*range(len(values) + 1, len(values) + 6)]

    def pulse(self, most: int) -> PulseObjects:
        return [self.change() for _ in range(self.random.randint(1, most))]

    def change(self) -> LineObject:
        name = self.random.choice([*self.rows])
        rows, free = self.rows[name], self.free[name]
        roll = self.random.random()
        if free and (roll < 0.4 or not rows):
            number = free.pop(self.random.randrange(len(free)))
            rows[number] = self._row(name, number)
            return {"data": name, "id": number, "add": rows[number]}
        if not rows:
            free.append(max(free, default=0) + 1)
            return self.change()
        number = self.random.choice([*rows])
        if roll < 0.75:
            rows[number] = self._changed(name, rows[number], number)
            return {"data": name, "id": number, "update": rows[number]}
        del rows[number]
        free.append(number)
        return {"data": name, "id": number, "remove": True}

    def _row(self, name: str, number: int) -> Object:
        row = dict(self.random.choice(self.pools[name]))
        return {**row, "rid": number} if self.numbered else row

    def _changed(self, name: str, row: Object, number: int) -> Object:
        other = self._row(name, number)
        if not other or (self.random.random() < 0.5 and not self.numbered):
            return other
        field = self.random.choice([*other])
        return {**row, field: other[field]}


def _unmarked(row: Object) -> Object:
    return {name: _MARKS.get(value, value) if isinstance(value, str) else value for name, value in row.items()}


def text_of(pulses: list[PulseObjects]) -> str:
    """The pulses as lines."""
    return "".join(json.dumps(line) + "\n" for pulse in pulses for line in [*pulse, {"commit": True}])
