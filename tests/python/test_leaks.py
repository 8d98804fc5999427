"""What the report says of leaks, with a margin and without."""

from __future__ import annotations

import json
import math
import random
from array import array
from pathlib import Path

import pytest
from helpers import made_results

from pyprof import Comparison, Results, stats
from pyprof.leaks import Leak, leaks
from pyprof.report import json as json_report
from pyprof.report import markdown
from pyprof.trials import Trial

TURNS, SECONDS = 2400, 60.0


def _trial(profiler: str, block: int, rng: random.Random) -> Trial:
    """Trials with 1,200 turns in their second half; `keep` leaks 20 KiB per turn."""
    made = made_results.trial(profiler, block)
    per_second = TURNS / SECONDS
    times = [SECONDS * (i + 0.5) / 300 for i in range(300)]
    growth = (20.0 if profiler == "keep" else 0.0) * per_second + rng.gauss(0, 20)
    made.series["rss_time"] = array("d", times)
    made.series["rss"] = array("d", (1024 * (50_000 + growth * t + rng.gauss(0, 100)) for t in times))
    made.series["turn_time"] = array("d", (i / per_second for i in range(TURNS)))
    made.series["heap_used"] = array(
        "d", (2**20 * 5 + (5 * 1024 if profiler == "keep" else 0) * i for i in range(TURNS))
    )
    made.scalars["turns_per_second"] = per_second
    return made


def _by_candidate(comparison: Comparison) -> dict[str, Leak]:
    return {found.contrast.candidate: found for found in leaks(comparison)}


@pytest.fixture
def comparison(tmp_path: Path) -> Comparison:
    return Results.open(made_results.write(tmp_path / "x.pyprof", ("none", "keep", "recreate"), _trial, blocks=5))


def test_the_smallest_leak_follows_from_the_spread_over_blocks(comparison: Comparison) -> None:
    found = _by_candidate(comparison)["recreate"]
    sd = found.contrast.sd
    assert sd is not None
    assert found.smallest == pytest.approx(stats.settleable_margin(sd, 5))
    # by its meaning: the one-sided test finds it in nine of ten runs, seen from the other side
    assert found.smallest is not None
    assert stats.power(sd, 5, found.smallest) == pytest.approx(0.9, abs=1e-6)
    assert found.smallest > stats.settleable_margin(sd, 20)


def test_the_smallest_leak_is_found_in_nine_of_ten_runs() -> None:
    rng = random.Random(7)
    sd, n, runs = 3.0, 4, 4000
    smallest = stats.settleable_margin(sd, n)
    found = 0
    for _ in range(runs):
        differences = [rng.gauss(smallest, sd) for _ in range(n)]
        found += stats.paired(differences, [0.0] * n, alternative="greater").ci_low > 0
    assert found / runs == pytest.approx(0.9, abs=4 * math.sqrt(0.09 / runs))


def test_the_report_prints_it_for_every_candidate(comparison: Comparison) -> None:
    text = markdown.render(comparison)
    table = text[text.index("### Leak") :].split("###")[1]
    rows = [line for line in table.splitlines() if line.startswith(("| keep", "| recreate"))]
    assert len(rows) == 2
    assert all("| settled |" in row for row in rows)
    assert "smallest detectable leak" in table
    document = json.loads(json_report.render(comparison))
    (keep, recreate) = document["leaks"]
    assert (keep["candidate"], recreate["candidate"]) == ("keep", "recreate")
    assert keep["ci_low"] < 20 < keep["ci_high"]
    assert keep["smallest_found"] < 10
    assert keep["unsettled"] is None
    assert keep["heap_difference"] == pytest.approx(5.0)  # the other 15 are native memory


def test_a_run_that_is_too_short_says_so_without_a_margin(tmp_path: Path) -> None:
    path = made_results.write(
        tmp_path / "x.pyprof", ("none", "keep"), lambda p, b, r: made_results.trial(p, b, growth_kib_s=r.random())
    )
    (found,) = leaks(Results.open(path))
    assert found.unsettled is not None
    assert found.unsettled.startswith("too few profiles")
    text = markdown.render(Results.open(path))
    assert "| keep | none | too few profiles |" in text
    assert "keep: too few profiles, 0 in the second half" in text


def test_one_block_has_no_smallest_leak(tmp_path: Path) -> None:
    path = made_results.write(tmp_path / "x.pyprof", ("none", "keep"), _trial, blocks=1)
    (found,) = leaks(Results.open(path))
    assert found.smallest is None
