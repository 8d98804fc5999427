"""Ranks, permutations and resampling against scipy and numpy, on random input."""

from __future__ import annotations

import itertools
import math
from typing import Literal, cast

import numpy as np
import numpy.typing as npt
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from pyprof import stats

THOUSANDS = settings(max_examples=1000, deadline=None)

Series = npt.NDArray[np.float64]
Alternative = Literal["two-sided", "less", "greater"]
alternatives = st.sampled_from(cast("list[Alternative]", ["two-sided", "less", "greater"]))
seeds = st.integers(0, 2**32)


@THOUSANDS
@given(seeds, st.integers(1, 30), st.integers(1, 30), st.floats(-2, 2), alternatives)
def test_mann_whitney_without_ties(seed: int, nx: int, ny: int, shift: float, alternative: Alternative) -> None:
    generator = np.random.default_rng(seed)
    x, y = generator.normal(shift, 1, nx), generator.normal(0, 1, ny)
    for method in cast("list[Literal['exact', 'asymptotic']]", ["exact", "asymptotic"]):
        ours = stats.mannwhitneyu(x, y, alternative=alternative, method=method)
        theirs = scipy.stats.mannwhitneyu(x, y, alternative=alternative, method=method)
        assert ours.statistic == theirs.statistic
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)
        assert math.exp(ours.log_pvalue) == pytest.approx(ours.pvalue, rel=1e-12)


@settings(max_examples=300, deadline=None)
@given(seeds, st.integers(1, 5), st.integers(1, 5), st.integers(1, 5), alternatives)
def test_mann_whitney_with_ties(seed: int, nx: int, ny: int, levels: int, alternative: Alternative) -> None:
    """Exact: all ways to deal the values, counted one by one. Asymptotic: scipy corrects for ties too."""
    generator = np.random.default_rng(seed)
    values = generator.integers(0, levels, nx + ny).astype(float)
    x, y = values[:nx], values[nx:]

    def u(chosen: Series, others: Series) -> float:
        difference = chosen[:, None] - others[None, :]
        return float((difference > 0).sum() + (difference == 0).sum() / 2)

    every = range(nx + ny)
    deals = [u(values[list(c)], np.delete(values, list(c))) for c in itertools.combinations(every, nx)]
    below = sum(deal <= u(x, y) for deal in deals) / len(deals)
    above = sum(deal >= u(x, y) for deal in deals) / len(deals)
    wanted = {"less": below, "greater": above, "two-sided": min(1, 2 * min(below, above))}[alternative]
    ours = stats.mannwhitneyu(x, y, alternative=alternative)
    assert ours.exact
    assert ours.pvalue == pytest.approx(wanted, rel=1e-12)
    if len(set(values)) > 1:
        normal = scipy.stats.mannwhitneyu(x, y, alternative=alternative, method="asymptotic")
        ours = stats.mannwhitneyu(x, y, alternative=alternative, method="asymptotic")
        assert ours.pvalue == pytest.approx(normal.pvalue, rel=1e-9)


@THOUSANDS
@given(seeds, st.integers(1, 40), st.integers(1, 40), st.booleans(), st.floats(0.5, 0.999))
def test_hodges_lehmann(seed: int, nx: int, ny: int, whole: bool, confidence: float) -> None:
    """The interval is the set of shifts that the exact two-sided test does not reject."""
    generator = np.random.default_rng(seed)
    x, y = generator.normal(1, 3, nx), generator.normal(0, 3, ny)
    if whole:
        x, y = x.round(), y.round()
    ours = stats.hodges_lehmann(x, y, confidence=confidence)
    pairs = np.sort((x[:, None] - y[None, :]).ravel())
    assert ours.estimate == pytest.approx(np.median(pairs), rel=1e-15, abs=1e-15)
    assert ours.confidence >= confidence - 1e-12
    if math.isfinite(ours.ci_low):
        assert ours.ci_low in pairs
        assert ours.ci_high in pairs
        if not whole:  # a shift just outside has the p that the interval leaves out; scipy's exact test agrees
            outside = scipy.stats.mannwhitneyu(x - ours.ci_low + 1e-9, y, method="exact").pvalue
            assert outside == pytest.approx(1 - ours.confidence, rel=1e-6, abs=1e-12)


