from __future__ import annotations

import math
import random
from array import array
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import made_results
from scipy import stats as scipy_stats

from pyprof import Comparison, Results, experiment, margins, settling
from pyprof.errors import EXIT_INCONCLUSIVE, EXIT_NOT_MEASURED, EXIT_PASS, EXIT_REGRESSION, UsageError
from pyprof.report import json as json_report
from pyprof.report import markdown
from pyprof.results import ResultsFile
from pyprof.trials import Trial
from pyprof.verdicts import Judgement, Outcome, Verdict, exit_code, judge

Make = Callable[[str, int, random.Random], Trial | None]


def _cost(share: float, spread: float) -> Make:
    """Trials whose RSS and QPS are ``share`` worse in `keep`, with a residual of ``spread`` on logs."""

    def make(profiler: str, block: int, rng: random.Random) -> Trial:
        worse = share if profiler == "keep" else 0.0
        made = made_results.trial(profiler, block, rss_mib=50 * (1 + worse) * math.exp(rng.gauss(0, spread)))
        made.scalars["qps"] = 400 * (1 - worse) * math.exp(rng.gauss(0, spread))
        return made

    return make


def _open(tmp_path: Path, make: Make, *texts: str, blocks: int = 8) -> Comparison:
    path = made_results.write(tmp_path / "x.pyprof", ("none", "keep"), make, blocks=blocks, margins=texts)
    return Results.open(path)


def _only(judgement: Judgement) -> Verdict:
    (row,) = judgement.rows
    return row


@pytest.mark.parametrize(
    ("text", "shown", "bounds"),
    [
        ("rss=2%", "rss=2%", (-math.inf, math.log1p(0.02))),
        ("qps = 2 %", "qps=2%", (math.log1p(-0.02), math.inf)),
        ("rss=±2%", "rss=±2%", (math.log1p(-0.02), math.log1p(0.02))),
        ("rss=400%", "rss=400%", (-math.inf, math.log1p(4))),
        ("rss=+-2.5%", "rss=±2.5%", (math.log1p(-0.025), math.log1p(0.025))),
        ("leak=8KiB", "leak=8KiB", (-math.inf, 8.0)),
        ("leak=8kib", "leak=8KiB", (-math.inf, 8.0)),
        ("start_pause=0.5ms", "start_pause=0.5ms", (-math.inf, 0.5)),
    ],
)
def test_margins_as_people_write_them(text: str, shown: str, bounds: tuple[float, float]) -> None:
    assert str(margins.parse(text)) == shown
    assert margins.parse(text).bounds == pytest.approx(bounds)
    assert margins.parse(shown) == margins.parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rss", "write METRIC=SIZE"),
        ("rss=2", "write METRIC=SIZE"),
        ("rss=-2%", "write METRIC=SIZE"),
        ("rsss=2%", "did you mean 'rss'"),
        ("rss=8KiB", "rss takes %, as in rss=8%"),
        ("leak=2%", "leak takes KiB"),
        ("rss=0%", "more than 0"),
        ("qps=100%", "less than 100 %"),
    ],
)
def test_what_is_no_margin_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        margins.parse(text)


@pytest.mark.parametrize(
    ("share", "spread", "texts", "outcome", "code"),
    [
        (0.0, 0.002, ("rss=2%",), Outcome.PASS, EXIT_PASS),
        (0.0, 0.002, ("qps=2%", "rss=2%"), Outcome.PASS, EXIT_PASS),
        (0.1, 0.002, ("rss=2%",), Outcome.FAIL, EXIT_REGRESSION),
        (0.1, 0.002, ("qps=2%",), Outcome.FAIL, EXIT_REGRESSION),
        (0.0, 0.10, ("rss=2%",), Outcome.INCONCLUSIVE, EXIT_INCONCLUSIVE),
        (0.0, 0.002, ("rss=±2%",), Outcome.PASS, EXIT_PASS),
        (-0.1, 0.002, ("rss=2%",), Outcome.PASS, EXIT_PASS),
        (-0.1, 0.002, ("rss=±2%",), Outcome.FAIL, EXIT_REGRESSION),
        (0.1, 0.002, ("qps=2%", "rss=20%"), Outcome.FAIL, EXIT_REGRESSION),
    ],
)
def test_the_outcome_decides_the_exit_code(
    tmp_path: Path, share: float, spread: float, texts: tuple[str, ...], outcome: Outcome, code: int
) -> None:
    comparison = _open(tmp_path, _cost(share, spread), *texts)
    judgement = judge(comparison)
    assert judgement.outcome is outcome
    assert exit_code(comparison, judgement) == code


