"""Which objects are charts of Altair, found out without importing Altair."""

from __future__ import annotations

import importlib.util


def is_altair_chart(what: object) -> bool:
    """A chart that Altair made, or an object of a class made from one of its own."""
    return any(cls.__module__.partition(".")[0] == "altair" for cls in type(what).__mro__) and hasattr(what, "to_dict")


def require_altair() -> None:
    """Raises ImportError, with what to install, where there is no Altair."""
    if importlib.util.find_spec("altair") is None:
        raise ImportError("Altair is not installed: pip install 'sheliak[altair]'")
