"""Resident set size, from /proc, averaged over the samples of the measured window."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from pyprof.trials import Trial

TITLE = "average RSS"
UNIT = "MiB"
BETTER = "lower"
CONTRAST = "ratio"
ORDER = 1


def value(trial: Trial) -> float | None:
    """Mean of the trial's RSS samples, MiB."""
    rss = samples(trial)
    return statistics.fmean(rss) if rss else None


def samples(trial: Trial) -> Sequence[float]:
    """The RSS samples, MiB."""
    return [rss / 2**20 for rss in trial.series.get("rss", ())]
