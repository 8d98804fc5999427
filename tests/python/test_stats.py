"""Published numbers, and what the binding adds to the C core: inputs, results, errors."""

from __future__ import annotations

import array
import inspect
import math
import threading
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from pyprof import stats

if TYPE_CHECKING:
    from collections.abc import Callable

X = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
Y = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def test_sleep() -> None:
    welch = stats.welch(X, Y)
    assert welch.statistic == pytest.approx(-1.86081346748685, rel=1e-14)
    assert welch.df == pytest.approx(17.7764735161785, rel=1e-14)
    assert welch.pvalue == pytest.approx(0.0793941401873582, rel=1e-13)
    assert math.exp(welch.log_pvalue) == pytest.approx(welch.pvalue)
    assert (welch.ci_low, welch.ci_high) == pytest.approx((-3.36548323071171, 0.20548323071171), rel=1e-12)
    assert stats.student(X, Y).pvalue == pytest.approx(0.0791867142159382, rel=1e-13)
    paired = stats.paired(X, Y)
    assert paired.statistic == pytest.approx(-4.06212768338204, rel=1e-13)
    assert paired.pvalue == pytest.approx(0.00283289019738427, rel=1e-12)


def test_numacc4() -> None:
    description = stats.describe([10000000.2] + [10000000.1, 10000000.3] * 500)
    assert description.n == 1001
    assert description.mean == pytest.approx(10000000.2, rel=1e-15)
    assert description.sd == pytest.approx(0.1, rel=1e-7)


def test_sen_1968() -> None:
    line = stats.theil_sen([1, 2, 3, 4, 10, 12, 18], [9, 15, 19, 20, 45, 55, 78], confidence=0.93)
    assert line.slope == 4
    assert (round(line.ci_low, 2), round(line.ci_high, 2)) == (3.71, 4.38)


@pytest.mark.parametrize(
    ("residual", "when_free", "when_1_percent"), [(0.01, 6, 19), (0.03, 40, 156), (0.05, 109, 430)]
)
def test_required_blocks(residual: float, when_free: int, when_1_percent: int) -> None:
    sd = math.sqrt(2) * residual
    assert stats.required_blocks(sd, 0.02) == when_free
    assert stats.required_blocks(sd, 0.02, cost=0.01, alpha=0.05, power=0.9) == when_1_percent
    assert stats.settleable_margin(sd, when_free) <= 0.02 < stats.settleable_margin(sd, when_free - 1)


SERIES: dict[str, Callable[[list[float]], object]] = {
    "list": list,
    "tuple": tuple,
    "array of doubles": lambda x: array.array("d", x),
    "array of floats": lambda x: np.array(x).astype(np.float32).astype(object),
    "numpy": np.array,
    "numpy, every second": lambda x: np.repeat(x, 2)[::2],
    "numpy, reversed": lambda x: np.array(x[::-1])[::-1],
    "numpy, read-only": lambda x: np.frombuffer(np.array(x).tobytes()),
    "numpy, big-endian": lambda x: np.array(x, dtype=">f8"),
    "numpy, objects": lambda x: np.array(x, dtype=object),
    "memoryview": lambda x: memoryview(array.array("d", x)),
    "pandas": pd.Series,
    "fractions": lambda x: [Fraction(value) for value in x],
}


@pytest.mark.parametrize("kind", SERIES)
def test_any_sequence_of_numbers(kind: str) -> None:
    values = [0.5, 4.25, -3.0, 8.0]
    assert stats.describe(SERIES[kind](values)) == stats.describe(values)  # type: ignore[arg-type]


def test_integers_and_bools() -> None:
    assert stats.describe(np.array([1, 2, 4])) == stats.describe([True, 2, 4])
    assert stats.describe(range(5)).mean == 2


def test_results_are_named_and_printable() -> None:
    description = stats.describe([1, 2, 3, 4])
    n, mean, *_ = description
    assert (n, mean) == (description.n, description.mean) == (4, 2.5)
    assert isinstance(description.n, int)
    assert repr(description).startswith("pyprof.stats.Description(n=4, mean=2.5, sd=1.29")
    with pytest.raises(AttributeError):
        description.mean = 3  # type: ignore[misc]
    assert repr(stats.welch(X, Y)).startswith("pyprof.stats.TTestResult(statistic=-1.86")
    assert repr(stats.theil_sen(X, Y)).startswith("pyprof.stats.SlopeResult(slope=")
    assert str(inspect.signature(stats.theil_sen)) == "(x, y, *, confidence=0.95)"


def test_results_hold_flags_counts_and_lists() -> None:
    test = stats.permutation_test(X, Y, seed=1)
    assert (test.exact, test.n_resamples) == (True, 1024)
    assert isinstance(test.n_resamples, int)
    assert stats.mannwhitneyu(X, Y, method="asymptotic").exact is False
    sequence = stats.confidence_sequence(X)
    assert (sequence.n, len(sequence.ci_lows), len(sequence.ci_highs)) == (10, 10, 10)
    assert isinstance(stats.holm([0.5]), list)
    assert str(inspect.signature(stats.bootstrap)).startswith("(x, y=None, *, seed, contrast='difference'")


