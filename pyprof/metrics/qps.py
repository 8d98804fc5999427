"""Requests answered with 2xx per second of the measured window."""

from __future__ import annotations

from collections.abc import Sequence

from pyprof.trials import Trial

TITLE = "average QPS"
UNIT = "1/s"
BETTER = "higher"
CONTRAST = "ratio"
ORDER = 2

#: Above this share of one core the load generator itself may be what limits the rate.
MAX_LOAD_CPU_SHARE = 0.9


def value(trial: Trial) -> float | None:
    """2xx answers per second; None where the load was paced or its generator was saturated: then QPS is no result."""
    if trial.scalars.get("paced") or trial.scalars.get("load_cpu_share", 0.0) > MAX_LOAD_CPU_SHARE:
        return None
    return trial.scalars.get("qps")


def samples(trial: Trial) -> Sequence[float]:
    """2xx answers in each whole second of the window."""
    return trial.series.get("answers_per_second", ()) if value(trial) is not None else ()
