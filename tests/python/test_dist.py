"""What `make dist` makes, here for one ABI of Node: a wheel and an npm package that need no compiler."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from pyprof.nodes import Store, child_environment

ROOT = Path(__file__).parents[2]
PREBUILDS = "pyprof/_native/node_addon/prebuilds/linux-x64"
PROFILE = """
const { time, encodeSync } = require(process.argv[1]);
const stop = time.start();
for (const end = Date.now() + 50; Date.now() < end;);
console.log(encodeSync(stop()).length > 0);
"""
ASK = """
from pyprof.nodes import Cache, Npm, Store
store = Store(Cache(), Npm(Cache()), lambda line: None)
node = store.find("12.19.0")
print(store.addon(node), store.missing(["12.19.0"], addon=True))
"""


@pytest.fixture(scope="module")
def dist(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    store.addon(store.find("12.19.0"))
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, ROOT / ".ci/dist.py", folder, "12.19.0")
    return folder


@pytest.fixture(scope="module")
def site(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, installed."""
    folder = tmp_path_factory.mktemp("site")
    (wheel,) = dist.glob("*.whl")
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, wheel)
    return folder


@pytest.fixture(scope="module")
def package(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The npm package, unpacked."""
    folder = tmp_path_factory.mktemp("npm")
    (tarball,) = dist.glob("*.tgz")
    with tarfile.open(tarball) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


@pytest.fixture
def no_compiler(tmp_path: Path, tool_node: Path) -> dict[str, str]:
    """An environment without make and g++ on PATH."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("sh", "env", "npm"):
        (programs / name).symlink_to(shutil.which(name) or name)
    (programs / "node").symlink_to(tool_node)
    return {**child_environment()[0], "PATH": os.fspath(programs)}


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_names_its_platform_and_brings_what_it_needs(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    assert re.fullmatch(r"pyprof_node-[0-9.]+-cp311-abi3-manylinux_2_[0-9]+_x86_64\.whl", wheel.name)
    names = zipfile.ZipFile(wheel).namelist()
    assert {name for name in names if name.startswith(f"{PREBUILDS}/") and not name.endswith("/")} == {
        f"{PREBUILDS}/{name}"
        for name in ("pyprof.abi72.node", "libprotobuf-c.so.1", "libprotobuf-c.so.1.LICENSE", "sources")
    }
    assert any(name.startswith("pyprof_node.libs/libprotobuf-c") for name in names)  # the Python extension's
    assert not [name for name in names if "node_modules" in name or name.endswith(".o")]


def test_the_installed_wheel_builds_nothing(site: Path, no_compiler: dict[str, str]) -> None:
    answer = run(sys.executable, "-P", "-c", ASK, **{**no_compiler, "PYTHONPATH": os.fspath(site)})
    assert answer.split() == [os.fspath(site / "pyprof/_native/node_addon"), "[]"]


def test_changed_sources_are_built(site: Path, no_compiler: dict[str, str]) -> None:
    source = site / "pyprof/_native/csrc/pp.c"
    before = source.read_bytes()
    try:
        source.write_bytes(before + b"/* changed */\n")
        answer = subprocess.run(
            [sys.executable, "-P", "-c", ASK], env={**no_compiler, "PYTHONPATH": os.fspath(site)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "cannot build the addon for Node 12.19.0: there is no make" in answer.stderr
    finally:
        source.write_bytes(before)


def test_one_binary_serves_an_abi(site: Path, package: Path, store: Store, no_compiler: dict[str, str]) -> None:
    for version in ("12.14.1", "12.19.0"):
        node = store.find(version).exec_path
        run(node, package / "scripts/install.js", **no_compiler)
        for folder in (package, site / "pyprof/_native/node_addon"):
            assert run(node, "-e", PROFILE, folder, **no_compiler) == "true\n"


def test_the_library_beside_the_binary_is_the_one_that_is_used(package: Path) -> None:
    folder = package / "prebuilds/linux-x64"
    assert f"{folder}/libprotobuf-c.so.1" in run("ldd", folder / "pyprof.abi72.node")
    assert "Redistribution and use in source and binary forms" in (folder / "libprotobuf-c.so.1.LICENSE").read_text()


def test_another_node_is_told_what_building_takes(package: Path, tool_node: Path) -> None:
    done = subprocess.run(
        [tool_node, package / "scripts/install.js"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert "there is no" in done.stderr
    assert "libprotobuf-c-dev" in done.stderr
    assert "node-gyp rebuild" in done.stderr
    about = json.loads((package / "package.json").read_text())
    assert about["scripts"]["install"] == "node scripts/install.js || node-gyp rebuild"
    assert (package / "csrc/pp.c").is_file()
    assert (package / "LICENSE").is_file()