def test_limits_are_one_sided_and_the_printed_ones_are_those_that_decide(tmp_path: Path) -> None:
    comparison = _open(tmp_path, _cost(0.0, 0.01), "rss=2%", "qps=2%")
    contrast = comparison.contrast("rss", "keep")
    row = judge(comparison).rows[0]
    n, mean, sd = 8, scipy_stats.tmean(contrast.differences), scipy_stats.tstd(contrast.differences)
    upper = mean + scipy_stats.t.ppf(0.95, n - 1) * sd / math.sqrt(n)
    assert row.high == pytest.approx(math.expm1(upper), rel=1e-9)
    failed = judge(_open(tmp_path / "second", _cost(0.2, 0.01), "rss=2%", "qps=2%")).rows[0]
    contrast = Results.open(tmp_path / "second" / "x.pyprof").contrast("rss", "keep")
    mean, sd = scipy_stats.tmean(contrast.differences), scipy_stats.tstd(contrast.differences)
    lower = mean - scipy_stats.t.ppf(1 - 0.05 / 2, n - 1) * sd / math.sqrt(n)  # k = 2 rows with a margin
    assert failed.low == pytest.approx(math.expm1(lower), rel=1e-9)


def test_words_for_a_reviewer(tmp_path: Path) -> None:
    passed = _only(judge(_open(tmp_path / "a", _cost(0.0, 0.005), "qps=2%")))
    assert passed.text.startswith(("costs at most ", "costs no "))
    failed = _only(judge(_open(tmp_path / "b", _cost(0.1, 0.005), "qps=2%")))
    assert failed.text.startswith("costs at least ")
    assert failed.text.endswith("% average QPS, more than 2 %")
    unclear = _only(judge(_open(tmp_path / "c", _cost(0.0, 0.05), "qps=2%")))
    assert unclear.text.startswith("cannot tell: costs up to ")
    assert "more blocks would settle 2 %" in unclear.text
    assert unclear.more_blocks is not None
    assert 0 < unclear.more_blocks[0] <= unclear.more_blocks[1]


def test_a_candidate_whose_trial_dies_fails(tmp_path: Path) -> None:
    def make(profiler: str, block: int, rng: random.Random) -> Trial | None:
        found = _cost(0.0, 0.002)(profiler, block, rng)
        if found is not None and (profiler, block) == ("keep", 3):
            found.error = "the app was killed by signal 9 within the trial"
        return found

    comparison = _open(tmp_path, make, "rss=2%")
    row = _only(judge(comparison))
    assert row.outcome is Outcome.FAIL
    assert "killed by signal 9" in row.text
    assert exit_code(comparison, judge(comparison)) == EXIT_REGRESSION


def test_a_baseline_whose_trial_dies_is_a_gap(tmp_path: Path) -> None:
    def make(profiler: str, block: int, rng: random.Random) -> Trial | None:
        return None if (profiler, block) == ("none", 3) else _cost(0.0, 0.002)(profiler, block, rng)

    comparison = _open(tmp_path, make, "rss=2%")
    assert _only(judge(comparison)).n_blocks == 7
    assert exit_code(comparison, judge(comparison)) == EXIT_NOT_MEASURED


def test_a_margin_given_later_is_labelled(tmp_path: Path) -> None:
    comparison = _open(tmp_path, _cost(0.0, 0.002), "rss=2%")
    comparison.later_margins = ("rss=2%", "qps=2%")
    assert [(str(row.margin), row.given_later) for row in judge(comparison).rows] == [
        ("rss=2%", False),
        ("qps=2%", True),
    ]
    text = markdown.render(comparison)
    assert text.index("Verdict: pass") < text.index("### Node")
    assert "qps=2% (given later)" in text
    assert json_report.document(comparison)["verdict"]["outcome"] == "pass"


