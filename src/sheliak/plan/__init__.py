"""Plans: an engine-free relational algebra over typed columns, and Vega's expressions in it with every conversion written out."""

import sys
from types import ModuleType


class _Callable(ModuleType):
    """As soon as this package is loaded, its name hides that of the function `sheliak.plan`; so it can be called like it."""

    def __call__(self, *given: object, **options: object) -> object:
        from sheliak.api import plan_spec

        return plan_spec(*given, **options)  # type: ignore[arg-type]


sys.modules[__name__].__class__ = _Callable
