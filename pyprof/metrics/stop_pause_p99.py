"""99th percentile of the time that stopping one profile blocks the event loop, over those of the measured window."""

from __future__ import annotations

from pyprof.trials import Trial

TITLE = "99th percentile of stop pause"
UNIT = "ms"
BETTER = "lower"
CONTRAST = "difference"
ORDER = 17


def value(trial: Trial) -> float | None:
    """The least pause that 99 % of the profiles do not exceed, ms; None where no profile was taken."""
    return trial.percentile("stop_pause", 0.99)
