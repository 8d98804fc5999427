"""Whether runs are long enough, and settled enough, to say something about a leak.

A process that has not settled grows without leaking, and a short one shows V8's saw instead of a slope: both give no
verdict instead of a guess.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from pyprof import stats
from pyprof.experiment import Experiment
from pyprof.measured import VariantResult
from pyprof.metrics.leak import TURNS_TO_SETTLE, later_turns
from pyprof.trials import Trial

ALPHA = 0.05
#: KiB per profile, where no margin was given. Growth is never held against 0: a slow transient lies above it.
DEFAULT_MARGIN = 8.0


def reason(candidate: VariantResult, baseline: VariantResult, margin: float = DEFAULT_MARGIN) -> str | None:
    """Why nothing can be said of the leak (``margin`` in KiB per profile), or None where something can.

    "Still settling": the candidate's growth beyond the baseline's differs between the third and the last quarter of the
    window by more than the margin, and by more than chance (paired over blocks, two-sided 5 %).
    """
    turns = [len(later_turns(trial)) for trial in candidate.trials]
    if not turns or min(turns) < TURNS_TO_SETTLE:
        return (
            f"too few profiles, {min(turns, default=0)} in the second half of a trial where "
            f"{TURNS_TO_SETTLE} are needed: take a longer --duration or a shorter --profile-duration"
        )
    changes = list(_changes(candidate, baseline))
    if len(changes) < 2:
        return None
    try:
        test = stats.paired(changes, [0.0] * len(changes))
    except ValueError:
        return None
    if test.pvalue < ALPHA and abs(test.difference) > margin:
        return (
            f"still settling, growth changes by {test.difference:+.2g} KiB per profile from the third to "
            "the last quarter of the window: take a longer --warmup"
        )
    return None


def outlook(experiment: Experiment) -> str | None:
    """What to say before the run where a margin on the leak was given that its plan cannot settle."""
    turn = experiment.profile_duration + experiment.profile_gap
    at_most = int(experiment.duration / 2 / turn)
    if at_most >= TURNS_TO_SETTLE or not any(text.startswith("leak=") for text in experiment.margins):
        return None
    return (
        f"a margin on the leak needs {TURNS_TO_SETTLE} profiles in the second half of a trial, and at most {at_most} "
        "fit: it will not be settled; the preset `leak` has enough"
    )


def _changes(candidate: VariantResult, baseline: VariantResult) -> Iterator[float]:
    """Per block: the candidate's growth beyond the baseline's in the last quarter minus that in the third, in KiB per
    turn that the candidate made in that quarter.
    """
    base = {trial.block: trial for trial in baseline.trials}
    for trial in candidate.trials:
        if trial.block in base:
            third, last = (_growth(trial, base[trial.block], quarter) for quarter in (2, 3))
            yield last - third


def _growth(trial: Trial, baseline: Trial, quarter: int) -> float:
    """Of a quarter of the window, from 0: by its own turns, since a machine that slows the loop is no leak's change."""
    start, end = (trial.series["rss_time"][-1] * share / 4 for share in (quarter, quarter + 1))
    n_turns = bisect_left(trial.series["turn_time"], end) - bisect_left(trial.series["turn_time"], start)
    turns_per_second = max(n_turns, 1) / (end - start)
    return (_slope(trial, quarter) - _slope(baseline, quarter)) / turns_per_second


def _slope(trial: Trial, quarter: int) -> float:
    """KiB/s."""
    times, rss = trial.series["rss_time"], trial.series["rss"]
    span = slice(quarter * len(rss) // 4, (quarter + 1) * len(rss) // 4)
    return stats.theil_sen(times[span], [size / 1024 for size in rss[span]]).slope
