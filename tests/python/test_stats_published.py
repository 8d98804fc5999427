"""Published numbers, to the digits to which they are certified."""

from __future__ import annotations

import math

import pytest
from helpers import nist

from pyprof import stats

X = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
Y = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

# `clinic` of R's package equivalence, var1 of the two groups; R's numbers as in statsmodels' tests
CLINIC_1 = [2.84, 2.51, 2.41, 2.95, 3.14, 3.79, 4.14, 3.85, 3.02, 3.45, 5.37, 3.81, 4.19, 3.16, 3.84]
CLINIC_2 = [2.60, 2.82, 2.18, 3.46, 4.01, 3.04, 3.47, 4.06, 2.91, 3.59, 4.51, 3.16, 3.86, 3.31, 3.02]


# The spread is certified for decimal data: what rounding them to doubles leaves of its digits is the last column.
@pytest.mark.parametrize(
    ("series", "mean", "sd", "r", "digits"),
    [
        (nist.MICHELSO, 299.8524, 0.0790105478190518, 0.535199668621283, 1e-12),
        (nist.MAVRO, 2.001856, 0.000429123454003053, 0.937989183438248, 1e-12),
        (nist.LOTTERY, 518.958715596330, 291.699727470969, -0.120948622967393, 2e-15),
        (nist.LEW, -177.435, 277.332168044316, -0.307304800605679, 2e-15),
        ([10000000.2] + [10000000.1, 10000000.3] * 500, 10000000.2, 0.1, -0.999, 1e-8),
    ],
)
def test_nist_univariate(series: list[float], mean: float, sd: float, r: float, digits: float) -> None:
    description = stats.describe(series)
    assert description.mean == pytest.approx(mean, rel=2e-15)
    assert description.sd == pytest.approx(sd, rel=digits)
    assert stats.autocorrelation(series) == pytest.approx(r, rel=2 * digits)


def test_sleep_shift_and_one_side() -> None:
    assert stats.hodges_lehmann(X, Y).estimate == pytest.approx(-1.35, rel=1e-15)
    assert stats.paired(X, Y, alternative="less").pvalue == pytest.approx(0.00283289019738427 / 2, rel=1e-13)


def test_tost_clinic() -> None:
    test = stats.tost(CLINIC_1, CLINIC_2, -0.6, 0.6)
    assert test.df == pytest.approx(26.7484787582315, rel=1e-14)
    assert test.pvalue == pytest.approx(0.04853083976236974, rel=1e-12)
    assert math.exp(test.log_pvalue) == pytest.approx(test.pvalue)
    assert (test.ci_low, test.ci_high) == pytest.approx((-0.2666862980722534, 0.596019631405587), rel=1e-12)
    pooled = stats.tost(CLINIC_1, CLINIC_2, -0.6, 0.6, design="student")
    assert pooled.pvalue == pytest.approx(0.04827315100761467, rel=1e-12)
    paired = stats.tost(CLINIC_1, CLINIC_2, -0.6, 0.6, design="paired")
    assert paired.pvalue == pytest.approx(0.003166881489265175, rel=1e-12)


def test_adjusted_pvalues() -> None:
    p = [0.01, 0.04, 0.03, 0.005]
    assert stats.holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02], rel=1e-15)
    assert stats.benjamini_hochberg(p) == pytest.approx([0.02, 0.04, 0.04, 0.02], rel=1e-15)


@pytest.mark.parametrize(("n", "smallest"), [(3, 0.1), (4, 0.0285714), (5, 0.0079365)])
def test_smallest_mann_whitney(n: int, smallest: float) -> None:
    assert stats.mannwhitneyu(range(n), range(n, 2 * n)).pvalue == pytest.approx(smallest, abs=5e-8)


@pytest.mark.parametrize(
    ("residual", "one_side", "costs_1", "both"), [(1, 6, 19, 8), (3, 40, 156, 51), (5, 109, 430, 137)]
)
def test_required_blocks(residual: float, one_side: int, costs_1: int, both: int) -> None:
    sd = math.sqrt(2) * residual / 100
    assert stats.required_blocks(sd, 0.02) == one_side
    assert stats.required_blocks(sd, 0.02, cost=0.01) == costs_1
    assert stats.required_blocks(sd, 0.02, low=-0.02) == both


def test_first_decision_of_a_confidence_sequence() -> None:
    limits = stats.confidence_sequence([1, 2, 1.5, 1.7, 1.2, 1.6, 1.4, 1.3])
    assert [math.isfinite(limit) for limit in limits.ci_lows] == [False] * 6 + [True] * 2
    assert (limits.ci_low, limits.ci_high) == (limits.ci_lows[-1], limits.ci_highs[-1])
