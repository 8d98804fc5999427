"""One-sided tests, equivalence, planning and sequences against scipy, statsmodels and mpmath, on random input."""

from __future__ import annotations

import math
from typing import Literal, cast

import mpmath
import numpy as np
import numpy.typing as npt
import pytest
import scipy.integrate
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_ind, ttost_paired

from pyprof import stats

THOUSANDS = settings(max_examples=1000, deadline=None)

Series = npt.NDArray[np.float64]
Alternative = Literal["two-sided", "less", "greater"]
alternatives = st.sampled_from(cast("list[Alternative]", ["two-sided", "less", "greater"]))
seeds = st.integers(0, 2**32)


def sample(seed: int, n: int, shift: float = 0.0) -> Series:
    return np.random.default_rng(seed).standard_t(5, n) + shift


@THOUSANDS
@given(seeds, st.integers(2, 40), st.integers(2, 40), st.floats(-30, 30), alternatives, st.booleans())
def test_independent_samples(seed: int, nx: int, ny: int, shift: float, alternative: Alternative, equal: bool) -> None:
    x, y = sample(seed, nx, shift), sample(seed + 1, ny)
    ours = (stats.student if equal else stats.welch)(x, y, alternative=alternative)
    theirs = scipy.stats.ttest_ind(x, y, equal_var=equal, alternative=alternative)
    interval = theirs.confidence_interval(0.95)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-8)
    assert (ours.ci_low, ours.ci_high) == pytest.approx((interval.low, interval.high), rel=1e-8, abs=1e-8)


@THOUSANDS
@given(seeds, st.integers(2, 40), st.floats(-30, 30), alternatives)
def test_pairs(seed: int, n: int, shift: float, alternative: Alternative) -> None:
    x, y = sample(seed, n, shift), sample(seed + 1, n)
    ours = stats.paired(x, y, alternative=alternative, confidence=0.9)
    theirs = scipy.stats.ttest_rel(x, y, alternative=alternative)
    interval = theirs.confidence_interval(0.9)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-8)
    assert (ours.ci_low, ours.ci_high) == pytest.approx((interval.low, interval.high), rel=1e-8, abs=1e-8)


@settings(max_examples=300, deadline=None)
@given(st.integers(2, 100), st.floats(0, 40).map(lambda e: 10.0**e))
def test_far_one_sided_tails(n: int, t: float) -> None:
    """p down to 1e-300 and beyond: the logarithm within 1e-10."""
    x = np.concatenate([sample(n, n), []])
    reference = stats.paired(x, np.zeros(n))
    null = reference.difference + t * math.sqrt(n) * stats.describe(x).se
    ours = stats.noninferiority(x, np.zeros(n), null, design="paired")
    with mpmath.workdps(40):
        df, exact_t = mpmath.mpf(n - 1), mpmath.mpf(ours.statistic)
        share = df / (df + exact_t**2)
        tail = mpmath.log(mpmath.betainc(df / 2, mpmath.mpf(1) / 2, 0, share, regularized=True) / 2)
    assert ours.log_pvalue == pytest.approx(float(tail), rel=1e-10)


@THOUSANDS
@given(seeds, st.integers(2, 30), st.integers(2, 30), st.floats(-2, 2), st.floats(0.01, 3), st.floats(0.01, 3))
def test_tost(seed: int, nx: int, ny: int, shift: float, below: float, above: float) -> None:
    x, y = sample(seed, nx, shift), sample(seed + 1, ny)
    for design, usevar in (("welch", "unequal"), ("student", "pooled")):
        ours = stats.tost(x, y, -below, above, design=cast("Literal['welch', 'student']", design))
        larger, at_low, at_high = ttost_ind(x, y, -below, above, usevar=usevar)
        assert ours.pvalue == pytest.approx(larger, rel=1e-8)
        assert (ours.pvalue_low, ours.pvalue_high) == pytest.approx((at_low[1], at_high[1]), rel=1e-8)
        assert (ours.pvalue < 0.05) == (-below < ours.ci_low and ours.ci_high < above)
    ours = stats.tost(x, x + sample(seed + 2, nx), -below, above, design="paired")
    assert ours.pvalue == pytest.approx(ttost_paired(x, x + sample(seed + 2, nx), -below, above)[0], rel=1e-7)


@THOUSANDS
@given(seeds, st.integers(2, 30), st.floats(0.001, 0.5))
def test_logarithms(seed: int, n: int, margin: float) -> None:
    x, y = np.exp(sample(seed, n)), np.exp(sample(seed + 1, n))
    ours = stats.tost(x, y, -margin, margin, design="paired", log=True)
    assert ours.pvalue == pytest.approx(ttost_paired(x, y, math.exp(-margin), math.exp(margin), np.log)[0], rel=1e-8)
    one_side = stats.noninferiority(x, y, margin, design="paired", log=True)
    theirs = scipy.stats.ttest_1samp(np.log(x / y), margin, alternative="less")
    assert one_side.pvalue == pytest.approx(theirs.pvalue, rel=1e-8)
    assert one_side.ci_high == pytest.approx(theirs.confidence_interval(0.95).high, rel=1e-8, abs=1e-12)
    assert (one_side.pvalue < 0.05) == (one_side.ci_high < margin)


