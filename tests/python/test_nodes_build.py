"""Building for a Node: its own headers, whatever the environment says; and what a failure tells."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pyprof.errors import BuildError
from pyprof.nodes import Cache, Node, Npm, Store, child_environment, hashing
from pyprof.nodes.build import Builder, check_headers, check_loads, gyp_module_arguments
from pyprof.nodes.commands import Commands
from pyprof.profilers import Package

# A Node-API addon: it loads into every Node, and tells for which it was built.
SOURCE = """
#include <node_api.h>
#include <node_version.h>
#include <string>
#ifndef EXTRA
#define EXTRA 0
#endif
static napi_value Init(napi_env env, napi_value exports) {
  napi_value value;
  napi_create_int32(env, NODE_MODULE_VERSION * 10 + EXTRA, &value);
  return value;
}
NAPI_MODULE(NODE_GYP_MODULE_NAME, Init)
"""
GYP = '{"targets": [{"target_name": "told", "sources": ["told.cc"]}]}'

Project = Callable[[str], Path]


@pytest.fixture
def node(store: Store) -> Node:
    return store.find("12.19.0")


@pytest.fixture
def builder(store: Store) -> Builder:
    return Builder(store.npm.commands, store.npm.node, store.tools(), 1)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    def make(source: str) -> Path:
        folder = tmp_path / "project"
        folder.mkdir()
        (folder / "binding.gyp").write_text(GYP)
        (folder / "told.cc").write_text(source)
        (folder / "index.js").write_text("module.exports = require('./build/Release/told.node')")
        return folder

    return make


def told(folder: Path, node: Node) -> int:
    argv = [str(node.exec_path), "-p", f"require('{folder}')"]
    out = subprocess.run(argv, env=child_environment()[0], capture_output=True, check=True, timeout=30)
    return int(out.stdout)


def test_headers_are_those_of_the_node(
    store: Store, node: Node, builder: Builder, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = store.find("24")
    for name in ("npm_config_nodedir", "NPM_CONFIG_NODEDIR", "npm_package_config_node_gyp_nodedir"):
        monkeypatch.setenv(name, str(other.root))
    monkeypatch.setenv("CXXFLAGS", "-DEXTRA=7")
    monkeypatch.setenv("NODE_OPTIONS", "--require /no/such/file.js")
    assert node.root is not None
    folder = project(SOURCE)
    builder.build(folder, node, node.root, tmp_path / "logs/build.log", what="told", arguments=[])
    check_loads(folder, node, Commands(), "told")
    assert told(folder, node) == 727
    assert not (folder / "build/Release/obj.target").exists()


def test_other_headers_are_noticed(builder: Builder, node: Node, project: Project, tmp_path: Path) -> None:
    assert node.root is not None
    folder, log = project(SOURCE), tmp_path / "build.log"
    builder.build(folder, node, node.root, log, what="told", arguments=[])
    check_headers(folder, node.root, "told", log)
    with pytest.raises(BuildError, match=r"was built with the headers of .*12.19.0 instead of /usr"):
        check_headers(folder, Path("/usr"), "told", log)


def test_a_compile_error_is_shown(builder: Builder, node: Node, project: Project, tmp_path: Path) -> None:
    assert node.root is not None
    log = tmp_path / "build.log"
    with pytest.raises(BuildError) as caught:
        builder.build(project(SOURCE + "this is wrong;"), node, node.root, log, what="told", arguments=[])
    first, *rest = str(caught.value).splitlines()
    assert first == f"cannot build told; full log: {log}"
    assert any("told.cc:14" in line and "error" in line for line in rest)
    assert "told.cc" in log.read_text()


def test_a_missing_library_is_named_with_its_package(
    builder: Builder, node: Node, project: Project, tmp_path: Path
) -> None:
    assert node.root is not None
    folder = project('#include "protobuf-c/protobuf-c.h.is-not-here"\n' + SOURCE)
    with pytest.raises(BuildError, match=r"^cannot build told: `apt-get install libprotobuf-c-dev` brings"):
        builder.build(folder, node, node.root, tmp_path / "build.log", what="told", arguments=[])


def test_a_missing_compiler_is_named(
    builder: Builder, node: Node, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert node.root is not None
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BuildError, match=r"there is no make: `apt-get install build-essential`"):
        builder.build(project(SOURCE), node, node.root, tmp_path / "build.log", what="told", arguments=[])


def test_a_crash_when_loading_is_told(node: Node, tmp_path: Path) -> None:
    (tmp_path / "index.js").write_text("process.abort()")
    with pytest.raises(BuildError, match=r"told cannot be loaded by Node 12.19.0"):
        check_loads(tmp_path, node, Commands(), "told")


def test_where_node_pre_gyp_looks(node: Node, tmp_path: Path) -> None:
    about = tmp_path / "package.json"
    about.write_text('{"name": "p", "version": "1.0.0"}')
    assert gyp_module_arguments(tmp_path, node) == []
    path = "./build/{node_abi}-{platform}-{arch}-{libc}"
    about.write_text(f'{{"name": "p", "version": "1.0.0", "binary": {{"module_name": "m", "module_path": "{path}"}}}}')
    assert gyp_module_arguments(tmp_path, node) == [
        "--module_name=m", f"--module_path={tmp_path}/build/node-v72-linux-x64-glibc",
    ]  # fmt: skip
    about.write_text(about.read_text().replace("{libc}", "{toolset}"))
    with pytest.raises(BuildError, match="its module_path needs 'toolset'"):
        gyp_module_arguments(tmp_path, node)


@pytest.mark.parametrize("version", ["2.0.0", "3.0.0"])
def test_pprof_is_built_from_source(store: Store, node: Node, version: str) -> None:
    folder = store.peer(Package("pprof", version), node)
    assert (folder / "build/node-v72-linux-x64-glibc/pprof.node").is_file()
    script = f"require('{folder}').time.profile({{durationMillis: 50}}).then(p => console.log(p.sample.length > 0))"
    out = subprocess.run([node.exec_path, "-e", script], capture_output=True, text=True, timeout=60)
    assert out.stdout == "true\n"


def test_the_addon_is_built_once_and_then_found_offline(store: Store, node: Node) -> None:
    folder = store.addon(node)
    offline = Store(Cache(), Npm(store.cache, offline=True), lambda line: pytest.fail(line))
    assert offline.addon(node) == folder
    assert offline.find("12.19.0") == node
    assert offline.tools() == store.tools()
    assert offline.missing(["12.19.0"], addon=True) == []


def test_a_node_without_headers_takes_those_of_npm(store: Store, node: Node, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    shutil.copy(node.exec_path, tmp_path / "bin/node")
    bare = store.find(str(tmp_path))
    assert bare.root is None
    folder = store.peer(Package("pprof", "3.0.0"), bare)
    assert folder != store.peer(Package("pprof", "3.0.0"), node)
    log = store.cache.path("logs", f"pprof@3.0.0-node-{hashing.node_key(bare)}.log")
    assert f"{node.root}/include/node" in log.read_text()


def test_an_interrupt_ends_what_runs(store: Store, tmp_path: Path) -> None:
    script = tmp_path / "long.sh"
    script.write_text("sleep 62.5 & wait")

    def interrupted() -> None:
        while subprocess.run(["pgrep", "-f", "sleep 62.5"], stdout=subprocess.DEVNULL, check=False).returncode:
            pass
        os.kill(os.getpid(), signal.SIGINT)

    def long() -> None:
        store.npm.commands.run(["sh", script], environment=os.environ, timeout=60)

    with pytest.raises(KeyboardInterrupt):
        store.all_at_once([long, interrupted])
    assert subprocess.run(["pgrep", "-f", "sleep 62.5"], stdout=subprocess.DEVNULL, check=False).returncode == 1
    assert not store.npm.commands.stopping
