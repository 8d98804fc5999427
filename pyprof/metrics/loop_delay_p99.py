"""99th percentile of the event loop's delay, from perf_hooks.monitorEventLoopDelay."""

from __future__ import annotations

from pyprof.trials import Trial

TITLE = "99th percentile of event-loop delay"
UNIT = "ms"
BETTER = "lower"
CONTRAST = "ratio"
ORDER = 14


def value(trial: Trial) -> float | None:
    """Milliseconds."""
    return trial.scalars.get("loop_delay_p99")
