"""Slope of V8's heap in use over the measured window, per turn of the profile loop: how much of `leak` is V8's."""

from __future__ import annotations

from pyprof import stats
from pyprof.metrics import leak
from pyprof.trials import Trial

TITLE = "V8 heap growth per profile"
UNIT = "KiB"
BETTER = "lower"
CONTRAST = "difference"
ORDER = 18

#: More points than this tell no more of a slope, and take the square of the time.
MAX_POINTS = 200

beside = leak.beside


def value(trial: Trial) -> float | None:
    """Theil-Sen slope (KiB/s) divided by the turns per second, over the same span as that of `leak`."""
    times, heap = trial.series.get("turn_time", ()), trial.series.get("heap_used", ())
    later = len(leak.later_turns(trial))
    first = len(times) - later if later >= leak.TURNS_TO_SETTLE else 0
    step = max(1, (len(times) - first) // MAX_POINTS)
    points = times[first::step], [size / 1024 for size in heap[first::step]]
    if len(points[1]) < leak.MIN_SAMPLES or not trial.scalars.get("turns_per_second"):
        return None
    return stats.theil_sen(*points).slope / leak.turns_per_second(trial)
