"""Broken specs by number: the same seed and number always give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

from fuzzing.large_specs import deep_text, large_spec, large_text
from fuzzing.odd_values import Json, odd_value
from fuzzing.spec_corruptions import Corruptions, commented, encoded, garbled
from fuzzing.spec_seeds import samples_by_key
from fuzzing.spec_verdict import Case


class Cases:
    """A stream of cases that grow from sound specs.

    Large ones take most of the time: with `few_large` only one in eight of them is made.
    """

    def __init__(self, seed: int, specs: Sequence[str], urls: Sequence[str], *, few_large: bool = False) -> None:
        self.seed = seed
        self.few_large = few_large
        self.specs = list(specs)
        self.urls = urls
        self.samples = samples_by_key(self.specs)

    def case(self, number: int) -> Case:
        random = Random(f"{self.seed}:{number}")
        roll = random.randrange(100)
        if self.few_large and (roll in (2, 3) or 22 <= roll < 27) and random.random() < 7 / 8:
            roll = 50
        if roll < 2:
            content = random.randbytes(random.choice((0, 1, 3, 40, 3000)))
        elif roll < 3:
            content = encoded(random, deep_text(random))
        elif roll < 4:
            content = encoded(random, large_text(random))
        else:
            content = encoded(random, self._text(random, roll))
        return Case(content, strict=random.random() < 0.3)

    def _text(self, random: Random, roll: int) -> str:
        if roll < 20:
            return garbled(random, random.choice(self.specs))
        spec = self._spec(random, roll)
        if roll < 30:
            return commented(random, spec)
        text = json.dumps(spec, indent=random.choice((None, None, 2)), ensure_ascii=random.random() < 0.8)
        return text if roll < 95 else garbled(random, text)

    def _spec(self, random: Random, roll: int) -> Json:
        if roll < 22:
            return odd_value(random)
        if roll < 26:
            return large_spec(random)
        corruptions = Corruptions(random, self.samples, self.urls)
        if roll < 27:
            return corruptions.damaged(large_spec(random))
        while True:
            try:
                return corruptions.damaged(json.loads(random.choice(self.specs)))
            except json.JSONDecodeError:
                continue