@THOUSANDS
@given(seeds, st.integers(1, 60), st.floats(0.1, 30), st.booleans())
def test_benjamini_hochberg(seed: int, n: int, exponent: float, tied: bool) -> None:
    p = np.random.default_rng(seed).random(n) ** exponent
    p = p.round(1) if tied else p
    assert stats.benjamini_hochberg(p) == pytest.approx(list(scipy.stats.false_discovery_control(p)), rel=1e-12)


@settings(max_examples=50, deadline=None)  # statsmodels takes long for it
@given(seeds, st.integers(1, 60), st.floats(0.1, 30), st.booleans())
def test_holm(seed: int, n: int, exponent: float, tied: bool) -> None:
    p = np.random.default_rng(seed).random(n) ** exponent
    p = p.round(1) if tied else p
    assert stats.holm(p) == pytest.approx(list(multipletests(p, method="holm")[1]), rel=1e-12)


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 200), st.floats(0.1, 3), st.floats(0.1, 3), st.floats(0.001, 0.2))
def test_power_of_equivalence(n: int, below: float, above: float, alpha: float) -> None:
    """P(both sides) by scipy's quadrature over the chi distribution of the standard deviation."""
    df, t = n - 1, scipy.stats.t.isf(alpha, n - 1)
    d, e = above * math.sqrt(n), below * math.sqrt(n)

    def both(s: float) -> float:
        inside = scipy.stats.norm.cdf(d - t * s) - scipy.stats.norm.cdf(t * s - e)
        return float(max(0.0, inside) * scipy.stats.chi.pdf(s * math.sqrt(df), df) * math.sqrt(df))

    end = (d + e) / (2 * t)
    points = [edge for edge in (min(d, e) / t, 1.0) if edge < end]
    wanted = scipy.integrate.quad(both, 0, min(end, 40), points=points, limit=500, epsabs=1e-11)[0]
    assert stats.power(1, n, above, low=-below, alpha=alpha) == pytest.approx(wanted, abs=1e-8)


@settings(max_examples=200, deadline=None)
@given(st.floats(0.01, 2), st.floats(0.5, 3), st.floats(0.3, 0.99))
def test_required_blocks_are_the_fewest(sd: float, skew: float, power: float) -> None:
    blocks = stats.required_blocks(sd, 0.5, low=-0.5 * skew, power=power)
    assert stats.power(sd, blocks, 0.5, low=-0.5 * skew) >= power
    assert blocks == 2 or stats.power(sd, blocks - 1, 0.5, low=-0.5 * skew) < power


@THOUSANDS
@given(st.integers(2, 100_000), st.floats(0.5, 0.999))
def test_sd_limits(n: int, confidence: float) -> None:
    limits = stats.sd_limits(2, n, confidence=confidence)
    chi2 = scipy.stats.chi2.ppf([(1 + confidence) / 2, (1 - confidence) / 2], n - 1)
    assert (limits.ci_low, limits.ci_high) == pytest.approx(tuple(2 * np.sqrt((n - 1) / chi2)), rel=1e-8)


@THOUSANDS
@given(seeds, st.integers(3, 200), st.floats(-10, 10))
def test_linregress(seed: int, n: int, slope: float) -> None:
    x = sample(seed, n) + 100
    y = slope * x + sample(seed + 1, n)
    ours, theirs = stats.linregress(x, y), scipy.stats.linregress(x, y)
    assert ours.slope == pytest.approx(theirs.slope, rel=1e-9, abs=1e-9)
    assert ours.intercept == pytest.approx(theirs.intercept, rel=1e-9, abs=1e-7)
    assert (ours.stderr, ours.intercept_stderr) == pytest.approx((theirs.stderr, theirs.intercept_stderr), rel=1e-6)


@THOUSANDS
@given(seeds, st.integers(7, 300), st.floats(0.0005, 0.2), st.floats(0.5, 20))
def test_limits_are_where_the_mixture_martingale_crosses(seed: int, n: int, alpha: float, c: float) -> None:
    """At either limit m the mixture of t likelihood ratios about m is 1/(2 alpha)."""
    d = sample(seed, n, 1.0)
    limits = stats.confidence_sequence(d, alpha=alpha, c=c)
    assert limits.mean == pytest.approx(d.mean(), rel=1e-12)
    for limit in (limits.ci_low, limits.ci_high):
        if math.isfinite(limit):
            spread = np.sum((d - d.mean()) ** 2)
            r, offset = c / (n + c), n * (d.mean() - limit) ** 2
            log_ratio = 0.5 * math.log(r) + n / 2 * math.log((offset + spread) / (r * offset + spread))
            assert log_ratio == pytest.approx(-math.log(2 * alpha), rel=1e-7)
