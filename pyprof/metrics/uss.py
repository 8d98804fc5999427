"""Memory that only this process has (private pages), read once at the end of the window."""

from __future__ import annotations

from pyprof.trials import Trial

TITLE = "unique set size"
UNIT = "MiB"
BETTER = "lower"
CONTRAST = "ratio"
ORDER = 9


def value(trial: Trial) -> float | None:
    """USS, MiB; None where the kernel does not tell."""
    uss = trial.scalars.get("uss")
    return None if uss is None else uss / 2**20
