"""Every adapter drives its profiler inside an app, and what comes back is a profile of that app."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from helpers.agent import Child

from pyprof import profilers
from pyprof.nodes import Store
from pyprof.profile import Profile

APP = """
    function busy() { for (const end = Date.now() + 5; Date.now() < end;); setImmediate(busy) }
    busy()
    require('http').createServer().listen(0, '127.0.0.1')
"""


@pytest.mark.parametrize("text", [*sorted(set(profilers.builtin()) - {"none"}), "pprof@2.0.0", "pprof@3.0.0"])
def test_profiles_have_the_busy_function(text: str, store: Store, tmp_path: Path) -> None:
    profiler, node = profilers.parse(text), store.find("12.19.0")
    package = store.peer(profiler.name, profiler.version, node) if profiler.version else store.addon(node)
    (tmp_path / "app.js").write_text(APP)
    child = Child(Path(node.exec_path), tmp_path / "app.js", profiler.adapter, {"package": str(package)})
    try:
        child.until("listening")
        child.send("start")
        profiles = [child.until("profile")[-1] for _ in range(2)]
    finally:
        child.end()
    for profile in profiles:
        read = Profile.read(base64.b64decode(profile["data"]))
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
