"""The leak that pyprof exists for: with a kept profiler, not with a re-created one, and only where V8 has it.

How fast a process grows differs several times from the next, so there are many short ones. All variants of a block run
at the same time: that disturbs throughput, which is not looked at.
"""

from __future__ import annotations

import pytest

import pyprof
from pyprof import Comparison

pytestmark = pytest.mark.alone

LEAKY = "12.19.0"


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    made = pyprof.compare(
        nodes=[LEAKY, "system"], profilers=["none", "keep", "recreate"], blocks=8, seed=1, concurrent=True,
        warmup=0.5, duration=2.5, profile_duration=0.02, rate=10.0, connections=1, rss_samples=50,
        output=tmp_path_factory.mktemp("leak") / "x.pyprof",
    )  # fmt: skip
    assert made.failed == []
    return made


@pytest.fixture
def other(comparison: Comparison) -> str:
    return next(node for node in comparison.nodes if node != LEAKY)


def test_a_kept_profiler_leaks_and_a_recreated_one_does_not(comparison: Comparison) -> None:
    """Slope(keep) - slope(recreate) lies above 0, and by the size of the known leak."""
    found = comparison.contrast("leak", f"{LEAKY} keep", f"{LEAKY} recreate")
    assert found.ci_low is not None
    assert found.ci_low > 0
    assert found.difference is not None
    assert 50 < found.difference < 1000


def test_it_leaks_here_and_not_there(comparison: Comparison, other: str) -> None:
    """The difference of differences."""
    found = comparison.interaction("leak", "keep", "none", LEAKY, other)
    assert found.n_blocks == 8
    assert found.ci_low is not None
    assert found.ci_low > 0
    assert found.difference is not None
    assert 50 < found.difference < 1000
    here, there = (comparison.contrast("leak", f"{node} keep", f"{node} none") for node in (LEAKY, other))
    assert here.difference is not None
    assert there.difference is not None
    assert abs(here.difference - there.difference - found.difference) < 1e-6
    # the other way round it is the mirror
    back = comparison.interaction("leak", "keep", "none", other, LEAKY)
    assert back.ci_high is not None
    assert abs(found.ci_low + back.ci_high) < 1e-9
