"""Time that stopping one profile blocks the event loop, averaged over the profiles of the measured window.

With what the profiler defers to later turns of the loop, such as giving memory back to V8, where its adapter tells.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from pyprof.trials import Trial

TITLE = "stop pause per profile"
UNIT = "ms"
BETTER = "lower"
CONTRAST = "difference"
ORDER = 5


def value(trial: Trial) -> float | None:
    """Mean stop pause, ms; None where no profile was taken."""
    pauses = samples(trial)
    return statistics.fmean(pauses) if pauses else None


def samples(trial: Trial) -> Sequence[float]:
    """The stop pause of each profile, ms."""
    return trial.series.get("stop_pause", ())
