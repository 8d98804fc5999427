"""Measures what a Node.js CPU profiler costs in memory, throughput and event-loop time, and whether it leaks."""

from __future__ import annotations

from pyprof import stats
from pyprof.comparison import Comparison, Results
from pyprof.errors import PyprofError
from pyprof.profile import Profile
from pyprof.run import compare

__all__ = ["Comparison", "Profile", "PyprofError", "Results", "compare", "stats"]
