"""Every adapter drives its profiler inside an app, and what comes back is a profile of that app."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from helpers.agent import Child

from pyprof import profilers
from pyprof.cpuprofile import as_pprof
from pyprof.nodes import Store
from pyprof.profile import Profile
from pyprof.running.prepare import package_for

#: No long loop: one that was optimised before a profile is counted on its caller.
APP = """
    function busy(n) { return n < 2 ? n : busy(n - 1) + busy(n - 2) }
    function turn() { busy(22); setImmediate(turn) }
    turn()
    require('http').createServer().listen(0, '127.0.0.1')
"""
OLD = [*sorted(set(profilers.builtin()) - {"none"}), "pprof@2.0.0", "pprof@3.0.0"]
NEW = [
    "inspector",
    "pprof@5.0.0",
    "@datadog/pprof@5.20.0",
    "@datadog/pprof@5.20.0:restart",
    "@sentry-internal/node-cpu-profiler@2.4.1",
]


@pytest.mark.parametrize(("text", "version"), [*((text, "12.19.0") for text in OLD), *((text, "24") for text in NEW)])
def test_profiles_have_the_busy_function(text: str, version: str, store: Store, tmp_path: Path) -> None:
    profiler, node = profilers.parse(text), store.find(version)
    (tmp_path / "app.js").write_text(APP)
    options = {"package": package_for(profiler, node, store), "duration_ms": 200}
    child = Child(Path(node.exec_path), tmp_path / "app.js", profiler.adapter, options)
    try:
        child.until("listening")
        child.send("start")
        profiles = [child.until("profile")[-1] for _ in range(3)]
    finally:
        child.end()
    for profile in profiles:
        read = Profile.read(as_pprof(base64.b64decode(profile["data"])))
        assert "busy" in [row.name for row in read.top()]


def test_none_takes_no_profiles(store: Store, tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text(APP)
    node = Path(store.find("12.19.0").exec_path)
    child = Child(node, tmp_path / "app.js", profilers.parse("none").adapter, {"package": None})
    try:
        child.until("listening")
        child.send("start")
        assert "data" not in child.until("tick")[-1]
    finally:
        child.end()