def test_seeds() -> None:
    """One seed is one stream, everywhere: these numbers are the same on every platform."""
    groups = [[1, 2, 4], [3, 5], [2, 2, 8, 1]]
    found = stats.bootstrap(groups, seed=1)
    assert found == stats.bootstrap([np.array(group) for group in groups], None, seed=np.int64(1))
    assert found != stats.bootstrap(groups, seed=2)
    assert found.ci_low == pytest.approx(17 / 9, rel=1e-14)
    d = [math.sin(i) + 0.1 for i in range(40)]
    assert stats.permutation_test(d, [0] * 40, seed=2**64 - 1).pvalue == 25891 / 100_000


def test_defined_answers_at_the_edges() -> None:
    assert math.isnan(stats.describe([1]).sd)
    same = stats.welch([1, 1], [1, 1])
    assert math.isnan(same.pvalue)
    assert (same.difference, same.ci_low, same.ci_high) == (0, 0, 0)
    assert stats.theil_sen([1, 2], [1, 2]).ci_high == math.inf
    assert stats.welch([1, 1], [1, 1], alternative="less").ci_high == 0
    assert math.isnan(stats.tost([1, 1], [1, 1], -1, 1).pvalue)
    assert stats.mannwhitneyu([1, 1], [1, 1]).pvalue == 1
    assert stats.permutation_test([1, 1], [1, 1], seed=0).pvalue == 1
    assert stats.confidence_sequence([0.3] * 20).ci_high == math.inf
    assert stats.hodges_lehmann([1, 2, 3], [1, 2, 3]).ci_high == math.inf
    assert math.isnan(stats.autocorrelation([1, 1]))
    assert stats.power(0, 2, 0.1) == 1
    assert stats.effective_sample_size([3, 3, 3]) == 1
    assert stats.log_two_sided_t(-math.inf, 3) == -math.inf
    assert stats.t_quantile(0.975, math.inf) == pytest.approx(1.959963984540054, rel=1e-15)


