"""Ctrl-C, pressed as people press it: more than once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import leftovers
from helpers.command import TINY, nodes_running
from helpers.registry import Registry, serving

from pyprof.nodes.versions import package_name

COMMAND = [sys.executable, "-m", "pyprof"]


@pytest.fixture
def slow_registry() -> Iterator[Registry]:
    """A download from it does not end."""
    with serving() as registry:
        registry.publish(package_name(), "12.19.0", {"bin/node": b"half of it is enough" * 1000})
        registry.slow = True
        yield registry


def press(process: subprocess.Popen[str], times: int = 6) -> None:
    """Ctrl-C several times within milliseconds."""
    for _ in range(times):
        if process.poll() is None:
            os.kill(process.pid, signal.SIGINT)
        time.sleep(0.003)


def test_in_a_trial(tmp_path: Path) -> None:
    command = [*COMMAND, "compare", *TINY, "--blocks", "4", "--profiler", "none", "-o", "x.pyprof"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        next(line for line in process.stdout if line.startswith("[1/4]"))
        time.sleep(0.7)
        press(process)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == "pyprof: interrupted\n"
    assert "1 of 4 trials are kept in x.pyprof" in out
    assert nodes_running(tmp_path) == []


@pytest.mark.parametrize("delay", [0.0, 0.4])
def test_in_a_download(slow_registry: Registry, tmp_path: Path, delay: float) -> None:
    environment = {
        **os.environ, "PYPROF_CACHE": str(tmp_path / "cache"), "npm_config_registry": slow_registry.url,
        "npm_config_cache": str(tmp_path / "npm"),
    }  # fmt: skip
    command = [*COMMAND, "node", "install", "12.19.0"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert slow_registry.half_sent.wait(60)
        time.sleep(delay)
        press(process)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "pyprof: interrupted"
    assert "Traceback" not in err
    assert leftovers.with_setting("npm_config_cache", str(tmp_path / "npm")) == []


def test_once_more_later_ends_at_once() -> None:
    code = (
        "import time\nfrom pyprof.cli.signals import interruptible\nwith interruptible():\n"
        "    try:\n        print('ready', flush=True)\n        time.sleep(600)\n"
        "    except KeyboardInterrupt:\n        print('ending', flush=True)\n        time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        press(process)
        assert process.stdout.readline() == "ending\n"
        time.sleep(1.1)
        assert process.poll() is None
        press(process, times=1)
        assert process.wait(timeout=10) == 130


def test_until_the_very_end() -> None:
    """The interpreter takes its time to end, and puts the default answer back for handlers that are Python's."""
    code = (
        "import time\nfrom pyprof.cli.signals import interruptible\n"
        "class Slow:\n    def __del__(self, sleep=time.sleep): print('going', flush=True); sleep(1)\n"
        "try:\n    with interruptible():\n        print('ready', flush=True)\n        time.sleep(600)\n"
        "except KeyboardInterrupt:\n    slow = Slow()\n    raise SystemExit(130)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        press(process, times=1)
        assert process.stdout.readline() == "going\n"
        press(process)
        assert process.wait(timeout=10) == 130
