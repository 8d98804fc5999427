"""The statistics against scipy, statsmodels and mpmath, on random input."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import numpy.typing as npt
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from pyprof import stats

THOUSANDS = settings(max_examples=1000, deadline=None)

Series = npt.NDArray[np.float64]
magnitudes = st.floats(-12, 12).map(lambda exponent: 10.0**exponent)
confidences = st.floats(0.5, 0.9999)


@st.composite
def samples(draw: st.DrawFn, least: int = 2, most: int = 40) -> Series:
    """A normal or heavy-tailed sample of any location and scale."""
    n = draw(st.integers(least, most))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    values = generator.standard_t(draw(st.sampled_from([1.0, 3.0, 1e9])), n)
    scale = draw(magnitudes)
    return np.asarray(values * scale + draw(st.floats(-100, 100)) * scale)


@THOUSANDS
@given(samples(least=1))
def test_describe(x: Series) -> None:
    ours = stats.describe(x)
    assert (ours.n, ours.min, ours.max) == (len(x), x.min(), x.max())
    assert ours.mean == pytest.approx(math.fsum(x) / len(x), rel=1e-15, abs=1e-16 * abs(x).max())
    assert ours.median == pytest.approx(np.median(x), rel=1e-15)
    if len(x) > 1:
        assert ours.sd == pytest.approx(np.std(x, ddof=1), rel=1e-12)
        assert ours.se == pytest.approx(scipy.stats.sem(x), rel=1e-12)


@THOUSANDS
@given(samples(), samples(), st.booleans(), confidences)
def test_independent_samples(x: Series, y: Series, equal: bool, confidence: float) -> None:
    ours = (stats.student if equal else stats.welch)(x, y, confidence=confidence)
    theirs = scipy.stats.ttest_ind(x, y, equal_var=equal)
    interval = theirs.confidence_interval(confidence)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-9)
    assert ours.df == pytest.approx(theirs.df, rel=1e-11)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-7)
    scale = abs(interval.low) + abs(interval.high)
    assert (ours.ci_low, ours.ci_high) == pytest.approx((interval.low, interval.high), abs=1e-9 * scale)


@THOUSANDS
@given(st.data(), confidences)
def test_pairs(data: st.DataObject, confidence: float) -> None:
    x = data.draw(samples())
    y = x[::-1] * 0.5 + data.draw(samples(len(x), len(x)))
    ours = stats.paired(x, y, confidence=confidence)
    theirs = scipy.stats.ttest_rel(x, y)
    interval = theirs.confidence_interval(confidence)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-8, abs=1e-9)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-7)
    scale = abs(interval.low) + abs(interval.high)
    assert (ours.ci_low, ours.ci_high) == pytest.approx((interval.low, interval.high), abs=1e-8 * scale)


def log_tail(t: float, df: float) -> mpmath.mpf:
    with mpmath.workdps(40):
        exact_t, exact_df = mpmath.mpf(t), mpmath.mpf(df)
        x = exact_df / (exact_df + exact_t**2)
        return mpmath.log(mpmath.betainc(exact_df / 2, mpmath.mpf(1) / 2, 0, x, regularized=True))


@settings(max_examples=300, deadline=None)
@given(st.floats(-8, 5).map(lambda e: 10.0**e), st.floats(-0.5, 4).map(lambda e: 10.0**e))
def test_log_of_tail(t: float, df: float) -> None:
    assert stats.log_two_sided_t(t, df) == pytest.approx(float(log_tail(t, df)), rel=1e-12)


@THOUSANDS
@given(st.floats(1e-8, 30), st.floats(0.5, 1e8))
def test_tail_where_scipy_has_one(t: float, df: float) -> None:
    assert math.exp(stats.log_two_sided_t(t, df)) == pytest.approx(2 * scipy.stats.t.sf(t, df), rel=1e-8)


@THOUSANDS
@given(st.floats(1e-300, 1, exclude_max=True), st.floats(0.5, 1e8))
def test_quantile(p: float, df: float) -> None:
    t = stats.t_quantile(p, df)
    if p == 0.5:
        assert t == 0
    elif not math.isinf(t):
        tail = 2 * min(p, 1 - p)
        assert stats.log_two_sided_t(t, df) == pytest.approx(math.log(tail), rel=1e-11, abs=1e-15)
        assert (t < 0) == (p < 0.5)


@THOUSANDS
@given(st.data(), confidences)
def test_theil_sen(data: st.DataObject, confidence: float) -> None:
    y = data.draw(samples(least=3))
    grid = data.draw(st.sampled_from([1, 2, 5]))  # scipy's variance leaves out the term for ties in both variables
    x = np.arange(len(y)) // grid * 1.0
    assume(x[-1] > 0 and len(set(y)) == len(y))
    ours = stats.theil_sen(x, y, confidence=confidence)
    theirs = scipy.stats.theilslopes(y, x, alpha=confidence)
    assert (ours.slope, ours.intercept) == pytest.approx((theirs.slope, theirs.intercept), rel=1e-12, abs=1e-300)
    if math.isinf(ours.ci_low):
        slopes = [(y[i] - y[j]) / (x[i] - x[j]) for i in range(len(y)) for j in range(i) if x[i] != x[j]]
        assert (ours.ci_high, theirs.low_slope, theirs.high_slope) == (math.inf, min(slopes), max(slopes))
    else:
        assert (ours.ci_low, ours.ci_high) == (theirs.low_slope, theirs.high_slope)


@THOUSANDS
@given(samples(most=200), st.floats(-0.9, 0.95))
def test_effective_sample_size(noise: Series, correlation: float) -> None:
    x = noise.copy()
    for i in range(1, len(x)):
        x[i] += correlation * x[i - 1]
    deviations = x - x.mean()
    covariances = np.correlate(deviations, deviations, "full")[len(x) - 1 :]
    r = np.append(covariances / covariances[0], 0.0)
    pairs = [r[i] + r[i + 1] for i in range(0, len(x) - 1, 2)]
    assume(all(abs(pair) > 1e-9 for pair in pairs))  # else rounding decides where the sum ends
    positive = next((i for i, pair in enumerate(pairs) if pair < 0), len(pairs))
    wanted = len(x) / max(1.0, 2 * sum(pairs[:positive]) - 1)
    assert stats.effective_sample_size(x) == pytest.approx(max(1.0, wanted), rel=1e-6)


@settings(max_examples=300, deadline=None)
@given(st.floats(0.05, 3), st.floats(0.001, 0.2), st.floats(0.3, 0.99))
def test_required_blocks(effect: float, alpha: float, power: float) -> None:
    def power_with(blocks: int) -> float:
        return float(TTestPower().power(effect, blocks, alpha, alternative="larger"))

    blocks = stats.required_blocks(1.0, effect, alpha=alpha, power=power)
    assert power_with(blocks) >= power - 1e-9
    assert blocks == 2 or power_with(blocks - 1) < power + 1e-9


@settings(max_examples=300, deadline=None)
@given(st.floats(1e-6, 1e6), st.integers(3, 500), st.floats(0.001, 0.2), st.floats(0.3, 0.99))
def test_settleable_margin(sd: float, n: int, alpha: float, power: float) -> None:
    margin = stats.settleable_margin(sd, n, alpha=alpha, power=power)
    reached = TTestPower().power(margin / sd, n, alpha, alternative="larger")
    assert reached == pytest.approx(power, abs=1e-8)
