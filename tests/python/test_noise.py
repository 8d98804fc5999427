from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from helpers import made_results

from pyprof import Comparison, Results, noise
from pyprof.report import csv as csv_report
from pyprof.trials import Trial

PROFILERS = ("none", "keep", "recreate")
SPREAD, BLOCK = 0.02, 0.10


def _identical(profiler: str, block: int, rng: random.Random) -> Trial:
    """Variants that do not differ, in blocks that do; RSS wanders within a trial, as it does in life."""
    level = 50 * math.exp(BLOCK * math.sin(block) + rng.gauss(0, SPREAD))
    made = made_results.trial(profiler, block, rss_mib=level)
    drift = 0.0
    for i in range(len(made.series["rss"])):
        drift = 0.95 * drift + rng.gauss(0, 50_000)
        made.series["rss"][i] += drift
    return made


@pytest.fixture
def comparison(tmp_path: Path) -> Comparison:
    return Results.open(made_results.write(tmp_path / "x.pyprof", PROFILERS, _identical, blocks=12))


def test_the_band_is_that_of_the_residual_without_blocks(comparison: Comparison) -> None:
    found = noise.band(comparison, "12.19.0", "rss")
    assert found is not None
    expected = math.expm1(2.07 * SPREAD * math.sqrt(2 / 12))
    assert expected / 1.6 < found < expected * 1.6


def test_the_naive_test_calls_identical_processes_different(comparison: Comparison) -> None:
    pairs = noise.naive_pairs(comparison, "rss")
    assert pairs.pairs == 3 * 12 * 11 // 2
    assert pairs.different > pairs.pairs / 2


def test_of_many_processes_the_nearest_pairs_stand_for_all(
    comparison: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noise, "MAX_PAIRS", 3 * 11)
    assert noise.naive_pairs(comparison, "rss").pairs == 3 * 11


def test_correlated_samples_are_worth_few(comparison: Comparison) -> None:
    found = noise.effective_samples(comparison, "rss")
    assert found is not None
    samples, worth = found
    assert samples == 200
    assert 1 <= worth < 30
    assert noise.effective_samples(comparison, "start_pause") is None


def test_a_quiet_machine_has_no_warnings_and_a_busy_one_has(comparison: Comparison) -> None:
    assert [text for text in noise.warnings(comparison) if "correlated" not in text] == []
    comparison.environment.update(cpus=2, load_average=1.9, frequency_governor="powersave", swap_used_mib=12)
    comparison.environment["cgroup_cpus"] = 0.5
    comparison["keep"].trials[0].scalars |= {"load_cpu_share": 0.97, "steal_share": 0.2}
    text = " ".join(noise.warnings(comparison))
    for sign in ("busy", "governor powersave", "swapping", "cgroup limits", "saturated in 1 of 36", "up to 20%"):
        assert sign in text


def test_correlated_blocks_are_named(tmp_path: Path) -> None:
    def make(profiler: str, block: int, rng: random.Random) -> Trial:
        drift = 0.02 * block if profiler == "keep" else 0.0
        return made_results.trial(profiler, block, rss_mib=50 * math.exp(drift + rng.gauss(0, 0.001)))

    comparison = Results.open(made_results.write(tmp_path / "x.pyprof", ("none", "keep"), make, blocks=10))
    assert any("neighbouring blocks are correlated" in text for text in noise.warnings(comparison))


def test_csv_has_one_row_per_process_and_metric(comparison: Comparison) -> None:
    lines = csv_report.render(comparison).splitlines()
    assert lines[0] == "node,profiler,block,position,metric,unit,value"
    assert sum(",rss,MiB," in line for line in lines) == 36


def test_values_without_measure_have_a_band_without_end(tmp_path: Path) -> None:
    sizes = iter([1e-300, 1e300, 1e300, 1e-300])
    path = made_results.write(
        tmp_path / "x.pyprof", ("none", "keep"), lambda p, b, _: made_results.trial(p, b, rss_mib=next(sizes)), blocks=2
    )
    assert noise.band(Results.open(path), "12.19.0", "rss") == math.inf
