from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyprof import experiment, profilers, workloads
from pyprof.errors import UsageError
from pyprof.experiment import Experiment
from pyprof.profilers import Package


def test_without_arguments_none_meets_recreate_on_the_system_node_quick() -> None:
    made = experiment.load()
    assert made.nodes == ("system",)
    assert made.profilers == ("none", "recreate")
    assert made.baselines == ("none",)
    assert (made.blocks, made.warmup, made.duration) == (3, 2.0, 8.0)


def test_the_preset_is_the_experiment_in_a_full_and_a_quick_form() -> None:
    full, quick = experiment.load("recreate-cpu-profiler"), experiment.load("recreate-cpu-profiler", quick=True)
    assert full.nodes == quick.nodes == ("12.14.1", "12.19.0")
    assert quick.profilers == ("none", "pprof@3.0.0:idle", "pprof@2.0.0", "pprof@3.0.0", "keep", "recreate")
    assert (full.blocks, full.duration) == (10, 60.0)
    assert (quick.blocks, quick.warmup, quick.duration) == (3, 2.0, 8.0)
    assert (quick.profile_duration, quick.profile_gap, quick.connections) == (0.1, 0.0, 10)
    assert quick.n_trials == 36


def test_flags_beat_quick_and_quick_beats_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'profilers = ["none", "keep"]\nduration = "60s"\nblocks = 9\n[quick]\nblocks = 4\n', encoding="utf-8"
    )
    made = experiment.load(str(path), quick=True, duration="90s", blocks=None)
    assert (made.name, made.blocks, made.duration) == ("mine", 4, 90.0)


def test_an_app_in_a_file_is_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "server.js").touch()
    (tmp_path / "mine.toml").write_text('app = "server.js"\n', encoding="utf-8")
    made = experiment.load(str(tmp_path / "mine.toml"))
    assert made.app == str(tmp_path / "server.js")
    assert made.busy_function is None
    assert made.to_json()["workload"] is None  # none of pyprof's own ran
    older = made.to_json() | {"workload": "fibonacci"}
    assert Experiment.from_json(older).workload is None


def test_an_experiment_survives_json() -> None:
    made = experiment.load("recreate-cpu-profiler", seed=3)
    assert Experiment.from_json(json.loads(json.dumps(made.to_json()))) == made


def test_seeds_differ_from_run_to_run_and_are_recorded() -> None:
    assert len({experiment.load().seed for _ in range(5)}) == 5
    assert experiment.load(seed=7).to_json()["seed"] == 7


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"blocks": 0}, "--blocks 0: must be 1 or more"),
        ({"blocks": 2.5}, "blocks: 2.5 must be a whole number"),
        ({"duration": "0s"}, "--duration: must be more than 0"),
        ({"duration": "soon"}, "'soon' is not a duration"),
        ({"profilers": ["none", "recraete"]}, "did you mean 'recreate'"),
        ({"profilers": ["none", "pprof"]}, "say which version, as in pprof@5.0.0"),
        ({"profilers": ["none", "pporf@3.0.0"]}, "did you mean 'pprof@3.0.0'"),
        ({"profilers": ["none", "pprof@latest"]}, "not a full version"),
        ({"profilers": ["none", "keep:lazy"]}, "only 'idle' can stand"),
        ({"profilers": ["none:idle", "keep"]}, "leave out ':idle'"),
        ({"profilers": ["@datadog/pprof@5.20.0:start"]}, "only 'idle' or 'restart' can stand"),
        ({"profilers": ["datadog/pprof@5.20.0"]}, "did you mean '@datadog/pprof@5.20.0'"),
        ({"profilers": ["inspecter"]}, "did you mean 'inspector'"),
        ({"profilers": ["none", "none"]}, "given twice"),
        ({"profilers": []}, "name at least one"),
        ({"baselines": ["keep"]}, "--baseline keep is not among the profilers"),
        ({"workload": "expres"}, "did you mean 'express'"),
        ({"app": "/no/such/server.js"}, "no such file"),
        ({"rate": 0.0}, "--rate 0: must be more than 0"),
        ({"rss_samples": 100_000}, "take fewer"),
        ({"profile_duration": "20s"}, "no profile would be measured"),
        ({"interval": "0"}, "--interval: must be more than 0"),
        ({"keep_profiles": "some"}, "all, merged, none"),
        ({"conections": 3}, "did you mean 'connections'"),
        ({"nodes": 12}, "must be a list of names"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        experiment.load(**settings)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["blocks = ", "[quick", "\x00"])
def test_a_broken_toml_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"broken\.toml is not a TOML file"):
        experiment.load(str(path))


def test_an_unknown_preset_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'recreate-cpu-profiler'"):
        experiment.load("recreate-cpu-profile")


def test_profilers_know_what_they_need() -> None:
    assert profilers.builtin() == ["auto", "eager", "inspector", "keep", "none", "recreate"]
    assert profilers.packages() == ["@datadog/pprof", "@sentry-internal/node-cpu-profiler", "pprof"]
    idle = profilers.parse("pprof@3.0.0:idle")
    assert (idle.package, idle.idle, idle.collects, idle.needs_addon) == (Package("pprof", "3.0.0"), True, False, False)
    restart = profilers.parse("@datadog/pprof@5.20.0:restart")
    assert (restart.package, restart.collects) == (Package("@datadog/pprof", "5.20.0"), True)
    assert restart.adapter != profilers.parse("@datadog/pprof@5.20.0").adapter
    assert profilers.parse("keep").needs_addon
    assert not profilers.parse("none").needs_addon
    assert not profilers.parse("inspector").needs_addon
    assert profilers.parse("inspector").collects
    assert all(profilers.parse(text).adapter.is_file() for text in (*profilers.builtin(), "pprof@2.0.0"))


def test_workloads_have_an_app_and_a_busy_function() -> None:
    assert workloads.names() == ["express", "fibonacci"]
    for name in workloads.names():
        workload = workloads.find(name)
        assert (workload.folder / "app.js").is_file()
        assert workload.busy_function == "fibonacci"
