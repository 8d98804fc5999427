"""The main job on real Nodes: what it measures, and what it writes."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from helpers.command import TINY, Run, runner
from helpers.registry import serving

import pyprof
from pyprof import Comparison, Profile, Results
from pyprof.errors import EXIT_NOT_MEASURED
from pyprof.nodes.versions import package_name
from pyprof.results import ResultsFile

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The experiment in small."""
    path = tmp_path_factory.mktemp("small") / "small.pyprof"
    exports = ("--export", str(path.with_suffix(".md")), "--export", str(path.with_suffix(".json")))
    run = runner(path.parent)
    ended = run(
        "compare", "--node", "12.19.0", "--profiler", "none", "--profiler", "keep", "--profiler", "recreate",
        "--blocks", "2", "--duration", "2s", "--warmup", "500ms", "--connections", "2", "--profile-duration", "100ms",
        "--seed", "1", "-o", str(path), *exports,
    )  # fmt: skip
    assert "6 trials, about" in ended.lines[0]
    assert "[6/6] block 2 of 2" in ended.out
    # A machine that is busy with other things may void a trial three times: that one is run again, as a user would.
    for _ in range(2):
        if ended.code == EXIT_NOT_MEASURED and ": void, tried again: " in ended.out:
            ended = run("compare", "--resume", str(path), *exports)
    assert ended.code == 0, ended.out + ended.err
    return path


@pytest.fixture(scope="module")
def comparison(small: Path) -> Comparison:
    return Results.open(small)


def test_every_process_is_one_value_of_every_metric(comparison: Comparison) -> None:
    for variant in comparison.values():
        assert len(variant.trials) == 2
        for name in ("rss", "qps", "cpu_per_request", "rss_peak", "heap_used", "loop_delay_p99", "startup", "leak"):
            assert variant.metrics[name].n == 2, name
        taken = variant.profiler != "none"
        assert variant.metrics["start_pause"].n == (2 if taken else 0)
        assert 20 < variant.metrics["rss"].mean < 400
        for trial in variant.trials:
            assert trial.scalars["rss_samples"] >= 180
            assert trial.series["rss_time"][-1] <= 2.1


def test_a_trials_profiles_are_kept_merged(small: Path) -> None:
    with ResultsFile.open_existing(small) as results:
        for trial in results.trials(profiles=True):
            assert len(trial.profiles) == (0 if trial.variant == "none" else 1)
            for data in trial.profiles:
                profile = Profile.read(data)
                assert trial.merged == trial.scalars["profiles"] > 10
                assert profile.top(limit=1)[0].name == "fibonacci"


def test_the_exports_are_written(small: Path) -> None:
    document = json.loads(small.with_suffix(".json").read_text(encoding="utf-8"))
    assert document["schema"] == "pyprof.comparison/1"
    assert document["experiment"]["seed"] == 1
    assert [variant["trials"] for variant in document["variants"]] == [2, 2, 2]
    assert "| average QPS (1/s) | recreate |" in small.with_suffix(".md").read_text(encoding="utf-8")


def test_report_shows_the_same_again_without_running_anything(small: Path, run: Run) -> None:
    ended = run("report", str(small), "--json")
    assert ended.code == 0
    assert json.loads(ended.out) == json.loads(small.with_suffix(".json").read_text(encoding="utf-8"))
    assert "average RSS (MiB)" in ended.err


def test_json_is_all_that_stands_on_standard_output(run: Run, tmp_path: Path) -> None:
    ended = run("compare", *TINY, "--profiler", "none", "--json", "-o", "x.pyprof")
    assert ended.code == 0
    assert json.loads(ended.out)["variants"][0]["name"] == "none"
    assert "1 trial, about" in ended.err
    assert (tmp_path / "x.pyprof").is_file()


def test_the_callers_node_settings_do_not_reach_the_children(run: Run) -> None:
    env = {"NODE_OPTIONS": "--max-old-space-size=1", "npm_config_nodedir": "/nowhere"}
    ended = run("compare", *TINY, "--profiler", "recreate", "-o", "x.pyprof", env=env)
    assert ended.code == 0, ended.err
    assert "Kept from the children: NODE_OPTIONS, npm_config_nodedir" in ended.out


def test_a_paced_load_has_no_qps_and_says_so(run: Run) -> None:
    ended = run("compare", *TINY, "--rate", "50", "--profiler", "recreate", "-o", "x.pyprof", "--json")
    assert ended.code == 0, ended.err
    variant = json.loads(ended.out)["variants"][0]
    assert "qps" not in variant["metrics"]
    assert "paced" in ended.err


