"""Runs tests/node, the tests of the addon, on the oldest Node, the newest long-term one and that of the machine."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from helpers import node_tests

from pyprof.nodes import Store
from pyprof.nodes.environment import child_environment


def _run(node: Path, addon: Path, *titles: str) -> subprocess.CompletedProcess[str]:
    environment, _ = child_environment()
    return subprocess.run(
        [node, node_tests.RUN, *titles],
        env={**environment, "PYPROF_ADDON": os.fspath(addon)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("spec", ["system", "12.19.0", "24"])
def test_all_pass(spec: str, store: Store) -> None:
    node_tests.install(store)
    node = store.find(spec)
    addon = store.addon(node)
    done = _run(node.exec_path, addon)
    failed = re.findall(r"^FAILED  (.*)", done.stdout, re.MULTILINE)
    if 0 < len(failed) <= 5:  # other tests run beside it, and disturb what measures time: these are judged once more
        done = _run(node.exec_path, addon, *failed)
    assert done.returncode == 0, done.stdout