def test_students_forecast_is_not_given_for_a_confidence_sequence(tmp_path: Path) -> None:
    _open(tmp_path, _cost(0.0, 0.05), "qps=2%")
    with ResultsFile.open_existing(tmp_path / "x.pyprof", write=True) as results:
        results.write_document("sequential", True)
    unclear = _only(judge(Results.open(tmp_path / "x.pyprof")))
    assert unclear.more_blocks is None
    assert unclear.text.endswith("more blocks may settle 2 %")


def test_after_an_extension_the_limits_are_wider_and_the_first_crossing_stands(tmp_path: Path) -> None:
    comparison = _open(tmp_path, _cost(0.0, 0.004), "rss=2%", blocks=20)
    fixed = _only(judge(comparison))
    with ResultsFile.open_existing(tmp_path / "x.pyprof", write=True) as results:
        results.write_document("sequential", True)
    sequential = _only(judge(Results.open(tmp_path / "x.pyprof")))
    assert sequential.sequential
    assert sequential.outcome is Outcome.PASS
    assert fixed.n_blocks == 20
    assert 5 <= sequential.n_blocks < 20
    assert (
        json_report.document(Results.open(tmp_path / "x.pyprof"))["verdict"]["rows"][0]["method"]
        == "confidence sequence"
    )


def test_variants_at_the_same_time_get_no_verdict_on_throughput(tmp_path: Path) -> None:
    comparison = _open(tmp_path, _cost(0.0, 0.002), "qps=2%", "rss=2%")
    object.__setattr__(comparison.experiment, "concurrent", True)
    outcomes = [row.outcome for row in judge(comparison).rows]
    assert outcomes == [Outcome.INCONCLUSIVE, Outcome.PASS]


def _long(leak_kib: float, *, settles: bool = False) -> Make:
    """Trials with 2,400 turns at 40/s and that leak in `keep`; or that slow down growing within the second half."""

    def make(profiler: str, block: int, rng: random.Random) -> Trial:
        found = made_results.trial(profiler, block)
        n, seconds = 300, 60.0
        times = [seconds * (i + 0.5) / n for i in range(n)]
        growth = leak_kib * 40 if profiler == "keep" else 0.0
        rss = [50 * 1024 + growth * t + rng.gauss(0, 100) for t in times]
        if settles and profiler == "keep":
            rss = [value + 150000 * (1 - math.exp(-t / 20)) for value, t in zip(rss, times, strict=True)]
        found.series["rss_time"] = array("d", times)
        found.series["rss"] = array("d", (value * 1024 for value in rss))
        found.series["turn_time"] = array("d", (i / 40 for i in range(2400)))
        found.scalars["turns_per_second"] = 40.0
        return found

    return make


@pytest.mark.parametrize(
    ("leak", "outcome"), [(0.0, Outcome.PASS), (16.0, Outcome.FAIL), (64.0, Outcome.FAIL), (-5.0, Outcome.PASS)]
)
def test_a_leak_is_judged_against_its_margin(tmp_path: Path, leak: float, outcome: Outcome) -> None:
    assert _only(judge(_open(tmp_path, _long(leak), "leak=8KiB", blocks=4))).outcome is outcome


def test_growth_that_settles_gets_no_verdict(tmp_path: Path) -> None:
    row = _only(judge(_open(tmp_path, _long(0.0, settles=True), "leak=8KiB", blocks=4)))
    assert row.outcome is Outcome.INCONCLUSIVE
    assert "still settling" in row.text


def test_a_leak_under_a_machine_that_slows_down_is_no_change_of_growth(tmp_path: Path) -> None:
    """The same 64 KiB per turn, but in the last quarter of the window a quarter fewer turns."""

    def make(profiler: str, block: int, rng: random.Random) -> Trial:
        found = _long(0.0)(profiler, block, rng)
        assert found is not None
        turns = [i / 40 for i in range(1800)] + [45 + i / 30 for i in range(450)]
        found.series["turn_time"] = array("d", turns)
        if profiler == "keep":
            for i, t in enumerate(found.series["rss_time"]):
                found.series["rss"][i] += 64 * 1024 * sum(turn <= t for turn in turns)
        return found

    row = _only(judge(_open(tmp_path, make, "leak=8KiB", blocks=4)))
    assert row.outcome is Outcome.FAIL, row.text


