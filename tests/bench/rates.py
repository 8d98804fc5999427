"""How often each method is right on simulated experiments: one function a method, which returns shares by name.

`n` is the number of experiments. Type I: "different" where nothing differs. Coverage: the 95 % interval holds the true
value. A verdict at the margin: the true cost is the margin itself, where passing and failing are both wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
from bench import arms

from pyprof import stats

Rates = dict[str, float]
Generator = np.random.Generator

LEVEL = 0.05
MARGIN = 0.02
LOG_MARGIN = float(np.log1p(MARGIN))
LEAK_MARGIN = 8.0  # KiB a profile
CHUNK = 500  # experiments


def share(n: int, happens: Callable[[int], bool]) -> float:
    """Of the experiments 0 to n - 1."""
    return sum(happens(i) for i in range(n)) / n


def paired(generator: Generator, n: int, n_blocks: int, block_sd: float, heavy: bool) -> Rates:
    """The paired t test on logarithms: what the verdicts use."""
    x, y = arms.blocks(generator, n, n_blocks, block_sd, heavy)
    found: Rates = {"type I": share(n, lambda i: stats.paired(x[i], y[i], log=True).pvalue < LEVEL)}

    x, y = arms.blocks(generator, n, n_blocks, block_sd, heavy, cost=LOG_MARGIN)
    intervals = [stats.paired(x[i], y[i], log=True) for i in range(n)]
    found["coverage"] = share(n, lambda i: intervals[i].ci_low < LOG_MARGIN < intervals[i].ci_high)

    def passes(i: int) -> bool:
        return stats.noninferiority(x[i], y[i], LOG_MARGIN, design="paired", log=True).pvalue < LEVEL

    def fails(i: int) -> bool:
        return stats.paired(x[i], y[i], log=True, alternative="greater").ci_low > LOG_MARGIN

    def is_equal(i: int) -> bool:
        return stats.tost(x[i], y[i], np.log1p(-MARGIN), LOG_MARGIN, design="paired", log=True).pvalue < LEVEL

    return found | {
        "false pass": share(n, passes),
        "false fail": share(n, fails),
        "false equal": share(n, is_equal),
    }


def disturbed(
    generator: Generator,
    n: int,
    n_blocks: int,
    what: Literal["rare", "often", "skew", "correlated"],
) -> Rates:
    """Type I error of the paired test where its assumptions do not hold; block effects as large as the residual."""
    x, y = arms.blocks(generator, n, n_blocks, 1)
    if what == "rare":
        x, y = (arms.hit_by_neighbours(generator, arm, 0.05, 0.5) for arm in (x, y))
    elif what == "often":
        x, y = (arms.hit_by_neighbours(generator, arm, 0.2, 0.2) for arm in (x, y))
    elif what == "skew":  # the mean of the candidate's logarithm stays
        x = np.exp(arms.RESIDUAL * (generator.exponential(size=(n, n_blocks)) - 1))
        y = np.exp(arms.RESIDUAL * generator.normal(size=(n, n_blocks)))
    else:
        x = np.exp(arms.RESIDUAL * np.sqrt(2) * arms.autoregressive(generator, (n, n_blocks), 0.3)) * y
    return {"type I": share(n, lambda i: stats.paired(x[i], y[i], log=True).pvalue < LEVEL)}


def others(generator: Generator, n: int, n_blocks: int, block_sd: float) -> Rates:
    """What stands beside the paired test, on the same values; intervals as wide as the paired one's in the median."""
    x, y = (np.log(arm) for arm in arms.blocks(generator, n, n_blocks, block_sd))
    welch = [stats.welch(x[i], y[i]) for i in range(n)]
    pairs = [stats.paired(x[i], y[i]) for i in range(n)]
    shifts = [stats.hodges_lehmann(x[i], y[i]) for i in range(n)]
    centres = [stats.pseudomedian(x[i] - y[i]) for i in range(n)]
    wider = np.median([w.ci_high - w.ci_low for w in welch]) / np.median([p.ci_high - p.ci_low for p in pairs])
    return {
        "Welch": share(n, lambda i: welch[i].pvalue < LEVEL),
        "Mann-Whitney": share(n, lambda i: stats.mannwhitneyu(x[i], y[i]).pvalue < LEVEL),
        "sign flips": share(n, lambda i: stats.permutation_test(x[i], y[i], seed=i).pvalue < LEVEL),
        "H-L, two samples": share(n, lambda i: not shifts[i].ci_low <= 0 <= shifts[i].ci_high),
        "H-L, paired": share(n, lambda i: not centres[i].ci_low <= 0 <= centres[i].ci_high),
        "width Welch/paired": float(wider),
    }


