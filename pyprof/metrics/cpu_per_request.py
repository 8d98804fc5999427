"""CPU time of the whole process in the measured window, divided by the requests answered in it."""

from __future__ import annotations

from pyprof.trials import Trial

TITLE = "CPU per request"
UNIT = "ms"
BETTER = "lower"
CONTRAST = "ratio"
ORDER = 0


def value(trial: Trial) -> float | None:
    """User and system CPU milliseconds per 2xx answer."""
    answers = trial.scalars.get("answers", 0.0)
    return trial.scalars["cpu"] * 1000 / answers if answers else None
