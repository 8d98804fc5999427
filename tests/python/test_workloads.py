"""The apps that come with pyprof do the work that they say, on an old Node and a new one."""

from __future__ import annotations

import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import javascript_coverage

from pyprof.nodes import Store

FIBONACCI = {20: 6765, 21: 10946, 22: 17711, 23: 28657, 24: 46368, 25: 75025, 26: 121393, 27: 196418, 28: 317811,
             29: 514229, 30: 832040}  # fmt: skip


@pytest.fixture(params=["fibonacci", "express"])
def address(request: pytest.FixtureRequest, any_node: Path, store: Store) -> Iterator[str]:
    """Where a workload listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    script = store.workload(request.param) / "app.js"
    app = subprocess.Popen([any_node, script], env={"PORT": str(port), **javascript_coverage.environment()})
    try:
        deadline = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                assert app.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.02)
        yield f"http://127.0.0.1:{port}/"
    finally:
        javascript_coverage.end(app)


def test_answers_take_turns(address: str) -> None:
    for n in [*FIBONACCI, 20, 21]:
        with urllib.request.urlopen(address) as answer:
            assert answer.read().decode() == f"fibonacci({n}) = {FIBONACCI[n]}\n"
            assert answer.headers["content-type"].startswith("text/plain")
