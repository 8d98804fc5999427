"""What of the caller's environment reaches Node, asked of real Nodes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from pyprof.nodes import child_environment
from pyprof.nodes.environment import npm_environment


def test_drops_what_changes_node_and_says_so(monkeypatch: pytest.MonkeyPatch, any_node: Path, tmp_path: Path) -> None:
    preload = tmp_path / "preload.js"
    preload.write_text("globalThis.preloaded = true")
    hostile = {
        "NODE_OPTIONS": f"--require {preload}", "NODE_PATH": str(tmp_path), "npm_config_nodedir": "/nowhere",
        "NPM_CONFIG_REGISTRY": "http://127.0.0.1:1", "UV_THREADPOOL_SIZE": "1",
    }  # fmt: skip
    for name, value in hostile.items():
        monkeypatch.setenv(name, value)
    environment, dropped = child_environment()
    assert set(hostile) <= set(dropped)
    assert dropped == sorted(dropped)
    script = "console.log(JSON.stringify([typeof preloaded, Object.keys(process.env)]))"
    out = subprocess.run([any_node, "-e", script], env=environment, capture_output=True, check=True, timeout=30).stdout
    preloaded, names = json.loads(out)
    assert preloaded == "undefined"
    assert not set(names) & set(hostile)


def test_keeps_what_the_network_and_the_app_need() -> None:
    caller = {"NODE_EXTRA_CA_CERTS": "ca.pem", "NODE_ENV": "test", "NODE_CONFIG_DIR": "config", "PATH": "/bin"}
    assert child_environment(caller) == (caller, [])


def test_npm_keeps_the_users_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:1")
    monkeypatch.setenv("NODE_OPTIONS", "--max-old-space-size=20")
    monkeypatch.setenv("PATH", "/bin")
    environment = npm_environment("/tool")
    assert environment["npm_config_registry"] == "http://127.0.0.1:1"
    assert "NODE_OPTIONS" not in environment
    assert environment["PATH"] == "/tool:/bin"
