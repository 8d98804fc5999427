"""What identical variants would show in this run, and signs that the machine spoilt it."""

from __future__ import annotations

import contextlib
import itertools
import math
import statistics
from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from pyprof import stats
from pyprof.comparison import Comparison
from pyprof.contrast import Contrast, share_of
from pyprof.metrics.qps import MAX_LOAD_CPU_SHARE

SIGNIFICANT = 0.05
#: The pairs of a run with many processes are too many: those that ran nearest to each other then stand for all.
MAX_PAIRS = 10_000
#: Block differences that are this correlated make the paired test wrong in 12-15 % instead of 5 %.
CORRELATED = 0.3
#: Child processes that used more than this share of the app's CPU time are told of.
CHILDREN_SHARE = 0.01
#: With fewer differences a correlation of neighbours says nothing.
MIN_FOR_CORRELATION = 5


@dataclass(frozen=True)
class NaivePairs:
    """Pairs of processes of the same variant, and how many the test on single samples calls different."""

    different: int
    pairs: int


def naive_pairs(comparison: Comparison, metric: str) -> NaivePairs:
    """How often the test of the original table calls two processes of one and the same variant different.

    Of at most `MAX_PAIRS` pairs in all.
    """
    different = pairs = 0
    for variant in comparison.values():
        samples = [array("d", variant.metrics[metric].metric.samples(trial)) for trial in variant.trials]
        samples = [found for found in samples if len(found) > 1]
        for i, j in itertools.islice(_nearest_first(len(samples)), MAX_PAIRS // len(comparison)):
            with contextlib.suppress(ValueError):  # neither process has any spread: there is nothing to test
                different += stats.student(samples[i], samples[j]).pvalue < SIGNIFICANT
                pairs += 1
    return NaivePairs(different, pairs)


def _nearest_first(n: int) -> Iterator[tuple[int, int]]:
    for distance in range(1, n):
        for i in range(n - distance):
            yield i, i + distance


def effective_samples(comparison: Comparison, metric: str) -> tuple[int, float] | None:
    """How many samples a process has (median), and how many independent ones these are worth (median)."""
    series = [
        array("d", samples)
        for variant in comparison.values()
        for trial in variant.trials
        if len(samples := variant.metrics[metric].metric.samples(trial)) > 1
    ]
    if not series:
        return None
    worth = statistics.median(stats.effective_sample_size(samples) for samples in series)
    return round(statistics.median(map(len, series))), worth


def calls_different(contrast: Contrast) -> bool | None:
    """Whether the test of the original table calls these two variants different; None where it cannot be done."""
    p = contrast.p_samples
    return None if p is None or math.isnan(p) else p < SIGNIFICANT


def band(comparison: Comparison, node: str, metric: str) -> float | None:
    """Half-width of the 95 % band in which the difference of two identical variants of that Node would lie.

    As a share for a ratio, else in the metric's unit. From the pooled residual of values without their block's and
    their variant's mean (a two-way layout), so over all variants together: it describes the run, and no verdict rests
    on it. None where fewer than two variants have values in the same two blocks or more.
    """
    variants = [v for v in comparison.values() if v.node == node and v.metrics[metric].n]
    relative = bool(variants) and variants[0].metrics[metric].metric.relative
    tables = [dict(zip(v.metrics[metric].blocks, v.metrics[metric].values, strict=True)) for v in variants]
    blocks = sorted(set.intersection(*map(set, tables))) if tables else []
    if len(tables) < 2 or len(blocks) < 2:
        return None
    if relative and min(min(table.values()) for table in tables) <= 0:
        return None
    rows = [[math.log(table[b]) if relative else table[b] for b in blocks] for table in tables]
    grand = math.fsum(map(math.fsum, rows)) / (len(rows) * len(blocks))
    of_variant = [math.fsum(row) / len(blocks) for row in rows]
    of_block = [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]
    df = (len(rows) - 1) * (len(blocks) - 1)
    residual = math.fsum(
        (value - of_variant[i] - of_block[j] + grand) ** 2 for i, row in enumerate(rows) for j, value in enumerate(row)
    )
    half = stats.t_quantile(0.975, df) * math.sqrt(2 * residual / df / len(blocks))
    return share_of(half) if relative else half


def warnings(comparison: Comparison) -> Iterator[str]:
    """Signs that the machine, and not what was compared, decided what was measured."""
    about = comparison.environment
    cpus = about.get("cpus") or 1
    if (about.get("load_average") or 0) > 0.5 * cpus:
        yield f"The machine was busy when the run began: load average {about['load_average']} on {cpus} CPUs."
    if about.get("frequency_governor") not in (None, "performance"):
        yield f"The CPU's frequency may change: governor {about['frequency_governor']}."
    if about.get("swap_used_mib"):
        yield f"The machine was swapping: {about['swap_used_mib']} MiB of swap in use."
    if about.get("cgroup_cpus") is not None and about["cgroup_cpus"] < cpus:
        yield f"A cgroup limits this process to {about['cgroup_cpus']:g} of {cpus} CPUs: bursts are throttled."
    trials = [trial for variant in comparison.values() for trial in variant.trials]
    saturated = sum(trial.scalars.get("load_cpu_share", 0) > MAX_LOAD_CPU_SHARE for trial in trials)
    if saturated:
        yield f"The load generator was saturated in {saturated} of {len(trials)} trials: these have no QPS."
    helped = [t for t in trials if t.scalars.get("children_cpu", 0) > CHILDREN_SHARE * t.scalars.get("cpu", 0)]
    if helped:
        used = max(trial.scalars["children_cpu"] / trial.scalars["window"] for trial in helped)
        yield (
            f"In {len(helped)} of {len(trials)} trials the app's own child processes worked (up to {used:.0%} of "
            "a CPU): memory, CPU and profiles are those of its first process alone."
        )
    stolen = [trial.scalars["steal_share"] for trial in trials if "steal_share" in trial.scalars]
    if stolen and max(stolen) > 0.02:
        yield f"Other guests of the host took up to {max(stolen):.0%} of the CPU time in a trial (steal)."
    yield from _correlated(comparison)


def _correlated(comparison: Comparison) -> Iterator[str]:
    named = {"rss", "cpu_per_request", *(text.partition("=")[0] for text in comparison.margins)}
    for contrast in comparison.comparisons:
        if contrast.metric.name not in named or not contrast.sd:
            continue
        if len(contrast.differences) >= MIN_FOR_CORRELATION:
            r = stats.autocorrelation(contrast.differences)
            if r > CORRELATED:
                yield (
                    f"{contrast.candidate} against {contrast.baseline}, {contrast.metric.title}: the differences of "
                    f"neighbouring blocks are correlated (r = {r:.2f}), so the p-value is too small."
                )
