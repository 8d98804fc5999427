"""What machine and what software a run used, for the report."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

import psutil


def describe() -> dict[str, Any]:
    """Plain values; None where the system does not tell."""
    return {
        "pyprof": metadata.version("pyprof-node"),
        "python": platform.python_version(),
        "system": _first("/etc/os-release", "PRETTY_NAME=") or platform.platform(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "cpu": _first("/proc/cpuinfo", "model name"),
        "cpus": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_mib": round(psutil.virtual_memory().total / 2**20),
        "swap_used_mib": round(psutil.swap_memory().used / 2**20),
        "cgroup_cpus": _cgroup_cpus(),
        "load_average": round(os.getloadavg()[0], 2),
        "frequency_governor": _text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
    }


def _cgroup_cpus() -> float | None:
    """The CPUs that the cgroup (version 2) of this process may use; None where it has no limit or cannot be read."""
    quota, _, period = (_text("/sys/fs/cgroup/cpu.max") or "max").partition(" ")
    return None if quota == "max" else int(quota) / int(period)


def _first(path: str, start: str) -> str | None:
    for line in (_text(path) or "").splitlines():
        if line.startswith(start):
            return line[len(start) :].lstrip("\t :").strip('"')
    return None


def _text(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return None