ERRORS: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: stats.describe([]), ValueError, "x has 0 values, but at least 1 is needed"),
    (lambda: stats.describe([1, math.nan]), ValueError, "x[1] is NaN, but only finite values can be used"),
    (lambda: stats.describe("12"), TypeError, "x must be a sequence of numbers, not str"),
    (lambda: stats.describe(b"12"), TypeError, "x must be a sequence of numbers, not bytes"),
    (lambda: stats.describe({1: 2}), TypeError, "x must be a sequence of numbers, not dict"),
    (lambda: stats.describe(3), TypeError, "x must be a sequence of numbers, not int"),  # type: ignore[arg-type]
    (lambda: stats.describe([1, None]), TypeError, "x[1] must be a number, not NoneType"),
    (lambda: stats.describe(np.eye(2)), ValueError, "x must have one dimension, not 2"),
    (lambda: stats.describe(np.array(1.0)), ValueError, "x must have one dimension, not 0"),
    (lambda: stats.describe([1, 10**400]), ValueError, "x[1] is too large: it must be finite as a double"),
    (lambda: stats.t_quantile(0.5, -(10**400)), ValueError, "df is too large"),
    (lambda: stats.power(1.0, 10**400, 1.0), ValueError, "n is too large"),
    (lambda: stats.bootstrap([[1, 10**400]], seed=1), ValueError, "x[0][1] is too large"),
    (lambda: stats.welch([1, 2], [1]), ValueError, "y has 1 value, but at least 2 are needed"),
    (lambda: stats.student([1, 1], [2, 2]), ValueError, "no spread: every difference from the means is zero"),
    (lambda: stats.paired([1, 2, 3], [1, 2]), ValueError, "x and y must have the same length, but have 3 and 2 values"),
    (lambda: stats.welch(X, Y, confidence=95), ValueError, "confidence is 95, but must lie between 0 and 1"),
    (lambda: stats.welch(X, Y, confidence="a"), TypeError, "confidence must be a number, not str"),  # type: ignore[arg-type]
    (lambda: stats.welch(X, Y, 0.9), TypeError, "welch() takes"),  # type: ignore[call-arg]
    (lambda: stats.theil_sen([1, 1], [1, 2]), ValueError, "all x are 1: there is no slope"),
    (lambda: stats.theil_sen([1, 1], [1]), ValueError, "x and y must have the same length"),
    (lambda: stats.required_blocks(1, 1e-9), ValueError, "more than 1000000 blocks"),
    (lambda: stats.required_blocks(1, 0.01, cost=0.02), ValueError, "margin is 0.01 and cost 0.02"),
    (lambda: stats.settleable_margin(1, 1), ValueError, "n is 1, but must be a whole number of blocks, 2 or more"),
    (lambda: stats.settleable_margin(1, 2.5), ValueError, "n is 2.5, but must"),  # type: ignore[arg-type]
    (lambda: stats.welch(X, Y, alternative="more"), ValueError, "alternative is 'more', but must be one of: two-sided"),  # type: ignore[arg-type]
    (lambda: stats.welch(X, Y, alternative=1), TypeError, "alternative must be a str, not int"),  # type: ignore[arg-type]
    (lambda: stats.welch([1, 0], [1, 2], log=True), ValueError, "x[1] is 0, but only values above 0 have a logarithm"),
    (lambda: stats.tost(X, Y, 1, -1), ValueError, "low is 1 and high -1, but low must lie below high"),
    (lambda: stats.tost(X, Y[:9], -1, 1, design="paired"), ValueError, "x and y must have the same length"),
    (lambda: stats.noninferiority(X, Y, 1, alpha=0.5), ValueError, "alpha is 0.5, but must lie between 0 and 0.5"),
    (lambda: stats.permutation_test(X, Y), TypeError, "permutation_test() missing required keyword"),  # type: ignore[call-arg]
    (lambda: stats.permutation_test(X, Y, seed=-1), ValueError, "seed is -1, but must lie between 0 and 2**64 - 1"),
    (lambda: stats.permutation_test(X, Y, seed=1.5), TypeError, "seed must be a whole number, not float"),  # type: ignore[arg-type]
    (lambda: stats.permutation_test(X, Y[:9], seed=1), ValueError, "x and y must have the same length"),
    (lambda: stats.bootstrap([[1, 2]], seed=1), ValueError, "x has 1 process, but at least 2 are needed"),
    (lambda: stats.bootstrap([], seed=1), ValueError, "x has 0 processes, but at least 2 are needed"),
    (lambda: stats.bootstrap([[1, 2], []], seed=1), ValueError, "x[1] has 0 values, but at least 1 is needed"),
    (lambda: stats.bootstrap([[1], [2]], [], seed=1), ValueError, "y has 0 processes, but at least 2 are needed"),
    (lambda: stats.bootstrap([[1], [math.inf]], seed=1), ValueError, "x[1][0] is infinite"),
    (lambda: stats.bootstrap([[1], [None]], seed=1), TypeError, "x[1][0] must be a number, not NoneType"),
    (lambda: stats.bootstrap([1, 2], seed=1), TypeError, "x[0] must be a sequence of numbers, not int"),
    (lambda: stats.bootstrap(3, seed=1), TypeError, "x must be a sequence of sequences of numbers, not int"),  # type: ignore[arg-type]
    (lambda: stats.holm([0.5, 2]), ValueError, "p[1] is 2, but must lie between 0 and 1"),
    (lambda: stats.autocorrelation([1, 2], lag=2), ValueError, "lag is 2, but must lie between 1 and 1"),
    (lambda: stats.confidence_sequence([1, math.nan]), ValueError, "d[1] is NaN"),
    (lambda: stats.power(1, 5, 0.1, low=0.2), ValueError, "low is 0.2 and cost 0"),
    (lambda: stats.linregress([1, 1, 1], [1, 2, 3]), ValueError, "all x are 1: there is no slope"),
    (lambda: stats.t_quantile(2, 5), ValueError, "p is 2 and df 5"),
    (lambda: stats.log_two_sided_t(math.nan, 5), ValueError, "t is nan and df 5"),
]


@pytest.mark.parametrize("case", range(len(ERRORS)))
def test_errors_name_the_parameter(case: int) -> None:
    call, error_type, message = ERRORS[case]
    with pytest.raises(error_type) as error:
        call()
    assert type(error.value) is error_type
    assert str(error.value).startswith(message)


def test_the_lock_is_released() -> None:
    """While one thread computes slopes, another one counts."""
    x = np.arange(6000.0)
    done = threading.Event()

    def slopes() -> None:
        stats.theil_sen(x, np.sin(x))
        done.set()

    thread = threading.Thread(target=slopes)
    thread.start()
    turns = 0
    while not done.wait(0.001):
        turns += 1
    thread.join()
    assert turns > 10


def test_data_may_change_meanwhile() -> None:
    """The C code counts slopes in one pass and trusts the counts in the next: it must work on a copy."""
    x, y = np.arange(1000.0), np.sin(np.arange(1000.0))
    results: list[stats.SlopeResult] = []
    thread = threading.Thread(target=lambda: results.extend(stats.theil_sen(x, y) for _ in range(20)))
    thread.start()
    while thread.is_alive():
        np.negative(y, out=y)
    assert len(results) == 20
    assert all(-0.01 < result.slope < 0.01 for result in results)
