"""Whether runs are long enough, and settled enough, to say something about a leak.

A process that has not settled grows without leaking, and a short one shows V8's saw instead of a slope: both give no
verdict instead of a guess.
"""

from __future__ import annotations

import math
from bisect import bisect_left

from pyprof import stats
from pyprof.experiment import Experiment
from pyprof.measured import VariantResult
from pyprof.metrics.leak import TURNS_TO_SETTLE, later_turns
from pyprof.trials import Trial

ALPHA = 0.05
#: KiB per profile, where no margin was given. Growth is never held against 0: a slow transient lies above it.
DEFAULT_MARGIN = 8.0
#: 32 MiB at the default margin: more than V8's young generation and its garbage.
BEYOND_DOUBT = 4
#: Growth that changes by less than this share from one quarter of the window to the next does not settle: it would take
#: more than two windows to fall to a third.
STEADY = 0.1


def reason(candidate: VariantResult, baseline: VariantResult, margin: float = DEFAULT_MARGIN) -> str | None:
    """Why nothing can be said of the leak (``margin`` in KiB per profile), or None where something can.

    "Too few profiles": a process that settles, or V8's saw, grows by some MiB, and over few profiles that is much per
    profile. Not so where the candidate outgrew the baseline, in the second half of every block, by `BEYOND_DOUBT` times
    what `TURNS_TO_SETTLE` profiles at the margin would make it grow.

    "Still settling": its growth beyond the baseline's differs between the third and the last quarter of the window by
    more than the margin and `STEADY`, and by more than chance (paired over blocks, two-sided 5 %).
    """
    turns = [len(later_turns(trial)) for trial in candidate.trials]
    blocks, least = _same_blocks(candidate, baseline), BEYOND_DOUBT * TURNS_TO_SETTLE * margin
    if not turns or (
        min(turns) < TURNS_TO_SETTLE and not (len(blocks) > 1 and all(_outgrown(*trials) > least for trials in blocks))
    ):
        return (
            f"too few profiles, {min(turns, default=0)} in the second half of a trial where "
            f"{TURNS_TO_SETTLE} are needed: take a longer --duration or a shorter --profile-duration"
        )
    quarters = [(_growth(*trials, 2), _growth(*trials, 3)) for trials in blocks]
    try:
        test = stats.paired([last for _, last in quarters], [third for third, _ in quarters])
    except ValueError:  # one block, or no spread
        return None
    steady = STEADY * abs(math.fsum(third for third, _ in quarters)) / len(quarters)
    if test.pvalue < ALPHA and abs(test.difference) > max(margin, steady):
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


def _same_blocks(candidate: VariantResult, baseline: VariantResult) -> list[tuple[Trial, Trial]]:
    """The trials of both in each block that has them."""
    base = {trial.block: trial for trial in baseline.trials}
    return [(trial, base[trial.block]) for trial in candidate.trials if trial.block in base]


def _outgrown(trial: Trial, baseline: Trial) -> float:
    """KiB by which the trial grew in the second half of its window beyond the baseline's."""
    times = trial.series["rss_time"]
    return (_slope(trial, 2, 4) - _slope(baseline, 2, 4)) * (times[-1] - times[len(times) // 2])


def _growth(trial: Trial, baseline: Trial, quarter: int) -> float:
    """KiB per turn beyond the baseline's, in a quarter of the window (from 0), by the turns that the trial made in it:
    a machine that slows the loop down changes no leak.
    """
    start, end = (trial.series["rss_time"][-1] * share / 4 for share in (quarter, quarter + 1))
    n_turns = bisect_left(trial.series["turn_time"], end) - bisect_left(trial.series["turn_time"], start)
    turns_per_second = max(n_turns, 1) / (end - start)
    return (_slope(trial, quarter, quarter + 1) - _slope(baseline, quarter, quarter + 1)) / turns_per_second


def _slope(trial: Trial, first: int, last: int) -> float:
    """KiB/s, from one quarter of the window to before another."""
    times, rss = trial.series["rss_time"], trial.series["rss"]
    span = slice(first * len(rss) // 4, last * len(rss) // 4)
    return stats.theil_sen(times[span], [size / 1024 for size in rss[span]]).slope
