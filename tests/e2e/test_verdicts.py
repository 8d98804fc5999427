"""Margins on real trials: exit codes, more blocks, until settled."""

from __future__ import annotations

import json

import pytest
from helpers.command import TINY, Run

from pyprof.errors import EXIT_INCONCLUSIVE, EXIT_PASS, EXIT_REGRESSION

pytestmark = pytest.mark.alone

SHORT = (*TINY, "--blocks", "2", "-o", "x.pyprof")


def test_a_margin_that_is_kept_passes_and_more_blocks_go_on_with_it(run: Run) -> None:
    ended = run("compare", *SHORT, "--margin", "rss=95%")
    assert ended.code == EXIT_PASS, ended.err
    assert ended.out.index("Verdict: pass") < ended.out.index("\nNode ")
    assert "costs at most" in ended.out
    more = run("compare", "--add-blocks", "1", "x.pyprof", "--json")
    assert more.err.startswith("2 trials, about ")
    assert "[6/6] block 3 of 3" in more.err
    assert "[1/6]" not in more.err
    document = json.loads(more.out)
    assert [variant["trials"] for variant in document["variants"]] == [3, 3]
    assert document["verdict"]["rows"][0]["method"] == "confidence sequence"
    assert document["verdict"]["rows"][0]["margin"] == "rss=95%"


def test_the_baseline_runs_twice_and_the_report_says_what_that_showed(run: Run) -> None:
    ended = run("compare", *SHORT, "--aa", "--rate", "50", "--margin", "rss=95%", "--json")
    assert ended.code == EXIT_PASS, ended.err
    document = json.loads(ended.out)
    assert [variant["name"] for variant in document["variants"]] == ["none", "none:again", "recreate"]
    assert [variant["trials"] for variant in document["variants"]] == [2, 2, 2]
    assert [row["candidate"] for row in document["verdict"]["rows"]] == ["recreate"]
    assert {row["candidate"] for row in document["noise"]["identical"]} == {"none:again"}
    assert "A/A, Node " in ended.err


def test_a_margin_that_is_broken_fails(run: Run) -> None:
    # profiles without a gap cost a start and a stop pause each: far more than nothing
    ended = run("compare", *SHORT, "--blocks", "3", "--profile-duration", "20ms", "--margin", "rss_peak=0.001%")
    assert ended.code in (EXIT_REGRESSION, EXIT_INCONCLUSIVE)
    assert ("Verdict: fail" in ended.out) == (ended.code == EXIT_REGRESSION)
    later = run("report", "x.pyprof", "--margin", "qps=0.0001%", "--inconclusive-exit", "125")
    assert later.code in (EXIT_REGRESSION, 125)
    assert "qps=0.0001% (given later)" in later.out


def test_until_settled_goes_on_until_it_is(run: Run) -> None:
    ended = run("compare", *SHORT, "--margin", "rss=400%", "--until-settled", "--budget", "10m", "--json")
    assert ended.code == EXIT_PASS, ended.err
    document = json.loads(ended.out)
    blocks = document["variants"][0]["trials"]
    assert blocks == document["experiment"]["blocks"] >= 2
    row = document["verdict"]["rows"][0]
    assert row["outcome"] == "pass"
    assert row["blocks"] == blocks


def test_until_settled_ends_with_its_budget(run: Run) -> None:
    ended = run("compare", *SHORT, "--margin", "rss=±0.0001%", "--until-settled", "--budget", "1s")
    assert ended.code in (EXIT_INCONCLUSIVE, EXIT_REGRESSION)
    assert "one more" not in ended.out
    assert ("another would exceed the budget" in ended.out) == (ended.code == EXIT_INCONCLUSIVE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--margin", "rss=2"), "write METRIC=SIZE"),
        (("--margin", "rss=2%", "--margin", "rss=2 %"), "name each margin once"),
        (("--until-settled",), "--until-settled needs something to settle"),
        (("--add-blocks", "0", "x.pyprof"), "--add-blocks 0: must be 1 or more"),
        (("--add-blocks", "2"), "name the results file to go on with"),
        (("--add-blocks", "2", "missing.pyprof"), "no such results file"),
        (("--add-blocks", "2", "x.pyprof", "--blocks", "3"), "give nothing else of what to run"),
    ],
)
def test_usage_errors(run: Run, arguments: tuple[str, ...], message: str) -> None:
    ended = run("compare", *arguments)
    assert ended.code == 2
    assert message in ended.err
