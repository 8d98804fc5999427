"""Runs tests/node, the tests of the addon, on the oldest Node, the newest long-term one and that of the machine."""

from __future__ import annotations

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from helpers import node_tests

from pyprof.nodes import Store
from pyprof.nodes.environment import child_environment

NODES = ["system", "12.19.0", "24"]
Done = subprocess.CompletedProcess[str]


def _run(node: Path, addon: Path, *titles: str) -> Done:
    environment, _ = child_environment()
    return subprocess.run(
        [node, node_tests.RUN, *titles],
        env={**environment, "PYPROF_ADDON": os.fspath(addon)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def runs(store: Store) -> dict[str, tuple[Path, Path, Done]]:
    """By Node: its program, the addon built for it, and the run of all tests; two at a time, for they take minutes."""
    node_tests.install(store.npm)
    found = {spec: store.find(spec) for spec in NODES}
    addons = {spec: store.addon(node) for spec, node in found.items()}
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda spec: _run(found[spec].exec_path, addons[spec]), NODES))
    return {spec: (found[spec].exec_path, addons[spec], run) for spec, run in zip(NODES, done, strict=True)}


@pytest.mark.parametrize("spec", NODES)
def test_all_pass(spec: str, runs: dict[str, tuple[Path, Path, Done]]) -> None:
    node, addon, done = runs[spec]
    failed = re.findall(r"^FAILED  (.*)", done.stdout, re.MULTILINE)
    if 0 < len(failed) <= 5:  # another run beside it disturbs what measures time: these are judged alone
        done = _run(node, addon, *failed)
    assert done.returncode == 0, done.stdout
