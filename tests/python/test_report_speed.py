"""A report's time grows with its trials, and not with their square."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench import bench_report

pytestmark = pytest.mark.alone


def test_four_times_the_trials_take_less_than_eight_times_as_long(tmp_path: Path) -> None:
    paths = [bench_report.write(tmp_path / f"{n}.pyprof", n, 2) for n in (200, 800)]
    few, many = (min(sum(bench_report.measure(path).values()) for _ in range(2)) for path in paths)
    assert many < 8 * few
