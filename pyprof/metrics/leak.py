"""Slope of RSS over the measured window, per turn of the profile loop."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from pyprof import stats
from pyprof.trials import Trial

TITLE = "RSS growth per profile"
UNIT = "KiB"
BETTER = "lower"
CONTRAST = "difference"
ORDER = 7

#: With this many turns in its second half a trial is long enough to leave the first half, where processes settle, out.
TURNS_TO_SETTLE = 1000
#: Fewer RSS samples give no slope.
MIN_SAMPLES = 20


def value(trial: Trial) -> float | None:
    """Theil-Sen slope (KiB/s) divided by the profile loop's turns per second.

    Over the second half of the window where that has `TURNS_TO_SETTLE` turns, else over the whole: RSS saws by several
    MiB with V8's young generation, and a slope over few teeth is noise. `none` and idle arms run the same loop without
    taking profiles, so that their value is what the process grows by itself in the same time.
    """
    times, rss = trial.series.get("rss_time", ()), trial.series.get("rss", ())
    if len(rss) < 2 * MIN_SAMPLES or not trial.scalars.get("turns_per_second"):
        return None
    first = len(rss) // 2 if len(later_turns(trial)) >= TURNS_TO_SETTLE else 0
    slope = stats.theil_sen(times[first:], [size / 1024 for size in rss[first:]]).slope
    return slope / turns_per_second(trial)


def beside(value: float, trial: Trial, candidate: Trial) -> float:
    """What a process without the candidate's profiler grows by itself while the candidate makes one turn.

    Both slopes are over the same clock window, so that the difference is per profile; turns of a loop that is slowed by
    its profiler take longer than those of the baseline.
    """
    return value * turns_per_second(trial) / turns_per_second(candidate)


def later_turns(trial: Trial) -> Sequence[float]:
    """When the turns of the second half of the window ended, s."""
    times, turns = trial.series.get("rss_time"), trial.series.get("turn_time")
    return turns[bisect_left(turns, times[len(times) // 2]) :] if times and turns else ()


def turns_per_second(trial: Trial) -> float:
    """In the span that the slope is of."""
    turns = later_turns(trial)
    if len(turns) < TURNS_TO_SETTLE:
        return trial.scalars["turns_per_second"]
    return (len(turns) - 1) / (turns[-1] - turns[0])
