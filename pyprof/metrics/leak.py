"""Slope of RSS over the second half of the measured window, per turn of the profile loop."""

from __future__ import annotations

from pyprof import stats
from pyprof.results import Trial

TITLE = "RSS growth per profile"
UNIT = "KiB"
BETTER = "lower"
CONTRAST = "difference"
ORDER = 7


#: Fewer RSS samples than this in the second half give no slope.
MIN_SAMPLES = 20


def value(trial: Trial) -> float | None:
    """Theil-Sen slope (KiB/s) divided by the profile loop's turns per second. `none` and idle arms run the same loop
    without taking profiles, so that their value is what the process grows by itself in the same time.
    """
    times, rss = trial.series.get("rss_time", ()), trial.series.get("rss", ())
    half = len(rss) // 2
    turns_per_second = trial.scalars.get("turns_per_second", 0.0)
    if len(rss) - half < MIN_SAMPLES or not turns_per_second:
        return None
    slope = stats.theil_sen(times[half:], [size / 1024 for size in rss[half:]]).slope
    return slope / turns_per_second
