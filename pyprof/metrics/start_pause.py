"""Time that starting one profile blocks the event loop, averaged over the profiles of the measured window."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from pyprof.trials import Trial

TITLE = "start pause per profile"
UNIT = "ms"
BETTER = "lower"
CONTRAST = "difference"
ORDER = 4


def value(trial: Trial) -> float | None:
    """Mean start pause, ms; None where no profile was taken."""
    pauses = samples(trial)
    return statistics.fmean(pauses) if pauses else None


def samples(trial: Trial) -> Sequence[float]:
    """The start pause of each profile, ms."""
    return trial.series.get("start_pause", ())
