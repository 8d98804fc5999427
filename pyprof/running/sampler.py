"""Memory and CPU of a process, read from outside by psutil: a blocked event loop cannot skip a sample."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable
from pathlib import Path

import psutil


class Sampler:
    """Samples RSS at even distances over a window."""

    def __init__(self, process: psutil.Process, duration: float, samples: int) -> None:
        self._process = process
        self._step = duration / samples
        self._samples = samples
        self.times: array[float] = array("d")  # CLOCK_MONOTONIC, seconds
        self.rss: array[float] = array("d")  # bytes

    def run(self, start: float, wait: Callable[[float], bool]) -> None:
        """Sample from ``start`` on. ``wait(seconds)`` passes the time between two samples and says whether to go on.

        A sample that comes late is taken at once and the next keep their times, so that a stall costs what it covers.
        """
        taken = 0
        while taken < self._samples:
            due = start + (taken + 0.5) * self._step
            now = time.monotonic()
            if now < due:
                if not wait(due - now):
                    return
                continue
            try:
                rss = self._process.memory_info().rss
            except psutil.Error:
                return
            self.times.append(time.monotonic())
            self.rss.append(float(rss))
            # samples whose whole step has passed are lost, not made up
            taken = max(taken + 1, int((time.monotonic() - start) / self._step))


def cpu_seconds(process: psutil.Process) -> float:
    """User and system time of the process so far, all its threads."""
    times = process.cpu_times()
    return float(times.user + times.system)


def memory_high_water(process: psutil.Process) -> float | None:
    """VmHWM in bytes. Not ru_maxrss: a child inherits that from the process that spawned it."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    sizes = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
    return float(sizes[0]) * 1024 if sizes else None


def unique_set_size(process: psutil.Process) -> float | None:
    """Private pages in bytes, from smaps_rollup."""
    try:
        return float(process.memory_full_info().uss)
    except (psutil.Error, AttributeError, OSError):
        return None