def chunks(n: int) -> Iterator[int]:
    """`n` in parts that numpy makes at once and memory holds."""
    for start in range(0, n, CHUNK):
        yield min(CHUNK, n - start)


def samples(generator: Generator, n: int, rho: float, between: float) -> Rates:
    """Student's test on 200 RSS samples of one process against 200 of another that does the same.

    `between`: spread of processes, in units of the spread of samples.
    """
    different, worth = 0, 0.0
    for size in chunks(n):
        pairs = arms.autoregressive(generator, (size, 2, 200), rho) + between * generator.normal(size=(size, 2, 1))
        for x, y in pairs:
            different += stats.student(x, y).pvalue < LEVEL
            worth += stats.effective_sample_size(x) / n
    return {"type I": different / n, "200 samples are worth": worth}


def bootstrap(generator: Generator, n: int, n_processes: int) -> Rates:
    """Coverage of the two-level bootstrap: 20 samples a process, processes spread as much as samples."""
    covered = 0
    for seed in range(n):
        x, y = generator.normal(size=(2, n_processes, 20)) + generator.normal(size=(2, n_processes, 1))
        found = stats.bootstrap(x, y, seed=seed, n_resamples=1000)
        covered += found.ci_low < 0 < found.ci_high
    return {"coverage": covered / n}


def sequence(generator: Generator, n: int, block_sd: float, heavy: bool) -> Rates:
    """The t confidence sequence, looked at after every block up to 50, against a t limit looked at as often."""
    n_blocks = 50
    x, y = (np.log(arm) for arm in arms.blocks(generator, n, n_blocks, block_sd, heavy, cost=LOG_MARGIN))
    limits = [stats.confidence_sequence(d) for d in x - y]
    found: Rates = {
        "false pass": share(n, lambda i: min(limits[i].ci_highs) < LOG_MARGIN),
        "false fail": share(n, lambda i: max(limits[i].ci_lows) > LOG_MARGIN),
    }
    looks = np.arange(2, n_blocks + 1)
    d = x - y
    means = np.cumsum(d, axis=1)[:, 1:] / looks
    variances = (np.cumsum(d**2, axis=1)[:, 1:] - looks * means**2) / (looks - 1)
    t = np.array([stats.t_quantile(1 - LEVEL, k - 1.0) for k in looks])
    upper = means + t * np.sqrt(variances / looks)
    found["naive false pass"] = float((upper < LOG_MARGIN).any(axis=1).mean())

    x, y = (np.log(arm) for arm in arms.blocks(generator, n, n_blocks, block_sd, heavy))
    first = [np.argmax(np.array(stats.confidence_sequence(d).ci_highs) < LOG_MARGIN) for d in x - y]
    stops = np.array([int(at) + 1 for at in first if at])  # 0: never, for the first limit is infinite
    return found | {
        "passes when free": len(stops) / n,
        "blocks then (median)": float(np.median(stops)) if len(stops) else math.nan,
    }


def leak(generator: Generator, n: int, n_blocks: int, kib: float) -> Rates:
    """The verdict "leaks at most 8 KiB a profile": Theil-Sen over the last half, difference to control, paired."""
    passes = fails = 0
    errors: list[float] = []
    for size in chunks(n):
        variants, controls = (slopes(generator, (size, n_blocks), amount) for amount in (kib, 0.0))
        errors.extend((variants - controls).mean(axis=1) - kib)
        for variant, control in zip(variants, controls, strict=True):
            passes += stats.paired(variant, control, confidence=1 - LEVEL, alternative="less").ci_high < LEAK_MARGIN
            fails += stats.paired(variant, control, confidence=1 - LEVEL, alternative="greater").ci_low > LEAK_MARGIN
    return {
        "pass": passes / n,
        "fail": fails / n,
        "error of the estimate (KiB)": float(np.std(errors)),
    }


def slopes(generator: Generator, shape: tuple[int, int], kib: float) -> arms.Array:
    """KiB a profile over the last half of each trial."""
    times, series = arms.rss(generator, shape, kib)
    half = len(times) // 2
    found = [stats.theil_sen(times[half:], trial[half:]).slope for trial in series.reshape(-1, len(times))]
    return np.array(found).reshape(shape) / arms.PROFILES_PER_SECOND