def test_too_few_profiles_give_no_verdict_on_a_leak(tmp_path: Path) -> None:
    def make(profiler: str, block: int, rng: random.Random) -> Trial:
        found = made_results.trial(profiler, block, growth_kib_s=rng.random())
        found.series["turn_time"] = array("d", (i / 10 for i in range(80)))
        return found

    row = _only(judge(_open(tmp_path, make, "leak=8KiB")))
    assert row.outcome is Outcome.INCONCLUSIVE
    assert "too few profiles, 39 in the second half" in row.text


def _busy(leak_kib: float) -> Make:
    """As on a busy machine: 1,000 turns in all, 20 a second, with a transient of 6 MiB in the second half."""

    def make(profiler: str, block: int, rng: random.Random) -> Trial:
        found = made_results.trial(profiler, block)
        times = [50 * (i + 0.5) / 300 for i in range(300)]
        growth = leak_kib * 20 if profiler == "keep" else 0.0
        transient = 6 * 1024 if profiler == "keep" else 0
        found.series["rss_time"] = array("d", times)
        found.series["rss"] = array(
            "d",
            (1024 * (50_000 + growth * t + transient * max(0, t - 25) / 25 + rng.gauss(0, 100)) for t in times),
        )
        found.series["turn_time"] = array("d", (i / 20 for i in range(1000)))
        found.scalars["turns_per_second"] = 20.0
        return found

    return make


def test_a_leak_beyond_doubt_needs_no_thousand_profiles(tmp_path: Path) -> None:
    row = _only(judge(_open(tmp_path, _busy(400.0), "leak=8KiB")))
    assert row.outcome is Outcome.FAIL, row.text
    assert row.text.startswith("costs at least 4")


@pytest.mark.parametrize("leak", [0.0, 3.0, 40.0])
def test_a_transient_over_few_profiles_is_no_leak(tmp_path: Path, leak: float) -> None:
    row = _only(judge(_open(tmp_path, _busy(leak), "leak=8KiB")))
    assert row.outcome is Outcome.INCONCLUSIVE
    assert "too few profiles, 498 in the second half" in row.text


def test_growth_that_hardly_changes_is_not_settling(tmp_path: Path) -> None:
    """400 KiB per profile that become 380: no transient, though the change is more than the margin."""

    def make(profiler: str, block: int, rng: random.Random) -> Trial:
        found = _long(400.0)(profiler, block, rng)
        assert found is not None
        for i, t in enumerate(found.series["rss_time"]):
            if profiler == "keep" and t > 45:
                found.series["rss"][i] -= 20 * 40 * 1024 * (t - 45)
        return found

    row = _only(judge(_open(tmp_path, make, "leak=8KiB", blocks=4)))
    assert row.outcome is Outcome.FAIL, row.text


def test_differences_without_spread_settle_nothing(tmp_path: Path) -> None:
    """Three times the very same difference: no statement about chance can rest on it."""

    def make(profiler: str, block: int, _: random.Random) -> Trial:
        return made_results.trial(profiler, block, rss_mib=60 if profiler == "keep" else 50)

    row = _only(judge(_open(tmp_path, make, "rss=2%")))
    assert row.outcome is Outcome.INCONCLUSIVE
    assert row.text.startswith("cannot tell")


def test_a_trial_that_the_machine_spoilt_is_a_gap_not_a_fail(tmp_path: Path) -> None:
    def make(profiler: str, block: int, rng: random.Random) -> Trial | None:
        found = _cost(0.0, 0.002)(profiler, block, rng)
        if found is not None and (profiler, block) == ("keep", 3):
            found.error = "only 90 of 200 RSS samples could be taken in time"
            found.scalars["voided"] = 1.0
        return found

    comparison = _open(tmp_path, make, "rss=2%")
    assert _only(judge(comparison)).outcome is Outcome.PASS
    assert exit_code(comparison, judge(comparison)) == EXIT_NOT_MEASURED


def test_a_margin_on_the_leak_that_the_plan_cannot_settle_is_said_before() -> None:
    short = experiment.load(margins=["leak=8KiB"])
    said = settling.outlook(short)
    assert said is not None
    assert "at most 40 fit" in said
    assert settling.outlook(experiment.load("leak")) is None
    assert settling.outlook(experiment.load()) is None
