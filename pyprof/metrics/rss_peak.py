"""The kernel's high-water mark of the process (VmHWM), from its start to the end of the window."""

from __future__ import annotations

from pyprof.trials import Trial

TITLE = "peak RSS"
UNIT = "MiB"
BETTER = "lower"
CONTRAST = "ratio"
ORDER = 8


def value(trial: Trial) -> float | None:
    """VmHWM, MiB."""
    peak = trial.scalars.get("vm_hwm")
    return None if peak is None else peak / 2**20
