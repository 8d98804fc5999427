"""99th percentile of latency of the requests in the measured window, as the load generator saw it."""

from __future__ import annotations

from pyprof.trials import Trial

TITLE = "99th percentile of latency"
UNIT = "ms"
BETTER = "lower"
CONTRAST = "ratio"
ORDER = 13


def value(trial: Trial) -> float | None:
    """Milliseconds; None where it is under the load generator's resolution of 1 ms."""
    return trial.scalars.get("latency_p99") or None
