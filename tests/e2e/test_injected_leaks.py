"""The leak verdict on real processes that leak exactly so much, or that grow without leaking.

All variants of a block run at the same time: that disturbs throughput, which is not looked at, and not memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from helpers import growth

import pyprof
from pyprof import Comparison
from pyprof.leaks import leaks
from pyprof.report import markdown
from pyprof.verdicts import Outcome, Verdict, judge

pytestmark = pytest.mark.alone

LEAKS = {"leak-4": "leak(4)", "leak-16": "leak(16)", "leak-64": "leak(64)"}
GROWTH = {
    "settles": "settle(1000, 3)",  # by some 70 MiB in the third quarter of the window, and by 30 in the last
    "settled": "settle(64, 0.5)",
    "saw": "saw(8, 1)",
    "jump": "jump(48, 2, 10)",
}


def _run(folder: Path, calls: Mapping[str, str]) -> Comparison:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        made = pyprof.compare(
            profilers=["none", *growth.write_adapters(folder, calls)], blocks=3, concurrent=True, seed=1,
            margins=["leak=8KiB"], output=folder / "x.pyprof", **growth.SHORT,
        )  # fmt: skip
    assert made.failed == []
    return made


def _verdicts(comparison: Comparison) -> dict[str, Verdict]:
    return {Path(row.candidate).stem: row for row in judge(comparison).rows}


@pytest.fixture(scope="module")
def leaky(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    return _run(tmp_path_factory.mktemp("leaks"), LEAKS)


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    return _run(tmp_path_factory.mktemp("growth"), GROWTH)


@pytest.mark.parametrize("kib", [4, 16, 64])
def test_a_leak_is_measured(leaky: Comparison, kib: int) -> None:
    leak = next(found for found in leaks(leaky) if found.contrast.candidate == f"./leak-{kib}.js")
    assert leak.unsettled is None
    assert leak.contrast.difference == pytest.approx(kib, rel=0.05, abs=1.5)
    assert leak.smallest is not None
    assert leak.smallest < max(8, kib / 2)  # what differs from process to process grows with the leak


@pytest.mark.parametrize(("kib", "outcome"), [(4, Outcome.PASS), (16, Outcome.FAIL), (64, Outcome.FAIL)])
def test_a_leak_is_held_against_its_margin(leaky: Comparison, kib: int, outcome: Outcome) -> None:
    row = _verdicts(leaky)[f"leak-{kib}"]
    assert row.outcome is outcome, row.text


def test_what_still_settles_gets_no_verdict(growing: Comparison) -> None:
    row = _verdicts(growing)["settles"]
    assert row.outcome is Outcome.INCONCLUSIVE
    assert "still settling" in row.text
    assert "| ./settles.js | none | still settling |" in markdown.render(growing)


@pytest.mark.parametrize("name", ["settled", "saw", "jump"])
def test_growth_that_is_no_leak_is_not_called_one(growing: Comparison, name: str) -> None:
    row = _verdicts(growing)[name]
    assert row.outcome is not Outcome.FAIL, row.text
    assert name != "settled" or row.outcome is Outcome.PASS, row.text
