"""Writes the names of the time zones as JavaScript knows them.

    python -m fuzzing.zone_names

Node is asked for every zone that Python knows; the result is `zone_names.txt` beside the module that reads it.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter, defaultdict
from pathlib import Path
from zoneinfo import available_timezones

from sheliak.expressions import zone_names
from sheliak.expressions.zones import zone_of

_SCRIPT = Path(__file__).with_name("zone_names.mjs")


def names_of(zone: str, labels: list[tuple[int, str]]) -> tuple[str, str]:
    """The names of a zone's standard and summer time: for each the one seen most."""
    rules = zone_of(zone).rules
    seen: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    for ms, label in labels:
        seen[rules is not None and zone_names.is_summer(zone, rules, ms)][label] += 1
    standard = (seen[False] or seen[True]).most_common(1)[0][0]
    return standard, seen[True].most_common(1)[0][0] if seen[True] else standard


def main() -> None:
    zones = sorted(available_timezones())
    asked = subprocess.run(["node", str(_SCRIPT)], input="\n".join(zones), capture_output=True, check=True, encoding="utf-8")
    by_names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for zone, line in zip(zones, asked.stdout.splitlines(), strict=True):
        by_names[names_of(zone, json.loads(line))].append(zone)
    lines = ["|".join([*names, " ".join(together)]) for names, together in sorted(by_names.items())]
    Path(zone_names.__file__).with_suffix(".txt").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
