"""From the start of the process to its first listen."""

from __future__ import annotations

from pyprof.trials import Trial

TITLE = "start-up time"
UNIT = "ms"
BETTER = "lower"
CONTRAST = "ratio"
ORDER = 15


def value(trial: Trial) -> float | None:
    """Milliseconds."""
    return trial.scalars.get("startup")
