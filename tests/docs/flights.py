"""Made-up flights for the pages that draw some, the same on every machine."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

CARRIERS = ("Albatross", "Bittern", "Curlew", "Dunlin", "Egret")
ROWS = 50_000


def write_flights(path: Path) -> None:
    """With some carriers delays grow."""
    draw = random.Random(1)
    carriers = [draw.randrange(len(CARRIERS)) for _ in range(ROWS)]
    table = pa.table(
        {
            "carrier": [CARRIERS[carrier] for carrier in carriers],
            "distance": [float(round(math.exp(6.2 + draw.gauss(0, 0.7)))) for _ in carriers],
            "delay": [float(round(-math.log(1 - draw.random()) * (10 + carrier * 4) - 12)) for carrier in carriers],
        }
    )
    parquet.write_table(table, path)
