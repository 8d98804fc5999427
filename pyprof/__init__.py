"""Measures what a Node.js CPU profiler costs in memory, throughput and event-loop time, and whether it leaks."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyprof import stats
    from pyprof.comparison import Comparison, Results
    from pyprof.errors import PyprofError
    from pyprof.profile import Profile
    from pyprof.run import compare

__all__ = ["Comparison", "Profile", "PyprofError", "Results", "compare", "stats"]

# Loaded when first used: every pytest run of an environment with pyprof imports this package for its plugin.
_HOMES = {
    "Comparison": "pyprof.comparison",
    "Profile": "pyprof.profile",
    "PyprofError": "pyprof.errors",
    "Results": "pyprof.comparison",
    "compare": "pyprof.run",
}


def __getattr__(name: str) -> Any:
    if name == "stats":
        return importlib.import_module("pyprof.stats")
    if name not in _HOMES:
        raise AttributeError(f"module 'pyprof' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
