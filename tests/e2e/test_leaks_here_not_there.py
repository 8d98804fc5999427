"""The leak that pyprof exists for, on the Node that has it and on one that has not: a difference of differences."""

from __future__ import annotations

from pathlib import Path

import pyprof


def test_a_kept_profiler_leaks_on_one_node_and_not_on_the_other(tmp_path: Path) -> None:
    made = pyprof.compare(
        nodes=["12.19.0", "system"], profilers=["none", "keep"], blocks=3, seed=1, output=tmp_path / "x.pyprof",
        warmup=1.0, duration=4.0, profile_duration=0.02, rate=10.0, connections=1, concurrent=True,
    )  # fmt: skip
    assert made.failed == []
    other = next(node for node in made.nodes if node != "12.19.0")
    found = made.interaction("leak", "keep", "none", "12.19.0", other)
    assert found.n_blocks == 3
    # How fast it grows differs much from process to process, so that three blocks need not exclude 0; every one does.
    here_values, there_values = (made[f"{node} keep"].metrics["leak"].values for node in ("12.19.0", other))
    assert min(here_values) > 50 > max(there_values)
    assert found.ci_low is not None
    assert found.difference is not None
    assert found.ci_low < found.difference
    assert 50 < found.difference < 1000
    here, there = (made.contrast("leak", f"{node} keep", f"{node} none") for node in ("12.19.0", other))
    assert here.difference is not None
    assert there.difference is not None
    assert abs(here.difference - there.difference - found.difference) < 1e-6
    # the other way round it is the mirror
    back = made.interaction("leak", "keep", "none", other, "12.19.0")
    assert back.ci_high is not None
    assert abs(found.ci_low + back.ci_high) < 1e-9
