"""Memory and CPU of a process, read from outside by psutil: a blocked event loop cannot skip a sample."""

from __future__ import annotations

import contextlib
import time
from array import array
from collections.abc import Callable
from pathlib import Path

import psutil

#: No two samples are closer than this, however many are still wanted.
MIN_STEP = 0.0005


class Sampler:
    """Samples RSS over a window, at distances as even as the machine allows."""

    def __init__(self, process: psutil.Process, duration: float, samples: int) -> None:
        self._process = process
        self._duration = duration
        self._samples = samples
        self.times: array[float] = array("d")  # CLOCK_MONOTONIC, seconds
        self.rss: array[float] = array("d")  # bytes

    def run(self, start: float, wait: Callable[[float], None]) -> None:
        """Sample from ``start`` to its end; ``wait(seconds)`` passes the time between two samples.

        After each sample what is left of the window is divided by what is left of the samples: the loss of a stall is
        spread over the rest, and every sample has a time of its own.
        """
        end = start + self._duration
        while len(self.rss) < self._samples:
            step = (end - time.monotonic()) / (self._samples - len(self.rss))
            if step <= 0:
                return
            wait(max(step, MIN_STEP))
            try:
                rss = self._process.memory_info().rss
            except psutil.Error:
                return
            self.times.append(time.monotonic())
            self.rss.append(float(rss))


def cpu_seconds(process: psutil.Process) -> float:
    """User and system time of the process so far, all its threads."""
    times = process.cpu_times()
    return float(times.user + times.system)


def children_cpu_seconds(process: psutil.Process) -> float:
    """User and system time so far of all that the process started, also of what has ended and was waited for."""
    seconds = 0.0
    with contextlib.suppress(psutil.Error):
        times = process.cpu_times()
        seconds += times.children_user + times.children_system
        for child in process.children(recursive=True):
            with contextlib.suppress(psutil.Error):
                seconds += sum(child.cpu_times()[:4])  # user, system, and those of its own children
    return seconds


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


def stolen_seconds() -> float | None:
    """CPU time that a hypervisor gave to others so far, over all CPUs; None where the system does not tell."""
    return getattr(psutil.cpu_times(), "steal", None)