@THOUSANDS
@given(seeds, st.integers(1, 40), st.floats(0.5, 0.999))
def test_pseudomedian(seed: int, n: int, confidence: float) -> None:
    x = np.random.default_rng(seed).normal(1, 3, n)
    ours = stats.pseudomedian(x, confidence=confidence)
    i, j = np.triu_indices(n)
    assert ours.estimate == pytest.approx(np.median((x[i] + x[j]) / 2), rel=1e-14)
    if math.isfinite(ours.ci_low):
        outside = scipy.stats.wilcoxon(x - ours.ci_low + 1e-9, method="exact").pvalue
        assert outside == pytest.approx(1 - ours.confidence, rel=1e-6, abs=1e-12)


@settings(max_examples=300, deadline=None)
@given(seeds, st.integers(2, 11), st.booleans(), alternatives)
def test_permutation_test(seed: int, n: int, whole: bool, alternative: Alternative) -> None:
    d = np.random.default_rng(seed).normal(0.5, 2, n)
    d = d.round() if whole else d
    ours = stats.permutation_test(d, np.zeros(n), seed=0, alternative=alternative)
    signs = np.array(list(itertools.product([-1, 1], repeat=n)))
    sums, observed = signs @ d, d.sum()
    extreme = {
        "less": sums <= observed + 1e-9,
        "greater": sums >= observed - 1e-9,
        "two-sided": abs(sums) >= abs(observed) - 1e-9,
    }
    assert (ours.exact, ours.n_resamples) == (True, 2**n)
    assert ours.pvalue == extreme[alternative].mean()
    assert ours.statistic == pytest.approx(d.mean(), abs=1e-12)


def numpy_bootstrap(x: Series, seed: int, n_resamples: int) -> Series:
    generator = np.random.default_rng(seed)
    n_processes, n_samples = x.shape
    process = generator.integers(0, n_processes, (n_resamples, n_processes, 1))
    sample = generator.integers(0, n_samples, (n_resamples, n_processes, n_samples))
    return np.asarray(x[process, sample].mean(axis=(1, 2)))


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(3, 12), st.integers(1, 40))
def test_bootstrap(seed: int, n_processes: int, n_samples: int) -> None:
    """The same distribution as numpy's, within what 20,000 resamples of each leave open."""
    generator = np.random.default_rng(seed)

    def arm() -> Series:
        processes = 10 + generator.normal(0, 1, (n_processes, 1))
        return np.asarray(processes + generator.normal(0, 2, (n_processes, n_samples)))

    x, y = arm(), arm()
    ours = stats.bootstrap(x, y, seed=seed, n_resamples=20_000)
    theirs = numpy_bootstrap(x, seed, 20_000) - numpy_bootstrap(y, seed + 1, 20_000)
    assert ours.estimate == pytest.approx(x.mean() - y.mean(), abs=1e-12)
    assert ours.standard_error == pytest.approx(theirs.std(ddof=1), rel=0.04)
    for limit, share in ((ours.ci_low, 0.025), (ours.ci_high, 0.975)):  # few processes make few, lumpy means
        assert (theirs < limit - 1e-9).mean() < share + 0.008
        assert (theirs < limit + 1e-9).mean() > share - 0.008
    ratio = stats.bootstrap(abs(x), abs(y), seed=seed, contrast="ratio", n_resamples=1000)
    assert ratio.estimate == pytest.approx(abs(x).mean() / abs(y).mean(), rel=1e-12)
    assert ratio.ci_low <= ratio.estimate <= ratio.ci_high
