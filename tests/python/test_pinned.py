"""What is installed at run time is pinned, and without the address of a registry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "pyprof"
LOCKS = {
    lock.parent.relative_to(PACKAGE).as_posix(): lock.parent
    for lock in sorted(PACKAGE.rglob("package-lock.json"))
    if "node_modules" not in lock.parts
}


@pytest.mark.parametrize("folder", LOCKS.values(), ids=LOCKS.keys())
def test_a_lock_has_hashes_and_no_addresses(folder: Path) -> None:
    manifest = json.loads((folder / "package.json").read_text())
    packages = json.loads((folder / "package-lock.json").read_text())["packages"]
    assert packages.pop("")["dependencies"] == manifest["dependencies"]
    assert all("resolved" not in package for package in packages.values())
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert "omit-lockfile-registry-resolved=true" in (folder / ".npmrc").read_text().splitlines()
    # What the run's first line adds up.
    assert 0 < manifest["pyprof"]["downloadMB"] < 50


def test_there_are_locks_for_all_that_is_installed() -> None:
    assert set(LOCKS) == {
        "nodes/tools",
        "profilers/npm/@datadog/pprof/5.20.0",
        "profilers/npm/@sentry-internal/node-cpu-profiler/2.4.1",
        "profilers/npm/pprof/2.0.0",
        "profilers/npm/pprof/3.0.0",
        "profilers/npm/pprof/5.0.0",
        "workloads/express",
    }
