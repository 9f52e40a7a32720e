"""The time zone of this machine, which is that of a chart where nobody says another."""

from __future__ import annotations

import os
from zoneinfo import ZoneInfo

from sheliak.engines.failures import RunFailure
from sheliak.expressions.zones import Zone, zone_of


def zone_called(name: str | None) -> Zone:
    """The zone of a name such as Europe/Ghent; without a name, that of this machine. Raises RunFailure."""
    try:
        return zone_of(name if name is not None else local_name())
    except ValueError as problem:
        raise RunFailure(f"there is no time zone {name!r}", help="name it like America/New_York, or UTC") from problem


def local_name() -> str:
    """The name of the zone that TZ gives, else of the one that the system is set to, else UTC."""
    linked = os.path.realpath("/etc/localtime").rpartition("/zoneinfo/")[2]
    for name in (os.environ.get("TZ", "").lstrip(":"), linked):
        if name and _is_known(name):
            return name
    return "UTC"


def _is_known(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return True