def test_variants_can_run_at_the_same_time(run: Run) -> None:
    ended = run("compare", *TINY, "--concurrent", "--blocks", "2", "-o", "x.pyprof")
    assert ended.code == 0, ended.err
    assert "at the same time" in ended.out


def test_an_app_of_the_users_own(run: Run, tmp_path: Path) -> None:
    (tmp_path / "my server.js").write_text(
        "const http = require('http')\n"
        "let sent = process.send\n"
        "http.createServer((q, a) => { let x = 0; for (let i = 0; i < 3e5; i++) x += i % 7; a.end(`${x} ${sent}`) })"
        ".listen(process.env.PORT)\n",
        encoding="utf-8",
    )
    ended = run("compare", *TINY, "--app", "my server.js", "-o", "x.pyprof", "--keep-profiles", "all")
    assert ended.code == 0, ended.err
    with ResultsFile.open_existing(tmp_path / "x.pyprof") as results:
        trial = next(trial for trial in results.trials(profiles=True) if trial.variant == "recreate")
    assert len(trial.profiles) == trial.scalars["profiles"]
    assert trial.merged == 0


def test_an_older_default_file_is_renamed_not_overwritten(run: Run, tmp_path: Path) -> None:
    for _ in range(2):
        assert run("compare", *TINY, "--profiler", "none").code == 0
    found = sorted(path.name for path in (tmp_path / "results").glob("*.pyprof"))
    assert len(found) == 2
    assert "compare.pyprof" in found


def test_a_dry_run_prints_the_plan_and_runs_nothing(run: Run, tmp_path: Path) -> None:
    ended = run("compare", "recreate-cpu-profiler", "--quick", "--dry-run", "--seed", "1")
    assert ended.code == 0
    assert ended.lines[0].startswith("36 trials, about 6 min")
    assert sum(line.startswith("  block") for line in ended.lines) == 3
    assert list(tmp_path.iterdir()) == []
    assert run("compare", "recreate-cpu-profiler", "--quick", "--dry-run", "--seed", "1").out == ended.out


def test_a_dry_run_looks_versions_up_and_says_what_is_missing(run: Run, tmp_path: Path) -> None:
    with serving() as registry:
        for version in ("24.1.0", "24.3.0", "22.5.1"):
            registry.publish(package_name(), version, {})
        env = {"PYPROF_CACHE": str(tmp_path / "cache"), "npm_config_registry": registry.url,
               "npm_config_cache": str(tmp_path / "npm")}  # fmt: skip
        plan = ("compare", "--dry-run", "--blocks", "1", "--node", "24", "--node", "22.5.1", "--profiler", "recreate")
        ended = run(*plan, env=env)
        assert ended.code == 0, ended.err
        assert "nothing to download" not in ended.out
        assert "Node 24, Node 22.5.1, addon for Node 24, addon for Node 22.5.1" in ended.out
        assert "Node 24 is 24.3.0" in ended.lines
        assert "  discarded: 22.5.1 recreate" in ended.lines
        assert not (tmp_path / "cache/nodes").exists()
        unknown = run(*plan, "--node", "22.9.0", env=env)
        assert unknown.code == 2
        assert "Node 22.9.0 is not on npm; nearest: 22.5.1" in unknown.err
    offline = run(*plan, "--offline", env=env)
    assert offline.code == 4
    assert "  discarded: 24 recreate" in offline.lines
    assert "not in the cache" in offline.err
    assert "Node 24, Node 22.5.1; with network: `pyprof node install 24 22.5.1 --profiler recreate" in offline.err


def test_the_same_from_python(tmp_path: Path) -> None:
    made = pyprof.compare(
        nodes=["system", "12.19.0"], profilers=["none"], blocks=1, duration=1, warmup=0.2, output=tmp_path / "x.pyprof"
    )
    assert len(made) == 2
    assert made["12.19.0 none"].metrics["rss"].mean > 10
    assert (
        made["12.19.0 none"].metrics["rss"].values
        == Results.open(tmp_path / "x.pyprof")["12.19.0 none"].metrics["rss"].values
    )
    with sqlite3.connect(tmp_path / "x.pyprof") as raw:
        assert raw.execute("SELECT count(*) FROM trial").fetchone() == (2,)
