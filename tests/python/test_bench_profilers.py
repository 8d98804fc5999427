"""The benchmark of profilers: what its app measures, and how its tables and claims come out of that."""

from __future__ import annotations

import dataclasses
import re

import pytest
from bench import profiler_tables
from bench.profiler_trials import ARMS, NEW, Result, Trial, run, trials

from pyprof.nodes import Store

PEER = "@datadog/pprof@5.20.0:restart"


@pytest.mark.parametrize("scenario", ["pauses", "memory", "making", "warm"])
@pytest.mark.parametrize("arm", ["none", "inspector"])
def test_a_process_tells_what_a_profile_costs(arm: str, scenario: str, store: Store) -> None:
    planned = next(group[0] for group in trials(True, (NEW,)) if group[0].scenario == scenario)
    short = {"profiles": 4, "settling": 2, "warmup": 200, "duration_ms": 80, "idle_ms": 50, "every": 2}
    settings = {name: short.get(name, value) for name, value in planned.settings.items()}
    result = run(dataclasses.replace(planned, arm=arm, settings=settings), store.find(NEW), store)
    if scenario == "pauses":
        assert len(result["profiles"]) == 4
        for profile in result["profiles"]:
            assert profile["pause"] >= profile["longest"] >= 0
            assert profile["cpu_per_request"] > 0
            if arm == "inspector":
                assert profile["pause"] > 0.9 * (profile["start"] + profile["stop"] + profile["encode"]) > 0
        assert arm == "none" or result["nodes"] > 1000
    elif scenario == "memory":
        assert [n for n, _ in result["rss"]] == [2, 4]
        assert all(kib > 10_000 for _, kib in result["rss"])
    elif scenario == "warm":
        assert 0.2 < result["idle"] < 5
    else:
        assert len(result["idle"]) == 2
        assert result["scripts_per_second"] > 100


def results(arms: dict[str, float]) -> list[tuple[Trial, Result]]:
    """Every arm's pauses are `start` ms at each heap."""
    made: list[tuple[Trial, Result]] = []
    for heap in (5, 80, 400):
        for arm, start in arms.items():
            profile = {"start": start, "stop": 1.0, "pause": start + 1, "longest": start, "cpu_per_request": 0.1}
            result = {"profiles": [profile] * 3, "nodes": None}
            made.append((Trial(NEW, arm, "pauses", heap, {"paths": 20}), result))
    made += [(Trial(NEW, arm, "warm", 5, {}), {"idle": 1.0 if arm == "none" else 1.2}) for arm in arms]
    for arm, slope in {"none": 2.0, "pprof@5.0.0": 7.0}.items():
        rss = [[n, 50_000 + slope * n] for n in range(0, 100, 5)]
        made.append((Trial(NEW, arm, "memory", 5, {"paths": 20}), {"rss": rss}))
    return made


def test_the_tables_have_ratios_to_the_best_peer() -> None:
    made = results({"none": 0.0, "recreate": 19.0, "pprof@5.0.0": 79.0, PEER: 39.0})
    text = profiler_tables.tables(made, [NEW], {NEW: "24.1.0"})
    rows = {match[1]: match[2].split(" | ") for match in re.finditer(r"^\| (\S+) \| (.*) \|$", text, re.MULTILINE)}
    assert set(ARMS[NEW]) <= rows.keys()
    first = text.split("\n\n")[1]
    assert "| recreate | 19 | 1 | – | – | 20 (0.5) | 19 (0.49) |" in first
    assert f"| {PEER} | 39 | 1 | – | – | 40 (1) | 39 (1) |" in first
    second = text.split("\n\n")[3]
    assert "| pprof@5.0.0 | 80 (2) | 80 (2) | 80 (2) | 1.00 | 1.20 | – | 5.0 |" in second


def test_what_auto_must_show() -> None:
    good = {"none": 0.0, "auto": 0.0, "pprof@5.0.0": 79.0, "@datadog/pprof@5.20.0": 79.0, PEER: 9.0}
    claims = {claim: value <= most for claim, value, most in profiler_tables.wanted(results(good))}
    assert claims[f"loop paused, against {PEER}"]
    assert claims["start + stop at 400 MB, against 5 MB"]
    assert not claims["longest gap with the many nodes, ms"], "it was not measured"
    worse = profiler_tables.wanted(results({**good, "auto": 2.0}))
    assert {claim for claim, value, most in worse if value <= most} == {"start + stop at 400 MB, against 5 MB"}
