"""Profilers of the user's own: packages in folders, packed and built, and adapter files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pyprof import experiment, profilers
from pyprof.errors import BuildError, NpmError, UsageError
from pyprof.nodes import Cache, Node, Npm, Store
from pyprof.nodes.build import script_error
from pyprof.running.prepare import package_for

#: The least that has the API of pprof: it profiles by the inspector.
TINY = """
const { Session } = require('inspector')
const session = new Session()
session.connect()
session.post('Profiler.enable')
exports.time = {
  start() {
    session.post('Profiler.start')
    return () => {
      let profile
      session.post('Profiler.stop', (error, result) => { profile = result.profile })
      return profile
    }
  },
}
exports.encode = async (profile) => Buffer.from(JSON.stringify(profile))
"""
ADAPTER = """
module.exports = function (directory, options) {
  const { time, encode } = require(directory + '/tiny.js')
  let stop
  return { start() { stop = time.start(options.intervalMicros) }, stop: () => stop(), encode }
}
"""
ADDON = """
#include <node_api.h>
#include <node_version.h>
static napi_value Init(napi_env env, napi_value exports) {
  napi_value value;
  napi_create_int32(env, NODE_MODULE_VERSION, &value);
  return value;
}
NAPI_MODULE(NODE_GYP_MODULE_NAME, Init)
"""


def package(folder: Path, name: str = "tiny-profiler", **fields: object) -> Path:
    """A package's folder, with the tests that nobody publishes."""
    folder.mkdir(parents=True)
    manifest = {"name": name, "version": "1.2.3", "main": "tiny.js", "files": ["tiny.js", "*.gyp", "*.c"], **fields}
    (folder / "package.json").write_text(json.dumps(manifest))
    (folder / "tiny.js").write_text(TINY)
    (folder / "test.js").write_text("")
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def fresh(store: Store, tmp_path: Path) -> Store:
    """A store whose cache is empty but for the tools, and that has no network."""
    cache = Cache(tmp_path / "cache")
    (cache.root / "tools").mkdir(parents=True)
    (cache.root / "tools" / store.tools_key()).symlink_to(store.tools().parent)
    return Store(cache, Npm(cache, offline=True), lambda _: None)


@pytest.fixture(scope="session")
def node(store: Store) -> Node:
    return store.find("24")


def test_which_adapter_serves(here: Path) -> None:
    package(here / "plain")
    package(here / "named", "@datadog/pprof")
    (package(here / "own", "pprof") / "pyprof-adapter.js").write_text(ADAPTER)
    (here / "file.js").write_text(ADAPTER)
    shared = Path(profilers.__file__).parent
    assert profilers.parse("./plain").adapter == shared / "pprof_api.js"
    assert profilers.parse("./named").adapter == shared / "npm/@datadog/pprof/adapter.js"
    assert profilers.parse("./named:restart").adapter == shared / "npm/@datadog/pprof/restart.js"
    assert profilers.parse("./own").adapter == here / "own/pyprof-adapter.js"
    assert profilers.parse("./file.js").adapter == here / "file.js"
    idle = profilers.parse("../here/plain:idle")
    assert (idle.idle, idle.package) == (True, profilers.Package("tiny-profiler", "1.2.3", here / "plain"))
    assert profilers.parse(str(here / "plain")).package == idle.package


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("./plian", r"there is no file or folder .*/plian \(did you mean 'plain'"),
        ("/no/such/place", r"there is no file or folder /no/such/place$"),
        ("./empty", r"empty has no package.json: name a package's folder, or an adapter file$"),
        ("./broken", "has no name and version that npm could pack"),
        ("./notes.txt", r"notes.txt is neither an adapter \(.js or .cjs\) nor a package's folder"),
        ("./plain:restart", r"after the colon only 'idle' can stand, as in ./plain:idle"),
    ],
)
def test_what_cannot_be_a_profiler(here: Path, text: str, message: str) -> None:
    package(here / "plain")
    (here / "empty").mkdir()
    (here / "broken").mkdir()
    (here / "broken/package.json").write_text('{"name": "broken"}')
    (here / "notes.txt").touch()
    with pytest.raises(UsageError, match=message):
        profilers.parse(text)


def test_names_in_a_file_are_relative_to_it(here: Path) -> None:
    package(here / "work/mine")
    (here / "work/all.toml").write_text('profilers = ["none", "./mine", "./mine:idle"]\nbaselines = ["./mine"]\n')
    made = experiment.load("work/all.toml")
    assert made.profilers == ("none", "./work/mine", "./work/mine:idle")
    assert made.baselines == ("./work/mine",)
    os.chdir("work")
    assert experiment.load("all.toml").profilers == ("none", "./mine", "./mine:idle")
    (here / "elsewhere").mkdir()
    os.chdir("../elsewhere")
    assert experiment.load("../work/all.toml").profilers == ("none", "../work/mine", "../work/mine:idle")


