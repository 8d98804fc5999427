"""What lets V8 write its coverage of a child process when `make coverage` runs; otherwise nothing."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

_END_ON_SIGTERM = Path(__file__).with_name("end_on_sigterm.js")


def environment() -> dict[str, str]:
    """For children that run pyprof's JavaScript. The tests themselves do not have it: pyprof says what it drops."""
    folder = os.environ.get("PYPROF_V8_COVERAGE")
    return {"NODE_V8_COVERAGE": folder, "NODE_OPTIONS": f"--require={_END_ON_SIGTERM}"} if folder else {}


def end(process: subprocess.Popen[Any]) -> None:
    """End a child so that it can write its coverage, and close its pipes."""
    with process:
        process.terminate()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:  # it handles the signal itself, or never gets to it
            process.kill()
