"""Runs tests/node, the tests of the addon, on the oldest Node, the newest long-term one and that of the machine."""

from __future__ import annotations

import os
import subprocess

import pytest
from helpers import node_tests

from pyprof.nodes import Store
from pyprof.nodes.environment import child_environment


@pytest.fixture(scope="module", autouse=True)
def _packages(store: Store) -> None:
    node_tests.install(store.npm)


@pytest.mark.parametrize("spec", ["system", "12.19.0", "24"])
def test_all_pass(spec: str, store: Store) -> None:
    node = store.find(spec)
    environment, _ = child_environment()
    done = subprocess.run(
        [node.exec_path, node_tests.RUN],
        env={**environment, "PYPROF_ADDON": os.fspath(store.addon(node))},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