def test_two_names_of_one_profiler_are_refused(here: Path) -> None:
    package(here / "mine")
    with pytest.raises(UsageError, match=r"--profiler ../here/mine is the same as --profiler ./mine"):
        experiment.load(profilers=["./mine", "../here/mine"])


def test_only_what_would_be_published_is_there(here: Path, fresh: Store, node: Node) -> None:
    profiler = profilers.parse(f"./{package(here / 'mine').name}")
    folder = Path(package_for(profiler, node, fresh) or "")
    assert sorted(path.name for path in folder.iterdir()) == ["package.json", "tiny.js"]
    fresh.check_adapter(profiler, str(folder), node)


def test_a_change_is_a_new_state(here: Path, fresh: Store, node: Node) -> None:
    profiler, node = profilers.parse(f"./{package(here / 'mine').name}"), fresh.find(str(node.exec_path))
    before, told = package_for(profiler, node, fresh), fresh.contents(profiler)
    (here / "mine/test.js").write_text("// is not published")
    again = Store(fresh.cache, fresh.npm, lambda _: pytest.fail("it was there"))
    assert package_for(profiler, node, again) == before
    assert again.missing([str(node.exec_path)], peers=[profiler.package] if profiler.package else []) == []
    (here / "mine/tiny.js").write_text(TINY + "\n")
    later = Store(fresh.cache, fresh.npm, lambda _: None)
    assert package_for(profiler, node, later) != before
    assert later.contents(profiler) != told


def test_sources_are_built_for_each_node(here: Path, fresh: Store, store: Store) -> None:
    """`binding.gyp` is used, with the headers of that Node."""
    folder = package(here / "native", gypfile=True, main="main.js", files=["*.js", "*.gyp", "*.c"])
    main = "exports.abi = require('./build/Release/told.node'); Object.assign(exports, require('./tiny.js'))"
    (folder / "main.js").write_text(main)
    (folder / "binding.gyp").write_text('{"targets": [{"target_name": "told", "sources": ["told.c"]}]}')
    (folder / "told.c").write_text(ADDON)
    profiler = profilers.parse("./native")
    for node in (store.find("24"), store.find("12.19.0")):
        built = package_for(profiler, node, fresh)
        script = f"if (require('{built}').abi !== {node.abi}) throw new Error('another Node')"
        assert script_error(script, node, fresh.npm.commands) is None
        fresh.check_adapter(profiler, built, node)


def test_dependencies_need_the_network_once(here: Path, fresh: Store, node: Node) -> None:
    package(here / "mine", dependencies={"node-gyp-build": "4.8.3"})
    empty = Npm(fresh.cache, offline=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("npm_config_cache", str(here / "npm"))
        with pytest.raises(NpmError, match="needs the network, which --offline forbids"):
            package_for(profilers.parse("./mine"), node, Store(fresh.cache, empty, lambda _: None))


@pytest.mark.parametrize(
    ("adapter", "message"),
    [
        ("exports.start = 1", "must export a function"),
        ("module.exports = () => ({ start() {}, stop() {} })", r"must return {start, stop, encode}; it has no encode"),
        ("module.exports = () => undefined", r"it has no start\(\)"),
        ("module.exports = () => { throw new RangeError('not I') }", "cannot be used in Node 24.*: RangeError: not I"),
        ("require('nothing-of-that-name')", "Cannot find module 'nothing-of-that-name'"),
    ],
)  # fmt: skip
def test_an_adapter_that_cannot_serve(here: Path, fresh: Store, node: Node, adapter: str, message: str) -> None:
    (here / "adapter.js").write_text(adapter)
    profiler = profilers.parse("./adapter.js")
    with pytest.raises(UsageError, match=message):
        fresh.check_adapter(profiler, package_for(profiler, node, fresh), node)


def test_a_package_with_another_api(here: Path, fresh: Store, node: Node) -> None:
    (package(here / "mine") / "tiny.js").write_text("exports.begin = () => {}")
    profiler = profilers.parse("./mine")
    with pytest.raises(UsageError, match=r"does not have the API of pprof .*put a pyprof-adapter.js into its folder"):
        fresh.check_adapter(profiler, package_for(profiler, node, fresh), node)


def test_a_package_for_other_nodes(here: Path, fresh: Store, node: Node) -> None:
    folder = package(here / "mine", engines={"node": ">=99"})
    (folder / "tiny.js").write_text("throw new Error('no binary for this Node')")
    with pytest.raises(BuildError, match=r"no binary for this Node \(its package.json asks for Node >=99: choose one"):
        package_for(profilers.parse("./mine"), node, fresh)
