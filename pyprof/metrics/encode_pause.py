"""Time that encoding one profile blocks the event loop, averaged over the profiles of the measured window."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from pyprof.trials import Trial

TITLE = "encode pause per profile"
UNIT = "ms"
BETTER = "lower"
CONTRAST = "difference"
ORDER = 6


def value(trial: Trial) -> float | None:
    """Mean encode pause, ms; None where no profile was taken."""
    pauses = samples(trial)
    return statistics.fmean(pauses) if pauses else None


def samples(trial: Trial) -> Sequence[float]:
    """The encode pause of each profile, ms."""
    return trial.series.get("encode_pause", ())
