"""Runs the real command on real Nodes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return (self.out + self.err).strip().splitlines()


Run = Callable[..., Ended]


def runner(folder: Path) -> Run:
    """``pyprof ARGUMENTS`` in that folder; checks that no traceback is shown and no child is left."""

    def call(*arguments: str, env: dict[str, str] | None = None, timeout: float = 300) -> Ended:
        done = subprocess.run(
            [sys.executable, "-m", "pyprof", *arguments],
            cwd=folder,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        assert "Traceback" not in done.stdout + done.stderr, done.stderr
        assert nodes_running(folder) == []
        return Ended(done.returncode, done.stdout, done.stderr)

    return call


def nodes_running(folder: Path) -> list[int]:
    """Process ids of apps and load generators that a pyprof in that folder has started."""
    return [
        process.pid
        for process in psutil.process_iter(["cmdline", "cwd"])
        if process.info["cwd"] == str(folder) and "pyprof/agent/" in " ".join(process.info["cmdline"] or [])
    ]


#: A comparison as short as one can be.
TINY = ("--blocks", "1", "--duration", "1s", "--warmup", "200ms", "--rss-samples", "50")
