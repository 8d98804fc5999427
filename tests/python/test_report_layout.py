"""What a reader meets: narrow terminals, wide intervals, swapped arms."""

from __future__ import annotations

import io
import math
import random
import re
from array import array
from pathlib import Path

import pytest
from helpers import made_results
from rich.console import Console

from pyprof import Comparison, Results
from pyprof.report import cells, markdown, sections, tables, text
from pyprof.trials import Trial
from pyprof.units import plain

PROFILERS = ("none", "pprof@3.0.0:idle", "recreate")


def _costs(profiler: str, block: int, rng: random.Random) -> Trial:
    made = made_results.trial(profiler, block, rss_mib=50 * math.exp(rng.gauss(0, 0.01)), growth_kib_s=rng.random())
    made.scalars["qps"] = 400 * math.exp(rng.gauss(0, 0.02))
    made.scalars["cpu"] = 8 * math.exp(rng.gauss(0, 0.02))
    made.series["answers_per_second"] = array("d", (rng.gauss(400, 20) for _ in range(8)))
    return made


def _erratic(profiler: str, block: int, rng: random.Random) -> Trial:
    """Nothing can be told from such spread."""
    made = made_results.trial(profiler, block, rss_mib=50 * math.exp(rng.gauss(0, 9)))
    made.scalars["qps"] = 400 * math.exp(rng.gauss(0, 12))
    return made


def _shown(comparison: Comparison, width: int) -> list[str]:
    out = io.StringIO()
    text.show(comparison, Console(file=out, width=width, color_system=None, highlight=False))
    return out.getvalue().splitlines()


@pytest.fixture
def comparison(tmp_path: Path) -> Comparison:
    path = made_results.write(tmp_path / "x.pyprof", PROFILERS, _costs, blocks=8, margins=("rss=2%", "leak=8KiB"))
    return Results.open(path)


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_narrow_terminal_has_whole_lines(comparison: Comparison, width: int) -> None:
    lines = _shown(comparison, width)
    assert max(map(len, lines)) <= width
    against = lines[lines.index("Node 12.19.0: change against none") + 1 :]
    first = against.index("average RSS (%), recreate")
    numbers = " ".join(against[first + 1 : first + 4])
    contrast = comparison.contrast("rss", "recreate")
    difference, interval = cells.difference(contrast)
    # no number is torn from its name, or in two
    for part in (f"difference {difference}", f"95 % CI {interval}", f"Hodges-Lehmann {cells.robust(contrast)}", "p, "):
        assert part in numbers


def test_a_wide_terminal_has_tables(comparison: Comparison) -> None:
    lines = _shown(comparison, 180)
    heads = lines[lines.index("Node 12.19.0: change against none") + 1]
    wanted = "metric profiler difference 95 % CI Hodges-Lehmann p p, Welch p, samples blocks"
    assert " ".join(heads.split()) == wanted
    assert all(not line.startswith("average RSS (%), ") for line in lines)


def test_numbers_beyond_reason_are_words(tmp_path: Path) -> None:
    path = made_results.write(tmp_path / "x.pyprof", ("none", "keep"), _erratic, margins=("rss=2%", "qps=±50%"))
    shown = markdown.render(Results.open(path))
    rows = [line for line in shown.splitlines() if re.match(r"\| (average|INCONCLUSIVE)", line)]
    assert rows
    for row in rows:
        without_p = row.replace("1e", "") if "p, " in row else row
        assert not re.search(r"\d{8}|\binf\b|nan", without_p), row
        assert not re.search(r"[0-9]e\+", row), row
    assert "may cost any amount of average RSS" in shown
    assert "over +1,000,000" in shown


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (12345.0, ".2g", "12,000"), (12345.0, "+.2g", "+12,000"), (-12345.0, "+.2g", "-12,000"), (120.0, ".2g", "120"),
        (0.000032, ".2g", "0.000032"), (1.25, ".2g", "1.2"), (3e9, ".2g", "over 1,000,000"),
        (math.inf, "+.2g", "over +1,000,000"), (-math.inf, "+.2g", "over -1,000,000"), (2.0, ".12g", "2"),
    ],
)  # fmt: skip
def test_numbers_have_no_exponent(value: float, form: str, shown: str) -> None:
    assert plain(value, form) == shown


@pytest.mark.parametrize("metric", ["rss", "qps", "leak"])
def test_swapped_arms_give_the_mirror(tmp_path: Path, metric: str) -> None:
    """The same p, and limits that are each other's opposite: of logs, so that the ratios are each other's inverse."""
    made = made_results.write(tmp_path / "x.pyprof", PROFILERS, _costs, blocks=8)
    there, back = (Results.open(made).contrast(metric, *pair) for pair in (("recreate", "none"), ("none", "recreate")))
    assert there.p == pytest.approx(back.p, rel=1e-12)
    assert there.p_welch == pytest.approx(back.p_welch, rel=1e-12)
    if metric != "leak":  # which has no samples
        assert there.p_samples == pytest.approx(back.p_samples, rel=1e-12)
    assert there.settleable == pytest.approx(back.settleable, rel=1e-9)
    pairs = [
        (there.difference, back.difference), (there.ci_low, back.ci_high), (there.ci_high, back.ci_low),
        (there.center, back.center), (there.center_low, back.center_high), (there.center_high, back.center_low),
    ]  # fmt: skip
    for a, b in pairs:
        assert a is not None
        assert b is not None
        if there.relative:
            assert (1 + a) * (1 + b) == pytest.approx(1, rel=1e-9)
        else:
            assert a == pytest.approx(-b, rel=1e-9, abs=1e-12)


def test_cpu_per_request_leads_every_table(comparison: Comparison) -> None:
    for table in tables.tables(comparison):
        metrics = [row[0] for row in table.rows if row[0].startswith(("average RSS", "CPU per request"))]
        if metrics:
            assert metrics[0].startswith("CPU per request"), table.title


def test_the_samples_worth_is_said(comparison: Comparison) -> None:
    (table,) = sections.band(comparison, ["rss"])
    assert any(re.search(r"The 200 RSS samples of a process are worth [0-9.]+ independent ones", note)
               for note in table.notes)  # fmt: skip


def test_in_short_it_says_what_differs_and_what_was_not_shown_to(tmp_path: Path) -> None:
    def cost(profiler: str, block: int, rng: random.Random) -> Trial:
        made = _costs(profiler, block, rng)
        if profiler == "recreate":
            made.scalars["cpu"] *= 2
        return made

    path = made_results.write(tmp_path / "x.pyprof", PROFILERS, cost, blocks=8)
    (table,) = sections.summary(Results.open(path), tables.SHOWN)
    idle, recreate = table.rows
    assert idle[:2] == ("pprof@3.0.0:idle", "none")
    assert recreate[:2] == ("recreate", "none")
    assert recreate[2].startswith("CPU per request +")
    for _, _, differs, open_ in table.rows:
        for title in ("average RSS", "average QPS", "CPU per request"):
            assert (title in differs) != (title in open_)
